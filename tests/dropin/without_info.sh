#!/usr/bin/env bash
# dropin/doors.awk makes no door of a routine that LAPACK has without info: the door would write info behind the caller's arguments. Which ones these are is LAPACK's own header's to say.
set -u
: "${TILEWORK_SOURCE:?}"
cd "$TILEWORK_SOURCE" || exit 1
[ -e dropin/doors.awk ] || { echo "a bundle has no generator"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
made_of() { awk -f dropin/doors.awk "$work/lapacke" "$work/lapack" > "$work/doors" 2> "$work/said"; }      # PROTOTYPE: behind all others

if ! echo '#include <lapacke.h>' | "${CC:-cc}" -E -P - > "$work/theirs" 2> /dev/null; then echo "there is no lapacke.h"; exit 77; fi
for header in lapacke lapack; do "${CC:-cc}" -E -P -Iinclude "include/tilework/$header.h" > "$work/$header" || bad "$header.h"; done
cp "$work/lapacke" "$work/kept"
made_of || bad "the headers as they are: $(cat "$work/said")"
for routine in dlacpy zlaset slaswp dlange; do
  { cat "$work/kept"; echo "int tw_LAPACKE_${routine}_work(int matrix_layout, char uplo, int32_t m, int32_t n, const double *a, int32_t lda);"; } > "$work/lapacke"
  if made_of; then bad "a door of $routine was made"; fi
  grep -q "LAPACK's $routine has no info" "$work/said" || bad "$routine: $(cat "$work/said")"
done

# Fortran's prototypes in LAPACK's header, of our four types; what begins with lsame and ilaver has no type.
tr '\n' ' ' < "$work/theirs" | tr ';' '\n' | grep -E '[ *][sdcz][a-z0-9]+_ *\(' > "$work/prototypes"
[ "$(wc -l < "$work/prototypes")" -gt 500 ] || bad "$(wc -l < "$work/prototypes") prototypes in LAPACK's header"
grep -v '\binfo\b' "$work/prototypes" | sed -E 's/.*[ *][sdcz]([a-z0-9]+)_ *\(.*/\1/' | sort -u > "$work/without"
[ "$(wc -l < "$work/without")" -gt 30 ] || bad "only these have no info: $(tr '\n' ' ' < "$work/without")"
while read -r routine; do
  sed -n '/split("heswapr/,/names_without, " ")/p' dropin/doors.awk | grep -qw "$routine" || bad "dropin/doors.awk does not list $routine, which has no info"
done < "$work/without"

[ $failures = 0 ] && echo passed
exit $((failures > 0))
