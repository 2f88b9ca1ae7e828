#!/usr/bin/env bash
# How programs start with libtilework_lapack.so: from a folder with a blank, linked instead of preloaded, with reports that cannot be written, and words that are no program.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
calls=$TILEWORK_BUILD/tests/dropin/calls tilework=$TILEWORK_BUILD/bin/tilework
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
bad() { echo "FAILED: $*"; for f in out err; do if [ -s $f ]; then head -n 20 $f; fi; done; exit 1; }
refused() {      # WHAT-IS-SAID WORDS...: before any work, with status 2
  local want=$1 status=0; shift
  "$tilework" run "$@" > out 2> err || status=$?
  [ $status = 2 ] && grep -q -- "$want" err && [ ! -s out ] || bad "run $*: status $status"
}
export TILEWORK_CROSSOVER=0 TILEWORK_NB=8

# Reports: their names are those of the folder where the command begins, and what cannot be written is said there.
mkdir elsewhere
"$tilework" run --report=here.json --min 0 sh -c 'cd elsewhere && exec "$0" results out' "$calls" > out 2> err || bad "a report by a relative name"
[ -s here.json ] && [ ! -e elsewhere/here.json ] || bad "a report by a relative name is elsewhere"
TILEWORK_DROPIN_REPORT=there.json "$tilework" run --min 0 sh -c 'cd elsewhere && exec "$0" results out' "$calls" > out 2> err || bad "the variable"
[ -s there.json ] && [ ! -e elsewhere/there.json ] || bad "the variable's relative name is elsewhere"
"$tilework" run --report=none.json true && [ ! -e none.json ] || bad "a report of nothing leaves a file"
ln -s nothing.json link.json
"$tilework" run --report=link.json true && [ -L link.json ] || bad "a link to no file yet was taken away"
refused 'No such file' --report="$work/no/where.json" echo ran
refused 'directory' --report="$work" echo ran
refused 'expected the name of a file' --report= echo ran
refused 'Did you mean --report=file.json' --report file.json echo ran
# What is there, but no program.
echo 'exit 0' > script
echo 'exit 0' > recipe      # not script: a program of many systems
refused 'is not executable' ./script
refused 'is a folder' ./elsewhere
refused 'no program of this name' ./nothing
refused 'no program of this name' recipe
echo 'print(1)' > program.py
refused 'put env before it' THREADS=2 true
refused 'put python3 before it' program.py
refused 'put python3 before it' ./program.py
refused '^tilework: --min: needs a value' --min
# A script without "#!" is the shell's, with its arguments and status.
echo 'echo "$0 $*"; exit 3' > recipe
chmod +x recipe
refused 'put ./ before its name' recipe
status=0; "$tilework" run ./recipe one two > out 2> err || status=$?
[ $status = 3 ] && [ "$(cat out)" = "./recipe one two" ] || bad "a script without an interpreter: status $status"

# A backend that is not there is said once, however many names are called; columns stand below their heads, also behind long names that are set back.
TILEWORK_DROPIN_BACKEND=$work/none.so "$tilework" run --report "$calls" results "$work/ours" > out 2> err || bad "a backend that is not there"
[ "$(grep -c 'TILEWORK_DROPIN_BACKEND' err)" = 1 ] || bad "a backend that is not there is said more than once, or never"
awk '/^  name /{at = index($0, "called by")} at && /^ +[A-Za-z0-9_]+ +[^ ]+ +[0-9]/ && substr($0, at - 1, 2) !~ /^ [^ ]/ {bad = 1; print} END {exit bad || !at}' err > out ||
  bad "columns of a report"

# A folder with a blank and a colon: the loader takes LD_PRELOAD apart there.
if [ -z "${TILEWORK_TEST_SANITIZE:-}" ]; then
  odd="$work/a folder: odd/lib" real=$(readlink -f "$TILEWORK_BUILD/lib")
  mkdir -p "$odd" tmp
  for file in "$real"/libtilework.so.0 "$real"/libtilework_lapack.so.0; do cp -L "$file" "$odd/"; done
  status=0
  (cd "$odd" && export TMPDIR="$work/tmp" LD_LIBRARY_PATH=".:${LD_LIBRARY_PATH:-}" && unset XDG_RUNTIME_DIR && \
    for k in 1 2; do "$tilework" run --report="$work/odd.json" --min 0 "$calls" results "$work/ours" || exit; done) > out 2> err || status=$?
  [ $status = 0 ] && [ ! -s err ] || bad "a folder with a blank: status $status"
  grep -q '"taken": [1-9]' odd.json || bad "a folder with a blank: nothing was taken"
  [ "$(find tmp -type l | wc -l)" = 1 ] || bad "links: $(find tmp)"
