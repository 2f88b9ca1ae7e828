#!/usr/bin/env bash
# The tree's one-way arrows (docs/design.md, section 1), checked on every #include:
#
#   cli, examples -> include;   algorithms -> codelets -> kernels;   all -> runtime, include;   runtime -> include only;
#   io, traces -> runtime.   Only runtime/ and include/tilework/starpu.h include StarPU's headers, and kernels/ do not
#   even reach them through a header of runtime/.
#
#   tests/layering.sh [TREE]      fails naming file, line and the rule
set -euo pipefail
root=${1:-${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}}
cd "$root"

mapfile -t files < <(for room in include runtime kernels codelets algorithms io traces cli examples; do
  if [ -d "$room" ]; then find "$room" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \); fi; done | sort)
if [ ${#files[@]} -eq 0 ]; then echo "layering: no sources in $root"; exit 1; fi

# One line per include: file, line number, what is included, resolved to a path of the tree where there is one.
awk '
  match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+[">]/) {
    what = substr($0, RSTART, RLENGTH); sub(/^[^"<]*["<]/, "", what); sub(/[">]$/, "", what)
    print FILENAME "\t" FNR "\t" what
  }' "${files[@]}" |
while IFS=$'\t' read -r file line what; do
  target=$what kind=outside
  for candidate in "$(dirname "$file")/$what" "$what" "include/$what"; do
    if [ -f "$candidate" ]; then target=$(realpath --relative-to=. "$candidate") kind=tree; break; fi
  done
  printf '%s\t%s\t%s\t%s\n' "$file" "$line" "$target" "$kind"
done |
awk -F '\t' '
  function room(path) { sub(/\/.*/, "", path); return path }
  function complain(text) { print file[i] ":" line[i] ": " text; bad++ }
  BEGIN {
    allow["include"] = "include"
    allow["runtime"] = "runtime include"
    allow["kernels"] = "kernels runtime include"
    allow["codelets"] = "codelets kernels runtime include"
    allow["algorithms"] = "algorithms codelets runtime include"
    allow["io"] = "io runtime include"
    allow["traces"] = "traces runtime include"
    allow["cli"] = "cli include"
    allow["examples"] = "examples include"
  }
  { n++; file[n] = $1; line[n] = $2; target[n] = $3; kind[n] = $4 }
  END {
    # headers that reach starpu.h, directly or through others, within the tree
    do {
      changed = 0
      for (i = 1; i <= n; i++)
        if (!(file[i] in starpu) && (target[i] ~ /^starpu(_[a-z0-9_]+)?\.h$/ || target[i] in starpu)) {
          starpu[file[i]] = 1; changed = 1
        }
    } while (changed)
    for (i = 1; i <= n; i++) {
      from = room(file[i])
      if (kind[i] == "tree" && index(" " allow[from] " ", " " room(target[i]) " ") == 0)
        complain(from "/ may include only " allow[from] ", not " target[i])
      if (target[i] ~ /^starpu(_[a-z0-9_]+)?\.h$/ && from != "runtime" && file[i] != "include/tilework/starpu.h")
        complain("only runtime/ and include/tilework/starpu.h include StarPU (" target[i] ")")
      if (from == "kernels" && target[i] in starpu)
        complain("kernels/ know no StarPU, but " target[i] " includes it")
    }
    if (bad) { print "layering: " bad " broken rule(s)"; exit 1 }
    print "layering: " n " includes, all along the arrows"
  }'
