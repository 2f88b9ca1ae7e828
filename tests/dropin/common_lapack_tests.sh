#!/usr/bin/env bash
# The short part of dropin/lapack-tests.sh: passes; and finds what is planted, a residual, a missing XERBLA, names that are not taken, in LAPACK's programs and in ours.
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
  env "$@" bash "$script" "$TILEWORK_BUILD" --short ${part:---parts linear --paths GE} ${first:+--first "$first"} > "$work/log" 2>&1 || status=$?
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

# Ours: what is wrong with us and what is wrong without us, too; and calls that are not taken.
part='--parts own'
plant product '
void dormbr_(const char *vect, const char *side, const char *trans, const int *m, const int *n, const int *k, double *a, const int *lda,
             const double *tau, double *c, const int *ldc, double *work, const int *lwork, int *info)
{
    void (*next)(const char *, const char *, const char *, const int *, const int *, const int *, double *, const int *, const double *,
                 double *, const int *, double *, const int *, int *, size_t, size_t, size_t) = dlsym(RTLD_NEXT, "dormbr_");
    next(vect, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info, 1, 1, 1);
    if (*lwork > 0 && *m > 10 && *n > 10) c[*m - 1] += 1e-10;
}'
finds "a product by Q or P that is wrong by 1e-10" 'DBR: .* tests fail, 0 without us' TILEWORK_DROPIN=lapack
grep -q 'd-ormbr: the program ends with an error' "$work/log" || { cat "$work/log"; echo "our program failed, and nobody said so"; exit 1; }
first=''
finds "a program of ours that is not taken" 'DORMBR: was not called' TILEWORK_DROPIN=geqrf
