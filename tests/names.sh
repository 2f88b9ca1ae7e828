#!/usr/bin/env bash
# Names that a reader can rely on:
#   no private header is called like a public one, and none is called local.h, kernels.h or internal.h, which say nothing in an #include;
#   tilework.h includes every public header, itself or by another one, but those of LAPACKE's names, of StarPU and of libraries apart: bindings are made of it;
#   every path of the tree that a document, a script or a comment names is there;
#   whether there is CUDA is no matter of the preprocessor, and CUDA's headers are not included, in runtime/ (but for runtime/cuda/), codelets, algorithms,
#     io, traces and cli: a cuda/ folder's none.c stands for its other files in builds without (docs/design.md);
#   the environment is asked for TILEWORK_… in runtime/base/variables.c alone;
#   mutexes in algorithms and codelets are StarPU's, which a simulator follows (runtime/base/threads.h), and where tasks are submitted (runtime/task/) threads keep
#     what is theirs in StarPU's keys;
#   CUDA kernels of two files are launched under one name (TW_CALL_…), by which errors tell them apart, only where they are parts of one kernel;
#   words that say nothing to a reader of LAPACK, FFTW or FMM3D are no names of functions, structures and files, and words that meant two things have one: what orders
#     tasks is a token (a sign is a direction of a transform), a stage is a named part of a routine (tiles have a staging, multipole methods passes).
#
#   tests/names.sh [TREE]      fails naming each place
#   tests/names.sh --selftest  the check finds what it is for
set -euo pipefail
if [ "${1:-}" = --selftest ]; then
  tree=$(mktemp -d); trap 'rm -rf "$tree"' EXIT
  mkdir -p "$tree"/{include/tilework,runtime,types,kernels,codelets,algorithms,io,traces,cli,docs}
  touch "$tree/include/tilework/dense.h" "$tree/include/tilework/lapacke.h" "$tree/kernels/gemm.c"
  echo '#include <tilework/dense.h>' > "$tree/include/tilework/tilework.h"
  echo 'The kernel is kernels/gemm.c.' > "$tree/docs/page.md"
  bash "${BASH_SOURCE[0]}" "$tree" > "$tree/out" || { cat "$tree/out"; echo "a clean tree was refused"; exit 1; }
  refuses() {      # FILE TEXT
    printf '%s\n' "$2" > "$tree/$1"
    if bash "${BASH_SOURCE[0]}" "$tree" > "$tree/out"; then echo "$1 was not found"; exit 1; fi
    grep -q "$1" "$tree/out" || { echo "$1 is not named in:"; cat "$tree/out"; exit 1; }
    rm "$tree/$1"
  }
  refuses kernels/dense.h ''
  refuses include/tilework/grids.h '/* nobody includes it */'
  refuses codelets/local.h ''
  refuses docs/other.md 'See `kernels/gone.c` for it.'
  refuses docs/checks.md 'See `checks/gone.c` for it.'
  refuses docs/script.py '# as bindings/gone.awk says'
  refuses algorithms/lock.c 'static pthread_mutex_t lock;'
  refuses codelets/gemm.c '#ifdef TILEWORK_CUDA'
  refuses algorithms/choose.c 'const char *path = getenv("TILEWORK_PATH");'
  refuses runtime/gpus.c '# if defined(TILEWORK_CUDA) && 1'
  refuses cli/info.c '#include <cuda_runtime.h>'
  refuses runtime/start.c '/* as in runtime/gone/away.c */'
  mkdir -p "$tree/runtime/task"
  refuses runtime/task/values.c 'static _Thread_local int waited;'
  refuses algorithms/symm.c 'static tw_int both(const char *routine, int her)'
  refuses kernels/trees.cu 'struct turn {'
  refuses kernels/trsm.c 'static void solve(const struct tw_trsm *s);'
  refuses codelets/half.c 'int n;'
  refuses codelets/first_beside.h 'int n;'
  refuses algorithms/hb2st.c 'missing |= !(token[k] = tw_data_sign());'
  refuses codelets/task.h '    int has_signs;'
  refuses runtime/travel.c 'if (d->stage_node == node) return 0;'
  refuses algorithms/fmm.c '    static const struct tw_stages stages = {up, near, down, finish};'
  echo 'launch(TW_CALL_lag2, q,' > "$tree/kernels/lag2.cu"
  refuses kernels/scaled.cu '    return launch(TW_CALL_lag2, q,'
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

