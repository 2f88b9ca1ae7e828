#!/usr/bin/env bash
# Programs that do not know Tilework, with libtilework_lapack.so before their BLAS: the same results, what was taken, and whose function a caller gets.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
library=$TILEWORK_BUILD/lib/libtilework_lapack.so calls=$TILEWORK_BUILD/tests/dropin/calls run="$TILEWORK_BUILD/bin/tilework run"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cc=${CC:-cc}
bad() { echo "FAILED: $*"; for f in out err; do if [ -s $f ]; then head -n 20 $f; fi; done; exit 1; }
# The first number of lines of a JSON report for a name: taken 0 of a forwarded one.
taken() { sed -nE "s/.*\"name\": \"$2\", \"caller\": \"[^\"]*\", \"real\": \"[^\"]*\", \"bits\": [0-9]+, \"calls\": [0-9]+, \"taken\": ([0-9]+).*/\1/p" "$1" | head -n 1; }
export TILEWORK_CROSSOVER=0 TILEWORK_NB=8

# Nothing but libc.
if [ -z "${TILEWORK_TEST_SANITIZE:-}" ] && command -v readelf > /dev/null; then
  needed=$(readelf -d "$library" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | tr '\n' ' ')
  [ "$needed" = "libc.so.6 " ] || bad "the library needs $needed"
  [ "$(readelf -d "$library" | sed -nE 's/.*\(RUNPATH\).*\[(.*)\]/\1/p')" = '$ORIGIN' ] || bad "the library's RUNPATH"      # an empty part would be the current folder
fi
# Taken, small problems as well, results are the same.
"$calls" results plain || bad "the program fails by itself"
$run --report=results.json --min 0 "$calls" results ours 2> err || bad "results: exit status $?"
"$calls" compare plain ours || bad "results differ"
grep -q '"forwarded": {"' results.json && bad "calls were forwarded: $(cat results.json)"
for name in cblas_dgemm cblas_zher2k cblas_ctrsm LAPACKE_dpotrf LAPACKE_zpotrf_work LAPACKE_dposv; do
  [ "$(taken results.json $name)" -gt 0 ] || bad "$name was not taken"
done
"$calls" compare plain <(sed 's/0\.3/0.4/' ours) > out && bad "wrong results were not found"
# LAPACK's tgsyl reads what LAPACK's gecon leaves in its workspace: there gecon stays LAPACK's.
"$calls" separations > separations.plain || bad "separations fail by themselves"
$run --min 0 "$calls" separations > separations.ours 2> err || bad "separations: exit status $?"
cmp -s separations.plain separations.ours || bad "separations differ: $(cat separations.ours)"
# By itself it leaves these small ones alone.
$run --report=small.json -- "$calls" results ours || bad "small results: exit status $?"
grep -q '"taken": [1-9]' small.json && bad "small problems were taken"
cmp -s plain ours || bad "results of forwarded calls are not the same bits"
TILEWORK_DROPIN=0 $run --report=off.json --min 0 "$calls" threads > out || bad "off: exit status $?"
grep -q '"forwarded": {"off"' off.json || bad "TILEWORK_DROPIN=0 takes"

# Several threads, forked children, calls while the program ends, illegal arguments.
$run --report=threads.json --min 0 "$calls" threads > out 2> err || bad "threads: exit status $?"
[ $(($(taken threads.json dgemm_) + $(taken threads.json dpotrf_))) = 320 ] || bad "threads: $(cat threads.json)"
if [ "${TILEWORK_TEST_SANITIZE:-}" != thread ]; then
  $run --report=forks.json --min 0 "$calls" forks > out 2> err || bad "forks: exit status $?"
  [ "$(grep -c '"forked": true.*"taken": 0,.*{"forked"' forks.json)" = 3 ] || bad "forked children: $(cat forks.json)"
  [ "$(grep -c '"forked": false, "calls": 1280, "taken": 1280' forks.json)" = 1 ] || bad "their parent: $(cat forks.json)"
