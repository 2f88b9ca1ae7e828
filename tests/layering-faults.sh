#!/usr/bin/env bash
# The layering check must find what it is for: one broken rule at a time, in a small tree of its own with a build's objects.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
check=$here/layering.sh
tree=$(mktemp -d); trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p include/tilework runtime/base runtime/machine runtime/task types/dense kernels/dense/cpu kernels/fft codelets/dense codelets/fft \
  algorithms/dense algorithms/fft io/dense traces cli/dense examples tests
sed '/^also /d' "$here/layering.txt" > tests/layering.txt        # the rules, without the tree's exceptions
echo 'order runtime/base runtime/task runtime/start.c' >> tests/layering.txt
echo 'also algorithms/fft/granted.c : algorithms/dense' >> tests/layering.txt
echo '#include <stdint.h>' > include/tilework/runtime.h
echo '#include <starpu.h>' > include/tilework/starpu.h
printf '#include <starpu.h>\n#include <tilework/runtime.h>\n' > runtime/task/submit.h
echo '#include <tilework/runtime.h>' | tee runtime/base/types.h > runtime/machine/cuda.h
echo '#include "runtime/base/types.h"' > types/dense/structure.h
printf '#include "runtime/machine/cuda.h"\n#include "types/dense/structure.h"\n' > kernels/dense/cpu/dense_cpu.h
echo '#include "dense_cpu.h"' > kernels/dense/cpu/potrf.c
printf '#include "types/dense/structure.h"\n#include "runtime/task/submit.h"\n' > codelets/dense/dense_tasks.h
printf '#include "codelets/dense/dense_tasks.h"\n#include "kernels/dense/cpu/dense_cpu.h"\n' > codelets/dense/dense_bodies.h
echo '#include "codelets/dense/dense_bodies.h"' > codelets/dense/potrf.c
echo '#include "codelets/dense/dense_tasks.h"' | tee algorithms/dense/potrf.c > algorithms/dense/dense_loops.h
echo '#include "algorithms/dense/dense_loops.h"' > algorithms/fft/granted.c
echo '#include <tilework/starpu.h>' > examples/interop.c
echo '#include "runtime/task/submit.h"' | tee io/io.h runtime/start.c > traces/paje.h
bash "$check" "$tree" >/dev/null || { echo "a clean tree was refused"; bash "$check" "$tree"; exit 1; }

# ---- includes -------------------------------------------------------------------------------------------------------
refuses() {      # FILE INCLUDE [WORDS]: the check must fail, name FILE:2 and say WORDS
  cp "$1" saved 2>/dev/null || : > saved
  printf '/* broken on purpose */\n#include %s\n' "$2" > "$1"
  if out=$(bash "$check" "$tree"); then echo "$1 including $2 was not found"; exit 1; fi
  case $out in *"$1:2: "*"${3:-}"*) ;; *) echo "$1:2 (${3:-}) is not named in: $out"; exit 1 ;; esac
  if [ -s saved ]; then cp saved "$1"; else rm "$1"; fi
}
refuses runtime/start.c '"codelets/dense/dense_tasks.h"'
refuses codelets/dense/potrf.c '"../../algorithms/dense/potrf.c"'
refuses algorithms/dense/trsm.c '"kernels/dense/cpu/dense_cpu.h"'
refuses kernels/dense/cpu/trsm.c '<starpu.h>'
refuses kernels/dense/cpu/trsm.c '"runtime/task/submit.h"'
refuses kernels/dense/cpu/trsm.c '"codelets/dense/dense_tasks.h"'
refuses codelets/dense/trsm.c '<starpu_cublas_v2.h>'
refuses cli/dense/potrf.c '"runtime/task/submit.h"'
refuses examples/potrf.c '"io/io.h"'
refuses include/tilework/dense.h '"runtime/task/submit.h"'
refuses io/mm.c '"traces/paje.h"'
refuses types/dense/tile.h '"kernels/dense/cpu/dense_cpu.h"'
# through a header that may be used
refuses algorithms/dense/trsm.c '"codelets/dense/dense_bodies.h"' 'kernels/dense/cpu/dense_cpu.h'
echo '#include "runtime/task/submit.h"' > runtime/base/error.h
refuses kernels/dense/cpu/trsm.c '"runtime/base/error.h"' 'reaches runtime/base/error.h -> runtime/task/submit.h'
rm runtime/base/error.h
# families, and the order of rooms inside a room
refuses algorithms/fft/plan.c '"algorithms/dense/dense_loops.h"' 'the family fft does not use the family dense'
refuses codelets/fft/rows.c '"codelets/dense/dense_tasks.h"' 'the family fft does not use the family dense'
refuses kernels/simd.h '"kernels/dense/cpu/dense_cpu.h"' 'kernels/ itself does not use the family dense'
refuses runtime/base/error.c '"runtime/task/submit.h"' 'the order is'
# a table that is not understood
echo 'rooom io : io' >> tests/layering.txt
if bash "$check" "$tree" >/dev/null; then echo "a wrong table was accepted"; exit 1; fi
sed -i '$d' tests/layering.txt

