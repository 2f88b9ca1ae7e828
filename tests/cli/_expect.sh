# shellcheck shell=bash
# For tests of the command: a folder of their own, and what it says.   TILEWORK_BUILD: the build
set -u
: "${TILEWORK_BUILD:?}"
tilework=$(cd "$TILEWORK_BUILD" && pwd)/bin/tilework
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
# expect STATUS TEXT arguments…: the exit status, and a text on stdout or stderr (out, err)
expect() {
  local want=$1 says=$2 got
  shift 2
  timeout 100 "$tilework" "$@" > out 2> err
  got=$?
  [ "$got" = "$want" ] || bad "tilework $*: exit status $got instead of $want: $(head -c 2000 out err)"
  grep -qaF -- "$says" out err || bad "tilework $*: no '$says' in: $(head -c 2000 out err)"
}
has_fft() { [ -x "$(dirname "$tilework")/tilework-fft" ]; }