# Followed until no header is new.
reached=" tilework.h " before=""
while [ "$reached" != "$before" ]; do
  before=$reached
  for header in $before; do
    for name in $(sed -nE 's/^#[ \t]*include[ \t]*<tilework\/([^>]*)>.*/\1/p' "include/tilework/$header"); do
      case $reached in *" $name "*) ;; *) if [ -e "include/tilework/$name" ]; then reached="$reached$name "; fi ;; esac
    done
  done
done
for header in $public; do
  case $reached" lapacke.h starpu.h fft.h " in *" $header "*) ;; *)
    echo "include/tilework/$header: tilework.h does not include it, so that no binding has its functions"; bad=1 ;;
  esac
done

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

if grep -rnE '\b(_Thread_local|__thread|thread_local)\b' runtime/task 2> /dev/null; then
  echo "threads keep what is theirs in StarPU's keys here (runtime/task/thread.c)"; bad=1
fi

# Parts of one kernel: products' operands, a diamond's T, columns and rows that change places, secular equations of eigenvalues and of singular values.
shared='gemm|larft|laswp|laed3|sterf'
while read -r name files; do
  echo "kernels of $files are launched as $name: give each its own name (kernels/status.h)"; bad=1
done < <(grep -rnoE 'launch\(TW_CALL_\w+' kernels --include='*.cu' --include='*.cuh' | sed -E 's/^([^:]*):[0-9]+:launch\(TW_CALL_(.*)/\2 \1/' | grep -vE "^($shared) " | sort -u |
           awk '{n[$1]++; files[$1] = files[$1] " " $2} END {for (x in n) if (n[x] > 1) print x files[x]}')

rooms="runtime types kernels codelets algorithms io traces cli"
empty='both|whole|half|halves|odd|turns?|beside|said|there'
if grep -rnE "^[a-zA-Z_].*[ *]($empty)\(|\bstruct ($empty)\b|\bstruct tw_trsm\b" $rooms --include='*.[ch]' --include='*.cu' --include='*.cuh'; then
  echo "these words say nothing: use the field's"; bad=1
fi
if find $rooms -type f | grep -E "[/_]($empty)\.[a-z]+$"; then echo "these files' names say nothing: use the field's words"; bad=1; fi
if grep -rnE '\b(tw_(data|kind)_signs?|has_signs?|[a-z_]*_signs_make)\b' $rooms; then echo "what orders tasks is a token"; bad=1; fi
if grep -rnE '\b(stage_(node|state|slot)|tw_loop_stage|tw_stages(_submit)?|[a-z]+_submit_stages)\b' $rooms; then
  echo "a stage is a named part of a routine: tiles have a staging, multipole methods passes"; bad=1
fi

# Paths: written from the top of the tree, or, in an #include of a test, from tests/. The changelog may speak of what is gone.
list() { if [ -d .git ] || [ -f .git ]; then git ls-files; else find . -type f | sed 's#^\./##'; fi; }
list | grep -E '\.(md|sh|cmake|c|h|hpp|cu|cuh|py|awk|f90|txt)$|^quickstart$|CMakeLists\.txt$' |
  grep -vE '^(CHANGELOG|tests/(layering-faults|names)\.sh|tests/install/|tests/fuzz/corpus/|build)' > "${TMPDIR:-/tmp}/names.$$"
while read -r place path; do
  case $path in */*_X.c | */NAME.c | */NAME.cu) continue ;; esac # patterns
  if [ ! -e "$path" ] && [ ! -e "tests/$path" ] && [ ! -e "$(dirname "${place%%:*}")/$path" ]; then
    echo "$place: there is no $path"; bad=1
  fi
done < <(xargs grep -noHE '(^|[^A-Za-z0-9_./-])(runtime|types|kernels|codelets|algorithms|io|traces|cli|tests|cmake|docs|examples|include|checks|dropin|bindings|python)/[A-Za-z0-9_/-]*[A-Za-z0-9_-]\.(cuh?|c|h|hpp|f90|py|awk|sh|md|txt|cmake)(\.in)?\b' \
           < "${TMPDIR:-/tmp}/names.$$" | sed -E 's/^([^:]+:[0-9]+):[^a-z]?/\1 /')
rm -f "${TMPDIR:-/tmp}/names.$$"
if [ "$bad" = 0 ]; then echo "names: every private header has its own, every path is there"; fi
exit "$bad"
