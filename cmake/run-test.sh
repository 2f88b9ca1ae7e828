#!/usr/bin/env bash
# Run one test in the quick and repeatable environment:   run-test.sh PROGRAM [ARGUMENTS]
#
# Everything is a default: what the caller has set in the environment stays, so the whole suite can be run under
# another scheduler (STARPU_SCHED=eager ctest …) or on a GPU (TILEWORK_TEST_CUDA=1 ctest …).
# TILEWORK_BUILD is where state may be written; TILEWORK_SOURCE is where the sources and test data lie.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${TILEWORK_BUILD:=$PWD}"
: "${TILEWORK_SOURCE:=$(dirname "$here")}"
export TILEWORK_BUILD TILEWORK_SOURCE
default() { if [ -z "${!1+set}" ]; then export "$1=$2"; fi; }

# State of its own: models, bus measurements and the machine profile never come from or go to the user's files.
# XDG_CACHE_HOME would beat STARPU_HOME.
unset XDG_CACHE_HOME
state=$TILEWORK_BUILD/test-state
default STARPU_HOME "$state"
default STARPU_PERF_MODEL_DIR "$state/sampling"
default STARPU_HOSTNAME tilework-test
default TILEWORK_CACHE_DIR "$state/tilework"
mkdir -p "$STARPU_HOME" "$STARPU_PERF_MODEL_DIR" "$TILEWORK_CACHE_DIR"

# Two CPU workers, no binding (tests run side by side, in containers), no GPU unless asked for.
default STARPU_SILENT 1
default STARPU_NCPU 2
if [ -z "${TILEWORK_TEST_CUDA:-}" ]; then default STARPU_NCUDA 0; fi
default STARPU_NOPENCL 0
default STARPU_NHIP 0
default STARPU_WORKERS_NOBIND 1
default STARPU_WORKERS_GETBIND 0
default STARPU_FXT_TRACE 0
default STARPU_CALIBRATE 0
default STARPU_BUS_CALIBRATE 0
default STARPU_RAND_SEED 42
default STARPU_CATCH_SIGNALS 0
# Two tests side by side have more threads than there are cores: those without a task sleep, or they would take most of the others' time.
default TILEWORK_REST 50
default OPENBLAS_NUM_THREADS 1
default OMP_NUM_THREADS 1

. "$here/openblas-core.sh"
tilework_openblas_core "${TILEWORK_OPENBLAS_VERSION:-}"

# Sanitizers: the reasons for what is suppressed stand beside each line of these files.
supp=$TILEWORK_SOURCE/cmake/sanitizers
case ${TILEWORK_TEST_SANITIZE:-} in
  *address*)
    # hwloc's OpenCL plugin leaks in the vendor loader and is unloaded before the leak check can name it.
    default HWLOC_PLUGINS_PATH /nonexistent
    default ASAN_OPTIONS "detect_leaks=1:allocator_may_return_null=1:strict_string_checks=1:check_initialization_order=1:suppressions=$supp/asan.supp"
    default LSAN_OPTIONS "print_suppressions=0:suppressions=$supp/lsan.supp" ;;&
  *undefined*) default UBSAN_OPTIONS print_stacktrace=1 ;;
  thread)
    # After a crash cmocka goes on inside its signal handler: without report_signal_unsafe=0 thousands of reports about that
    # would hide the crash.
    default TSAN_OPTIONS "report_signal_unsafe=0:halt_on_error=0:allocator_may_return_null=1:exitcode=66:second_deadlock_stack=1:history_size=4:suppressions=$supp/tsan.supp"
    # ThreadSanitizer of GCC 12 cannot map its shadow under strong address randomisation.
    if setarch -R true 2>/dev/null; then exec setarch -R "$@"; fi ;;
esac
exec "$@"
