#!/usr/bin/env bash
# What the first call in a process costs beyond later ones on GPUs, with tiles cut from large pieces of memory (docs/memory.md) and without.
#
#   tests/bench/first-calls.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build, on a machine with GPUs. Groups (default: all; all GPUs there are, up to four):
#   potrf      n = 8192, 32768, 65536: the first call against the median of the later ones, TILEWORK_GPU_PIECE=256 and 0
#   where      what CUDA's functions took in the first call and the later ones (needs cc), and the difference of two recordings
#   families   the first execution of an FFT's plan, the first multipole sum
#   limits     results and times within 64, 320 MB, a third of the matrix, and beside a process that leaves 3 GiB (needs python3)
# FILE (default ./first-calls.sh-results.jsonl) gets a JSON object for each run and each bar; FILE.log the programs' output; FILE.where what `where` found.
# All of it has --limit seconds (240; 150 for four GPUs, where `potrf where` is enough), R runs after the first (4).
# Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=first-calls.sh limit=0
groups=(potrf where families limits)
gpu_groups=("${groups[@]}")
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

# The last step's runs, one number each: --repeat of the command prints a line for each, then a summary.
runs() { grep -v '"summary"' "$last" | sed -n 's/"seconds" *: */\n/; s/^.*\n\([-+0-9.eE]*\).*/\1/p'; }
first() { runs | head -n 1; }
later() { runs | tail -n +2 | sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
# first_bar GROUP NAME EXTRA: at most 1.3 times the later ones' median and so many seconds.
first_bar() {
  local f l
  f=$(first) l=$(later)
  bar "$1" "$2" le 1 "${l:+$(calculate "${f:-nan} / (1.3 * $l + $3)")}" "x (1.3 later + $3 s)" "first ${f:-?}, later ${l:-?} s"
}

group_potrf() {
  local n piece
  for n in 32768 8192 65536; do
    for piece in 256 0; do
      settings=("STARPU_NCUDA=$used" "TILEWORK_GPU_PIECE=$piece")
      step 70 "$tilework" potrf --n $n --repeat $((n > 40000 ? 3 : n > 20000 ? repeat : repeat + 1)) --json
      first_bar potrf "potrf n=$n, $used GPUs, pieces of $piece MiB" 0.03
    done
  done
}

# A library loaded before the others: what each of CUDA's functions that the runtime calls took between a routine's beginning and its results' arrival.
spy() {
  command -v cc > /dev/null || return 1
  cat > "$work/spy.c" << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
struct sum { const char *name; long calls, slow; double all, most; void *real; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sum *sums[64];
static int count, window;
static double opened;
static void note(struct sum *s, double t)
{
    pthread_mutex_lock(&lock);
    if (!s->calls++) { int k = 0; while (k < count && sums[k] != s) k++; if (k == count && count < 64) sums[count++] = s; }
    s->all += t;
    if (t > s->most) s->most = t;
    if (t > 1e-3) s->slow++;
    pthread_mutex_unlock(&lock);
}
static void report(const char *what)
{
    pthread_mutex_lock(&lock);
    fprintf(stderr, "spy: window %d, %s, %.6f s\n", window, what, now() - opened);
    for (int k = 0; k < count; k++) {
        struct sum *s = sums[k];
        if (s->calls) fprintf(stderr, "spy:   %-28s %7ld calls %10.6f s, longest %9.6f, %5ld above 1 ms\n", s->name, s->calls, s->all, s->most, s->slow);
        s->calls = s->slow = 0, s->all = s->most = 0;
    }
    window++, opened = now();
    pthread_mutex_unlock(&lock);
}
#define A long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n, long o, long p
#define B a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
#define W(name) long name(A) { static struct sum s = {#name}; if (!s.real) s.real = dlsym(RTLD_NEXT, #name); \
    const double t = now(); const long r = ((long (*)(A))s.real)(B); note(&s, now() - t); return r; }
W(cudaMalloc) W(cudaFree) W(cudaMemGetInfo) W(cudaHostAlloc) W(cudaFreeHost) W(cudaHostRegister) W(cudaHostUnregister) W(cudaMemcpy2DAsync)
W(cudaMemcpyAsync) W(cudaMemcpy3DPeerAsync) W(cudaMemcpyPeerAsync) W(cudaMemcpy) W(cudaMemcpy2D) W(cudaStreamSynchronize) W(cudaDeviceSynchronize) W(cudaEventRecord)
W(cudaEventQuery) W(cudaEventCreateWithFlags) W(cudaEventSynchronize) W(cudaStreamCreateWithFlags) W(cudaStreamQuery) W(cudaSetDevice)
W(cudaDeviceEnablePeerAccess) W(cudaMemsetAsync) W(cudaMemset2DAsync) W(cudaPointerGetAttributes) W(cudaGetLastError)
W(__cudaLaunchKernel) W(cudaLaunchKernel) W(cudaFuncSetAttribute) W(cublasDgemm_v2) W(cublasDsyrk_v2) W(cublasDtrsm_v2) W(cublasDtrmm_v2)
W(cublasSetStream_v2) W(cublasCreate_v2) W(cusolverDnDpotrf) W(cusolverDnDtrtri) W(cusolverDnCreate) W(cusolverDnXpotrf) W(cusolverDnXtrtri)
#define R(name, what) long name(A) { static long (*real)(A); if (!real) real = (long (*)(A))dlsym(RTLD_NEXT, #name); \
    report("before " #name); const long r = real(B); report(what); return r; }
R(tw_potrf, "tw_potrf") R(tw_release_to_host, "tw_release_to_host")
END
  cc -O2 -shared -fPIC -w -o "$work/spy.so" "$work/spy.c" -ldl -lpthread
}
group_where() {
  local n piece where=$out.where
  : > "$where"
  if spy; then
    for n in 32768 8192; do
      for piece in 256 0; do
        if [ "$n-$piece" = 8192-0 ]; then continue; fi
        settings=("STARPU_NCUDA=$used" "TILEWORK_GPU_PIECE=$piece" "LD_PRELOAD=$work/spy.so")
        step 60 "$tilework" potrf --n $n --repeat 3 --json
        { printf '== n=%s, pieces of %s MiB, %s GPUs\n' $n $piece "$used"; runs; grep '^spy:' "$last.err"; } >> "$where"
      done
    done
  else
    echo "no cc here: CUDA's functions were not timed" | tee -a "$where"
  fi
  for n in 32768 8192; do
    settings=("STARPU_NCUDA=$used" TILEWORK_TRACE_FORMATS=tw)
    step 60 "$tilework" potrf --n $n --json --trace "$work/first" && step 60 "$tilework" potrf --n $n --repeat 3 --json --trace "$work/later"
    { printf '== n=%s: the first call, the third, and what the third has less\n' $n
      "$tilework" trace "$work/first.tw"; "$tilework" trace "$work/later.tw"; "$tilework" trace "$work/first.tw" --diff "$work/later.tw"; } >> "$where" 2>&1
    if [ $n = 8192 ]; then cp "$work/first.tw" "$out.first.tw"; cp "$work/later.tw" "$out.later.tw"; fi
  done
}

group_families() {
  settings=("STARPU_NCUDA=$used")
  step 60 "$tilework" fft --n 512x512x512 --repeat $((repeat + 1)) --json
  first_bar families "FFT 512^3, the plan's first execution" 0.1
  step 60 "$tilework" fmm --n 1e6 --eps 1e-6 --repeat $((repeat + 1)) --json
  first_bar families "multipole sum of 1e6" 0.1
}

# limited NAME SETTINGS...: the same with pieces and without: right results, and not much slower.
limited() {
  local name=$1 n=$2 nb=$3 piece=$4 with without
  shift 4
  settings=(STARPU_NCUDA=1 "$@" "TILEWORK_GPU_PIECE=$piece")
  step 25 "$tilework" potrf --n "$n" --nb "$nb" --repeat 3 --json --check
  with=$(later)
  bar limits "$name: right with pieces of $piece" ge 3 "$(grep -c '"check":"ok"' "$last")" runs "first $(first), later ${with:-?} s"
  settings=(STARPU_NCUDA=1 "$@" TILEWORK_GPU_PIECE=0)
  step 25 "$tilework" potrf --n "$n" --nb "$nb" --repeat 3 --json
  without=$(later)
  bar limits "$name: later runs" le 1.2 "${with:+${without:+$(calculate "$with / $without")}}" "x without pieces" "first $(first), later ${without:-?} s"
}
group_limits() {
  local hog cudart
  limited "64 MB, tiles of 2 MiB" 8192 512 main:8 STARPU_LIMIT_CUDA_MEM=64
  limited "320 MB, tiles of 8 MiB" 16384 1024 main:32 STARPU_LIMIT_CUDA_MEM=320
  limited "320 MB, tiles of 8 MiB" 16384 1024 256 STARPU_LIMIT_CUDA_MEM=320
  limited "a third of 4.6 GB, tiles of 8 MiB" 32768 1024 256 STARPU_LIMIT_CUDA_MEM=1450
  cudart=$(ldd "$build/lib/libtilework.so.0" 2> /dev/null | sed -n 's/.*libcudart[^>]*=> \([^ ]*\).*/\1/p')
  if [ -z "$cudart" ] || ! command -v python3 > /dev/null; then shown='not run'; bar limits "beside another process" ge 3 "" runs "no python3, or no libcudart"; return; fi
  python3 - "$cudart" "$work/taken" << 'END' &
import ctypes, sys, time
cuda = ctypes.CDLL(sys.argv[1])
free, total, p = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
cuda.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total))
status = cuda.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(free.value - (3 << 30)))
open(sys.argv[2], "w").write("%d of %d bytes taken, status %d\n" % (free.value - (3 << 30), total.value, status))
time.sleep(120)
END
  hog=$!
  for _ in $(seq 100); do [ -s "$work/taken" ] && break; sleep 0.1; done
  tee -a "$log" < "$work/taken"
  limited "beside a process that leaves 3 GiB" 32768 1024 256 STARPU_SILENT=1
  kill $hog 2> /dev/null
  wait $hog 2> /dev/null
}

parse "$@"
if [ "$repeat" = 5 ]; then repeat=4; fi
locate
used=$((gpus < 4 ? gpus : 4))
if [ "$limit" = 0 ]; then limit=$((used > 1 ? 150 : 240)); fi
settings=()
step 120 "$tilework" info --json || die "tilework info fails; see $log"
run_groups
