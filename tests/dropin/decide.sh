#!/usr/bin/env bash
# What libtilework_lapack.so decides by: the machine profile's rates, or constants where there is none that can be believed; busy machines; shapes alone in reproducible mode. Tilework's library, BLAS,
# the machine and its profile are stand-ins, so that no time is measured.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || exit 77      # the stand-in is no sanitized library
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cc=${CC:-cc}
command -v $cc > /dev/null || { echo "no C compiler here"; exit 77; }
bad() { echo "FAILED: $*"; for f in report out err; do if [ -s $f ]; then head -n 20 $f; fi; done; exit 1; }
cp "$(readlink -f "$TILEWORK_BUILD/lib/libtilework_lapack.so")" libtilework_lapack.so
cat > engine.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void say(const char *what) { FILE *f = fopen("started", "a"); if (f) { fprintf(f, "%s\n", what); fclose(f); } }
void tw_be_guest(void) { say("guest"); }
int tw_begin(void) { say("begin"); return 0; }
void tw_end(void) { }
int tw_at_work(void) { return 0; }
long tw_tasks_of_this_thread(void) { return 0; }
const char *tw_last_message(void) { return ""; }
static void slow(void) { if (getenv("ENGINE_SLOW")) usleep(atoi(getenv("ENGINE_SLOW"))); }
int64_t tw_dgemm(void) { slow(); return 0; }
int tw_LAPACKE_dgeev_work(void) { return 0; }
int tw_LAPACKE_dgebal_work(void) { return 0; }
C
$cc -O1 -w -fPIC -shared -o libtilework.so.0 engine.c
cat > provider.c <<'C'
#include <stdlib.h>
#include <unistd.h>
void dgemm_(const char *ta, const char *tb, const int *m, ...) { if (getenv("SLOW")) usleep(atoi(getenv("SLOW"))); }
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b, const int *ldb, int *info) { *info = 0; }
void dgeev_(const char *vl, const char *vr, const int *n, double *a, const int *lda, double *wr, double *wi, double *l, const int *ldl, double *r, const int *ldr, double *work, const int *lwork, int *info)
{
  usleep(20000);
  dgemm_("N", "N", n, n, n, a, a, n, a, n, a, a, n); /* as LAPACK does: through the linker's table */
  *info = 0;
}
void dgebal_(const char *job, const int *n, double *a, const int *lda, int *lo, int *hi, double *scale, int *info) { *info = 0; }
int isamax_(const int *n, const float *x, const int *inc)
{
  int best = *n > 0;
  for (int i = 1; i < *n; i++) if (x[i * *inc] > x[(best - 1) * *inc]) best = i + 1;
  return best;
}
C
cat > values.c <<'C'
#include <stdlib.h>
void dgeev_(const char *, const char *, const int *, double *, const int *, double *, double *, double *, const int *, double *, const int *, double *, const int *, int *);
void dgebal_(const char *, const int *, double *, const int *, int *, int *, double *, int *);
int main(int argc, char **argv)
{
  const int n = atoi(argv[2]), l = 4 * n;
  int info, lo, hi; double x[4];
  if (*argv[1] == 'B') dgebal_("B", &n, x, &n, &lo, &hi, x, &info);
  else dgeev_("N", argv[1], &n, x, &n, x, x, x, &n, x, &n, x, &l, &info);
  return info;
}
C
cat > program.c <<'C'
#include <stdlib.h>
#include <unistd.h>
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
int main(int argc, char **argv)
{
  const double one = 1, zero = 0; double c = 0;
  for (int i = 1; i < argc; i++) {
    const int n = atoi(argv[i]);
    dgemm_("N", "N", &n, &n, &n, &one, &one, &n, &one, &n, &zero, &c, &n);
    if (getenv("WAIT")) usleep(300000);
  }
  return 0;
}
C
cat > systems.c <<'C'
#include <stdlib.h>
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
int main(int argc, char **argv)
{
  const int n = atoi(argv[1]), nrhs = atoi(argv[2]);
  int info, ipiv; double x;
  dgesv_(&n, &nrhs, &x, &n, &ipiv, &x, &n, &info);
  return info;
}
C
$cc -O1 -w -fPIC -shared -o libopenblas.so provider.c
$cc -O1 -w -fPIC -shared -o libreference.so provider.c
$cc -O1 -w -o fast program.c -L. -lopenblas -Wl,-rpath,"$work"
$cc -O1 -w -o systems systems.c -L. -lopenblas -Wl,-rpath,"$work"
$cc -O1 -w -o values values.c -L. -lopenblas -Wl,-rpath,"$work"
$cc -O1 -w -o slow program.c -L. -lreference -Wl,-rpath,"$work"

