#!/usr/bin/env bash
# tilework doctor finds each planted fault by its name, and nothing on a machine that is sound.   TILEWORK_BUILD: the build
set -u
: "${TILEWORK_BUILD:?}"
build=$(cd "$TILEWORK_BUILD" && pwd)
doctor=$build/bin/tilework
work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 planted=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }

sanitize=${TILEWORK_TEST_SANITIZE:-}
# Nothing but what this test sets: the suite's own variables are some of the faults.
for name in $(env | sed -nE 's/^((STARPU|TILEWORK|OMPI|MPI|SLURM|OMP|GOMP|KMP|MKL|BLIS|GOTO|OPENBLAS)_[A-Z0-9_]*)=.*/\1/p'); do
  case $name in TILEWORK_BUILD|TILEWORK_SOURCE|STARPU_HOME|STARPU_PERF_MODEL_DIR|STARPU_HOSTNAME|TILEWORK_CACHE_DIR) ;; *) unset "$name" ;; esac
done
unset TILEWORK_BUILD TILEWORK_SOURCE
cores=$(nproc) lock=memlock      # what MPI's programs are told of besides, where little may be locked
if [ "$(ulimit -l)" = unlimited ] || [ "$(ulimit -l)" -ge 65536 ]; then lock=; fi
export STARPU_NCUDA=0
# A sound machine's files.
sound() {
  rm -rf root; mkdir -p root/sys/devices/system/cpu/cpu0/cpufreq root/sys/devices/system/node root/sys/fs/cgroup root/proc/sys/kernel \
    root/proc/self root/proc/driver/nvidia root/sys/kernel/mm/transparent_hugepage root/dev
  echo "0-$((cores - 1))" > root/sys/devices/system/cpu/online
  echo 0-1 > root/sys/devices/system/node/online; echo 0 > root/proc/sys/kernel/numa_balancing
  echo 'max 100000' > root/sys/fs/cgroup/cpu.max
  echo '0.10 0.20 0.30 1/200 4000' > root/proc/loadavg
  printf 'MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable:   12000000 kB\n' > root/proc/meminfo
  printf 'Name:\tx\nMems_allowed_list:\t0-1\n' > root/proc/self/status
  echo 'always [madvise] never' > root/sys/kernel/mm/transparent_hugepage/enabled
  echo performance > root/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
}
export TILEWORK_DOCTOR_ROOT=$work/root
sound
names() { sed -n 's/.*"finding":"\([^"]*\)".*/\1/p' <<< "$(sed 's/},{/},\n{/g' out)" | sort -u | tr '\n' ' '; }
# finds NAMES VARIABLES-AND-COMMAND...: these findings, sorted, and no others
finds() {
  local want=$1 status got; shift
  planted=$((planted + 1))
  timeout 120 env "$@" > out 2> err; status=$?
  got=$(names)
  if [ "$got" != "${want:+$want }" ]; then bad "$* finds '$got' instead of '$want'"; head -c 1000 out; head -n 5 err; fi
  if [ "$status" != "$([ -n "$want" ] && echo 1 || echo 0)" ]; then bad "$* ends with $status"; fi
}
quick="$doctor doctor --json --no-start"

