#!/usr/bin/env bash
# docs/coverage.md says of every kernel what its codelet says.
set -u
: "${TILEWORK_SOURCE:?}"
cd "$TILEWORK_SOURCE" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
page() { (cd "$1" && bash "$TILEWORK_SOURCE/cmake/coverage-page.sh"); }
TILEWORK_SOURCE=$PWD

page . > "$work/page" || bad "the page could not be made"
cmp -s "$work/page" docs/coverage.md ||
  { diff docs/coverage.md "$work/page" | head -5; bad "docs/coverage.md is not of these codelets: cmake --build BUILD --target coverage-page"; }
# Counted another way: no codelet is left out.
there=$(find codelets runtime -name '*.c' -exec cat {} + | tr '\n' ' ' | grep -oE '\.name = "[a-z0-9_]+",[^{}]*\.rate = |CODELET\("' | wc -l)
rows=$(grep -c '^| `' docs/coverage.md)
[ "$rows" = "$there" ] || bad "docs/coverage.md has $rows kernels, the sources $there"
[ "$rows" -ge 100 ] || bad "only $rows kernels"

# Changes are seen: a body less, a kernel less, a codelet of another form, two of one name.
mkdir -p "$work/tree" && cp -r --parents codelets runtime "$work/tree"
change() { # FILE SED STATUS WHAT
  cp "$1" "$work/tree/$1" && sed -i "$2" "$work/tree/$1"
  cmp -s "$1" "$work/tree/$1" && bad "$4: nothing to change in $1"
  page "$work/tree" > "$work/changed" 2> /dev/null
  local status=$?
  [ "$status" = "$3" ] || bad "$4: status $status instead of $3"
  cmp -s "$work/changed" docs/coverage.md && bad "$4: not seen"
  cp "$1" "$work/tree/$1"
}
change codelets/dense/gemm.c 's/, *\.cuda = TW_CUDA_BODY([a-z_]*)//; s/\.cuda = TW_CUDA_BODY([a-z_]*),\{0,1\}//' 0 "gemm without its GPU's body"
change codelets/dense/berr.c 's/\.cpu = cpu//' 1 "berr without any body"
change codelets/dense/berr.c 's/\.name = "berr"/.name = names[0]/' 1 "a name that is no text"
change codelets/dense/berr.c 's/\.name = "berr"/.name = "gemm"/' 1 "two of one name"
page "$work/tree" | cmp -s - docs/coverage.md || bad "the copied tree's page differs"
# A family that nobody has listed.
mkdir -p "$work/tree/codelets/planted" && sed 's/\.name = "berr"/.name = "planted"/' codelets/dense/berr.c > "$work/tree/codelets/planted/berr.c"
page "$work/tree" > "$work/changed" || bad "a new family: no page"
for line in '| planted | 1 | 1 | ' '## planted' '| `planted` | yes | '; do grep -qF "$line" "$work/changed" || bad "a new family: the page lacks: $line"; done

[ "$failures" = 0 ] && echo "coverage: all right" && exit 0
echo "$failures failures"
exit 1
