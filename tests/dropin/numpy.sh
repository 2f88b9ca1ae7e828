#!/usr/bin/env bash
# Python's NumPy and SciPy, unchanged, with libtilework_lapack.so before their BLAS: the same results, calls taken; importing them starts nothing; workers of multiprocessing.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import numpy' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no Python with NumPy here (package python3-numpy)"; exit 77; }
run="$TILEWORK_BUILD/bin/tilework run"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cat > program.py <<'P'
import sys
import numpy as np

rng = np.random.default_rng(1)
n = 300
results = {}
for type in "f", "d", "F", "D":
    a = rng.standard_normal((n, n)).astype(type)
    if type in "FD":
        a = a + 1j * rng.standard_normal((n, n)).astype(type)
    b = (a @ a.conj().T + n * np.eye(n)).astype(type)
    results["product " + type] = a @ a
    results["of transposes " + type] = a.T @ a[::-1].T[:, :200]
    results["of a transpose " + type] = a @ a.T
    results["cholesky " + type] = np.linalg.cholesky(b)
    results["solve " + type] = np.linalg.solve(b, a)
    results["inv " + type] = np.linalg.inv(b)
    results["eigvalsh " + type] = np.linalg.eigvalsh(b)
    w, v = np.linalg.eigh(b)
    results["eigh " + type] = v * w @ v.conj().T  # vectors have no sign
    u, s, vt = np.linalg.svd(a[:, :200], full_matrices=False)
    results["svd " + type] = u * s @ vt
    results["svd, values " + type] = np.linalg.svd(a[:200], compute_uv=False)
    results["lstsq " + type] = np.linalg.lstsq(a[:, :150], a[:, 150:160], rcond=None)[0]
    results["pinv " + type] = np.linalg.pinv(a[:, :150])
try:
    np.linalg.cholesky(-b)
    sys.exit("a negative matrix has a Cholesky factor")
except np.linalg.LinAlgError as e:
    results["error"] = np.array(len(str(e)))
try:
    import scipy.linalg as sl

    results["cho_factor"] = np.tril(sl.cho_factor(np.asfortranarray(b), lower=True)[0])
    results["lu"] = sl.lu_factor(b)[0]
    for driver in "gesdd", "gesvd":
        u, s, vt = sl.svd(a, lapack_driver=driver)
        results["scipy svd " + driver] = u * s @ vt
    for driver in "evr", "evd", "ev":
        w, v = sl.eigh(b, driver=driver)
        results["scipy eigh " + driver] = v * w @ v.conj().T
    results["by pointers"] = sl.blas.zgemm(1, b, b)
except ImportError:
    pass
np.savez(sys.argv[1], **results)
P
cat > compare.py <<'P'
import json
import sys
import numpy as np

a, b = np.load(sys.argv[1]), np.load(sys.argv[2])
assert sorted(a) == sorted(b) and len(a.files) >= 49
for k in a:
    tolerance = 3e-4 if a[k].dtype.char in "fF" else 1e-11
    error = abs(a[k] - b[k]).max() / abs(a[k]).max()
    assert error <= tolerance, (k, error)
report = json.loads(open(sys.argv[3]).readline())
taken = {}
for r in report["routines"]:
    taken[r["name"]] = taken.get(r["name"], 0) + r["taken"]
    assert r["bits"] == 32 or r["name"].endswith("64_"), r
print(taken)
for name in "sgemm", "dgemm", "cgemm", "zgemm":
    assert any(name in t and taken[t] for t in taken), name
for name in "dpotrf", "zpotrf", "dgesv", "zgesv", "dsyevd", "zheevd", "dgesdd", "zgesdd", "dgelsd", "zgelsd":
    assert any(name in t and taken[t] for t in taken), name
assert not any("illegal" in r["forwarded"] for r in report["routines"]), report
P
$python program.py plain.npz
$run --report=report.json --min 100 -- $python program.py ours.npz
$python compare.py plain.npz ours.npz report.json

# By itself: small problems are not taken, and nothing is started.
cat > quiet.py <<'P'
import os
import numpy as np

np.ones((50, 50)) @ np.ones((50, 50))
threads = len(os.listdir("/proc/self/task"))
maps = open("/proc/self/maps").read()
assert threads == 1, threads
for library in "libtilework.so", "libstarpu", "libcuda":
    assert library not in maps, library
assert "libtilework_lapack" in maps
P
OPENBLAS_NUM_THREADS=1 $run -- $python quiet.py

# Workers: what is forked forwards, what is spawned does as the program does.
cat > workers.py <<'P'
import multiprocessing
import sys
import numpy as np


def work(seed):
    a = np.random.default_rng(seed).standard_normal((200, 200))
    return abs(np.linalg.solve(a, a @ a) - a).max()


if __name__ == "__main__":
    assert work(1) < 1e-6
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        assert max(pool.map(work, range(6))) < 1e-6
    assert work(2) < 1e-6
P
for how in fork forkserver spawn; do
  $run --report=$how.json --min 100 -- timeout 120 $python workers.py $how
  grep -q '"forked": false, "calls": [0-9]*, "taken": [1-9]' $how.json || { cat $how.json; echo "FAILED: $how: nothing was taken"; exit 1; }
  if grep '"forked": true' $how.json | grep '"taken": [1-9]'; then echo "FAILED: $how: a forked child takes calls"; exit 1; fi
done
echo passed
