#!/usr/bin/env bash
# The commands of eigenvalues: every door of those that share a file, what --json tells of a run, and that checks can fail.
# shellcheck source-path=SCRIPTDIR/../cli source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/_expect.sh"

# ---- doors, types, triangles
expect 0 ' ok ' syev --n 70 --type s --check
expect 0 ' ok ' syev --n 70 --type z --uplo U --lapack-door --check
expect 0 'found 8' sygvx --n 70 --itype 2 --range I:3:10 --check
expect 0 '"range":"V"' sygvx --n 70 --type c --uplo U --range V:-1:0.5 --jobz N --lapack-door --check --json
expect 0 'found 70' sygvx --n 70 --in-place --itype 3 --check
expect 0 'found 9' stevr --n 70 --range I:2:10 --check
expect 0 'found 9' sbevx --n 70 --kd 5 --range I:2:10 --type c --check
expect 0 'A Q - Q T' sbevx --n 70 --kd 5 --range I:2:10 --uplo U --type z --check --json
expect 0 'found 70' sbevx --n 70 --kd 5 --uplo U --jobz N --lapack-door --check
expect 0 ' ok ' sbevx --n 70 --kd 5 --range V:-1:1 --type z --lapack-door --check
expect 0 'itype=3' sygst --n 300 --nb 64 --type z --itype 3 --check
expect 0 ' ok ' sygst --n 90 --uplo U --lapack-door --check
expect 2 'has no right-hand side' sygst --n 10 --nrhs 4
expect 2 'computes no eigenvalues' sygst --n 10 --jobz N

expect 0 ' ok ' sytrd --n 150 --nb 64 --type z --uplo U --check
expect 0 ' ok ' sytrd --n 90 --type s --lapack-door --check
expect 0 'route one' syevd --n 150 --route one --type c --check

# ---- general matrices
expect 0 ' ok ' geev --n 90 --type s --lapack-door --jobvl V --check
expect 0 ' ok ' geev --n 90 --type z --jobvl V --jobvr N --in-place --nb 32 --check
expect 0 '"jobvl":"V","jobvr":"N"' geev --n 90 --type c --jobvl V --jobvr N --lapack-door --json
expect 0 '"vendor":{"hseqr":150},"predicted":null,"stages":{"balance":{"seconds":' geev --n 150 --nb 64 --json --check
expect 0 '' geev --n 70 --output vr.mtx
expect 0 '' geev --n 70 --jobvr N --output w.mtx
head -1 w.mtx | grep -q 'complex' || bad "eigenvalues are no complex vector: $(head -3 w.mtx)"
expect 2 'no left and right eigenvectors' syevd --n 10 --jobvl V
expect 2 'geev has no such flag; all eigenvalues are computed, and --jobvl and --jobvr say which eigenvectors' geev --n 10 --jobz N
expect 2 'expected N or V' geev --n 10 --jobvr S
expect 0 'sdim' gees --n 90 --type s --lapack-door --select left --check
expect 0 'sdim' gees --n 90 --type z --select disk --in-place --nb 32 --check
expect 0 '"jobvs":"N","select":"left","sdim":' gees --n 90 --type c --jobvs N --select left --lapack-door --json --check
expect 0 '"order":{"seconds":' gees --n 150 --nb 64 --json --check
grep -q '"orthogonality":[0-9]' out || bad "no orthogonality in: $(cat out)"
expect 0 '' gees --n 70 --output z.mtx
for door in '' --lapack-door --in-place; do
  # shellcheck disable=SC2086
  expect 0 '' gees --n 70 --type z --schur t.mtx --output z.mtx --values w.mtx $door
  # the triangle's diagonal is the eigenvalues, and below it there is nothing
  awk 'FNR <= 2 { next } FNR == NR { w[FNR - 3] = $0; next }
       { i = (FNR - 3) % 70; j = int((FNR - 3) / 70); if (i == j && $0 != w[i]) bad++; if (i > j && ($1 != 0 || $2 != 0)) bad++ }
       END { exit bad || FNR != 4902 }' w.mtx t.mtx || bad "gees $door: t.mtx is not the Schur form"
done
expect 2 'has no Schur form, as gees has' geev --n 10 --schur t.mtx
head -2 z.mtx | grep -q '70 70' || bad "Schur vectors are no matrix: $(head -3 z.mtx)"
expect 2 '--range: gees has no such flag; all eigenvalues are computed, and --select says which come first' gees --n 10 --range I:1:3
expect 2 'has no left and right eigenvectors' gees --n 10 --jobvl V
expect 2 'has no Schur form' geev --n 10 --select left
expect 2 'expected none, left or disk' gees --n 10 --select right

expect 0 ' ok ' gehrd --n 150 --nb 64 --type z --check
expect 0 ' ok ' gehrd --n 90 --type s --lapack-door --check
expect 0 '"orthogonality":' gehrd --n 90 --type c --in-place --nb 32 --check --json
grep -q '"orthogonality":[0-9]' out || bad "no orthogonality in: $(cat out)"
expect 0 '' gehrd --n 70 --output h.mtx
head -2 h.mtx | grep -q '70 70' || bad "the Hessenberg form is no matrix: $(head -3 h.mtx)"
expect 0 ' ok ' gehrd --n 0 --check
expect 2 'takes all of the matrix' gehrd --n 10 --uplo U
expect 2 'computes no eigenvalues' gehrd --n 10 --jobz N