# The machine: its processor, a GPU, nobody else.
mkdir -p root/proc root/dev cache
printf 'processor\t: 0\nmodel name\t: A processor\n' > root/proc/cpuinfo
quiet() { echo '0.10 0.10 0.10 1/100 4711' > root/proc/loadavg; }
quiet; touch root/dev/nvidia0
version=$(sed -nE 's/^#define TW_VERSION_(MAJOR|MINOR|PATCH) //p' "${TILEWORK_SOURCE:?}/include/tilework/runtime.h" | paste -sd.)
# As profile_file.c writes it, of the numbers that are looked at: Gflop/s of a core and of a GPU, GB/s of the links, seconds since 1970, the rest as text.
profile() {      # FILE CORE GPU LINK WRITTEN [SED]
  local gpu=${gpu_name-A GPU} t d
  list() { printf ' "%s": [%s, %s, %s, %s, %s]' "$1" "$2" "$2" "$2" "$2" "$2"; }
  {
    printf '{\n "format": 6,\n "key": {"cpu": "A processor", "cores": "16", "blas_core": "Some", "blas": "0", "gpu": "%s", "tilework": "%s"},\n "written": %s,\n "seconds": 1.5,\n "units": "a \\"text\\"",\n' "$gpu" "$version" "$5"
    for d in "cpu $2" "cuda $3" "streams_gain 1.0"; do
      printf ' "%s": {' "${d% *}"
      for t in s d c z; do
        printf '"%s": {' $t
        if [ "${d% *}" = streams_gain ]; then list 1 1.0; printf ,; list 2 1.0; printf ,; list 4 1.0; else list gemm "${d#* }"; printf ,; list memory 7.5e0; fi
        [ $t = z ] && printf '}' || printf '}, '
      done
      printf '},\n'
    done
    printf ' "links": {"to_gpu": %s, "from_gpu": %s, "both_ways": 80.0, "host_memcpy": 10.0},\n "shares": {"tw_dgemm": {"rate": "gemm", "cpu": [0.9, 0.0]}},\n "gpus": {"0": {"products": 1.0, "memory": 1.0}, "1": {"products": 0.5, "memory": 0.5}},\n "checksum": "0"\n}\n' "$4" "$4"
  } | sed "${6:-}" > "cache/$1"
}
# Runs a program; its report's line for dgemm_ into `report`. One thread: what the real routine needs does not depend on this machine's cores.
run() {      # PROGRAM ORDERS...
  rm -f report
  env OPENBLAS_NUM_THREADS="${threads-1}" LD_PRELOAD="$work/libtilework_lapack.so" TILEWORK_DROPIN_ROOT="$work/root" TILEWORK_CACHE_DIR="$work/cache" TILEWORK_DROPIN_REPORT="$work/report" "./$@" > out 2> err ||
    bad "$*: exit status $?"
}
decides() {      # WHAT REASONS...: the report says so
  local what=$1; shift
  grep -qE "\"forwarded\": \{$*\}" report || bad "$what: not $*"
}
number() { sed -nE "s/.*\"predicted\": \{.*\"$1\": ([0-9.e+-]+).*/\1/p" report; }
near() { awk -v a="$(number "$1")" -v b="$2" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }' || bad "$1 is predicted as $(number "$1"), not $2"; }
without_profile() { grep -q '"profile": null' report || bad "$1: believed"; }