# ---- symbols --------------------------------------------------------------------------------------------------------
target=tw_any
object() {       # SOURCE TEXT: into the source, and compiled as a build would
  local object=build/CMakeFiles/$target.dir/$1.o
  mkdir -p "$(dirname "$object")" "$(dirname "$1")"
  printf '%s\n' "$2" > "$1"
  ${CC:-cc} -c -o "$object" "$1"
}
if bash "$check" "$tree" . >/dev/null; then echo "a build without objects was accepted"; exit 1; fi
object runtime/base/error.c 'int tw_fail(void) { return 1; }'
object runtime/task/submit.c 'int tw_fail(void); int tw_submit(void) { return tw_fail(); }'
object kernels/dense/cpu/gemm.c 'int tw_fail(void); int kernel_gemm(void) { return tw_fail(); }'
object codelets/dense/gemm.c 'int kernel_gemm(void), tw_submit(void); int tw_task_gemm(void) { return kernel_gemm() + tw_submit(); }'
object algorithms/dense/gemm.c 'int tw_task_gemm(void); int tw_gemm(void) { return tw_task_gemm(); }'
object algorithms/fft/granted.c 'int tw_gemm(void); int granted(void) { return tw_gemm(); }'
object io/dense/read.c 'int tw_fail(void); int tw_read(void) { return tw_fail(); }'
bash "$check" "$tree" build >/dev/null || { echo "clean objects were refused"; bash "$check" "$tree" build; exit 1; }

refuses_symbol() {   # SOURCE SYMBOL
  object "$1" "int $2(void); int broken(void) { return $2(); }"
  if out=$(bash "$check" "$tree" build); then echo "$1 referring to $2 was not found"; exit 1; fi
  case $out in *"$1: refers to $2: "*) ;; *) echo "$1 and $2 are not named in: $out"; exit 1 ;; esac
  rm "$1"            # and its object, which stays, is of no source any more
}
refuses_symbol algorithms/dense/broken.c kernel_gemm
refuses_symbol algorithms/dense/broken.c tw_read
refuses_symbol algorithms/fft/broken.c tw_gemm
refuses_symbol codelets/dense/broken.c tw_gemm
refuses_symbol codelets/fft/broken.c tw_task_gemm
refuses_symbol kernels/dense/cpu/broken.c tw_submit
refuses_symbol kernels/dense/cpu/broken.c tw_task_gemm
refuses_symbol kernels/fft/broken.c kernel_gemm
refuses_symbol runtime/task/broken.c kernel_gemm
refuses_symbol runtime/base/broken.c tw_submit
refuses_symbol io/dense/broken.c tw_task_gemm
# a kernel reached through a table of functions is a reference to the table
object kernels/dense/cpu/table.c 'int kernel_gemm(void); int (*const tw_kernels[])(void) = {kernel_gemm};'
object algorithms/dense/broken.c 'extern int (*const tw_kernels[])(void); int broken(void) { return tw_kernels[0](); }'
if bash "$check" "$tree" build >/dev/null; then echo "a table of kernels used by algorithms was not found"; exit 1; fi
rm algorithms/dense/broken.c
# the command's objects among themselves
target=tilework_cli
object cli/rows.c 'int cli_word(void) { return 1; }'
object cli/help.c 'int cli_word(void); int cli_help(void) { return cli_word(); }'
bash "$check" "$tree" build >/dev/null || { echo "clean objects of the command were refused"; exit 1; }
refuses_symbol cli/dense/potrf.c cli_word
refuses_symbol cli/options.c cli_help
bash "$check" "$tree" build >/dev/null || { echo "objects of sources that are gone were looked at"; exit 1; }
echo "layering check: finds every broken rule it was given"
