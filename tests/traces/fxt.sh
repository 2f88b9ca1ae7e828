#!/usr/bin/env bash
# StarPU's own traces (FxT) go on working under Tilework: record, convert with StarPU's tool, draw with ViTE.
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

library=$build/lib/libtilework.so
[ -e "$library" ] || die "no $library"
starpu=$(ldd "$library" | awk '/libstarpu-1/ && !n++ { print $3 }')
[ -n "$starpu" ] || die "libtilework.so is not linked with StarPU"
[[ $(ldd "$starpu") == *libfxt* ]] || skip "this StarPU was built without FxT"
tool=$(dirname "$starpu")/../bin/starpu_fxt_tool
[ -x "$tool" ] || tool=$(command -v starpu_fxt_tool) || skip "starpu_fxt_tool is not installed (package starpu-tools)"

mkdir "$work/fxt"
STARPU_FXT_TRACE=1 STARPU_FXT_PREFIX=$work/fxt/ STARPU_FXT_SUFFIX=run "$tilework" potrf --n 1024 --nb 128
record=$work/fxt/run_0 # _RANK
[ -s "$record" ] || die "STARPU_FXT_TRACE=1 left no record in STARPU_FXT_PREFIX: $(ls "$work/fxt")"
"$tool" -d "$work/fxt" -i "$record" > "$work/tool.log" 2>&1 ||
  { tail "$work/tool.log" >&2; die "starpu_fxt_tool failed"; }
[ -s "$work/fxt/paje.trace" ] || die "starpu_fxt_tool wrote no paje.trace"
for kernel in potrf trsm syrk gemm; do
  grep -q "$kernel" "$work/fxt/paje.trace" || die "StarPU's trace knows no $kernel"
done

tasks=$(grep -cE '^Name: (potrf|trsm|syrk|gemm)$' "$work/fxt/tasks.rec" || true)
[ "$tasks" -eq 120 ] || die "a Cholesky of 8 x 8 tiles has 120 tasks, StarPU recorded $tasks"
command -v vite > /dev/null || { echo "vite is not installed: no picture made"; exit 0; }
# StarPU records its own start as well, which can be so long that the tasks would be too narrow to be drawn.
window=$(awk '/^Name:/ { ours = /: (potrf|trsm|syrk|gemm)$/ }
  ours && /^StartTime:/ && (!n++ || $2 < from) { from = $2 }
  ours && /^EndTime:/ && $2 > to { to = $2 }
  END { printf "%.3f:%.3f", from, to }' "$work/fxt/tasks.rec")
export_picture "$work/fxt/paje.trace" "$work/fxt.svg" "$window"
n=$(boxes "$work/fxt.svg")
echo "picture of $n boxes, from and to $window ms"
[ "$n" -ge 100 ] || die "120 tasks, but ViTE drew only $n boxes"
