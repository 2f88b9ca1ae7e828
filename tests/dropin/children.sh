#!/usr/bin/env bash
# Reports of programs that fork: children that end by _exit have a line, what children called whom a signal ends is in their parent's, and handlers of signals end a process at once.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || exit 77      # a sanitizer's library would have to be preloaded, too
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cc=${CC:-cc}
command -v $cc > /dev/null || { echo "no C compiler here"; exit 77; }
bad() { echo "FAILED: $*"; for f in out err report.json; do if [ -s $f ]; then head -n 20 $f; fi; done; exit 1; }
cat > provider.c <<'C'
void dgemm_(const char *ta, const char *tb, const int *m) { }
int isamax_(const int *n, const float *x, const int *inc)      /* is asked how long integers are */
{
  int best = *n > 0;
  for (int i = 1; i < *n; i++) if (x[i * *inc] > x[(best - 1) * *inc]) best = i + 1;
  return best;
}
C
cat > program.c <<'C'
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
static void call(int n)
{
  const double one = 1; double c = 0;
  dgemm_("N", "N", &n, &n, &n, &one, &one, &n, &one, &n, &one, &c, &n);
}
static void handler(int s) { _exit(5); }
int main(int argc, char **argv)
{
  int status = 0;
  if (chdir("elsewhere")) return 9;
  if (!strcmp(argv[1], "comma")) { setlocale(LC_ALL, ""); printf("comma %.1f\n", 0.5); fflush(stdout); }
  if (fork() == 0) {
    call(3); call(4);
    if (!strcmp(argv[1], "_exit")) _exit(7);
    if (!strcmp(argv[1], "killed")) raise(SIGTERM);
    if (!strcmp(argv[1], "handler")) { signal(SIGUSR1, handler); raise(SIGUSR1); }
    if (!strcmp(argv[1], "vfork")) { int s = 0; if (vfork() == 0) _exit(3); wait(&s); _exit(WEXITSTATUS(s)); }
    return 0;
  }
  wait(&status);
  if (vfork() == 0) _exit(0);      /* it has our memory, and no report */
  wait(NULL);
  call(5);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}
C
$cc -O1 -w -fPIC -shared -o libblas.so provider.c
$cc -O1 -w -o program program.c -L. -lblas -Wl,-rpath,"$work"
mkdir elsewhere
run() {      # STATUS LINES WORD: by the variable alone, whose relative name is of the folder where the program began
  local status=0; rm -f report.json
  env LD_PRELOAD="$TILEWORK_BUILD/lib/libtilework_lapack.so" TILEWORK_DROPIN_REPORT=report.json timeout 60 ./program "$3" > out 2> err || status=$?
  [ $status = "$1" ] || bad "$3: status $status"
  [ ! -e elsewhere/report.json ] || bad "$3: the report is where the program went"
  [ "$(wc -l < report.json)" = "$2" ] || bad "$3: not $2 lines"
  grep -q '"forked": false, "calls": 1, .*"children": {"calls": 2,' report.json || bad "$3: the parent says nothing of its child's calls"
}
run 7 2 _exit; grep -q '"forked": true, "calls": 2, "taken": 0.*{"forked": 2}' report.json || bad "_exit: the child's line"
run 0 2 return
run 115 1 killed
run 5 1 handler
run 3 2 vfork
# JSON has points where the program's locale writes 0,5.
mkdir locale
if localedef --no-archive -f UTF-8 -i de_DE "$PWD/locale/de_DE.UTF-8" 2> /dev/null; then
  LOCPATH=$PWD/locale LC_ALL=de_DE.UTF-8 run 0 2 comma
  grep -q '^comma 0,5$' out || bad "the program's locale is another one, or changed"
  ! grep -qE '": [0-9]+,[0-9]' report.json || bad "a decimal comma in the report"
else
  echo "localedef makes no locale with a decimal comma here: not tried"
fi
# As text, to those who would know why nothing is taken.
LD_PRELOAD=$TILEWORK_BUILD/lib/libtilework_lapack.so TILEWORK_DROPIN_REPORT=1 ./program killed > out 2> err || true
grep -q '^  forked children: 2 calls, ' err || bad "as text"
# A program that closes its standard error at its end, as GNU's do, and one that has another file in its place.
cat > closing.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void close_all(void) { close(2); }
int main(int argc, char **argv)
{
  atexit(close_all);
  if (argc > 1) for (int i = 3; i < 300; i++) { close(i); dup2(1, i); }
  return 0;
}
C
$cc -O1 -w -o closing closing.c
run="$TILEWORK_BUILD/bin/tilework run --report"
$run ./closing 2> err > out; grep -q 'closing.*: 0 calls' err || bad "a program that closes its standard error"
$run ./closing all 2> err > out; [ ! -s out ] || bad "a report in a file of the program's"
echo passed
