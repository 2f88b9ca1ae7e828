#!/usr/bin/env bash
# Julia's way to BLAS: a library of trampolines that loads the libraries of LBT_DEFAULT_LIBS one after another, finds out about each, and lets those behind replace names of those before. The one here
# is written for this test: it asks what libblastrampoline asks, and refuses what that refuses.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || exit 77      # programs that are no sanitized ones open the library
lib=$TILEWORK_BUILD/lib
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cc=${CC:-cc}
command -v $cc > /dev/null || { echo "no C compiler here"; exit 77; }
bad() { echo "FAILED: $*"; for f in out err report; do if [ -s $f ]; then echo "$f:"; head -n 20 $f; fi; done; exit 1; }

cat > trampoline.c <<'C'
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *const names[] = {"isamax_", "sdot_", "zdotc_", "ddot_", "dgemm_", "dpotrf_"};
enum { NAMES = 6 };
static void nothing_loaded(void) { puts("no library has this name"); exit(9); }
void *slots[2 * NAMES] __attribute__((visibility("hidden"))) = {nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded, nothing_loaded};
#define JUMP(name, slot) __asm__(".globl " name "\n.type " name ", @function\n" name ": jmp *slots+8*" #slot "(%rip)\n");
JUMP("isamax_", 0) JUMP("sdot_", 1) JUMP("zdotc_", 2) JUMP("ddot_", 3) JUMP("dgemm_", 4) JUMP("dpotrf_", 5)
JUMP("isamax_64_", 6) JUMP("sdot_64_", 7) JUMP("zdotc_64_", 8) JUMP("ddot_64_", 9) JUMP("dgemm_64_", 10) JUMP("dpotrf_64_", 11)
static void *named(void *library, const char *name, const char *suffix)
{
  char symbol[64];
  snprintf(symbol, sizeof symbol, "%s%s", name, suffix);
  return dlsym(library, symbol);
}
static int width_of(void *library, const char *suffix)
{
  int64_t n = (int64_t)0xffffffff00000003, one = 1, two = 2, zero = 0, info = 0;
  float x[] = {1, 2, 1};
  double a[4];
  int64_t (*isamax)(int64_t *, float *, int64_t *) = named(library, "isamax_", suffix);
  void (*dpotrf)(const char *, int64_t *, double *, int64_t *, int64_t *) = named(library, "dpotrf_", suffix);
  if (isamax) switch ((int32_t)isamax(&n, x, &one)) { case 0: return 64; case 2: return 32; default: return 0; }
  if (!dpotrf) return 0;
  dpotrf("U", &two, a, &zero, &info);      /* lda is 0: -4, in one half or in both */
  return info == -4 ? 64 : info == 0xfffffffc ? 32 : 0;
}
/* As a value, or by a hidden first argument. */
static int returns_values(void *library, const char *suffix)
{
  double complex r = I, none = 0;
  int64_t zero = 0;
  void *at = named(library, "zdotc_", suffix);
  if (!at) return 0;
  ((void (*)(double complex *, int64_t *, double complex *, int64_t *, double complex *, int64_t *))at)(&r, &zero, &none, &zero, &none, &zero);
  if (r == 0) return 0;
  return ((double complex (*)(int64_t *, double complex *, int64_t *, double complex *, int64_t *))at)(&zero, &none, &zero, &none, &zero) == 0;
}
static int returns_floats(void *library, const char *suffix)
{
  float half = 0.5f;
  int64_t one = 1;
  float (*sdot)(int64_t *, float *, int64_t *, float *, int64_t *) = named(library, "sdot_", suffix);
  return sdot && sdot(&one, &half, &one, &half, &one) == 0.25f;
}
static void load(const char *file)
{
  static const char *const probes[] = {"isamax_", "dpotrf_"}, *const suffixes[] = {"", "_", "__", "64", "64_", "_64__", "__64___"};
  const char *suffix = NULL;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  int width, count = 0;
  if (!library) { printf("%s\n", dlerror()); exit(8); }
  for (int p = 0; !suffix && p < 2; p++) for (int s = 0; !suffix && s < 7; s++) if (named(library, probes[p], suffixes[s])) suffix = suffixes[s];
  width = suffix ? width_of(library, suffix) : 0;
  file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
  if (!width || !returns_values(library, suffix) || !returns_floats(library, suffix)) { printf("%s: refused\n", file); return; }
  for (int n = 0; n < NAMES; n++) {
    void *at = named(library, names[n], suffix);
    if (at) slots[n + (width == 64) * NAMES] = at, count++;
  }
  printf("%s: '%s', %d bits, %d names\n", file, suffix, width, count);
}
__attribute__((constructor)) static void begin(void)
{
  char *list = strdup(getenv("LBT_DEFAULT_LIBS"));
  for (char *file = strtok(list, ";"); file; file = strtok(NULL, ";")) load(file);
  fflush(stdout);
}
C
# A BLAS with names and integers as it is told, and LAPACK's dpotrf; it counts.
cat > provider.c <<'C'
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#define JOIN(a, b) a##b
#define NAME_(a, b) JOIN(a, b)
#define NAME(a) NAME_(a, ENDING)
int made_ddot, made_dgemm, made_dpotrf, made_isamax;
INT NAME(isamax)(const INT *n, const float *x, const INT *inc)
{
  INT best = *n > 0;
  made_isamax++;
  for (INT i = 1; i < *n; i++) if (fabsf(x[i * *inc]) > fabsf(x[(best - 1) * *inc])) best = i + 1;
  return best;
}
float NAME(sdot)(const INT *n, const float *x, const INT *ix, const float *y, const INT *iy) { float s = 0; for (INT i = 0; i < *n; i++) s += x[i * *ix] * y[i * *iy]; return s; }
double NAME(ddot)(const INT *n, const double *x, const INT *ix, const double *y, const INT *iy) { double s = 0; made_ddot++; for (INT i = 0; i < *n; i++) s += x[i * *ix] * y[i * *iy]; return s; }
double complex NAME(zdotc)(const INT *n, const double complex *x, const INT *ix, const double complex *y, const INT *iy) { double complex s = 0; for (INT i = 0; i < *n; i++) s += conj(x[i * *ix]) * y[i * *iy]; return s; }
void NAME(dgemm)(const char *ta, const char *tb, const INT *m, const INT *n, const INT *k, const double *alpha, const double *a, const INT *lda, const double *b, const INT *ldb, const double *beta, double *c, const INT *ldc)
{
  made_dgemm++;
  for (INT j = 0; j < *n; j++) for (INT i = 0; i < *m; i++) {
    double x = 0;
    for (INT l = 0; l < *k; l++) x += a[i + l * *lda] * b[l + j * *ldb];
    c[i + j * *ldc] = *beta * c[i + j * *ldc] + *alpha * x;
  }
}
void NAME(dpotrf)(const char *uplo, const INT *n, double *a, const INT *lda, INT *info)
{
  made_dpotrf++;
  *info = *lda < *n ? -4 : 0;
  for (INT j = 0; *info == 0 && j < *n; j++) for (INT i = j; i < *n; i++) {
    double x = a[i + j * *lda];
    for (INT l = 0; l < j; l++) x -= a[i + l * *lda] * a[j + l * *lda];
    a[i + j * *lda] = i == j ? sqrt(x) : x / a[j + j * *lda];
  }
}
C
cat > program.c <<'C'
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define JOIN(a, b) a##b
#define NAME_(a, b) JOIN(a, b)
#define NAME(a) NAME_(a, ENDING)
INT NAME(isamax)(const INT *, const float *, const INT *);
float NAME(sdot)(const INT *, const float *, const INT *, const float *, const INT *);
double NAME(ddot)(const INT *, const double *, const INT *, const double *, const INT *);
double complex NAME(zdotc)(const INT *, const double complex *, const INT *, const double complex *, const INT *);
void NAME(dgemm)(const char *, const char *, const INT *, const INT *, const INT *, const double *, const double *, const INT *, const double *, const INT *, const double *, double *, const INT *, size_t, size_t);
void NAME(dpotrf)(const char *, const INT *, double *, const INT *, INT *, size_t);
typedef void potrf(const char *, const INT *, double *, const INT *, INT *, size_t);
static double at(int i, int j) { return (i < j ? i : j) + 1; }
static int wrong_factor(potrf *f)
{
  const INT n = 40;
  static double a[1600];
  INT info = -9;
  int wrong = 0;
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) a[i + j * n] = at(i, j);
  f("L", &n, a, &n, &info, 1);
  for (int j = 0; j < n; j++) for (int i = j; i < n; i++) wrong += !(fabs(a[i + j * n] - 1) < 1e-9);
  return wrong + (info != 0);
}
/* Code of no file, as what Julia compiles. */
static potrf *compiled(potrf *f)
{
  unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const unsigned char text[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3}; /* sub; mov; call; add; ret */
  memcpy(code, text, sizeof text);
  memcpy(code + 6, &f, 8);
  mprotect(code, 4096, PROT_READ | PROT_EXEC);
  return (potrf *)code;
}
int main(int argc, char **argv)
{
  const INT n = 30, one = 1, minus = -1, three = 3;
  const double x[] = {1, 2, 3}, alpha = 1, beta = 0;
  const float f[] = {1, -5, 3};
  const double complex z[] = {1 + I, 2, 3 * I};
  static double a[900], b[900], c[900];
  void *provider = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) : NULL;
  int wrong = 0;
  if (NAME(isamax)(&three, f, &one) != 2 || NAME(isamax)(&minus, f, &one) != 0) { puts("isamax"); return 1; }
  if (NAME(sdot)(&three, f, &one, f, &minus) != 1 * 3 + 25 + 3 * 1) if (!provider) { puts("sdot"); return 1; }
  if (NAME(sdot)(&three, f, &one, f, &one) != 35) { puts("sdot"); return 1; }
  if (cabs(NAME(zdotc)(&three, z, &one, z, &one) - 15) > 1e-12) { puts("zdotc"); return 1; }
  if (!getenv("NO_BASE") && NAME(ddot)(&three, x, &one, x, &one) != 14) { puts("ddot"); return 1; }
  for (int i = 0; i < 900; i++) a[i] = i % 7, b[i] = i % 30 == i / 30;
  if (getenv("NO_BASE")) return 0;
  NAME(dgemm)("N", "N", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n, 1, 1);
  for (int i = 0; i < 900; i++) wrong += c[i] != a[i];
  if (wrong) { puts("dgemm"); return 1; }
  if (wrong_factor(NAME(dpotrf)) || wrong_factor(compiled(NAME(dpotrf)))) { puts("dpotrf"); return 1; }
  if (provider) printf("made: ddot %d, dgemm %d, dpotrf %d\n", *(int *)dlsym(provider, "made_ddot"), *(int *)dlsym(provider, "made_dgemm"), *(int *)dlsym(provider, "made_dpotrf"));
  puts("right");
  return 0;
}
C
$cc -O1 -w -fPIC -shared -Wl,-soname,libblastrampoline.so.5 -o libblastrampoline.so.5 trampoline.c -ldl
$cc -O1 -w -fPIC -shared -DINT=int64_t -DENDING=_64_ -o libnames64_.so provider.c -lm
$cc -O1 -w -fPIC -shared -DINT=int64_t -DENDING=_ -o libplain64.so provider.c -lm
$cc -O1 -w -fPIC -shared -DINT=int32_t -DENDING=_ -o libplain32.so provider.c -lm
$cc -O1 -w -DINT=int64_t -DENDING=_64_ -o program64 program.c ./libblastrampoline.so.5 -Wl,-rpath,"$work" -lm
$cc -O1 -w -DINT=int32_t -DENDING=_ -o program32 program.c ./libblastrampoline.so.5 -Wl,-rpath,"$work" -lm
export TILEWORK_CROSSOVER=0 TILEWORK_NB=8
run() {      # LIBRARIES PROGRAM...
  local libraries=$1; shift
  rm -f report; status=0
  timeout 120 env LBT_DEFAULT_LIBS="$libraries" TILEWORK_DROPIN_REPORT="$work/report" "$@" > out 2> err || status=$?
  [ $status = 0 ] || bad "$libraries: $*: exit status $status"
}
said() { grep -qxF "$1" out || bad "not said: $1"; }