fi
$run --report=endings.json --min 0 "$calls" endings > out 2> err || bad "endings: exit status $?"
grep -q '"taken": 1, "forwarded": {"ended": [12]}' endings.json || bad "endings: $(cat endings.json)"
[ ! -s err ] || bad "endings: something was said"
"$calls" errors > plain 2>&1 || bad "errors by itself"
$run --min 0 "$calls" errors > ours 2>&1 || bad "errors: exit status $?"
cmp plain ours || bad "errors are said in other words"
grep -q 'DPOTRF.*4' plain || bad "no errors"

command -v $cc > /dev/null || { echo "no C compiler here: what needs no other program passed"; exit 77; }
# Modules that bring their BLAS along for themselves, as Python's do; callers that only have a pointer; names with 64-bit integers; both widths in one process.
cat > provider.c <<'C'
#include <stdint.h>
#define JOIN(a, b, c) a##b##c
#define NAME(a, b, c) JOIN(a, b, c)
int NAME(PREFIX, made_calls, )(void);
static int calls;
int NAME(PREFIX, made_calls, )(void) { return calls; }
void NAME(PREFIX, dgemm, ENDING)(const char *ta, const char *tb, const INT *m, const INT *n, const INT *k, const double *alpha, const double *a, const INT *lda,
  const double *b, const INT *ldb, const double *beta, double *c, const INT *ldc)
{
  calls++; (void)ta; (void)tb;
  for (INT j = 0; j < *n; j++) for (INT i = 0; i < *m; i++) {
    double x = 0;
    for (INT l = 0; l < *k; l++) x += a[i + l * *lda] * b[l + j * *ldb];
    c[i + j * *ldc] = *beta * c[i + j * *ldc] + *alpha * x;
  }
}
INT NAME(PREFIX, isamax, ENDING)(const INT *n, const float *x, const INT *inc);
INT NAME(PREFIX, isamax, ENDING)(const INT *n, const float *x, const INT *inc)
{
  INT best = *n > 0;
  for (INT i = 1; i < *n; i++) if (x[i * *inc] > x[(best - 1) * *inc]) best = i + 1;
  return best;
}
C
cat > module.c <<'C'
#include <stdint.h>
#define JOIN(a, b, c) a##b##c
#define NAME(a, b, c) JOIN(a, b, c)
typedef void gemm(const char *, const char *, const INT *, const INT *, const INT *, const double *, const double *, const INT *, const double *, const INT *, const double *, double *, const INT *);
extern gemm NAME(PREFIX, dgemm, ENDING);
extern int NAME(PREFIX, made_calls, )(void);
#ifdef OWN      /* another function by a name of ours */
double dgemm(int n, double x, double y, double z) { return n * x + y * z; }
#endif
int wrong(gemm *g);
int wrong(gemm *g)
{
  static double a[400], b[400], c[400];
  const INT n = sizeof(INT) == 8 ? (INT)20 : (INT)20; const double one = 1, zero = 0;
  int w = 0;
  for (int i = 0; i < 400; i++) a[i] = i % 7, b[i] = i % 20 == i / 20, c[i] = -1;
  g("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
  for (int i = 0; i < 400; i++) w += c[i] != a[i];
  return w;
}
int called(void) { return NAME(PREFIX, made_calls, )(); }
gemm *pointer(void) { return NAME(PREFIX, dgemm, ENDING); }
int call(void) { return wrong(pointer()); }
C
cat > host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    void *m = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    int (*call)(void), (*called)(void), (*wrong)(void *);
    void *(*pointer)(void);
    double (*own)(int, double, double, double);
    if (!m) { puts(dlerror()); return 1; }
    call = (int (*)(void))dlsym(m, "call"), called = (int (*)(void))dlsym(m, "called");
    pointer = (void *(*)(void))dlsym(m, "pointer"), wrong = (int (*)(void *))dlsym(m, "wrong");
    if (call()) { printf("%s: wrong\n", argv[i]); return 1; }
    if (wrong(pointer())) { printf("%s: wrong by a pointer\n", argv[i]); return 1; }
    own = (double (*)(int, double, double, double))dlsym(m, "dgemm");
    if (getenv("OWN") && (!own || own(3, 2, 5, 7) != 41)) { printf("%s: its own dgemm\n", argv[i]); return 1; }
    printf("%s %d\n", argv[i], called());
  }
  return 0;
}
C
$cc -O1 -w -o host host.c -ldl
make_pair() {      # LETTER INT PREFIX ENDING FLAGS: a provider and a module that needs it
  $cc -O1 -w -fPIC -shared -DINT="$2" -DPREFIX="$3" -DENDING="$4" -o "libprovider$1.so" provider.c
  $cc -O1 -w -fPIC -shared ${5:-} -DINT="$2" -DPREFIX="$3" -DENDING="$4" -o "module$1.so" module.c -L. "-lprovider$1" -Wl,-rpath,"$work"
}
# Two widths by one name, decided by what each provider does with an integer; names that say it.
make_pair a int32_t '' _
make_pair b int64_t '' _
make_pair c int64_t '' _64_
make_pair d int64_t '' 64_
make_pair e int64_t scipy_ 64_
make_pair f int32_t scipy_ _
make_pair g int64_t scipy_ _64_
modules="./modulea.so ./moduleb.so ./modulec.so ./moduled.so ./modulee.so ./modulef.so ./moduleg.so"
./host $modules > out || bad "modules by themselves"
[ "$(grep -c ' 2$' out)" = 7 ] || bad "modules call their own"
env LD_PRELOAD="$library" TILEWORK_DROPIN_REPORT=modules.json ./host $modules > out 2> err || bad "modules, forwarded: exit status $?"
[ "$(grep -c ' 2$' out)" = 7 ] || bad "modules' calls went elsewhere"
if [ -z "${TILEWORK_TEST_SANITIZE:-}" ]; then
  env LD_PRELOAD="$library" TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT=taken.json ./host $modules > out 2> err || bad "modules: exit status $?"
  [ "$(grep -c ' 0$' out)" = 7 ] || bad "modules' calls were not taken: $(cat taken.json)"
  [ "$(grep -o '"bits": 64' taken.json | wc -l)" -ge 5 ] && [ "$(grep -o '"bits": 32' taken.json | wc -l)" -ge 2 ] || bad "widths: $(cat taken.json)"
