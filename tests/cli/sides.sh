#!/usr/bin/env bash
# Vectors of both sides and the values, in three files that belong together: A = U diag(s) V^H and A R = R diag(w), L^H A = diag(w) L^H; and --vt, --vl where there are none.
# shellcheck source-path=SCRIPTDIR source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import numpy' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no Python with NumPy here (package python3-numpy)"; exit 77; }
"$python" -c '
import numpy as np
random = np.random.default_rng(1).standard_normal
np.save("A.npy", random((30, 20)) + 1j * random((30, 20))), np.save("W.npy", random((20, 30))), np.save("S.npy", random((21, 21)))'

for door in '' --lapack-door; do
  for job in S A O; do
    for input in A W; do
      # shellcheck disable=SC2086
      expect 0 '' gesdd --input $input.npy --type $([ $input = A ] && echo z || echo d) $door --jobz $job --output U.npy --vt V.npy --values s.npy
      "$python" -c '
import numpy as np
A, U, V, s = (np.load(name + ".npy") for name in ("'$input'", "U", "V", "s"))
k = s.size
assert np.abs(U[:, :k] * s.ravel() @ V[:k] - A).max() < 1e-12, (U.shape, V.shape)' 2> err || bad "gesdd $door --jobz $job of $input: $(cat err)"
    done
  done
  expect 0 '' gesvdx --input W.npy --range I:3:7 --output U.npy --vt V.npy --values s.npy
  "$python" -c '
import numpy as np
A, U, V, s = (np.load(name + ".npy") for name in ("W", "U", "V", "s"))
assert V.shape == (5, 30) and np.abs(U.T @ A - s.reshape(-1, 1) * V).max() < 1e-12, (U.shape, V.shape)' 2> err || bad "gesvdx: $(cat err)"
  # shellcheck disable=SC2086
  expect 0 '' geev --input S.npy $door --jobvl V --output R.npy --vl L.npy --values w.npy
  "$python" -c '
import numpy as np
A, R, L, w = (np.load(name + ".npy") for name in ("S", "R", "L", "w"))
w = w.ravel()
def vectors(X):
    Z = X.astype(complex)
    for j in np.flatnonzero(w.imag > 0):
        Z[:, j], Z[:, j + 1] = X[:, j] + 1j * X[:, j + 1], X[:, j] - 1j * X[:, j + 1]
    return Z
R, L = vectors(R), vectors(L)
assert np.abs(A @ R - R * w).max() < 1e-12 and np.abs(L.conj().T @ A - w.reshape(-1, 1) * L.conj().T).max() < 1e-12' 2> err || bad "geev $door: $(cat err)"
done
expect 0 '' gersvd --input W.npy --rank 4 --output U.npy --vt V.npy
expect 0 '' gees --input S.npy --values w.npy --output Z.npy
[ -s w.npy ] && [ -s Z.npy ] || bad 'gees wrote not both'

expect 2 '--jobz N' gesdd --n 9 --jobz N --vt x.npy
expect 2 'potrf has no singular vectors' potrf --n 9 --vt x.npy
expect 2 '--jobvl V' geev --n 9 --vl x.npy
expect 2 'gees has no left eigenvectors' gees --n 9 --vl x.npy
expect 2 'gesdd has no left eigenvectors' gesdd --n 9 --vl x.npy
expect 2 'that is the file of' geev --n 9 --jobvl V --vl x.npy --values ./x.npy
expect 2 'that is the file of' gesdd --n 9 --vt x.npy --output x.npy
expect 2 'x.csv' gesdd --n 9 --vt x.csv
[ ! -e x.npy ] || bad 'x.npy was written'
exit $((failures > 0))
