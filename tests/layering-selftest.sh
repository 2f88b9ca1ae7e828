#!/usr/bin/env bash
# The layering check must find what it is for: one broken rule at a time, in a small tree of its own.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/layering.sh
tree=$(mktemp -d); trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p include/tilework runtime kernels/cpu codelets algorithms/dense io traces cli examples
echo '#include <stdint.h>' > include/tilework/runtime.h
echo '#include <starpu.h>' > include/tilework/starpu.h
printf '#include <starpu.h>\n#include <tilework/runtime.h>\n' > runtime/submit.h
echo '#include <tilework/runtime.h>' > runtime/types.h
echo '#include "runtime/types.h"' > kernels/cpu/kernels.h
echo '#include "kernels.h"' > kernels/cpu/potrf.c
printf '#include "kernels/cpu/kernels.h"\n#include "runtime/submit.h"\n' > codelets/codelets.h
echo '#include "codelets/codelets.h"' > algorithms/dense/potrf.c
echo '#include <tilework/starpu.h>' > examples/interop.c
echo '#include "runtime/submit.h"' | tee io/io.h > traces/paje.h
bash "$check" "$tree" >/dev/null || { echo "a clean tree was refused"; exit 1; }

refuses() {      # FILE INCLUDE: the check must fail and name FILE:2
  cp "$1" saved 2>/dev/null || : > saved
  printf '/* broken on purpose */\n#include %s\n' "$2" > "$1"
  if out=$(bash "$check" "$tree"); then echo "$1 including $2 was not found"; exit 1; fi
  case $out in *"$1:2: "*) ;; *) echo "$1:2 is not named in: $out"; exit 1 ;; esac
  if [ -s saved ]; then cp saved "$1"; else rm "$1"; fi
}
refuses runtime/start.c '"codelets/codelets.h"'
refuses codelets/potrf.c '"../algorithms/dense/potrf.c"'
refuses algorithms/dense/trsm.c '"kernels/cpu/kernels.h"'
refuses kernels/cpu/trsm.c '<starpu.h>'
refuses kernels/cpu/trsm.c '"runtime/submit.h"'
refuses codelets/trsm.c '<starpu_cublas_v2.h>'
refuses cli/potrf.c '"runtime/submit.h"'
refuses examples/potrf.c '"io/io.h"'
refuses include/tilework/dense.h '"runtime/submit.h"'
refuses io/mm.c '"traces/paje.h"'
echo "layering check: finds every broken rule it was given"
