#!/usr/bin/env bash
# The short part of dropin/lapack-tests.sh: passes; and finds what is planted, a residual, a missing XERBLA, names that are not taken.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
script=$TILEWORK_SOURCE/dropin/lapack-tests.sh
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# The names are those of the routines' rows: of real types, of complex ones or of both.
exported=" $(nm -D --defined-only "$TILEWORK_BUILD/lib/libtilework_lapack.so" | awk '$NF ~ /_$/ { printf "%s ", $NF }') "
rows=$(sed -n '/^#define TW_LAPACK_ROUTINES(X)/,/[^\\]$/p' "$TILEWORK_SOURCE/algorithms/lapack/doors.h" | grep -o 'X([a-z0-9_]*)' | sed 's/X(\(.*\))/\1/')
count=0
for name in $rows; do
  case $name in *_*) continue ;; esac      # not LAPACK's
  case $name in geqp3rk) continue ;; esac  # LAPACK 3.12's: the LAPACK here (3.11) has none that a call could be left to, nor do its programs call it
  case $exported in *" ${name}_ "*) count=$((count + 1)); continue ;; esac      # of two types by name, such as dsgesv
  types=
  for type in s d c z; do
    case $exported in *" ${type}${name}_ "*) types=$types$type count=$((count + 1)) ;; esac
  done
  case $types in sd|cz|sdcz) ;; *) echo "libtilework_lapack.so has $name of the types '$types' only"; exit 1 ;; esac
done
[ "$count" -gt 80 ] || { echo "only $count names"; exit 1; }

status=0
bash "$script" "$TILEWORK_BUILD" --short || status=$?
[ $status = 0 ] || exit $status

finds() {      # WHAT TEXT ARGUMENTS...: fails, and says so
  local what=$1 text=$2; shift 2
  status=0
  env "$@" bash "$script" "$TILEWORK_BUILD" --short --parts linear --paths GE ${first:+--first "$first"} > "$work/log" 2>&1 || status=$?
  [ $status = 1 ] && grep -q "$text" "$work/log" || { cat "$work/log"; echo "$what was not found (exit status $status)"; exit 1; }
  echo "found: $what"
}
plant() {      # NAME TEXT: a library to be loaded first
  printf '#define _GNU_SOURCE\n#include <dlfcn.h>\n%s\n' "$2" > "$work/$1.c"
  ${CC:-cc} -O1 -shared -fPIC -o "$work/$1.so" "$work/$1.c" -ldl
  first=$work/$1.so
}
finds "a library that takes no name" '0 routines, 0 calls .* NOT ALL were called' TILEWORK_DROPIN=none

plant residual '
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info)
{
    void (*next)(const int *, const int *, double *, const int *, int *, int *) = dlsym(RTLD_NEXT, "dgetrf_");
    next(m, n, a, lda, ipiv, info);
    if (*m > 10 && *n > 10) a[0] *= 1 + 1e-6;
}'
finds "a factor that is wrong by 1e-6" 'DGE: .* tests fail, 0 without us' TILEWORK_DROPIN=lapack

plant xerbla '
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info)
{
    void (*next)(const int *, const int *, double *, const int *, int *, int *) = dlsym(RTLD_NEXT, "dgetrf_");
    if (*m < 0) { *info = -1; return; }
    next(m, n, a, lda, ipiv, info);
}'
finds "an illegal argument without XERBLA" 'no longer says:.*DGE routines passed the tests of the error exits' TILEWORK_DROPIN=lapack
