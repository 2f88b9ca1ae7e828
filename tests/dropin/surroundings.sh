#!/usr/bin/env bash
# A program's surroundings beside calls that are taken: lengths of workspaces, its handlers of signals, limits of the process, a report that nobody reads.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
library=$TILEWORK_BUILD/lib/libtilework_lapack.so.0 program=$TILEWORK_BUILD/tests/dropin/surroundings
[ -e "$library" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
bad() { echo "FAILED: $*"; for f in out err; do if [ -s $f ]; then head -n 20 $f; fi; done; exit 1; }
# As `tilework run` starts a program, for all its calls.
taken() { LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$library TILEWORK_DROPIN_MIN=0 TILEWORK_CROSSOVER=0 TILEWORK_NB=16 "$@"; }
status() { local rc=0; "$@" > out 2> err || rc=$?; echo $rc; }

# The first elements of workspaces.
[ "$(status "$program" lengths)" = 0 ] || bad "lengths by itself"
[ "$(status taken "$program" lengths taken)" = 0 ] || bad "lengths"

# A handler for what a thread of the library brings upon itself.
if [ -z "${TILEWORK_TEST_SANITIZE:-}" ]; then
  [ "$(status "$program" fault)" = 42 ] || bad "the program's handler by itself"
  [ "$(status taken "$program" fault)" = 42 ] || bad "the program's handler of SIGSEGV is passed over"
fi

# A thread with little stack keeps to its LAPACK.
if [ -z "${TILEWORK_TEST_SANITIZE:-}" ]; then
  [ "$(TILEWORK_DROPIN_REPORT=$work/stacks.json status taken "$program" stacks)" = 0 ] || bad "threads' stacks"
  grep -q '"name": "dgeqrf_".*"calls": 2, "taken": 1, "forwarded": {"little stack": 1}' stacks.json || bad "threads' stacks: $(cat stacks.json)"
fi

# Files that may not grow: what cannot be written is left.
no_files() { (ulimit -f 0; exec "$@"); }
limited() { local rc=0; no_files "$@" > /dev/null 2> /dev/null || rc=$?; echo $rc; }
[ "$(limited env LD_PRELOAD="$library" TILEWORK_DROPIN_MIN=0 XDG_CACHE_HOME="$work/new" "$program" call)" = 0 ] || bad "a limit of file sizes kills the program"
[ "$(limited env LD_PRELOAD="$library" TILEWORK_DROPIN_MIN=0 TILEWORK_DROPIN_REPORT="$work/report.json" "$program" call)" = 0 ] || bad "a report past a limit of file sizes kills the program"

# A report into a pipe without a reader is said and left.
mkfifo pipe
[ "$(TILEWORK_DROPIN_REPORT=$work/pipe status taken timeout 120 "$program" call)" = 0 ] || bad "a report into a pipe without a reader"
grep -q "libtilework_lapack: $work/pipe: " err || bad "nothing was said of the pipe"

# Where a thread, or room for OpenBLAS' buffers, cannot be had, calls are forwarded, and the program's own BLAS has what it had.
[ -z "${TILEWORK_TEST_SANITIZE:-}" ] || exit 0
for limit in "-d 300000" "-d 400000" "-v 1500000"; do
  rc=0; (ulimit $limit; taken timeout 60 "$program" call) > out 2> err || rc=$?
  [ $rc = 0 ] || bad "ulimit $limit: status $rc"
done
other=()
[ "$(id -u)" != 0 ] || other=(setpriv --reuid=54321 --clear-groups)      # root has no such limit
most=$((1 + (${#other[@]} > 0)))
alone() { "${other[@]}" bash -c 'ulimit -u $0; export HOME=/nonexistent OPENBLAS_NUM_THREADS=1; exec "$@"' $most env "$@"; }
if [ "$(status alone "$program" call)" = 0 ]; then
  [ "$(status alone LD_PRELOAD="$library" TILEWORK_DROPIN_MIN=0 TILEWORK_CROSSOVER=0 TILEWORK_NB=16 "$program" call)" = 0 ] || bad "no threads: the program ends"
  grep -q 'all calls are forwarded: .* threads are needed and [01] can be started' err || bad "no threads: nothing was said of them"
fi
