#!/usr/bin/env bash
# The package tilework_fft: plans, filters and convolutions against NumPy's; scipy.fft's functions through its backend against SciPy's own, whatever axes, strides and norms; what is left to SciPy.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_fft.so.0" ] || { echo "this build has no libtilework_fft"; exit 77; }
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import scipy.fft, sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no Python with SciPy here (package python3-scipy)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp -r "$TILEWORK_SOURCE/python" "$work/python"      # no __pycache__ in the sources
cd "$work"
export LD_LIBRARY_PATH=$TILEWORK_BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONPATH=$work/python STARPU_NCPU=1
cat > transforms.py <<'P'
import sys
import numpy as np
import tilework_fft
from tilework_fft import Error, Filter, Plan, backend, convolve

rng = np.random.default_rng(1)


def numbers(shape, letter):
    x = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if letter in "FD" else 0)
    return x.astype(letter)


def near(x, y, what=""):
    assert x.dtype == y.dtype and x.shape == y.shape, (what, x.dtype, y.dtype, x.shape, y.shape)
    assert abs(x - y).max() <= (1e-5 if x.dtype.char in "fF" else 1e-13) * (1 + abs(y).max()), (what, abs(x - y).max())


# Plans.
x = numbers((6, 10, 7), "D")
near(Plan("C2C", x.shape)(x), np.fft.fftn(x))
near(Plan("C2C", x.shape, axes=(1,), sign=1, norm="by_n")(x), np.fft.ifft(x, axis=1))
near(Plan("C2C", x.shape, axes=(2, 0), norm="ortho", rigor="estimate")(x), np.fft.fftn(x, axes=(2, 0), norm="ortho"))
y = x[::2, :, 1:6]
out = np.empty((10, 3, 5), "D").swapaxes(0, 1)
assert Plan("C2C", y.shape, in_strides=y.strides, out_strides=out.strides)(y, out) is out
near(np.ascontiguousarray(out), np.fft.fftn(y))
r = numbers((12, 9), "d")
h = Plan("R2C", r.shape)(r)
near(h, np.fft.rfft2(r))
near(Plan("C2R", r.shape, norm="by_n")(h.copy()), r)
near(Plan("R2C", r.shape, axes=(0,), dtype="f")(r.astype("f")), np.fft.rfft(r, axis=0).astype("F"))
assert Plan("R2C", r.shape).info["points"] == 108
f = Filter(r.shape, h)
near(f(r), convolve(r, r))
near(convolve(r, r, correlate=True), np.fft.irfft2(abs(h) ** 2 + 0j, r.shape))
for wrong in lambda: Plan("C2C", (4, 4), axes=(0, 0)), lambda: Plan("C2C", (4,), dtype=int), lambda: Plan("C2C", (4,))(x), lambda: Plan("C2C", (4,), in_strides=(-16,)), lambda: Filter((4,), np.ones(4)), lambda: convolve(r, r[1:]):
    try:
        wrong()
        sys.exit("was not refused")
    except (ValueError, TypeError):
        pass
try:
    Plan("C2C", (0,))
    sys.exit("no points were not refused")
except Error as e:
    assert e.code < 0

# The backend.
import scipy.fft as sf


def counted(name):
    return backend.report().get(f"scipy.fft.{name}", (0, 0))[1]


def compare(name, x, *others, taken=True, **keywords):
    call = getattr(sf, name)
    with sf.set_backend("scipy", only=True):
        y = call(x, *others, **keywords)
    kept, before = x.copy(), counted(name)
    got = call(x, *others, **keywords)
    near(got, y, (name, keywords))
    assert np.array_equal(x, kept), (name, "changed its input")
    assert counted(name) == before + taken, (name, keywords, taken)


backend.install(2)
for letter in "FD":
    x = numbers((6, 5, 8), letter)
    h = numbers((4, 5, 5), letter)
    r = numbers((6, 5, 8), letter.lower())
    for norm in None, "ortho", "forward", "backward":
        for z in x, x[::-1], x.T, x[1:, ::2]:
            for name in "fft", "ifft":
                for axis in 0, 1, -1:
                    compare(name, z, axis=axis, norm=norm)
            for name in "fft2", "ifft2", "fftn", "ifftn":
                compare(name, z, norm=norm)
            compare("fftn", z, axes=(2, 0), norm=norm)
        for z in r, r.T:
            compare("rfft", z, axis=1, norm=norm)
            compare("rfft2", z, norm=norm)
            compare("rfftn", z, norm=norm)
        h.imag[..., [0, -1]] = 0
        compare("irfft", h, norm=norm)
        compare("irfft", h, n=9, norm=norm)
        full = sf.rfftn(numbers((4, 5, 8), letter.lower()))
        compare("irfftn", full, norm=norm)
        compare("irfft2", full, norm=norm)
        for number in 1, 2, 3, 4:
            for name in "dct", "idct", "dst", "idst":
                compare(name, r, type=number, axis=1, norm=norm, taken=norm != "ortho" or number == 4)
                compare(name + "n", r, type=number, norm=norm, taken=norm != "ortho" or number == 4)
    compare("fft", x, n=4, taken=False)
    compare("fftn", x, s=(5, 8))
    compare("fft", r, taken=False)
    compare("hfft", x[0], taken=False)
    compare("irfft", h, n=20, taken=False)
    compare("rfft", np.arange(12), taken=False)
for wrong in lambda: sf.fft(x, axis=7), lambda: sf.fft(x, norm="x"), lambda: sf.fftn(x, axes=(0, 0)), lambda: sf.dct(r, type=9), lambda: sf.irfft(x, n=0):
    said = []
    for use in backend, "scipy":
        with sf.set_backend(use):
            try:
                wrong()
                said.append(None)
            except Exception as e:
                said.append((type(e), str(e)))
    assert said[0] == said[1], said
backend.uninstall()
before = backend.report()
sf.fft(x)
assert backend.report() == before
print("right")
P
$python transforms.py > out || { cat out; exit 1; }
grep -qx right out
# With the patches of NumPy and SciPy: taken where the program imports scipy.fft, and no more after unpatch().
cat > program.py <<'P'
import numpy as np
import scipy.fft
import tilework

x = np.ones((40, 50), complex)
assert scipy.fft.fft2(x)[0, 0] == 2000
assert tilework.report()["scipy.fft.fft2"][:2] == (1, 1), tilework.report()
tilework.unpatch()
scipy.fft.fft2(x)
assert tilework.report()["scipy.fft.fft2"][:2] == (1, 1)
P
$python -m tilework --min 10 --report program.py 2> err
grep -q 'scipy.fft.fft2: 1 call, 1 taken' err
echo passed
