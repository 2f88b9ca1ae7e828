#!/usr/bin/env bash
# The commands of singular values: every one, every door, the ranks that --rcond says, and what is refused.
# shellcheck source-path=SCRIPTDIR/../cli source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/_expect.sh"

expect 0 ' ok ' gesdd --m 80 --n 60 --jobz A --type c --check
expect 0 'rank 60' gesvd --m 80 --n 60 --check
expect 0 ' ok ' gesvd --m 60 --n 80 --jobz O --type z --check
expect 0 ' ok ' gesvd --m 60 --n 80 --jobz O --type s --lapack-door --check
expect 0 '"orthogonality_v":' gesvd --n 50 --jobz A --in-place --check --json
expect 0 ' ok ' gesvd --n 50 --jobz N --values s.mtx --check
expect 0 '"rank":12' gelsd --n 80 --kind lowrank:12 --nrhs 3 --check --json
expect 0 'rank 70' gelsd --m 70 --n 90 --type z --lapack-door --check
expect 0 ' ok ' gelsd --n 80 --kind svd:1e10 --rcond 1e-3 --check
expect 0 ' ok ' gelsy --n 80 --kind svd:1e10 --rcond 1e-3 --check
expect 0 'rank 12' gepinv --m 80 --n 60 --kind lowrank:12 --type c --output p.mtx --check
head -2 p.mtx | grep -q '^60 80$' || bad "p.mtx is not 60 x 80: $(head -2 p.mtx)"
expect 0 ' ok ' gepinv --n 60 --kind svd:1e12 --rcond 1e-6 --in-place --check
expect 2 'LAPACK has no gepinv' gepinv --n 10 --lapack-door
expect 2 'finds no rank by it' gesdd --n 10 --rcond 0.1
expect 2 'from 0 to 1' gelsy --n 10 --rcond 2
expect 0 ' ok ' gersvd --m 200 --n 150 --rank 12 --kind svd:1e8 --type z --check
expect 0 '"rank":30,"error":' gersvd --n 200 --kind lowrank:30 --tol 1e-8 --check --json
expect 1 'tolerance not reached: error' gersvd --n 60 --rank 4 --tol 1e-3 --json
expect 0 'rank 20 ' gersvd --n 160 --oversampling 4 --power 2 --values s.mtx --output u.mtx
head -2 u.mtx | grep -q '^160 20$' || bad "u.mtx is not 160 x 20: $(head -2 u.mtx)"
expect 2 '--rank 61: the matrix has 60 singular values' gersvd --m 80 --n 60 --rank 61
expect 0 'rank 60 ' gersvd --m 80 --n 60 --rank 60
expect 0 'rank 60 ' gersvd --m 80 --n 60 --rank 61 --tol 1e-3
expect 2 'memory has --k for it' memory gersvd --n 50 --rank 4
expect 0 ' steps' gepolar --m 150 --n 100 --nb 32 --kind svd:1e16 --check
expect 0 '"steps":' gepolar --n 60 --type c --check --json --output u.mtx
expect 0 ' ok ' gepolar --m 60 --n 40 --type z --h h.mtx --output u.mtx --check
head -2 h.mtx | grep -q '^40 40$' || bad "h.mtx is not 40 x 40: $(head -2 h.mtx)"
expect 0 'rank 40' gesdd --input h.mtx --type z --jobz N
expect 2 'that is the file of --output, too' gepolar --n 10 --output same.mtx --h same.mtx
expect 2 '--h: needs a value' gepolar --n 10 --h
expect 0 'tilework gesdd: singular values' gesdd --h
expect 0 'tilework gesdd: singular values' gesdd --n 10 --h h.mtx
expect 2 'takes all of the matrix, not a triangle; --output writes U' gesdd --n 10 --u u.mtx
expect 1 'its columns are dependent' gepolar --n 60 --kind zerocol:3
expect 2 '--m 50: gepolar needs no fewer rows than columns, and --n is 100' gepolar --m 50 --n 100
expect 2 '--m 50: cholqr needs' cholqr --m 50 --n 100
expect 0 '' geqrf --m 5 --n 10 --output wide.mtx
expect 2 'this matrix is 5 x 10' gepolar --input wide.mtx
expect 2 'gesvdx has no such: auto, lapack or two' gesvdx --n 10 --route one
if "$tilework" help gesvdx | grep -q 'one stage'; then bad 'help offers gesvdx a route that it does not have'; fi
expect 2 'LAPACK has no gersvd' gersvd --n 10 --lapack-door
expect 2 'computes vectors always' gersvd --n 10 --jobz N
expect 2 'truncates nothing' gesdd --n 10 --rank 3
expect 0 'found 10 ' gesvdx --m 90 --n 60 --range I:1:10 --check
expect 0 ' ok ' gesvdx --m 60 --n 90 --range I:3:5 --type c --in-place --check
expect 0 '"range":"V","found":' gesvdx --n 70 --range V:1:4 --type z --lapack-door --check --json
expect 0 'found 0 ' gesvdx --n 50 --range V:1000:2000 --check
expect 0 ' ok ' gesvdx --n 50 --jobz N --values s.mtx --type s --check
expect 0 'found 4 ' gesvdx --m 40 --n 30 --range I:2:5 --output u.mtx
head -2 u.mtx | grep -q '^40 4$' || bad "u.mtx is not 40 x 4: $(head -2 u.mtx)"
expect 2 'has 30 singular values' gesvdx --m 40 --n 30 --range I:2:31
expect 2 'never below 0' gesvdx --n 10 --range V:-1:2
expect 2 'expected N or V' gesvdx --n 10 --jobz S
expect 0 ' ok ' gebrd --m 90 --n 60 --nb 32 --check
expect 0 '"orthogonality":' gebrd --m 60 --n 90 --type z --check --json
expect 0 ' ok ' gebrd --n 70 --type s --lapack-door --check
expect 0 ' ok ' gebrd --n 70 --type c --in-place --check
expect 2 'use gesvdx' gesdd --n 10 --range I:1:3
expect 2 'gives no singular values of its own' gebrd --n 10 --values s.mtx
expect 2 'expected N, S, A or O' gesdd --n 10 --jobz X
expect 2 'in the library alone (include/tilework/svd.h)' gecond2 --n 10
expect 2 'in the library alone (include/tilework/svd.h)' tw_genorm2
if "$tilework" help gersvd | grep -q -- '--jobz'; then bad 'help offers gersvd a --jobz'; fi
printf '\x93NUMPY\x01\x00\x46\x00%-69s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }" > nan.npy
printf '\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf8\x7f\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf0\x3f' >> nan.npy
expect 2 'nan.npy: entry (1, 2) is not a finite number' gesdd --input nan.npy
if grep -q 'not what its format says' err; then bad "$(cat err)"; fi
exit $((failures > 0))
