#!/usr/bin/env bash
# What a first hour brings: mistyped words and flags, LAPACK's names, settings that cannot be, atoms without their bonds. Each is told what was
# probably meant, or what is wrong, with the status of the manual.
# shellcheck source-path=SCRIPTDIR source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"
# only TEXT: nothing but one line on stderr
one_line() { if [ "$(wc -l < err)" != 1 ] || [ -s out ]; then bad "$1 says more than one line: $(cat out err)"; fi; }

# ---- words
for pair in 'potf potrf' 'Potrf potrf' 'psov posv' 'hepl help' 'minimise minimize' 'fft2 fft'; do
  expect 2 "did you mean ${pair#* }?" "${pair% *}" --n 10
  one_line "${pair% *}"
  expect 2 "did you mean ${pair#* }?" help "${pair% *}"
done
expect 2 'say potrf --type z' zpotrf --n 10
expect 2 'say gesv_mixed --type d' dsgesv --n 10
expect 2 'say gesv --type s' sgesv --n 10
expect 2 'say gels' lstsq --n 10
for pair in 'dgemm gemm --type d' 'zherk herk --type z' 'tw_strsm trsm --type s' 'matmul gemm' 'gemv gemm --n 1' 'solve_triangular trtrs' 'tsqr geqrf_tree'; do
  expect 2 "say ${pair#* }" "${pair%% *}" --n 10
  one_line "${pair%% *}"
done
# BLAS' own word where it has one argument, TRANS; gemm has two
expect 0 'dsyrk LT' syrk --n 20 --trans T --check
expect 0 'ok' trsm --n 20 --trans C --check
expect 2 '--trans: gemm has --transa and --transb' gemm --n 20 --trans T
expect 2 '--trans: symm has no such flag' symm --n 20 --trans T
expect 2 '--trans X: expected' trmm --n 20 --trans X
# NumPy's, SciPy's and FMM3D's names, and those of the library's functions
for pair in 'solve gesv' 'chol potrf' 'cho_solve potrs' 'lu_factor getrf' 'inv getri' 'qr geqrf' 'rfft fft --type d' 'irfftn fft --type d --backward' \
            'dct fft --r2r dct2' 'fftconvolve fft --convolve KERNEL --linear' 'lfmm3d fmm' 'tw_fmm2d fmm --plane' 'tw_nbody_direct direct' 'tw_leapfrog nbody' \
            'tw_cutoff_verlet md'; do
  expect 2 "say ${pair#* }" "${pair%% *}" --n 10
  one_line "${pair%% *}"
  expect 2 "say ${pair#* }" help "${pair%% *}"
done
for command in fft fmm md; do expect 2 'it counts for routines on matrices' memory $command; done
# Too many particles: the flag that says how many is named.
for command in fmm direct nbody md; do expect 2 '--n: not enough memory' $command --n 1e9; done
# What the library has and the command has not, also where help is asked for it.
for name in geequb dpoequb tw_dgerfs LAPACKE_zungqr; do
  expect 2 'in the library alone (include/tilework/lapack.h)' $name --n 10
  expect 2 'in the library alone' help $name
done
for name in gelqf_tree lange dlansy tw_lanhe zlantr lacpy slascl laset norm2est geadd; do
  expect 2 'in the library alone (include/tilework/dense.h)' $name --n 10
  one_line $name
  expect 2 'in the library alone (include/tilework/dense.h)' help $name
done
# What is not offered is not taken for its neighbour: pstrf is not potrf, sysv not syev.
for pair in 'sysv take gesv' 'zhesv take gesv' 'hetrf take gesv' 'ldl take gesv' 'dsysv_rook take gesv' 'dpstrf take geqp3 for a rank, posv for a solution' 'geqlf take geqrf' 'gerqf take gelqf' \
            'dgglse take gels or gelsy' 'ggglm take gels or gelsy' 'gbsv take gesv' 'larfg geqrf makes them' 'laswp getrs makes those of getrf'; do
  expect 2 "${pair#* }" "${pair%% *}" --n 10
  one_line "${pair%% *}"
  if grep -q 'did you mean' err; then bad "${pair%% *}: $(cat err)"; fi
  expect 2 "${pair#* }" help "${pair%% *}"
