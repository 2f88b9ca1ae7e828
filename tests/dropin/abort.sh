#!/usr/bin/env bash
# An engine that fails, in place of libtilework.so: before it has changed anything the call is forwarded; after that the program ends with a message, and never goes on with a wrong result.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || exit 77      # the stand-in is no sanitized library
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cc=${CC:-cc}
command -v $cc > /dev/null || { echo "no C compiler here"; exit 77; }
bad() { echo "FAILED: $*"; cat out err; exit 1; }
# Beside the copy of libtilework_lapack.so, where it looks first.
cp "$(readlink -f "$TILEWORK_BUILD/lib/libtilework_lapack.so")" libtilework_lapack.so
cat > engine.c <<'C'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static unsigned long long made;
int tw_begin(void) { return 0; }
void tw_end(void) { }
int tw_at_work(void) { return 0; }
unsigned long long tw_tasks_of_this_thread(void) { return made; }
const char *tw_last_message(void) { return "a planted failure"; }
/* When: "before" anything is changed, "after" that, or not at all. */
int64_t tw_dgemm(char ta, char tb, int64_t m, int64_t n, int64_t k, double alpha, const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c, int64_t ldc)
{
  const char *when = getenv("WHEN");
  (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb, (void)beta, (void)ldc;
  if (!strcmp(when, "before")) return -2003;
  made++, c[0] = 1e30;
  return strcmp(when, "after") ? 0 : -2003;
}
C
$cc -O1 -w -fPIC -shared -o libtilework.so.0 engine.c
cat > provider.c <<'C'
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha, const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c, const int *ldc)
{
  for (int j = 0; j < *n; j++) for (int i = 0; i < *m; i++) {
    double x = 0;
    for (int l = 0; l < *k; l++) x += a[i + l * *lda] * b[l + j * *ldb];
    c[i + j * *ldc] = *alpha * x + *beta * c[i + j * *ldc];
  }
}
int isamax_(const int *n, const float *x, const int *inc)
{
  int best = *n > 0;
  for (int i = 1; i < *n; i++) if (x[i * *inc] > x[(best - 1) * *inc]) best = i + 1;
  return best;
}
C
cat > program.c <<'C'
#include <stdio.h>
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
int main(void)
{
  const int n = 2; const double one = 1, zero = 0, a[] = {1, 0, 0, 1}; double c[4] = {0};
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
  printf("%g\n", c[0]);
  return 0;
}
C
$cc -O1 -w -fPIC -shared -o libprovider.so provider.c
$cc -O1 -w -o program program.c -L. -lprovider -Wl,-rpath,"$work"
run() { status=0; env WHEN="$1" LD_PRELOAD="$work/libtilework_lapack.so" TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT="$work/report" ./program > out 2> err || status=$?; }
ulimit -c 0
run never;  [ $status = 0 ] && grep -qx 1e+30 out || bad "the stand-in is not used (status $status)"
run before; [ $status = 0 ] && grep -qx 1 out && grep -q '"not started": 1' report || bad "a failure before anything was changed was not forwarded (status $status)"
run after;  [ $status = 134 ] && [ ! -s out ] && grep -q 'dgemm failed after its arguments had been overwritten.*a planted failure' err || bad "a failure on the way: status $status"
echo passed
