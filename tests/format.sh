#!/usr/bin/env bash
# C and CUDA in the tree are as clang-format leaves them: one version, 14 (Debian 12's), since others lay out the same file otherwise. C++ headers are laid out by hand,
# and so are comments, for there are lists and tables among them: they are no wider than the code, 120 columns. Macros' lines may be wider.
#
#   tests/format.sh            fails naming each place
#   tests/format.sh --selftest the check finds what it is for
set -euo pipefail
version=14
tree=${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
tool=$(command -v clang-format-$version clang-format | head -n 1) || tool=
if [ -z "$tool" ] || ! "$tool" --version | grep -q "version $version\."; then
  case " ${TILEWORK_TEST_PACKAGES:-} " in
    *" clang-format-$version "*) echo "FAILED: clang-format $version is not installed, though the tests' packages were set up"; exit 1 ;;
  esac
  echo "skipped: clang-format $version is not installed"; exit 77
fi
narrow() { ! LC_ALL=C.UTF-8 grep -HnE '^.{121,}$' "$@" | grep -vE ':#define|\\$' | cut -c1-160; }
if [ "${1:-}" = --selftest ]; then
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  cp "$tree/.clang-format" "$work"
  printf 'int twice(int x)\n{\n    return 2 * x;\n}\n' > "$work/a.c"
  "$tool" --dry-run -Werror "$work/a.c" || { echo "a file as it should be was refused"; exit 1; }
  printf 'int twice(int x) { return 2*x; }\n' > "$work/a.c"
  if "$tool" --dry-run -Werror "$work/a.c" 2> /dev/null; then echo "a file laid out otherwise was not found"; exit 1; fi
  printf '/* %118s */\n' wide > "$work/a.c"
  if narrow "$work/a.c" > /dev/null; then echo "a line that is too wide was not found"; exit 1; fi
  echo "format: the check finds planted faults"; exit 0
fi
cd "$tree"
list() { if [ -d .git ] || [ -f .git ]; then git ls-files; else find . -path './build*' -prune -o -type f -print; fi; }
list | grep -E '\.(c|h|cu|cuh|inc)$' | tr '\n' '\0' | xargs -0 -P2 -n50 "$tool" --dry-run -Werror ||
  { echo "clang-format -i FILE (version $version) mends them"; exit 1; }
list | grep -E '\.(c|h|cu|cuh|inc|hpp)$' | tr '\n' '\0' | xargs -0 -n2000 bash -o pipefail -c "$(declare -f narrow); narrow \"\$@\"" narrow ||
  { echo "these lines are wider than 120 columns"; exit 1; }
echo "format: as .clang-format says"
