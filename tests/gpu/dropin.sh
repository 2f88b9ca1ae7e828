#!/usr/bin/env bash
# On a machine with a GPU and Python's NumPy and SciPy: what the drop-ins take of its memory, other people's tests, arrays of malloc.
#
#   tests/gpu/dropin.sh [PART...] [--out DIR] [--build DIR] [--limit SECONDS]
#
# From the unpacked bundle or a source tree with a build. Parts (default: all):
#   memory   a product that needs more than half of the GPU's free memory, most of which another process holds: the drop-in stays at half (and its context), the result is right (30 s)
#   malloc   a transform of 2 GiB in arrays of malloc, in small pages and in huge ones (GLIBC_TUNABLES): seconds of each (40 s)
#   scipy    scipy.linalg's own tests, without, under tilework run and python3 -m tilework (dropin/numpy-tests.sh --jobs 3), which takes the rest of the time
# DIR (default ./dropin-results) gets the programs' output. All of it takes at most --limit seconds (480). Exit status: 0 if nothing failed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
parts=() out=$PWD/dropin-results limit=480 build=${TILEWORK_BUILD:-$root/build} status=0
die() { printf 'dropin.sh: %s\n' "$*" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    memory|malloc|scipy) parts+=("$1") ;;
    --out|--build|--limit) [ $# -ge 2 ] || die "$1 needs a value"
      case $1 in --out) out=$2 ;; --build) build=$2 ;; --limit) limit=$2 ;; esac; shift ;;
    -h|--help) sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "$1: not a part and not an option (see --help)" ;;
  esac
  shift