# ---- ranges and functions
expect 0 'found 10' syevr --n 70 --range I:1:1e1 --check
expect 0 'found 0' syevr --n 0 --range I:1:0 --check
expect 2 'only a matrix of order 0' syevr --n 70 --range I:1:0
expect 2 'expected A, I:FIRST:LAST' syevr --n 70 --range I:1:99999999999999999999999999999999999
expect 2 'expected A, I:FIRST:LAST' syevr --n 70 --range I::3
expect 0 ' ok ' syfun --f exp --n 800 --check
expect 1 'info 1' syfun --f exp --n 800 --kind spd
expect 2 "workspaces end at order 46340" syevd --n 50000 --route lapack

# ---- what a run tells
expect 0 '"route":"two","band":16,"deflated":0.' syevd --n 300 --band 16 --json
for stage in band tridiagonal solve back_tridiagonal back_band; do
  grep -q "\"$stage\":{\"seconds\":[0-9.e-]*,\"first_start\":[0-9.e-]*,\"last_end\":[0-9.e-]*,\"cpu_tasks\":[0-9]*,\"cuda_tasks\":[0-9]*}" out ||
    bad "no stage $stage in: $(cat out)"
done
grep -q '"vendor":{[^}]*"stedc":150[,}]' out || bad "leaves of order 150: $(cat out)"
expect 0 '"route":"lapack","band":null,"deflated":null,"vendor":{"syevd":300},"predicted":{"lapack":' syevd --n 300 --route lapack --json
expect 0 '"route":"one","band":null,"deflated":null,"vendor":{},"predicted":null,"stages":{"tridiagonal":{"seconds":' sytrd --n 200 --nb 64 --json
expect 0 'route two b=64' syevr --n 300 --lapack-door --route two --range I:1:3 --check
expect 0 '"route":null,"band":null,"deflated":1.0' stedc --n 300 --kind identity --json
expect 0 '' syevd --n 200 --route two --trace run --nb 64
grep -q '"stage":"back_band"' run.json || bad "run.json names no stages"
grep -q '<td>back_tridiagonal</td>' run.html || bad "run.html has no table of stages"

# ---- what is not read, and what is said of it
printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 6\n1 1 1\n2 2 2\n3 3 3\n4 4 4\n2 1 .5\n4 1 .1\n' > corner.mtx
printf '%%%%MatrixMarket matrix coordinate complex hermitian\n2 2 3\n1 1 1 0\n2 2 2 0\n2 1 .5 .5\n' > complex.mtx
for routine in stedc sterf 'sbevd --kd 2'; do
  # shellcheck disable=SC2086
  expect 0 '' $routine --input corner.mtx --check
  grep -q 'note: corner.mtx has elements beyond' err || bad "$routine says nothing of what it does not read: $(cat err)"
done
expect 0 '' sbevd --kd 3 --input corner.mtx
if grep -q note err; then bad "all of corner.mtx is in its band: $(cat err)"; fi
expect 0 '' stedc --input complex.mtx --type z
grep -q 'note: complex.mtx is not real' err || bad "stedc takes complex sub-diagonals: $(cat err)"
expect 0 'route two b=16' syevd --n 100 --band 16 --lapack-door --check

# ---- names, and flags that are another routine's
expect 2 'say syevd --type z' zheevd --n 10
expect 2 'say syevd --type d' tw_dsyevd --n 10
expect 2 'say sygvd --type z' zhegv
expect 2 'say syevd' eigh
expect 2 'say geev' eig
expect 2 'say gesdd' svd
expect 2 'say gesdd' matrix_rank
expect 2 'say gesdd --type d' dgejsv
expect 2 'say gersvd' svds
expect 2 'say gees --type d' dtrsen
expect 2 'say geev' trevc
expect 2 'in the library alone' dgeevx
expect 2 'in the library alone' ormtr
expect 2 'expected N or V' syevd --n 10 --jobz X
if grep -q 'S, A' err; then bad "syevd has letters of singular values: $(cat err)"; fi
expect 2 'from 1 to 3' sygvd --n 10 --itype 4
if grep -q 'such as' err; then bad "1 to 3, $(cat err)"; fi
expect 2 'use syevr' syevd --n 10 --range I:1:3
expect 2 'use sygvx' sygvd --n 10 --range I:1:3
expect 2 'use sbevd' syevd --n 10 --kd 4
expect 2 'sytrd writes none' sytrd --n 10 --tau tau.npy

# ---- --output: eigenvectors, or eigenvalues where there are no vectors, as help says
for name in sterf stebz stedc stevd stevr sbevd sbevx; do
  expect 0 '--output' help $name
  if ! sed '/^Example/,$d' out | grep -q -e '--output'; then bad "help $name does not say what --output writes"; fi
done
for name in sterf stebz 'stevd --jobz N' 'sbevx --jobz N'; do
  # shellcheck disable=SC2086
  expect 0 '' $name --n 6 --output -
  grep -qx '6 1' out || bad "$name --output - is no column of six: $(head -n 2 out)"
done

# ---- matrices that are not finite
expect 1 '"found":null' syevd --n 40 --kind nan:3,4 --json
expect 1 'or the matrix has a NaN' geev --n 40 --kind nan:3,4
expect 1 'option' stebz --n 40 --nb 8 --kind nan:3,3
if grep -q 'called directly' out; then bad "no LAPACK was called: $(cat out)"; fi
exit $((failures > 0))