finds '' $quick
grep -q '"looked":[3-9][0-9]' out || bad "few things are looked at: $(cat out)"
# The machine.
plant() { printf '%s\n' "$3" > "root/$2"; finds "$1" $quick; sound; }
plant cpuset sys/devices/system/cpu/online 0-511
plant cgroup-cpu sys/fs/cgroup/cpu.max '50000 100000'
plant busy proc/loadavg '900.5 20 3 1/2 3'
plant governor sys/devices/system/cpu/cpu0/cpufreq/scaling_governor powersave
plant memory proc/meminfo $'MemTotal:  16000000 kB\nMemAvailable:   100000 kB'
plant huge-pages sys/kernel/mm/transparent_hugepage/enabled 'always madvise [never]'
plant numa-balancing proc/sys/kernel/numa_balancing 1
plant numa-memory proc/self/status $'Name:\tx\nMems_allowed_list:\t1'
finds address-space bash -c "ulimit -v 40000000; exec $quick"
# A GPU of which this build knows nothing, or which has an old driver.
: > root/dev/nvidia0; echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13' > root/proc/driver/nvidia/version
if STARPU_NCUDA=0 "$doctor" info 2> /dev/null | grep -q 'CUDA off'; then finds gpu-unused $quick; else finds driver $quick; fi
sound
# Variables.
finds tilework-variable TILEWORK_PRIORTY=none $quick
grep -q 'perhaps TILEWORK_PRIORITY' out || bad "no nearest name: $(cat out)"
finds starpu-variable STARPU_NCPUZ=2 $quick
finds starpu-variable STARPU_SHED=lws $quick
grep -q 'perhaps STARPU_SCHED' out || bad "no nearest name: $(cat out)"
finds '' STARPU_LIMIT_CUDA_0_MEM=100 STARPU_SCHED=lws STARPU_NCPU=1 STARPU_WORKERS_CPUID=0 STARPU_TRACE_BUFFER_SIZE=64 STARPU_SILENT=1 STARPU_FXT_PREFIX=/tmp $quick
finds starpu-no-kernels STARPU_DISABLE_KERNELS=1 $quick
finds starpu-forgets STARPU_CALIBRATE=2 $quick
finds starpu-bus STARPU_BUS_CALIBRATE=1 $quick
finds starpu-unbound STARPU_WORKERS_NOBIND=1 $quick
finds starpu-traces STARPU_FXT_TRACE=1 $quick
finds starpu-not-pinned STARPU_DISABLE_PINNING=1 $quick
finds tilework-reprobe TILEWORK_REPROBE=1 $quick
finds tilework-for-tests TILEWORK_MODELLED=1 $quick
finds tilework-nb TILEWORK_NB=8 $quick
for wrong in "ROUTE=frob BAND=-7 NB=large PRIORITY=panels WINDOW=-1 REPRODUCIBLE=yes VERBOSE=7 HOST_MEMORY=much STAGE=sometimes TRSM=invert FMM_PATH=gpus DROPIN=some DROPIN_MIN=1x3 CHASE=both TEAM=all GPU_RATES=1,half" \
  "BAND=wide NB=64x GPU_RATES=1,"; do
  for one in $wrong; do echo "TILEWORK_$one"; done > values
  finds tilework-value $(cat values) $quick
  while read -r one; do grep -qF "$one: it may be" out || bad "$one is not found"; done < values
done
finds '' TILEWORK_ROUTE=one TILEWORK_BAND=64 TILEWORK_NB=auto TILEWORK_PRIORITY=bottom-level TILEWORK_WINDOW=100 TILEWORK_REPRODUCIBLE=1 TILEWORK_VERBOSE=3 TILEWORK_HOST_MEMORY=100G TILEWORK_STAGE=64M \
  TILEWORK_TRSM=inverse TILEWORK_FMM_PATH=cpu TILEWORK_DROPIN=LAPACK TILEWORK_DROPIN_MIN=1e3 TILEWORK_TRACE_LIMIT=1000 TILEWORK_GPU_RATES=1,0.5 TILEWORK_PROGRESS=0 $quick
finds '' TILEWORK_NB=256 TILEWORK_STAGE=auto TILEWORK_DROPIN=fftw $quick
grep -q 'frob: it may be auto, lapack, one or two' <<< "$(TILEWORK_ROUTE=frob $quick)" || bad "what a variable may be is not said"
for one in REST=-1 REST=1.5 REST=1000000 TALL=-5 GPU_RATES=1,0 GPU_RATES=1,200; do
  finds tilework-value TILEWORK_$one $quick
  case $one in
    GPU_RATES*) says='it may be numbers from 0.01 to 100 with commas' ;;
    REST*) says='it may be a whole number from 0 to 100000' ;;
    *) says='it may be a whole number' ;;
  esac
  grep -qF "TILEWORK_$one: $says" out || bad "$one: what it may be is not said"