fi
# A plain name with its own meaning.
cp module.c own.c
make_pair h int32_t '' _ -DOWN
cat > caller.c <<'C'
double dgemm(int, double, double, double);
int main(void) { return dgemm(3, 2, 5, 7) != 41; }
C
$cc -O1 -w -o caller caller.c ./moduleh.so -L. -lproviderh -Wl,-rpath,"$work"
env LD_PRELOAD="$library" TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT=1 ./caller 2> err || bad "a function dgemm of a program's own"
# The user names whom to forward to.
env LD_PRELOAD="$library" TILEWORK_DROPIN_BACKEND="$work/libproviderb.so" ./host ./moduleb.so > out || bad "TILEWORK_DROPIN_BACKEND"

# Inside a parallel region of OpenMP nothing is taken.
cat > parallel.c <<'C'
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
int main(void)
{
  static double a[100], c[4][100];
  const int n = 10; const double one = 1, zero = 0;
  int wrong = 0;
  for (int i = 0; i < 100; i++) a[i] = i % 10 == i / 10;
  #pragma omp parallel for num_threads(2)
  for (int k = 0; k < 4; k++) dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c[k], &n);
  for (int k = 0; k < 400; k++) wrong += c[k / 100][k % 100] != a[k % 100];
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c[0], &n);
  return wrong;
}
C
if $cc -O1 -w -fopenmp -o parallel parallel.c -L. -lprovidera -Wl,-rpath,"$work" 2> /dev/null; then
  $run --report=parallel.json --min 0 ./parallel || bad "a parallel region: exit status $?"
  grep -q '"taken": 1, "forwarded": {"parallel region": 4}' parallel.json || bad "a parallel region: $(cat parallel.json)"
  # All threads' first calls at once: while one looks for OpenMP, held up by a library's long constructor, others are not to pass.
  cat > slow.c <<'C'
#include <unistd.h>
extern volatile int entered;
__attribute__((constructor)) static void enter(void) { entered = 1; usleep(400000); }
C
  cat > first.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