unset STARPU_NCUDA CUDA_VISIBLE_DEVICES MKL_NUM_THREADS OMP_NUM_THREADS OPENBLAS_CORETYPE TILEWORK_DROPIN TILEWORK_DROPIN_MIN TILEWORK_REPRODUCIBLE
if grep -q /dev/nvidia libtilework_lapack.so; then
  # Constants: 15 Tflop/s and 8 GB/s, 50 Gflop/s for the real routine.
  run fast 2048; decides "no profile" '"starting": 1'; without_profile "an empty folder"
  near with 0.01892; near without 0.3436
  # Right-hand sides count: 0.67 n^3 + 2 n^2 nrhs flops at 0.7 of these, 2 n^2 + 2 n nrhs elements.
  run systems 2048 1; near with 0.009945; near without 0.1646
  run systems 2048 4096; near with 0.02999; near without 1.146
  # A profile: 0.9 of 50 Tflop/s, 50 GB/s, half of the shorter one, 1 ms; 0.9 of 80 Gflop/s.
  profile profile-1.json 80.0 50000.0 50.0 1000
  run fast 6144; decides "a profile" '"starting": 1'; grep -q '"profile": ".*/profile-1.json"' report || bad "the profile is not named"
  near with 0.03031; near without 6.4425
  # The largest problem starts the library, later ones (of other classes of size: what the stand-ins need says nothing) are taken.
  WAIT=1 run fast 200000 50000 24000 12000 6144
  grep -qE '"taken": [1-4], "forwarded": \{"starting": [1-4]\}' report || bad "the library was not started"
  # The later one is believed: a GPU that is slower than a core; a link that eats up all gains.
  profile profile-2.json 80.0 10.0 50.0 2000; run fast 6144; decides "a slow GPU" '"no gain": 1'
  profile profile-2.json 80.0 50000.0 0.1 2000; run fast 2048; decides "a slow link" '"no gain": 1'
  run fast 40000; decides "a slow link, much to compute" '"starting": 1'
  # Shapes alone decide: by constants, and the first call waits for the start.
  profile profile-2.json 80.0 10.0 50.0 2000
  TILEWORK_REPRODUCIBLE=1 run fast 6144; decides "reproducible" ''; grep -q '"taken": 1' report || bad "reproducible: not taken"
  # What cannot be true is left alone.
  rm cache/*
  refused() {      # WHAT SED: a profile that would say "no gain"
    profile profile-3.json 80.0 10.0 50.0 3000 "$2"; run fast 6144; without_profile "$1"; decides "$1" '"starting": 1'
  }
  refused "a number that no machine has" '0,/"memory"/s/80.0/1e99/'
  refused "a negative number" 's/"to_gpu": 50.0/"to_gpu": -50.0/'
  refused "a missing number" 's/"to_gpu": 50.0, //'
  refused "another processor" 's/"A processor"/"Another processor"/'
  refused "another version" 's/"tilework": "[^"]*"/"tilework": "9.9.9"/'
  refused "another format" 's/"format": 6/"format": 7/'
  refused "a machine without a GPU" 's/"A GPU"/"none"/'
  refused "half a file" '/streams_gain/,$d'
  refused "no JSON" 's/{/[/'
  refused "objects within objects" "s/\"seconds\": 1.5/\"deep\": $(printf '{"a": %.0s' {1..60})1$(printf '}%.0s' {1..60})/"
  profile profile-3.json 80.0 10.0 50.0 3000; head -c 1100000 /dev/zero | tr '\0' ' ' >> cache/profile-3.json; run fast 6144; without_profile "a file of more than 1 MiB"
  rm cache/*; mkfifo cache/profile-3.json; run fast 6144; without_profile "a pipe"; rm cache/*
  profile profile-3.json 80.0 10.0 50.0 3000; run fast 6144; decides "the same without a fault" '"no gain": 1'
  # Other programs' threads on all cores: only calls that would be taken are left for it.
  rm cache/*; echo '99.0 99.0 99.0 99999/99999 4711' > root/proc/loadavg
  run fast 6144; decides "a busy machine" '"busy": 1'
  run fast 500; decides "small on a busy machine" '"small": 1'
  TILEWORK_DROPIN_MIN=0 run fast 6144; grep -q '"taken": 1' report || bad "--min on a busy machine: not taken"
  TILEWORK_REPRODUCIBLE=1 run fast 6144; grep -q '"taken": 1' report || bad "reproducible on a busy machine: not taken"
  rm root/proc/loadavg; run fast 6144; decides "nobody knows how busy" '"starting": 1'; quiet
  rm root/dev/nvidia0
fi
# On cores alone: as fast as an OpenBLAS, faster than another library as soon as a call has shown how slow that is.
threads=
gpu_name=none profile profile-4.json 80.0 50000.0 50.0 4000
run fast 3000 3000; decides "OpenBLAS on cores" '"no gain": 2'
SLOW=400000 run slow 2100 2100; decides "another BLAS on cores" '"no gain": 1, "starting": 1'
grep -q '"profile": ".*/profile-4.json"' report || bad "the profile of a machine without GPUs"
SLOW=400000 TILEWORK_REPRODUCIBLE=1 run slow 2100 2100; decides "reproducible: nothing is learned" '"no gain": 2'
# What reports say of the time without us is a routine's own: values alone, or vectors, too; of what nobody knows nothing. 0.9 of 80 Gflop/s.
threads=1
without() { awk -v a="$(sed -nE "s/.*\"seconds_without\": ([0-9.e+-]+), .*/\1/p" report)" -v b="$1" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }' || bad "without: not $1"; }
export TILEWORK_DROPIN_MIN=0
run values N 1000; without 0.4167; grep -q '"flops": 1e+10' report || bad "the flops of values"
run values V 1000; without 0.625; grep -q '"flops": 2.5e+10' report || bad "the flops of vectors"
run values B 1000; grep -q '"seconds_without": null' report || bad "something is known of gebal"
grep -q '"advice": null' report || bad "advice by what nobody knows"
ENGINE_SLOW=300000 run fast 1000; grep -q '"advice": null' report || bad "advice by an estimate alone"
# Calls inside of others are told apart, and counted once in the sum.
TILEWORK_DROPIN_MIN=1000 SLOW=50000 run values N 500
grep -q '"name": "dgemm_".*"inner": 1,' report && grep -qE '"name": "dgeev_",[^}]*}, "inner": 0,' report || bad "inner calls"
awk -v a="$(sed -nE 's/.*"taken": 0, "seconds": ([0-9.e+-]+), .*/\1/p' report)" -v b="$(sed -nE 's/.*"name": "dgeev_".*/&/; s/.*"name": "dgeev_"[^{]*\{[^}]*\}, [^{]*"seconds": ([0-9.e+-]+), .*/\1/p' report)" 'BEGIN { exit !(a > 0 && a == b) }' || bad "the sum of seconds has inner calls in it"
# Where calls of the same kind were forwarded they say what is slower.
TILEWORK_DROPIN_MIN=1001 ENGINE_SLOW=300000 run fast 1000 1001; grep -q '"advice": "dgemm_ took longer than' report || bad "no advice"
TILEWORK_DROPIN_MIN=1001 SLOW=300000 run fast 1000 1001; grep -q '"advice": null' report || bad "advice against what is faster"
unset TILEWORK_DROPIN_MIN
# What nobody takes without a GPU is said, and what keeps cores for others.
threads=
SLOW=1100000 run fast 3000; grep -q '"advice": "without a GPU only geqrf' report || bad "no advice without a GPU"
if [ "$(nproc)" -gt 1 ]; then threads=1 run fast 3000; grep -q '"advice": "OMP_NUM_THREADS' report || bad "no advice about threads"; fi
TILEWORK_DROPIN=lapack,blas run fast 3000; decides "a word that is none" '"off": 1'; grep -q 'nothing is taken' err || bad "a word that is none is not said"
TILEWORK_DROPIN_SELECT=yes run fast 3000; grep -q 'TILEWORK_DROPIN_SELECT=yes: neither 0 nor 1' err || bad "a flag that is neither 0 nor 1 is not said"
TILEWORK_DROPIN_BACKEND=libm.so.6 run fast 3000; grep -q 'has none of the names' err || bad "a backend without names"
threads=
# The profile of this machine as the library writes it, without a stand-in.
STARPU_NCUDA=0 TILEWORK_CACHE_DIR=$work/real "$TILEWORK_BUILD/bin/tilework" info > out 2> err || bad "no profile of this machine"
rm -f report
env STARPU_NCUDA=0 LD_PRELOAD="$work/libtilework_lapack.so" TILEWORK_CACHE_DIR="$work/real" TILEWORK_DROPIN_REPORT="$work/report" ./fast 3000 > out 2> err || bad "this machine's profile: exit status $?"
grep -q "\"profile\": \"$work/real/profile-[0-9a-f]*.json\"" report || bad "this machine's profile is not read: $(ls real)"
# With other rights than its user's: the same program, linked, since nothing can be preloaded there, neither opens Tilework nor reads a variable.
if [ "$(id -u)" = 0 ]; then
  ln -s libtilework_lapack.so libtilework_lapack.so.0; chmod 755 "$work"
  $cc -O1 -w -o usual program.c -Wl,--no-as-needed -L. -ltilework_lapack -lopenblas -Wl,-rpath,"$work"
  cp usual secure; chown nobody secure; chmod 4755 secure
  export LD_LIBRARY_PATH=$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}      # the bundle's folder of libraries is in it
  secure() { rm -f started; : > report; chmod 666 report; env TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT="$work/report" "./$1" 100 3000 > out 2> err || bad "$1: exit status $?"; }
  chmod 777 "$work"
  if [ -z "$(findmnt -n -o OPTIONS -T "$work" 2> /dev/null | grep nosuid)" ]; then
    secure usual; [ "$(head -n 2 started | tr '\n' ' ')" = "guest begin " ] && grep -q '"taken": 2' report || bad "linked: not taken, or the library is not told that it is a guest"
    secure secure; [ ! -e started ] && [ ! -s report ] && [ ! -s err ] || bad "a program with other rights reads variables, or opens Tilework"
  fi
fi
echo passed
