#!/usr/bin/env bash
# Large arrays of fftw_malloc are pinned when a plan of Tilework's takes them, once, and unpinned before they are freed. Tilework's library is a stand-in that writes down what it is asked.
# And libtilework_fftw.so in a program with other rights than its user's: nothing is read, nothing is opened.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || exit 77      # the stand-in is no sanitized library
library=$(readlink -f "$TILEWORK_BUILD/lib/libtilework_fftw.so") || exit 77
[ -e "$library" ] || { echo "built without FFTW"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cc=${CC:-cc}
command -v $cc > /dev/null || { echo "no C compiler here"; exit 77; }
bad() { echo "FAILED: $*"; for f in out err log; do if [ -s $f ]; then echo "$f:"; head -n 20 $f; fi; done; exit 1; }
cp "$library" libtilework_fftw.so
cat > engine.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <tilework/fft.h>
static void say(const char *what, const void *p)
{
  FILE *f = fopen("log", "a");
  fprintf(f, "%s %p\n", what, p);
  fclose(f);
}
void tw_be_guest(void) { say("guest", 0); }
int tw_fft_plan_guru(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_fft_dim *dims, int nloops, const tw_fft_dim *loops, int sign, const tw_fft_options *options)
{
  *plan = malloc(1);
  return 0;
}
int tw_fft_execute(tw_fft *plan, const void *in, void *out) { say("execute", in); return 0; }
int tw_fft_destroy(tw_fft *plan) { free(plan); return 0; }
void tw_fft_options_init(tw_fft_options *options) { *options = (tw_fft_options){sizeof *options}; }
const char *tw_last_message(void) { return ""; }
int tw_machine_info(tw_machine *m) { *m = (tw_machine){0}; m->cuda_workers = getenv("NO_GPU") ? 0 : 3; return 0; }
int tw_pin(const void *base, size_t bytes, void **pinned) { say("pin", base); if (getenv("REFUSE")) return -1; *pinned = (void *)base; return 0; }
void tw_unpin(void **pinned) { say("unpin", *pinned); *pinned = 0; }
C
$cc -O1 -w -fPIC -shared -I"${TILEWORK_SOURCE:?}/include" -o libtilework_fft.so.0 engine.c
cat > program.c <<'C'
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void mark(const char *what, const void *p)
{
  FILE *f = fopen("log", "a");
  fprintf(f, "%s %p\n", what, p);
  fclose(f);
}
int main(void)
{
  const int n = 1 << 21; /* 32 MiB */
  fftw_complex *a = fftw_alloc_complex(n), *b = fftw_malloc(n * sizeof *b), *c = fftw_malloc(2 * n * sizeof *c), *plain = malloc(n * sizeof *plain), *small = fftw_malloc(100 * sizeof *small);
  double *real = fftw_alloc_real(2 * n);
  fftw_plan p, q, r;
  if (!a || !b || !c || !plain || !small || !real) return 1;
  mark("a", a), mark("b", b), mark("c", c), mark("real", real);
  p = fftw_plan_dft_1d(n, a, b, FFTW_FORWARD, FFTW_ESTIMATE);       /* a, b */
  fftw_execute(p);
  fftw_execute(p);
  q = fftw_plan_dft_1d(n, c + n, plain, FFTW_FORWARD, FFTW_ESTIMATE);      /* inside of c */
  fftw_execute(q);
  fftw_execute_dft(p, (fftw_complex *)real, plain);       /* new arrays */
  r = fftw_plan_dft_1d(100, small, small, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(r);
  fflush(NULL);
  if (fork() == 0) { fftw_free(b); _exit(0); }      /* a child has no CUDA: its frees unpin nothing */
  wait(NULL);
  mark("free", a), fftw_free(a), mark("freed", a);
  mark("free", plain), free(plain), fftw_free(small), fftw_free(NULL);
  fftwf_free(c);
  fftw_free(b), fftw_free(real);
  b = fftw_malloc(n * sizeof *b);      /* freed and never taken */
  mark("again", b), fftw_free(b);
  fftw_destroy_plan(p), fftw_destroy_plan(q), fftw_destroy_plan(r);
  return 0;
}
C
$cc -O1 -w -o program program.c -lfftw3 -lfftw3f
mkdir -p root/dev; touch root/dev/nvidiactl
run() { rm -f log; env LD_PRELOAD="$work/libtilework_fftw.so" TILEWORK_DROPIN_ROOT="$work/root" TILEWORK_DROPIN_MIN=0 "$@" ./program > out 2> err || bad "$*: exit status $?"; }
unset STARPU_NCUDA CUDA_VISIBLE_DEVICES TILEWORK_DROPIN
address() { sed -n "s/^$1 //p" log | head -n 1; }
count() { grep -cx "$1" log || true; }

run env
for array in a b c real; do
  at=$(address $array)
  [ "$(count "pin $at")" = 1 ] && [ "$(count "unpin $at")" = 1 ] || bad "$array: pinned $(count "pin $at") times, unpinned $(count "unpin $at") times"
done
[ "$(count 'pin .*')" = 4 ] && [ "$(count 'unpin .*')" = 4 ] || bad "others were pinned"
[ "$(count 'execute .*')" = 5 ] || bad "not executed by Tilework"
[ "$(count 'guest .*')" = 1 ] || bad "the library is not told that it is a guest"
a=$(address a)
[ "$(grep -nxE "(pin|free|unpin|freed) $a" log | sed 's/^[0-9]*://; s/ .*//' | tr '\n' ' ')" = "pin free unpin freed " ] || bad "not unpinned before it was freed"
# What is refused is not asked for again, nor given back; no GPU, or none that the library uses: nothing is pinned.
run env REFUSE=1; [ "$(count 'pin .*')" = 4 ] && [ "$(count 'unpin .*')" = 0 ] || bad "refused"
run env NO_GPU=1; [ "$(count 'pin .*')" = 0 ] && [ "$(count 'execute .*')" = 5 ] || bad "pinned without a GPU that is used"
run env STARPU_NCUDA=0; [ "$(count 'pin .*')" = 0 ] && [ "$(count 'execute .*')" = 5 ] || bad "pinned without GPUs"
run env TILEWORK_DROPIN=0; [ "$(count 'pin .*')" = 0 ] && [ "$(count 'execute .*')" = 0 ] || bad "TILEWORK_DROPIN=0"

# Other rights: the same program, linked with the library, since nothing can be preloaded there; the loader finds it by its full name.
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$work"; ln -s libtilework_fftw.so libtilework_fftw.so.0
  $cc -O1 -w -o secure program.c -L. -ltilework_fftw -lfftw3 -lfftw3f -Wl,-rpath,"$work"
  export LD_LIBRARY_PATH=$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}      # the bundle's folder of libraries is in it
  cp secure usual; chown nobody secure; chmod 4755 secure; touch log report; chmod 666 log report
  if [ -z "$(findmnt -n -o OPTIONS -T "$work" 2> /dev/null | grep nosuid)" ]; then
    env TILEWORK_DROPIN_ROOT="$work/root" TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT="$work/report" ./usual > out 2> err || bad "linked: exit status $?"
    [ "$(count 'execute .*')" = 5 ] && [ -s report ] || bad "linked: not taken"
    : > log; : > report
    env TILEWORK_DROPIN_ROOT="$work/root" TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT="$work/report" ./secure > out 2> err || bad "other rights: exit status $?"
    [ "$(count 'execute .*')" = 0 ] && [ "$(count 'pin .*')" = 0 ] && [ ! -s report ] && [ ! -s err ] || bad "a program with other rights reads variables, or opens Tilework"
  fi
fi
echo passed
