#!/usr/bin/env bash
# The layering check must find what it is for: one broken rule at a time, in a small tree of its own.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/layering.sh
tree=$(mktemp -d); trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p include/tilework runtime kernels/cpu codelets algorithms/dense io traces cli examples
echo '#include <stdint.h>' > include/tilework/runtime.h
echo '#include <starpu.h>' > include/tilework/starpu.h
printf '#include <starpu.h>\n#include <tilework/runtime.h>\n' > runtime/task/submit.h
echo '#include <tilework/runtime.h>' > runtime/base/types.h
echo '#include "runtime/base/types.h"' > kernels/dense/cpu/dense_cpu.h
echo '#include "kernels.h"' > kernels/dense/cpu/potrf.c
printf '#include "kernels/dense/cpu/dense_cpu.h"\n#include "runtime/task/submit.h"\n' > codelets/dense/dense_tasks.h
echo '#include "codelets/dense/dense_tasks.h"' > algorithms/dense/potrf.c
echo '#include <tilework/starpu.h>' > examples/interop.c
echo '#include "runtime/task/submit.h"' | tee io/io.h > traces/paje.h
bash "$check" "$tree" >/dev/null || { echo "a clean tree was refused"; exit 1; }

refuses() {      # FILE INCLUDE: the check must fail and name FILE:2
  cp "$1" saved 2>/dev/null || : > saved
  printf '/* broken on purpose */\n#include %s\n' "$2" > "$1"
  if out=$(bash "$check" "$tree"); then echo "$1 including $2 was not found"; exit 1; fi
  case $out in *"$1:2: "*) ;; *) echo "$1:2 is not named in: $out"; exit 1 ;; esac
  if [ -s saved ]; then cp saved "$1"; else rm "$1"; fi
}
refuses runtime/start.c '"codelets/dense/dense_tasks.h"'
refuses codelets/dense/potrf.c '"../algorithms/dense/potrf.c"'
refuses algorithms/dense/trsm.c '"kernels/dense/cpu/dense_cpu.h"'
refuses kernels/dense/cpu/trsm.c '<starpu.h>'
refuses kernels/dense/cpu/trsm.c '"runtime/task/submit.h"'
refuses codelets/dense/trsm.c '<starpu_cublas_v2.h>'
refuses cli/dense/potrf.c '"runtime/task/submit.h"'
refuses examples/potrf.c '"io/io.h"'
refuses include/tilework/dense.h '"runtime/task/submit.h"'
refuses io/mm.c '"traces/paje.h"'
echo "layering check: finds every broken rule it was given"