done
[[ $limit =~ ^[0-9]{1,6}$ ]] || die "--limit $limit: not a number of seconds"
[ ${#parts[@]} -gt 0 ] || parts=(memory malloc scipy)
if [ -f "$root/env.sh" ]; then          # the bundle
  # shellcheck disable=SC1091
  . "$root/env.sh"
  build=$root
else
  build=$(cd "$build" 2> /dev/null && pwd) || die "no build: build first, or say --build DIR"
  export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
[ -x "$build/bin/tilework" ] || die "$build/bin/tilework is missing"
mkdir -p "$out" && out=$(cd "$out" && pwd) || die "cannot write to $out"
export TILEWORK_TEST_CUDA=1 TILEWORK_SOURCE=$root TILEWORK_BUILD=$out/state
mkdir -p "$TILEWORK_BUILD"
run() { "$root/cmake/run-test.sh" "$@"; }      # settings of tests, and a state of its own
wrong() { echo "WRONG: $*"; status=1; }
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import numpy' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || die "no Python with NumPy here"
SECONDS=0
left() { echo $((limit > SECONDS ? limit - SECONDS : 1)); }

# --- memory -----------------------------------------------------------------------------------------------------------
# Holds all of the GPU's memory but some MiB, tells how much is free, and, when its input ends, the least that was.
cat > "$out/holder.py" <<'P'
import ctypes, select, sys

leave = int(sys.argv[1]) << 20
cuda = ctypes.CDLL("libcuda.so.1")
device, context = ctypes.c_int(), ctypes.c_void_p()


def ask(name, *arguments):
    e = getattr(cuda, name)(*arguments)
    if e:
        sys.exit(f"{name}: CUDA's error {e}")


def free():
    here, all = ctypes.c_size_t(), ctypes.c_size_t()
    ask("cuMemGetInfo_v2", ctypes.byref(here), ctypes.byref(all))
    return here.value


ask("cuInit", 0)
ask("cuDeviceGet", ctypes.byref(device), 0)
ask("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
ask("cuCtxSetCurrent", context)
while free() > leave + (2 << 20):
    array = ctypes.c_uint64()
    ask("cuMemAlloc_v2", ctypes.byref(array), ctypes.c_size_t(max(1, min(1 << 30, free() - leave) >> 21) << 21))
least = free()
print(least >> 20, flush=True)
while not select.select([sys.stdin], [], [], 0.002)[0]:
    least = min(least, free())
print(least >> 20)
P
cat > "$out/product.py" <<'P'
import sys, time
import numpy as np

n = int(sys.argv[1])
A = np.random.default_rng(1).random((n, n))
begin = time.perf_counter()
C = A @ A
seconds, v = time.perf_counter() - begin, np.ones(n)
error = np.abs(C @ v - A @ (A @ v)).max() / np.abs(C @ v).max()
print(f"A @ A of order {n}: {seconds:.2f} s, relative error {error:.1e}")
assert error < 1e-12
P
product() {      # NAME SETTING...: the product beside the holder; its MiB to `used`, those that were free to `free`
  local name=$1 holder most; shift
  coproc HOLDER { exec "$python" "$out/holder.py" 8704; }
  holder=$HOLDER_PID
  exec {to}>&"${HOLDER[1]}" {from}<&"${HOLDER[0]}"
  read -r -t 60 free <&"$from" || { wrong "$name: no memory was held"; free=0; used=0; return; }
  # The first call that is worth it waits for the start: shapes alone decide.
  run env TILEWORK_REPRODUCIBLE=1 OPENBLAS_NUM_THREADS=8 STARPU_NCPU=8 "$@" timeout 100 "$build/bin/tilework" run --report="$out/$name.json" -- "$python" "$out/product.py" "${TILEWORK_N:-16384}" > "$out/$name.txt" 2>&1 ||
    { wrong "$name: the program failed"; tail -n 5 "$out/$name.txt"; }
  exec {to}>&-; eval "exec ${HOLDER[1]}>&-" 2> /dev/null
  read -r -t 10 most <&"$from" || most=$free
  exec {from}<&-
  wait "$holder" 2> /dev/null
  used=$((free - most))
  echo "$name: $free MiB free, $used taken at most; $(tail -n 1 "$out/$name.txt")"
  grep -q '"routine": "dgemm", [^}]*"taken": [1-9]' "$out/$name.json" || wrong "$name: the product was not taken ($out/$name.json)"
}
part_memory() {
  local bound
  product half
  bound=$((free / 2 + 1600))      # a context, the libraries' handles, StarPU's chunks: 1503 MiB stay when idle
  [ "$used" -gt 1000 ] && [ "$used" -le "$bound" ] || wrong "$used MiB of $free were taken, $bound are half and a context"
  # The check can fail: the same where more is allowed.
  product more STARPU_LIMIT_CUDA_MEM=6800
  [ "$used" -gt "$bound" ] || wrong "the check finds nothing: with a limit of 6800 MiB $used were taken"
}

# --- malloc -----------------------------------------------------------------------------------------------------------
cat > "$out/transform.py" <<'P'
import ctypes, sys, time
import numpy as np

n = int(sys.argv[1])
ctypes.CDLL("libfftw3.so.3", ctypes.RTLD_GLOBAL)
fftw, libc = ctypes.CDLL(None), ctypes.CDLL("libc.so.6")
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
fftw.fftw_plan_dft_3d.restype, fftw.fftw_plan_dft_3d.argtypes = ctypes.c_void_p, [ctypes.c_int] * 3 + [ctypes.c_void_p] * 2 + [ctypes.c_int, ctypes.c_uint]
fftw.fftw_execute.argtypes = [ctypes.c_void_p]
at = libc.malloc(16 * n**3)
plan = fftw.fftw_plan_dft_3d(n, n, n, at, at, -1, 64)
x = np.ctypeslib.as_array((ctypes.c_double * (2 * n**3)).from_address(at)).view(complex)
x[:] = 1
seconds = []
for k in range(5):
    begin = time.perf_counter()
    fftw.fftw_execute(plan)
    seconds.append(time.perf_counter() - begin)
    right = abs(x[0] - n**3) < 1e-6 * n**3 and abs(x[1 : n * n]).max() < 1e-6
    x[:] = 1
huge = [int(line.split()[1]) >> 10 for line in open("/proc/self/smaps_rollup") if line.startswith("AnonHugePages")]
print(f"{n}^3, malloc, {huge[0]} MiB in huge pages:", *(f"{s:.3f}" for s in seconds), "s", "right" if right else "WRONG")
sys.exit(not right)
P
part_malloc() {
  local pages
  cat /sys/kernel/mm/transparent_hugepage/enabled
  for pages in 0 1; do
    run env GLIBC_TUNABLES=glibc.malloc.hugetlb=$pages STARPU_NCPU=8 timeout 60 "$build/bin/tilework" run --report --min "${TILEWORK_MIN:-100}" -- "$python" "$out/transform.py" "${TILEWORK_N:-512}" > "$out/malloc-$pages.txt" 2>&1 || wrong "malloc, huge pages $pages"
    cat "$out/malloc-$pages.txt"
  done
}

# --- scipy ------------------------------------------------------------------------------------------------------------
part_scipy() {
  run env STARPU_NCPU=2 timeout "$(left)" bash "$root/dropin/numpy-tests.sh" "$build" --only scipy.linalg --jobs 3 --limit $(($(left) * 9 / 10)) --keep "$out/scipy" > "$out/scipy.txt" 2>&1 || wrong "scipy.linalg's tests"
  cat "$out/scipy.txt"
}

for part in "${parts[@]}"; do
  echo "== $part"
  "part_$part"
  echo "   ($SECONDS s so far)"
done 2>&1 | tee "$out/log.txt"
grep -q '^WRONG' "$out/log.txt" && status=1
exit $status