done
finds '' TILEWORK_REST=50 TILEWORK_TALL=1000 TILEWORK_GPU_RATES=1,0.01,100 $quick
# By the rows' own checks: what the library would not start with, and no more.
finds tilework-value TILEWORK_TEAM=4096 $quick
grep -q 'TEAM=4096: it may be a whole number from 1 to 1024' out || bad "what a number may be is not said: $(cat out)"
finds tilework-value TILEWORK_TRACE_LIMIT=last:0 $quick
finds tilework-value TILEWORK_FFT_PLACE=moon $quick
finds tilework-value TILEWORK_IDLE=1e9 $quick
finds '' TILEWORK_TEAM=1024 TILEWORK_TRACE_LIMIT=last:10 TILEWORK_FFT_PLACE=both TILEWORK_IDLE=0.5 $quick
finds tilework-crossover TILEWORK_CROSSOVER=0 $quick
finds too-many-threads OMP_NUM_THREADS=$((cores + 1)) $quick
finds too-many-threads OPENBLAS_NUM_THREADS=$((4 * cores)) $quick
finds bound-threads OMP_PROC_BIND=true $quick
finds tilework-variable TILEWORK_$(head -c 5000 /dev/zero | tr '\0' X)=1 $quick
[ "$(wc -c < out)" -lt 1500 ] || bad "a variable's name of 5000 letters"
# Any bytes: JSON has no UTF-8 for some, and a value may be cut within a character. A name that a shell would run is in no command.
finds tilework-value TILEWORK_NB=$'\xff\xfe' $quick
finds tilework-value TILEWORK_ROUTE="$(head -c 79 /dev/zero | tr '\0' x)"$'\xc3\xa9' $quick
finds tilework-value TILEWORK_REST='x: expected me' $quick
grep -q 'it may be a whole number from 0 to 100000' out || bad "a value's words for what is expected: $(cat out)"
finds 'starpu-variable tilework-variable' $'TILEWORK_X;touch Y\e[31m\n=1' $'STARPU_\xff=2' $quick
grep -q 'unset' out && bad "a name that is a command is to be pasted: $(cat out)"
[ "$(tr -d '\n' < out | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ] || bad "control characters of a name"
mkdir folder
finds dropin-report TILEWORK_DROPIN_REPORT=/nonexistent/x.json $quick
finds dropin-report TILEWORK_DROPIN_REPORT=folder $quick
finds '' TILEWORK_DROPIN_REPORT=new.json $quick
finds '' TILEWORK_DROPIN_REPORT=1 $quick
finds dropin-backend TILEWORK_DROPIN_BACKEND=/nofile $quick
finds dropin-backend TILEWORK_DROPIN_BACKEND=libm.so.6 $quick
finds '' TILEWORK_DROPIN_BACKEND=libopenblas.so.0 $quick
finds '' OMP_PROC_BIND=false OMP_NUM_THREADS=1 $quick
finds "${lock:+$lock }mpi-cores" OMPI_COMM_WORLD_LOCAL_SIZE=$((2 * $(getconf _NPROCESSORS_ONLN))) $quick
finds "${lock:+$lock }mpi-mixed" OMPI_COMM_WORLD_SIZE=1 MPI_LOCALNRANKS=1 $quick
finds memlock OMPI_COMM_WORLD_SIZE=2 bash -c "ulimit -l 64; exec $quick"
finds 'bound-threads starpu-variable tilework-nb' OMP_PLACES=cores STARPU_SCHEDD=x TILEWORK_NB=4 $quick
# BLAS' kernels: OpenBLAS has lesser ones for any CPU with AVX2.
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then finds blas-kernels OPENBLAS_CORETYPE=Prescott $quick; fi
finds blas-kernels OPENBLAS_CORETYPE=Nonsense $quick
# Another BLAS under OpenBLAS' name, as alternatives and modules make it: the reference one (Debian's libblas3, liblapack3), where it is.
echo 'int nothing;' > nothing.c
reference=$(dirname "$(find /usr/lib/*/blas -name libblas.so.3 2> /dev/null | head -n 1)")
if [ -z "$sanitize" ] && [ -e "$reference/libblas.so.3" ] && [ -e "${reference%/blas}/lapack/liblapack.so.3" ]; then
  mkdir other; ln -s "$reference/libblas.so.3" "${reference%/blas}/lapack/liblapack.so.3" other
  ${CC:-cc} -shared -fPIC -Wl,-soname,libopenblas.so.0 -o other/libopenblas.so.0 nothing.c -Wl,--no-as-needed other/libblas.so.3 other/liblapack.so.3
  finds blas LD_LIBRARY_PATH="$work/other:${LD_LIBRARY_PATH:-}" $quick
fi

# The library.
full="$doctor doctor --json"
finds '' $full
# A StarPU that is older, and one that was built for fewer cores: what it says of itself.
if [ -z "$sanitize" ]; then
  echo 'void starpu_get_version(int *a, int *b, int *c) { *a = 1, *b = 4, *c = 6; }' > version.c
  echo 'unsigned starpu_cpu_worker_get_count(void) { return 0; }' > workers.c
  for fault in version workers; do ${CC:-cc} -w -shared -fPIC -o $fault.so $fault.c; done
  finds starpu LD_PRELOAD="$work/version.so" $full
  grep -q 'StarPU 1.4.6 is older' out || bad "the version: $(cat out)"
  if [ "$("$doctor" info --json | sed -nE 's/.*"cores": *([0-9]+).*/\1/p' | head -n 1)" -gt 1 ]; then finds starpu-workers LD_PRELOAD="$work/workers.so" $full; fi
fi
finds start STARPU_NCPU=many $full
finds start STARPU_SCHED=nonsense $full
finds cache TILEWORK_CACHE_DIR=/proc/nowhere $full
profile=$(find "$TILEWORK_CACHE_DIR" -name 'profile-*.json' -newer root/proc/loadavg -o -name 'profile-*.json' | head -n 1)
if [ -z "$profile" ]; then bad "no machine profile in $TILEWORK_CACHE_DIR"; fi
mkdir old; for f in "$TILEWORK_CACHE_DIR"/profile-*.json; do sed -E 's/"written": *[0-9]+/"written": 1500000000/' "$f" > "old/$(basename "$f")"; done
finds profile-old TILEWORK_CACHE_DIR="$work/old" $full
mkdir wrong; cp "$TILEWORK_CACHE_DIR"/profile-*.json wrong/
TILEWORK_CACHE_DIR=$work/wrong "$build/tests/cli/wrong_profile" 0.125 || bad "no wrong profile was made"
finds profile TILEWORK_CACHE_DIR="$work/wrong" $full
grep -q '"command":"tilework calibrate"' out || bad "no command: $(cat out)"

# Programs.
finds no-program $quick -- ./nothing
printf '#!/bin/sh\n' > script; chmod +x script
finds '' $quick -- ./script
grep -q 'is a script' out || bad "a script: $(cat out)"
finds '' $quick -- "$build/tests/dropin/calls"
grep -q 'can be taken, .*: .*cblas_dgemm .*dgemm_ ' out || bad "a program's names: $(cat out)"
if grep -q ' _exit' out; then bad "what is no routine: $(cat out)"; fi
if [ -e "$build/lib/libtilework_fftw.so.0" ] && echo 'double *fftw_alloc_real(unsigned long); void fftw_execute(void *); int main(void) { fftw_execute(fftw_alloc_real(2)); return 0; }' > transform.c &&
    ${CC:-cc} -o transform transform.c -lfftw3 2> /dev/null; then
  finds '' $quick -- ./transform
  grep -q 'can be taken, .*: .*fftw_execute' out || bad "a program of FFTW's: $(cat out)"
fi
finds '' $quick -- env A=1 nice -n 3 "$build/tests/dropin/calls" results
grep -q 'can be taken, .*: .*cblas_dgemm ' out && grep -q 'env starts nice' out || bad "behind launchers: $(cat out)"
for bytes in 40 100 5000; do
  head -c $bytes "$build/tests/dropin/calls" > damaged; chmod +x damaged
  finds not-taken $quick -- ./damaged
  grep -q 'is damaged' out || bad "a program of $bytes bytes: $(cat out)"
done
# Where a section is said to lie: the table of sections, and each section of a program that is whole but for that, so that offset and size together are beyond all numbers.
number() { od -An -t u$3 -j "$2" -N "$3" "$1" | tr -d ' '; }
put() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }      # FILE OFFSET BYTES
lies='\0\360\377\377\377\377\377\377\0\020\0\0\0\0\0\0'        # at 2^64 - 4096, 4096 bytes
calls=$build/tests/dropin/calls; table=$(number "$calls" 40 8) count=$(number "$calls" 60 2)
for ((section = 0; section <= count; section++)); do
  cp "$calls" damaged
  if [ $section = "$count" ]; then put damaged 40 '\300\377\377\377\377\377\377\377'
  else
    case $(number damaged $((table + 64 * section + 4)) 4) in 3|11) put damaged $((table + 64 * section + 24)) "$lies" ;; *) continue ;; esac
  fi
  finds '' $quick -- ./damaged