done
expect 2 'say syevd' help heevd
expect 2 'a routine or command comes first' -n 10
expect 2 "no routine or command 'xyzzy'" xyzzy        # near nothing: the list
grep -q '  potrf ' err || bad "xyzzy: no list of what there is"
if grep -q 'did you mean' err; then bad "xyzzy: $(head -n 1 err)"; fi

# ---- flags
for command in potrf md fmm direct nbody; do
  expect 2 'did you mean --n?' $command -n 10
  expect 2 'did you mean --n?' $command --N 10
  expect 2 'did you mean --seed?' $command --sede 1
  expect 2 '--json takes no value' $command --json=1
  expect 2 '--n: needs a value' $command --n
  expect 2 '--frobnicate: no such flag; see' $command --frobnicate
done
expect 2 '--v: more than one flag begins so: --values, --vt, --vl; see: tilework help gesdd' gesdd --v s.npy
for variable in TILEWORK_BAND=wide TILEWORK_BAND=0 TILEWORK_LEAF=-1 TILEWORK_CHASE=somewhere TILEWORK_ROUTE=three; do
  export "${variable?}"; expect 2 "${variable%%=*}" syevd --n 40; unset "${variable%%=*}"
done
expect 2 'up to n = 4096' syevd --n 100000000 --jobz N --check      # said before any work
expect 2 'potrf computes no eigenvalues' potrf --n 10 --jobz N
expect 2 'sterf computes eigenvalues alone' sterf --n 10 --jobz V
expect 2 'stevd is for real matrices' stevd --n 10 --type c
expect 2 'stedc has no stage 1' stedc --n 10 --band 4
expect 2 '--route three: expected auto, lapack, one or two' syevd --n 10 --route three
expect 2 'computes no eigenvalues' potrf --n 10 --route two
expect 2 'no dense matrix' sbevd --n 10 --route two
expect 2 'has no band' syevd --n 10 --route lapack --band 4
expect 2 '--route one: gesdd has no such' gesdd --n 10 --route one
expect 2 '--route one has no band' syevd --n 10 --route one --band 4
expect 2 'nothing to trace' syevd --n 10 --lapack-door --route lapack --trace t
expect 2 '--kd: syevd' syevd --n 10 --kd 4
expect 2 'computes all eigenvalues' syevd --n 10 --range A
expect 2 'computes all singular values' gesdd --n 10 --range A
expect 2 'expected A, I:FIRST:LAST' syevr --n 10 --range I:4:3
expect 2 'the matrix is of order 10' syevr --n 10 --range I:4:11
expect 2 '-nb: no such flag; did you mean --nb?' potrf -nb 64
if has_fft; then
  expect 2 'did you mean --n?' fft -n 10
  expect 2 'did you mean --backward?' fft --n 10 --backwards
  expect 2 '--check takes no value' fft --n 10 --check=1
  expect 2 '--n: needs a value' fft --n
  expect 2 '--frobnicate: no such flag; see' fft --frobnicate
  expect 2 'expected s, d, c or z' fft --n 10 --type q
  expect 2 '--n 10x: expected' fft --n 10x
  expect 0 'fft 100 ' fft --n=100 --type=z
fi
expect 2 'expected none, cut, shift or smooth' md --vdw none-such
for dt in -1 0 -0.004 nan; do expect 2 "--dt $dt" md --n 500 --steps 1 --dt $dt; done

