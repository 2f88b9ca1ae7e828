#!/usr/bin/env bash
# The bindings have every public function, and a header that grows something that they do not understand fails the build. What the functions are called is read here without the tables
# that the bindings are made of.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_SOURCE/bindings/generate" ] || { echo "a bundle has neither generator nor headers of other languages"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
cp -r "$TILEWORK_SOURCE/include" "$work/include"
generate() { sh "$TILEWORK_SOURCE/bindings/generate" "${CC:-cc}" "$work/include" "$work/out" fft; }
functions() { "${CC:-cc}" -E -P "-I$work/include" "$work/include/tilework/$1.h" | tr '\n' ' ' | grep -oE 'visibility\("default"\)\)\)[^(;]*[ *]tw_[a-z0-9A-Z_]+\(' | grep -oE 'tw_[a-z0-9A-Z_]+\($' | tr -d '(' | sort -u; }
look() {      # HEADER HPP F90 AT-LEAST [C OF PYTHON]
  local n=0 f
  functions "$1" > "$work/functions"
  while read -r f; do
    n=$((n + 1))
    grep -q "::${f}[(;,>]" "$2" || bad "$2 has no $f"
    grep -q "name='$f'" "$3" || bad "$3 has no $f"
    if [ -n "${5:-}" ]; then grep -qE "\b$f(\(|, KIND|\"\))" "$5" || grep -q "^static PyObject \*py_$f(" "$5" || bad "the Python extension has no $f"; fi
  done < "$work/functions"
  echo "$1: $n functions"
  [ "$n" -ge "$4" ] || bad "$n functions of $1.h were found"
}
generate
cat "$work"/out/tilework/*.hpp > "$work/all.hpp"; cat "$work"/out/*.f90 > "$work/all.f90"
cat "$work/out/_tilework.c" "$TILEWORK_SOURCE/bindings/python_fields.h" > "$work/all.c"
look tilework "$work/all.hpp" "$work/all.f90" 500 "$work/all.c"
look fft "$work/all.hpp" "$work/all.f90" 20
grep -q fftw_ "$work/out/tilework/tilework.hpp" && bad "tilework.hpp knows of transforms"
# What is in the build is what the headers say.
for f in tilework/tilework.hpp tilework.f90; do cmp -s "$work/out/$f" "$TILEWORK_BUILD/generated/bindings/$f" || bad "generated/bindings/$f is old"; done
# A new function, a type that nobody knows, a routine of LAPACK's whose shapes nobody wrote down, a callback of a new kind.
plant() {      # HEADER DECLARATION
  awk -v line="$2" '{ print } /^extern "C" \{/ && !done { getline; print; print line; done = 1 }' "$TILEWORK_SOURCE/include/tilework/$1" > "$work/include/tilework/$1"
}
restore() { cp "$TILEWORK_SOURCE/include/tilework/$1" "$work/include/tilework/$1"; }
plant svd.h 'TW_API int tw_planted(double x, tw_matrix *A, int *rank);'
generate && grep -q '::tw_planted(' "$work/out/tilework/tilework.hpp" && grep -q "name='tw_planted'" "$work/out/tilework.f90" && grep -q 'tw_planted(x, A, &rank)' "$work/out/_tilework.c" || bad "a new function is not in the bindings"
restore svd.h
for planted in 'TW_API int tw_planted(long double x);' 'typedef union { int tw_a; } tw_planted;' 'TW_API tw_int tw_splanted(char uplo, float *a); TW_API tw_int tw_dplanted(char uplo, double *a);' \
  'TW_API int tw_planted(tw_int n, double *nobody_knows_how_long);'; do
  plant svd.h "$planted"
  if generate > "$work/said" 2>&1; then bad "this was passed by: $planted"; fi
  restore svd.h
done
[ $failures = 0 ] && echo passed
exit $((failures > 0))