done
echo 'int main(void) { return 0; }' > static.c
# A program of two MPIs, and of one.
for soname in libmpi.so.40 libmpich.so.12; do ${CC:-cc} -shared -fPIC -Wl,-soname,$soname -o $soname nothing.c; done
${CC:-cc} -o two static.c -Wl,--no-as-needed ./libmpi.so.40 ./libmpich.so.12 -Wl,-rpath,"$work"
${CC:-cc} -o one static.c -Wl,--no-as-needed ./libmpi.so.40 -Wl,-rpath,"$work"
finds mpi-mixed $quick -- ./two
finds '' $quick -- ./one
if ${CC:-cc} -static -o static static.c 2> /dev/null; then finds not-taken $quick -- ./static; fi

# As text.
"$doctor" doctor --no-start > out || bad "sound, as text: $?"
grep -q '^0 findings; [0-9]* things' out || bad "sound: $(cat out)"
TILEWORK_NB=4 "$doctor" doctor --no-start > out && bad "a finding's exit status"
grep -A 2 '^tilework-nb$' out | grep -q '^  fix  unset TILEWORK_NB$' || bad "as text: $(cat out)"
[ "$(tail -n 1 out | cut -d ';' -f 1)" = "1 finding" ] || bad "one finding: $(tail -n 1 out)"
"$doctor" doctor --jsn > out 2> err; [ $? = 2 ] && grep -q 'did you mean --json' err || bad "a mistyped flag"

[ "$failures" = 0 ] && echo "$planted plants: all found, nothing else" && exit 0
echo "$failures failures"
exit 1
