#!/usr/bin/env bash
# Words behind a command of ./quickstart that it does not know are bad usage before anything is installed, built or removed.
set -euo pipefail
: "${TILEWORK_SOURCE:?}"
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
cp -r "$TILEWORK_SOURCE/quickstart" "$TILEWORK_SOURCE/cmake" "$TILEWORK_SOURCE/dropin" "$tmp/"
cd "$tmp"
mkdir build build-asan
# What would begin to do something.
export PATH="$tmp/stand-ins:$PATH"
mkdir stand-ins
for tool in apt-get sudo cmake ctest; do printf '#!/bin/sh\ntouch "%s/begun"\nexit 9\n' "$tmp" > "stand-ins/$tool"; chmod +x "stand-ins/$tool"; done

expect() {      # STATUS TEXT WORDS...
  local want=$1 text=$2 got=0
  shift 2
  bash ./quickstart "$@" > out 2>&1 || got=$?
  if [ "$got" != "$want" ] || ! grep -qF -- "$text" out; then
    echo "quickstart $*: status $got, wanted $want and '$text' in:"; cat out; exit 1
  fi
  if [ -e begun ] || [ ! -d build ] || [ ! -d build-asan ]; then echo "quickstart $*: something was begun"; exit 1; fi
}
expect 2 "there is no command 'bundles'" bundles
expect 2 "--tests=REGEX, not --tests" bundle --tests dense
expect 2 "no extended regular expression" bundle '--tests=(dense'
expect 2 "knows --all, not --long" test --long
expect 2 "clean takes no arguments" clean build-asan
expect 2 "coverage takes no arguments" coverage --all
for command in run build test sanitizers bundle coverage clean; do expect 0 "--tests=REGEX" "$command" --help; done
for help in -h --help; do expect 0 "--parts WORDS" lapack-tests $help; done
expect 0 "--parts WORDS" lapack-tests --short --help
expect 2 "there is no flag --frobnicate; see --help" lapack-tests --frobnicate
expect 2 "--types sx: letters of sdcz" lapack-tests --types sx
expect 2 "--parts linaer: words of linear" lapack-tests --parts linaer
expect 2 "--paths needs a value" lapack-tests --paths
expect 0 "--tests=REGEX" help
expect 0 "--tests=REGEX" -h
echo "passed"
