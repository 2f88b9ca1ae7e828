#!/usr/bin/env bash
# Names that a reader can rely on:
#   no private header is called like a public one, and none is called local.h, kernels.h or internal.h, which say nothing in an #include;
#   every path of the tree that a document, a script or a comment names is there;
#   whether there is CUDA is no matter of the preprocessor, and CUDA's headers are not included, in runtime/ (but for runtime/cuda/), codelets, algorithms,
#     io, traces and cli: a cuda/ folder's none.c stands for its other files in builds without (docs/design.md);
#   the environment is asked for TILEWORK_… in runtime/base/variables.c alone;
#   mutexes in algorithms and codelets are StarPU's, which a simulator follows (runtime/base/threads.h).
#
#   tests/names.sh [TREE]      fails naming each place
#   tests/names.sh --selftest  the check finds what it is for
set -euo pipefail
if [ "${1:-}" = --selftest ]; then
  tree=$(mktemp -d); trap 'rm -rf "$tree"' EXIT
  mkdir -p "$tree"/{include/tilework,runtime,types,kernels,codelets,algorithms,io,traces,cli,docs}
  touch "$tree/include/tilework/dense.h" "$tree/kernels/gemm.c"
  echo 'The kernel is kernels/gemm.c.' > "$tree/docs/page.md"
  bash "${BASH_SOURCE[0]}" "$tree" > "$tree/out" || { cat "$tree/out"; echo "a clean tree was refused"; exit 1; }
  refuses() {      # FILE TEXT
    printf '%s\n' "$2" > "$tree/$1"
    if bash "${BASH_SOURCE[0]}" "$tree" > "$tree/out"; then echo "$1 was not found"; exit 1; fi
    grep -q "$1" "$tree/out" || { echo "$1 is not named in:"; cat "$tree/out"; exit 1; }
    rm "$tree/$1"
  }
  refuses kernels/dense.h ''
  refuses codelets/local.h ''
  refuses docs/other.md 'See `kernels/gone.c` for it.'
  refuses algorithms/lock.c 'static pthread_mutex_t lock;'
  refuses codelets/gemm.c '#ifdef TILEWORK_CUDA'
  refuses algorithms/choose.c 'const char *path = getenv("TILEWORK_PATH");'
  refuses runtime/gpus.c '# if defined(TILEWORK_CUDA) && 1'
  refuses cli/info.c '#include <cuda_runtime.h>'
  refuses runtime/start.c '/* as in runtime/gone/away.c */'
  echo "names: the check finds every planted fault"
  exit 0
fi
cd "${1:-${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}}"
bad=0
public=" $(cd include/tilework && echo ./*.h | sed 's#\./##g') "
while read -r header; do
  name=${header##*/}
  case $name in
    local.h|kernels.h|internal.h|codelets.h) echo "$header: the name says nothing in an #include"; bad=1 ;;
  esac
  case $public in *" $name "*) echo "$header: a public header is called so, too"; bad=1 ;; esac
done < <(find runtime types kernels codelets algorithms io traces cli -name '*.h' -o -name '*.cuh' | sort)

if grep -rnE "(^|[^_A-Za-z])(pthread_(mutex|cond)_|PTHREAD_(MUTEX|COND)_INIT)" algorithms codelets; then
  echo "these are raw: runtime/base/threads.h has StarPU's"; bad=1
fi

if grep -rnE "^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)\b.*(TILEWORK_CUDA|TW_BUILT_WITH_CUDA|STARPU_USE_CUDA)|^[ \t]*#[ \t]*include[ \t]*[<\"](cu(da|blas|solver|fft|sparse|rand)[A-Za-z_0-9]*|nvrtc|nvml)\.h" \
     runtime codelets algorithms io traces cli | grep -v '^runtime/cuda/'; then
  echo "with and without CUDA is one code here: what differs is in a cuda/ folder and its none.c"; bad=1
fi

if grep -rnE '\b(secure_)?getenv *\( *"TILEWORK_' runtime types kernels codelets algorithms io traces cli | grep -v '^runtime/base/variables\.c:'; then
  echo "Tilework's own variables are asked for in runtime/base/variables.c alone, and listed in its rows"; bad=1
fi

# Paths: written from the top of the tree, or, in an #include of a test, from tests/. The changelog may speak of what is gone.
list() { if [ -d .git ] || [ -f .git ]; then git ls-files; else find . -type f | sed 's#^\./##'; fi; }
list | grep -E '\.(md|sh|cmake|c|h|cu|cuh)$|^quickstart$|CMakeLists\.txt$' |
  grep -vE '^(CHANGELOG|tests/(layering-faults|names)\.sh|tests/install/|tests/fuzz/corpus/|build)' > "${TMPDIR:-/tmp}/names.$$"
while read -r place path; do
  case $path in */*_X.c | */NAME.c | */NAME.cu) continue ;; esac # patterns
  if [ ! -e "$path" ] && [ ! -e "tests/$path" ] && [ ! -e "$(dirname "${place%%:*}")/$path" ]; then
    echo "$place: there is no $path"; bad=1
  fi
done < <(xargs grep -noHE '(^|[^A-Za-z0-9_./-])(runtime|types|kernels|codelets|algorithms|io|traces|cli|tests|cmake|docs|examples|include)/[A-Za-z0-9_/-]*[A-Za-z0-9_-]\.(cuh?|c|h|sh|md|txt|cmake)(\.in)?\b' \
           < "${TMPDIR:-/tmp}/names.$$" | sed -E 's/^([^:]+:[0-9]+):[^a-z]?/\1 /')
rm -f "${TMPDIR:-/tmp}/names.$$"
if [ "$bad" = 0 ]; then echo "names: every private header has its own, every path is there"; fi
exit "$bad"
