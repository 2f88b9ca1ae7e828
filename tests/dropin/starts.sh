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
echo passed