# ---- benchmarks: the word that is wrong, before anything runs
if [ -x "$(dirname "$tilework")/tilework-bench" ]; then
  for word in 'bench gemmm' 'help bench gemmm' 'bench gemmm --help'; do
    # shellcheck disable=SC2086
    expect 2 'gemmm: there is no benchmark of this name; did you mean gemm?' $word
    one_line "$word"
  done
  expect 2 'nonsense: there is no benchmark' help bench nonsense
  grep -q '^  overhead ' err || bad "help bench nonsense: no list of what there is"
  expect 0 '"runs":1' bench potrf --n 500 --repeat 1 --no-gemm --json      # 301 only where nothing is said
  expect 0 '"runs":301' bench potrf --n 8 --no-gemm --json
fi
expect 2 'did you mean kinds?' help kind
expect 2 'did you mean variables?' help variable
expect 2 "no topic 'nonsense'" help nonsense
if [ -x "$(dirname "$tilework")/tilework-bench-fft" ]; then
  expect 0 'Gflop/s' bench fft 64 r100 --limit 0.1 --repeat 1
  [ "$(wc -l < out)" = 3 ] || bad "bench fft of two sizes prints $(wc -l < out) lines, not a table's three"
  if grep -q '{' out; then bad "bench fft prints JSON where nobody asked: $(cat out)"; fi
  expect 2 'did you mean' help bench ftt
  expect 0 '"size": "64"' bench fft 64 --limit 0.1 --repeat 1 --json
  for mistake in '--repeat x' '--frobnicate 1' '--limit' 'nine' '--threads 0'; do
    # shellcheck disable=SC2086
    expect 2 "${mistake%% *}" bench fft 64 $mistake
    one_line "bench fft 64 $mistake"
  done
fi

# ---- too large: said before any work, as bad usage
if has_fft; then
  expect 2 'not enough memory' fft --n 1e12
  TILEWORK_HOST_MEMORY=1M expect 2 'from TILEWORK_HOST_MEMORY' fft --n 1e5
  TILEWORK_HOST_MEMORY=1M expect 0 'fft 50000 ' fft --n 5e4 --in-place
fi

# ---- what a failure means, in words
expect 1 'the leading minor of order 7 is not positive definite' potrf --n 50 --kind minor:7
expect 1 'pivot 1 is exactly 0: the matrix is singular' getrf --n 10 --kind zero
expect 1 'check not done: info > 0' trtrs --n 10 --kind zero --check
expect 1 '"check":"not done: info > 0"' potrf --n 50 --kind minor:7 --check --json
expect 2 'leave it out for the default' gelsy --n 10 --rcond -1
expect 2 'expected a number from 0 to 1' gelsy --n 10 --rcond 2
expect 2 'square, and --n is 7' gesv --m 5 --n 7
expect 2 '--m 3' gels --input "$(dirname "$0")/../../examples/data/A.mtx" --m 3
expect 1 'element 1 of the diagonal is 0' trtri --n 10 --kind zero
expect 2 'the cut-off 2.5 is larger than half the period 1' md --n 500 --box 1
one_line 'md --box 1'
expect 2 'a larger --box' minimize --kind argon --n 500 --box 1

# ---- atoms of a file that nothing links
printf 'ATOM  %5d  %-3s ALA A   1    %8.3f%8.3f%8.3f  1.00  0.00           %s\n' 1 N 0 0 0 N 2 CA 1.458 0 0 C > bonded.pdb
expect 0 'note: bonded.pdb: there are atoms near enough to be bonded' md --input bonded.pdb --steps 1
expect 0 'step 1 ' md --input bonded.pdb --steps 1 --bonds
if grep -q note err; then bad "--bonds: $(cat err)"; fi
printf 'ATOM  %5d  %-3s ALA A   1    %8.3f%8.3f%8.3f  1.00  0.00           %s\n' 1 N 0 0 0 N 2 CA 8 0 0 C > apart.pdb
expect 0 'step 1 ' md --input apart.pdb --steps 1
if grep -q note err; then bad "atoms far apart: $(cat err)"; fi
exit $((failures > 0))