fi

# Linked as compilers do it, as needed: every name is found in the first library, and the program has no BLAS beside it.
cc=${CC:-cc}
system=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -c "libopenblas.so.0\|libblas.so.3") || true
command -v $cc > /dev/null && [ "${system:-0}" -gt 0 ] || { echo "no C compiler or no BLAS of the system here: the rest passed"; exit 77; }
cat > linked.c <<'C'
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
int main(void)
{
  double a[4] = {1, 2, 3, 4}, b[4] = {0, 1, 1, 0}, c[4];
  const double one = 1, zero = 0;
  const int n = 2;
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
  return c[0] != 3 || c[3] != 2;
}
C
$cc -o linked linked.c "$TILEWORK_BUILD/lib/libtilework_lapack.so" -Wl,--as-needed,-rpath,"$TILEWORK_BUILD/lib"
status=0; ./linked > out 2> err || status=$?
[ $status = 0 ] && [ ! -s err ] || bad "a linked program: status $status"

# What the library needs forks while it starts, as CUDA's driver does to run nvidia-modprobe: nobody waits for himself.
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || { echo "passed, but for forks at the start"; exit 0; }
cat > forks.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int hwloc_topology_load(void *topology)
{
  static int forked;
  int status, (*real)(void *) = (int (*)(void *))dlsym(dlopen("libhwloc.so.15", RTLD_LAZY), "hwloc_topology_load");
  if (!forked++) {
    const pid_t child = fork();
    if (child == 0) execl("/bin/sh", "sh", "-c", "echo forked; exit 3", (char *)0);
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3) abort();
  }
  return real(topology);
}
C
$cc -w -shared -fPIC -o forks.so forks.c -ldl
status=0; LD_PRELOAD="$work/forks.so" TILEWORK_DROPIN_MIN=0 timeout 60 ./linked > out 2> err || status=$?
[ $status = 0 ] && [ "$(cat out)" = forked ] && [ ! -s err ] || bad "a fork while the library starts: status $status"

# main returns while a thread's call opens the library: exit handlers of what is being loaded wait until it is. And threads that are cancelled in a call leave nothing locked.
cat > ends.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
static int product(void)
{
  const int n = 150;
  const double one = 1, zero = 0;
  double *a = calloc((size_t)3 * n * n, sizeof *a);
  for (int k = 0; k < 2 * n * n; k++) a[k] = 1;
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, a + n * n, &n, &zero, a + 2 * n * n, &n);
  const int wrong = a[2 * n * n] != n || a[3 * n * n - 1] != n;
  free(a);
  return wrong;
}
static void *once(void *p) { if (product()) _exit(2); return p; }
static void *on_and_on(void *p)
{
  for (;;) {
    int state;
    if (product()) _exit(3);
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    if (state != PTHREAD_CANCEL_ENABLE) _exit(4);
  }
  return p;
}
int main(int count, char **word)
{
  pthread_t thread[4];
  if (!strcmp(word[1], "exit")) {
    pthread_create(thread, NULL, once, NULL);
    usleep(1000 * (useconds_t)atoi(word[2]));
    return 0;
  }
  for (int k = 0; k < 4; k++) pthread_create(&thread[k], NULL, on_and_on, NULL);
  usleep(500000);
  for (int k = 0; k < 4; k++) pthread_cancel(thread[k]);
  for (int k = 0; k < 4; k++) pthread_join(thread[k], NULL);
  return product();
}
C
$cc -w -o ends ends.c "$TILEWORK_BUILD/lib/libtilework_lapack.so" -Wl,--as-needed,-rpath,"$TILEWORK_BUILD/lib" -lpthread
ends() {
  status=0; TILEWORK_DROPIN_MIN=0 TILEWORK_CROSSOVER=0 TILEWORK_NB=32 timeout 60 ./ends "$@" > out 2> err || status=$?
  [ $status = 0 ] && [ ! -s err ] || bad "ends $*: status $status"
}
for milliseconds in 5 10 20 30 50 70 100 150; do ends exit $milliseconds; done
ends cancel
echo passed