for base in names64_ plain64; do
  if [ $base = plain64 ]; then suffix=; else suffix=64_; fi
  # By itself, with Tilework's names behind it, forwarded and taken: of three factorizations one is by code of no file; dot products stay.
  run "$work/lib$base.so" ./program64 "$work/lib$base.so"; said "lib$base.so: '$suffix', 64 bits, 6 names"; said "made: ddot 1, dgemm 1, dpotrf 2"
  run "$work/lib$base.so;$lib/libtilework_lbt64.so" ./program64 "$work/lib$base.so"
  said "libtilework_lbt64.so: '64_', 64 bits, 5 names"; said "made: ddot 1, dgemm 1, dpotrf 2"
  [ "$(grep -o '"bits": 64, "calls": [12], "taken": 0' report | wc -l)" = 3 ] || bad "forwarded calls"
  run "$work/lib$base.so;$lib/libtilework_lbt64.so" env TILEWORK_DROPIN_MIN=0 ./program64 "$work/lib$base.so"; said "made: ddot 1, dgemm 0, dpotrf 0"; said right
  [ "$(grep -o '"bits": 64, "calls": [12], "taken": [12], "forwarded": {}' report | wc -l)" = 3 ] || bad "taken calls"
done
# 32-bit integers: a stand-in, and the system's BLAS. Beside a library of the other width by the same names each keeps its own.
run "$work/libplain32.so;$lib/libtilework_lbt.so" env TILEWORK_DROPIN_MIN=0 ./program32 "$work/libplain32.so"; said "libtilework_lbt.so: '', 32 bits, 5 names"; said "made: ddot 1, dgemm 0, dpotrf 0"
run "$work/libplain64.so;$work/libplain32.so;$lib/libtilework_lbt.so;$lib/libtilework_lbt64.so" ./program32 "$work/libplain32.so"; said "made: ddot 1, dgemm 1, dpotrf 2"
run "$work/libplain32.so;$work/libplain64.so;$lib/libtilework_lbt.so;$lib/libtilework_lbt64.so" ./program32 "$work/libplain32.so"; said "made: ddot 1, dgemm 1, dpotrf 2"
run "$work/libplain32.so;$work/libplain64.so;$lib/libtilework_lbt.so;$lib/libtilework_lbt64.so" ./program64 "$work/libplain64.so"; said "made: ddot 1, dgemm 1, dpotrf 2"
system=$(ldconfig -p 2> /dev/null | sed -n 's/.*libopenblas\.so\.0 .*x86-64.* => //p' | head -n 1)
if [ -n "$system" ]; then
  run "$system;$lib/libtilework_lbt.so" ./program32; said right
  run "$system;$lib/libtilework_lbt.so" env TILEWORK_DROPIN_MIN=0 ./program32; said right
  grep -q '"name": "dpotrf_".*"taken": 1, "forwarded": {}' report || bad "beside the system's OpenBLAS"
fi
# Nothing before it: the probes' functions compute themselves. libtilework_lapack.so by itself is refused, which is why there are the others.
NO_BASE=1 run "$lib/libtilework_lbt64.so" ./program64; said "libtilework_lbt64.so: '64_', 64 bits, 5 names"
NO_BASE=1 run "$lib/libtilework_lbt.so" ./program32; said "libtilework_lbt.so: '', 32 bits, 5 names"
run "$work/libplain32.so;$lib/libtilework_lapack.so" ./program32 "$work/libplain32.so"; said "libtilework_lapack.so: refused"
echo passed