volatile int entered;
static void *load(void *file) { return dlopen(file, RTLD_NOW); }
__attribute__((noinline)) static void multiply(int n, double *c)
{
  static double a[100];
  const double one = 1, zero = 0;
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
  __asm__ volatile("");
}
int main(void)
{
  static double c[4][100];
  pthread_t thread;
  multiply(2, c[0]); /* too small to look at, but the place of the call is known from here on */
  if (pthread_create(&thread, 0, load, "./libslow.so")) return 1;
  while (!entered) {}
  #pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int k = 0; k < 4; k++) multiply(10, c[k]);
  return pthread_join(thread, 0);
}
C
  $cc -O1 -w -shared -fPIC -o libslow.so slow.c
  $cc -O1 -w -fopenmp -rdynamic -o first first.c -L. -lprovidera -Wl,-rpath,"$work"
  $run --report=first.json --min 8 ./first || bad "first calls in a parallel region: exit status $?"
  grep -q '"taken": 0, "forwarded": {"small": 1, "parallel region": 4}' first.json || bad "first calls in a parallel region: $(cat first.json)"
fi
# Where the library cannot start, and where it refuses before it begins, programs go on without it.
STARPU_SCHED=nonsense $run --report=refused.json --min 0 "$calls" threads > out 2> err || bad "no start: exit status $?"
grep -q '^0 of 320' out && [ "$(grep -c 'nonsense' err)" = 1 ] || bad "no start: what is said"
[ "$(grep -o '"not started": [0-9]*' refused.json | awk '{ n += $3 } END { print n }')" = 320 ] || bad "no start: $(cat refused.json)"

# A program that calls Tilework itself: what its functions call straight, LAPACK for a small matrix, is not the program's.
if [ -z "${TILEWORK_TEST_SANITIZE:-}" ]; then
  cat > itself.c <<'C'
#include <dlfcn.h>
#include <stdint.h>
int main(void)
{
  void *library = dlopen("libtilework.so.0", RTLD_NOW | RTLD_LOCAL);
  int64_t (*getrf)(int64_t, int64_t, double *, int64_t, int64_t *) = library ? dlsym(library, "tw_dgetrf") : 0;
  static double a[400]; int64_t pivots[20];
  for (int i = 0; i < 20; i++) a[21 * i] = 4, a[i] += 1;
  return getrf ? (int)getrf(20, 20, a, 20, pivots) : 9;
}
C
  $cc -O1 -w -o itself itself.c
  TILEWORK_CROSSOVER=1000 LD_LIBRARY_PATH=$TILEWORK_BUILD/lib:${LD_LIBRARY_PATH:-} $run --report --min 0 ./itself 2> err || bad "a program that calls Tilework: exit status $?"
  grep -q ': 0 calls, 0 taken' err || bad "a program that calls Tilework: its LAPACK comes back"
fi

# What no preload reaches.
echo 'int main(void) { return 0; }' > static.c
if $cc -static -o static static.c 2> /dev/null; then
  $run ./static 2> err || bad "a static program: exit status $?"
  grep -q 'linked statically' err || bad "a static program is not told of"
fi
printf '#!/bin/sh\nexit 3\n' > script; chmod +x script
status=0; $run ./script 2> err || status=$?
[ $status = 3 ] && [ ! -s err ] || bad "a script: exit status $status"
status=0; $run ./nothing 2> err || status=$?
[ $status = 2 ] && grep -q 'no program' err || bad "no program: exit status $status"
# With other rights than its user's a program is left alone: no variable is read, nothing is opened. (A bundle's program looks for libraries beside itself, which the loader refuses to such a one.)
if [ "$(id -u)" = 0 ] && [ -z "${TILEWORK_TEST_SANITIZE:-}" ] && [ ! -e "$TILEWORK_BUILD/run-tests.sh" ]; then
  mkdir rights; chmod 755 "$work" rights; cp "$TILEWORK_BUILD/tests/dropin/doors" rights/secure; chown nobody rights/secure; chmod 4755 rights/secure
  if [ -z "$(findmnt -n -o OPTIONS -T rights 2> /dev/null | grep nosuid)" ]; then
    TILEWORK_DROPIN_CALLS=$work/secure.calls TILEWORK_DROPIN_MIN=0 TILEWORK_VERBOSE=2 rights/secure calls > out 2> err || bad "other rights: exit status $?"
    [ ! -e secure.calls ] && [ ! -s err ] || bad "a program with other rights reads variables"
  fi
fi
echo passed
