#!/usr/bin/env bash
# R's examples of the packages base, stats and Matrix (Debian's r-base-core, r-cran-matrix), plainly, then through libtilework_lapack.so with every call taken and with the defaults: they run to their end, and
# say the same up to rounding. (Some stop at files that Debian leaves out: then they do so with and without.)
#   dropin/r-tests.sh BUILD [--keep FOLDER] [--topics "TOPIC..."] [PACKAGE...]       topics: these pages' examples only
set -euo pipefail
build=$(cd "$1" && pwd); shift
keep= topics=
if [ "${1:-}" = --keep ]; then mkdir -p "$2"; keep=$(cd "$2" && pwd); shift 2; fi
if [ "${1:-}" = --topics ]; then topics=$2; shift 2; fi
command -v R > /dev/null || { echo "no R here (package r-base-core)"; exit 77; }
packages="${*:-base stats Matrix}"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
# One file of examples a package, as R's own tests have it; what says how long something took, or where, is left out.
Rscript --vanilla -e 'for (p in commandArgs(TRUE)) invisible(tools:::.createExdotR(p, system.file(package = p), silent = TRUE))' $packages > made.log 2>&1 || { cat made.log; exit 1; }
cat > compare.awk <<'A'
# Two outputs beside each other: words are equal, numbers near each other.
function number(w) { gsub(/[(),;:"\[\]]|^<|>$/, "", w); return w ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?i?$/ ? w : "" }
function size(x) { return x < 0 ? -x : x }
# What an example of Matrix' leaves open: signs of vectors where only those of str() are shown, and how many steps an iteration takes to a tolerance below rounding.
function opposite(a, b) { return section == "Schur" && a != "" && b != "" && size(a + b) <= 1e-3 * (size(a) + size(b)) }
function steps(line) { return section == "nearPD" && before ~ /iterations #/ && line ~ /^ *\[1\] [0-9]+$/ }
function volatile(line) { return line ~ /^ *(user|elapsed|expr)|[Tt]ime|proc\.time|elapsed|0x[0-9a-f]+|environment|Rtmp|pid|[0-9]:[0-9][0-9]:[0-9]|Date|bytes|[0-9]+ ?[KM]b|\/tmp|sessionInfo|BLAS|LAPACK|libblas|libtilework|Sys\.|gc\(|pointer/ }
/^> ### \* / { section = $4 }
{ before = last; last = $0 }
{
  if ((getline other < second) <= 0) { print "shorter from line " FNR; exit bad = 1 }
  if ($0 == other || volatile($0) || volatile(other) || before ~ /^ *user +system +elapsed *$/) next
  n = split($0, a); m = split(other, b); differs = n != m
  if (steps($0) && steps(other) && size(a[2] - b[2]) <= 5) next
  for (i = 1; i <= n && !differs; i++) {
    if (a[i] == b[i]) continue
    x = number(a[i]); y = number(b[i])
    if (opposite(x, y)) continue
    if (x == "" || y == "" || (size(x - y) > 1e-3 * (size(x) + size(y)) && size(x) + size(y) > 1e-9)) differs = 1
  }
  if (differs) { print FNR ": " $0; print "      with: " other; lines++ }
}
END { if (lines) { print lines " lines differ"; bad = 1 } exit bad }
A
status=0
run() {      # NAME PACKAGE COMMAND...
  local name=$1 package=$2; shift 2
  mkdir -p "alone/in/$package.$name"      # some list their folder, and those above it
  (cd "alone/in/$package.$name"; env LANGUAGE=en R_DEFAULT_PACKAGES= timeout 1500 "$@" R --vanilla --no-echo --encoding=UTF-8 -f "$work/$package-Ex.R") > "$package.$name.out" 2> "$package.$name.err" || { tail -n 15 "$package.$name.out" "$package.$name.err"; echo "FAILED: $package, $name"; status=1; }
  [ -z "$keep" ] || cp -r "$package.$name".* "$keep"
}
for package in $packages; do
  if [ -n "$topics" ]; then
    awk -v topics=" $topics " '/^### \* / { left = index(topics, " " $3 " ") == 0 && $3 != "<FOOTER>" } !left' "$package-Ex.R" > some && mv some "$package-Ex.R"
  fi
  # Some examples list the environment's variables, of which we add some, read by the first call. Echoed, as R CMD check does, and with every random number given.
  sed -i '1i invisible(solve(diag(2))); Sys.unsetenv(c("LD_PRELOAD", "OPENBLAS_CORETYPE", "TILEWORK_DROPIN_MIN", "TILEWORK_DROPIN_RUN")); options(error = expression(NULL), echo = TRUE, digits = 5, useFancyQuotes = FALSE); set.seed(1)' "$package-Ex.R"
  run plain "$package" env TILEWORK_DROPIN_REPORT=none
  run again "$package" env TILEWORK_DROPIN_REPORT=none
  for how in all defaults; do
    min=; [ $how = defaults ] || min="--min 0"
    run $how "$package" "$build/bin/tilework" run --report="$work/$package.$how.json" $min -- env
    # What two plain runs do not agree on says nothing.
    if cmp -s "$package.plain.out" "$package.again.out"; then first=plain; else first=again; fi
    awk -v second="$package.$first.out" -f compare.awk "$package.$([ $first = plain ] && echo again || echo plain).out" > "$package.noise" || true
    awk -v second="$package.$how.out" -f compare.awk "$package.plain.out" > "$package.$how.differs" || true
    sed -n 's/^\([0-9]*\): .*/\1/p' "$package.noise" | sort > noise
    sed -n 's/^\([0-9]*\): .*/\1/p' "$package.$how.differs" | sort > ours
    if [ -n "$(comm -13 noise ours)" ] || [ "$(wc -l < "$package.plain.out")" != "$(wc -l < "$package.$how.out")" ]; then
      echo "FAILED: $package says something else ($how)"; head -n 40 "$package.$how.differs"; status=1
    fi
    echo "$package, $how: $(wc -l < "$package.$how.out") lines; $(sed -nE 's/.*"forked": false, "calls": ([0-9]*), "taken": ([0-9]*).*/\1 \2/p' "$package.$how.json" | awk '{ c += $1; t += $2 } END { print c + 0 " calls, " t + 0 " taken" }')"
  done
done
[ $status = 0 ] || exit 1
echo passed
