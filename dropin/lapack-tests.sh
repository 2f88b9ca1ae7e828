#!/usr/bin/env bash
# LAPACK's and BLAS' own test programs (Debian's packages liblapack-test and libblas-test), which are linked dynamically, run twice: as they are,
# and with libtilework_lapack.so loaded before LAPACK, in small tiles and with nothing left to LAPACK for being small. The second run must fail
# no test that the first, on the same BLAS, does not, must run as many, and each routine that a program calls and Tilework has must be called.
# What they call in their tests of error exits alone is called by programs of our own (BUILD/tests/dropin), which must pass.
#
#   dropin/lapack-tests.sh [BUILD]     build/; all of it: N <= 50 as the package has it, M and N to 132 (the limit), mixed precision, BLAS-3, eigenvalues, ours
#     --short              double precision, a few small orders: what the test suite runs
#     --types LETTERS      of sdcz
#     --parts WORDS        of linear,large,mixed,blas,eigen,own
#     --paths WORDS        only these of the linear part's paths, such as GE,PO; then not every routine has to be called
#     --first LIBRARY      load this one before: a fault to be found (tests/dropin)
#
# What the programs said, and the count of calls, stay in BUILD/lapack-tests/. Exit: 0, 1 for a failure, 2 for bad usage, 77 without the packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
die() { printf 'lapack-tests: %s\n' "$*" >&2; exit 2; }

build=$here/build types=sdcz parts=linear,large,mixed,blas,eigen,own short='' first='' only='' folder=lapack-tests
look=''                 # --only-look: whether the words are right, as ./quickstart asks before it builds
needs() { [ $# -gt 1 ] || die "$1 needs a value"; }
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit ;;
    --only-look) look=1 ;;
    --short) short=1 types=d parts=linear,blas,own folder=lapack-tests-short ;;
    --types) needs "$@"; types=$2; shift ;;
    --parts) needs "$@"; parts=$2; shift ;;
    --paths) needs "$@"; only=${2//,/ }; shift ;;
    --first) needs "$@"; first=$(realpath "$2"); shift ;;
    -*) die "there is no flag $1; see --help" ;;
    *) build=$1 ;;
  esac
  shift
done
[[ $types =~ ^[sdcz]+$ ]] || die "--types $types: letters of sdcz"
[[ ,$parts, =~ ^,((linear|large|mixed|blas|eigen|own),)+$ ]] || die "--parts $parts: words of linear, large, mixed, blas, eigen, own"
if [ -n "$look" ]; then exit 0; fi
build=$(cd "$build" && pwd) || exit 2
library=$build/lib/libtilework_lapack.so
[ -e "$library" ] || die "$library was not built"
if [[ ,$parts, == *,own,* ]]; then
  for type in $(fold -w1 <<< "$types"); do [ -x "$build/tests/dropin/ormbr-$type" ] || die "$build/tests/dropin/ormbr-$type was not built"; done
fi

find_folder() {      # NAME PROGRAM
  local dir
  for dir in /usr/lib/*/"$1" /usr/lib/"$1" /usr/lib64/"$1"; do
    if [ -x "$dir/$2" ]; then echo "$dir"; return; fi
  done
}
lapack=$(find_folder lapack xlintstd) blas=$(find_folder blas xblat3d)
if [ -z "$lapack" ] || [ -z "$blas" ]; then
  echo "lapack-tests: the programs are not here: packages liblapack-test and libblas-test (./quickstart lapack-tests installs them)"
  exit 77
fi

out=$build/$folder${first:+-$(basename "$first" .so)}
rm -rf "$out"; mkdir -p "$out"; cd "$out"
# One worker fewer than cores: StarPU's poll while they wait for tasks, and the thread that submits these needs a core, too.
cores=$(nproc)
export TILEWORK_BUILD=$build STARPU_NCPU=${STARPU_NCPU:-$((cores > 1 ? cores - 1 : 1))} OPENBLAS_NUM_THREADS=1
export TILEWORK_CROSSOVER=0 TILEWORK_REPRODUCIBLE=1 TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_SELECT=1
nb=8                    # of the tiles; the large part has larger ones
TILEWORK_OPENBLAS_VERSION=${TILEWORK_OPENBLAS_VERSION:-$(pkg-config --modversion openblas 2>/dev/null || true)}
export TILEWORK_OPENBLAS_VERSION

# ---- what the programs say ------------------------------------------------------------------------------------------------
# Both outputs as lines KEY<tab>RUN<tab>FAILED<tab>TEXT: for each family of tests how many were run and failed, and every other line that is no
# heading or time, with the size of residuals left out.
cat > said.awk <<'AWK'
/Total time used|^ *$/ { next }
match($0, /All tests for .* passed the threshold/) {
  key = $0; sub(/.*All tests for */, "", key); sub(/ *passed.*/, "", key); sub(/ *drivers$/, " drivers", key); sub(/ routines$/, "", key)
  n = $0; sub(/.*\( */, "", n); print key "\t" n + 0 "\t0\t"; next
}
/out of .* tests failed to pass the threshold/ {
  key = $0; sub(/^ */, "", key); sub(/: .*/, "", key); sub(/ routines$/, "", key)
  n = $0; sub(/.*out of */, "", n); f = $0; sub(/.*: */, "", f); print key "\t" n + 0 "\t" f + 0 "\t"; next
}
match($0, /PASSED THE COMPUTATIONAL TESTS \(/) {
  n = substr($0, RSTART + RLENGTH); print $1 " calls\t" n + 0 "\t0\t"; next
}
{ gsub(/= *[-+0-9.EeDd]+ *$/, "= R"); gsub(/ratio *= *[-+0-9.EeDd]+/, "ratio= R"); gsub(/ is +[-+0-9.EeDd]+ *$/, " is R"); print "\t\t\t" $0 }
AWK
# Ours (second) against the program's own (first): prints what is worse, and how many tests were compared.
cat > compare.awk <<'AWK'
BEGIN { FS = "\t" }
FNR == 1 { input++ }
input == 1 && $1 != "" { ran[$1] += $2; failed[$1] += $3; next }
input == 1 { lines[$4]++; if ($4 ~ /[Pp][Aa][Ss][Ss][Ee][Dd]|[Ee][Nn][Dd] [Oo][Ff]/) must[$4]++; next }
$1 != "" { now_ran[$1] += $2; now_failed[$1] += $3; next }
{ seen[$4]++; if (seen[$4] > lines[$4]) new[++news] = $4 }
function worse(text) { bad++; print text }
END {
  for (key in ran) {
    tests += ran[key]; known += failed[key]
    # drivers of nonsymmetric eigenvalues (EV) count a test that fails once more
    if (now_ran[key] < ran[key] - (key ~ /^[SDCZ]EV$/ ? failed[key] - now_failed[key] : 0)) worse("  " key ": " now_ran[key] + 0 " tests were run, " ran[key] " without us")
    if (now_failed[key] > failed[key]) worse("  " key ": " now_failed[key] " tests fail, " failed[key] " without us")
  }
  for (key in now_ran) if (!(key in ran)) worse("  " key ": there are no such tests without us")
  for (line in must) if (seen[line] < must[line]) worse("  no longer says: " line)
  for (i = 1; i <= news && i <= 40; i++) worse("  now says: " new[i])
  if (news > 40) print "  and " news - 40 " lines more"
  print "tests\t" tests + 0 "\t" known + 0
  exit bad > 0
}
AWK
# Calls of a routine count only where the program itself made them; names that the program needs and Tilework has, without those that are not this part's to call.
names_of() {      # PROGRAM which: linear names, or BLAS'; NOT: an expression
  nm -D --undefined-only "$1" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort > needed
  nm -D --defined-only "$library" | awk '$NF ~ /_$/ { print $NF }' | sort > exported
  comm -12 needed exported | sed 's/_$//' |
    if [ "$2" = blas ]; then grep -E '^.(gemm|symm|hemm|syrk|herk|syr2k|her2k|trmm|trsm)$'
    else grep -vE '^.(gemm|symm|hemm|syrk|herk|syr2k|her2k|trmm|trsm)$'; fi | grep -vE "^.(${3:-none})\$" || true
}

# ---- inputs -----------------------------------------------------------------------------------------------------------------
# Other values of M and N (ORDERS), two numbers of right-hand sides and one block size of LAPACK's own.
cat > orders.awk <<'AWK'
function list(values,    n, l) { n = split(values, l, ","); gsub(/,/, " ", values); return n "\n" values }
/Number of values of (M|N) *$/ { print list(orders); getline; next }
/Number of matrix dimensions *$/ { print list(orders); getline; next }
/NUMBER OF VALUES OF N *$/ { print list(orders); getline; next }      # BLAS' programs
/Number of values of NRHS/ { print list(nrhs); getline; next }
/Number of values of NB/ { print 1; first = nb; next }
/[Vv]alues of (NB|NBMIN|NX)( |$)/ { print first ? first : $1 + 0; first = ""; next }
{ print }
AWK
paths() {      # INPUT PATHS: only these, of each type
  awk -v keep=" $2 " 'past && index(keep, " " substr($1, 2, 2) " ") == 0 { next } { print } /test the error exits/ { past = 1 }' "$1"
}

# ---- runs ---------------------------------------------------------------------------------------------------------------------
status=0
run() {      # NAME PROGRAM INPUT TAKES WHICH NOT
  local name=$1 program=$2 input=$3 takes=$4 start base ours verdict
  mkdir -p "$name.base" "$name.ours"
  start=$SECONDS
  ( cd "$name.base"; bash "$here/cmake/run-test.sh" "$program" < "$input" > said 2> stderr ) || echo "  $name: without us the program ends with $?"
  base=$((SECONDS - start)) start=$SECONDS
  if ! ( cd "$name.ours"
         TILEWORK_NB=$nb TILEWORK_DROPIN=${TILEWORK_DROPIN-$takes} TILEWORK_DROPIN_CALLS=$PWD/calls \
           bash "$here/cmake/run-test.sh" env LD_PRELOAD="$first${first:+:}$library" "$program" < "$input" > said 2> stderr ); then
    echo "  $name: the program ends with an error: $out/$name.ours/stderr"; status=1
  fi
  ours=$((SECONDS - start))
  for side in base ours; do
    # BLAS' programs write the file that their input names.
    find "$name.$side" -name said -o -name '*.out' | sort | xargs cat | awk -f said.awk > "$name.$side/lines"
  done
  verdict=same
  awk -f compare.awk "$name.base/lines" "$name.ours/lines" > "$name.verdict" || { verdict='WORSE than without us' status=1; }
  grep -v '^tests' "$name.verdict" || true
  awk -v name="$name" -v base="$base" -v ours="$ours" -v verdict="$verdict" '
    FNR == 1 { input++ }
    input == 1 && /^tests/ { tests = $2; known = $3 }
    input == 2 && !/^#/ { calls += $2; nested += $3 }
    END { printf "%-12s %6d tests, %d fail without us; %6d calls taken, %6d from LAPACK itself; %d s, %d s without: %s\n",
                 name, tests, known, calls, nested, ours, base, verdict }' "$name.verdict" "$name.ours/calls"
  for routine in $(names_of "$program" "$5" "${6-}"); do echo "$routine"; done >> names
  cat "$name.ours/calls" >> calls
}

echo "programs of $lapack, $blas; $(ldd "$lapack/xlintstd" | sed -nE 's/.*libblas\.so\.3 => ([^ ]+).*/\1/p' | xargs readlink -f); $STARPU_NCPU workers"
for part in ${parts//,/ }; do
  nb=8
  for type in $(fold -w1 <<< "$types"); do
    case $part in
      linear)
        input=$lapack/${type}test.in
        if [ -n "$only" ]; then paths "$input" "$only" > "$type-paths.in"; input=$out/$type-paths.in; fi
        if [ -n "$short" ]; then awk -v orders=0,3,19 -v nrhs=2 -v nb=3 -f orders.awk "$input" > "$type.in"; input=$out/$type.in; fi
        run "$type" "$lapack/xlintst$type" "$input" lapack linear ;;
      large)
        nb=24
        paths "$lapack/${type}test.in" "GE PO TR QR LQ QP LS EQ" | awk -v orders=16,67,132 -v nrhs=2,16 -v nb=20 -f orders.awk > "$type-large.in"
        run "$type-large" "$lapack/xlintst$type" "$out/$type-large.in" lapack linear gesvd      # the path SR's
        awk -v orders=8,25,65 -f orders.awk "$blas/${type}blat3.in" > "$type-blas-large.in"      # 65 is their limit
        run "$type-blas-large" "$blas/xblat3$type" "$out/$type-blas-large.in" blas blas ;;
      mixed)
        case $type in d) pair=ds ;; z) pair=zc ;; *) continue ;; esac
        run "$pair" "$lapack/xlintst$pair" "$lapack/${pair}test.in" lapack linear ;;
      blas)
        input=$blas/${type}blat3.in
        if [ -n "$short" ]; then awk -v orders=0,3,19 -f orders.awk "$input" > "$type-blas.in"; input=$out/$type-blas.in; fi
        run "$type-blas" "$blas/xblat3$type" "$input" blas blas ;;
      eigen)
        not='ormbr|unmbr'
        # Singular values join when their routine does.
        # Of these programs orgqr and ungqr are called with gqr alone, ormbr and unmbr (the part own's) with illegal arguments alone.
        inputs="sep se2 gqr gsv glm lse csd ${type}sg ${type}sb"; if nm -D --defined-only "$library" | grep "${type}gesdd_" > /dev/null; then inputs+=' svd'; fi
        if nm -D --defined-only "$library" | grep "${type}gehrd_" > /dev/null; then inputs+=' nep'; fi
        if nm -D --defined-only "$library" | grep "${type}geev_" > /dev/null; then inputs+=" ${type}ed ${type}bal ${type}bak"; fi
        for input in $inputs; do run "$type-$input" "$lapack/xeigtst$type" "$lapack/$input.in" lapack linear "$not"; done
        nb=24
        awk -v orders=16,67,132 -v nb=20 -f orders.awk "$lapack/sep.in" > "$type-sep-large.in"
        run "$type-sep-large" "$lapack/xeigtst$type" "$out/$type-sep-large.in" lapack linear "$not"
        awk -v orders=16,67,132 -f orders.awk "$lapack/${type}ed.in" | awk '/Driver/ { take = !/Expert/ } take' > "$type-ed-large.in"
        run "$type-ed-large" "$lapack/xeigtst$type" "$out/$type-ed-large.in" lapack linear "$not"
        # Each way that dense matrices can go, by a band of 4 and, where it has none, in one stage; as they are, LAPACK is not among them here.
        nb=8
        for route in one two; do TILEWORK_ROUTE=$route TILEWORK_BAND=4 run "$type-sep-$route" "$lapack/xeigtst$type" "$lapack/sep.in" lapack linear "$not"; done ;;
      own)
        run "$type-ormbr" "$build/tests/dropin/ormbr-$type" /dev/null lapack linear ;;
    esac
  done
done

# ---- every routine was called -----------------------------------------------------------------------------------------------
sort -u names > named
# LAPACK's programs call ormtr, unmtr and trevc3 in the tests of error exits alone, which are LAPACK's.
awk -v only="$only" 'FNR == 1 { input++ } input == 1 { named[toupper($1)] = 1; next } $1 in named { calls[$1] += $2; left[$1] += $4 }
     END { for (name in named)
             if (calls[name]) { n++; all += calls[name] }
             else if (name ~ /^.((ORM|UNM)TR|TREVC3)$/ && left[name]) exits++
             else if (!only) { print "  " name ": was not called"; bad = 1 }
           printf "%d routines, %d calls by the programs themselves%s: %s\n", n, all, exits ? ", " exits " more in error exits" : "",
                  bad || !n ? "NOT ALL were called" : only ? "some were called" : "all were called" }' named calls | sort > called
cat called
if grep -q 'NOT ALL' called; then status=1; fi
echo "lapack-tests: $([ $status = 0 ] && echo passed || echo FAILED) in $SECONDS s; what was said is in $out"
exit $status
