#!/usr/bin/env bash
# The tree's one-way arrows, as tests/layering.txt says, checked on
#
#   every #include, and every chain of them: no header that a room may use may bring in one that it may not;
#   StarPU: only runtime/, include/tilework/starpu.h and the scheduler's example (a library for StarPU) include its headers, and kernels/ and types/ do not even reach them;
#   every symbol: what an object refers to, and another of the library's (or another of the command's) objects defines, is a use, too.
#
#   tests/layering.sh [TREE [BUILD]]      fails naming file, line or symbol, and the rule; without BUILD no symbols are looked at
set -euo pipefail
root=${1:-${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}}
build=${2:-}
if [ -n "$build" ]; then build=$(cd "$build" && pwd); fi
cd "$root"
table=tests/layering.txt
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# Rules, in awk: may(file, other) says "" or what is broken.
cat > "$work/rules.awk" <<'AWK'
function within(path, room) { return path == room || index(path, room "/") == 1 }
function within_any(path, rooms,    list, n, i) {
  n = split(rooms, list, " ")
  for (i = 1; i <= n; i++) if (within(path, list[i])) return 1
  return 0
}
function room(path) { sub(/\/.*/, "", path); return path }
function family(path,    part) { return split(path, part, "/") > 2 && (part[1] in families) ? part[2] : "" }
function place(path, o,    list, n, i) {
  n = split(order[o], list, " ")
  for (i = 1; i <= n; i++) if (within(path, list[i])) return i
  return 0
}
function granted(file, other,    i) {
  for (i = 1; i <= grants; i++) if (within(file, who[i]) && within_any(other, what[i])) return 1
  return 0
}
function rooms_allow(file, other) {
  if (!(room(file) in uses)) return 1
  return within_any(other, uses[room(file)]) || granted(file, other)
}
function may(file, other,    o, a, b) {
  if (!rooms_allow(file, other)) return room(file) "/ may use only " uses[room(file)] ", not " other
  if (granted(file, other)) return ""
  a = family(file); b = family(other)
  if (b != "" && (room(file) in families) && a != b)
    return (a == "" ? "what lies in " room(file) "/ itself" : "the family " a) " does not use the family " b " (" other ")"
  for (o = 1; o <= orders; o++) {
    a = place(file, o); b = place(other, o)
    if (a && b > a) return "the order is " order[o] ": not " other
  }
  return ""
}
FNR == 1 { input++ }
input == 1 {
  sub(/#.*/, "")
  if (NF == 0) next
  kind = $1; rest = $0; sub(/^[ \t]*[a-z]+[ \t]+/, "", rest)
  if (kind == "room" || kind == "also") {
    at = index(rest, ":")
    if (!at) { print "layering.txt: no colon in: " $0; wrong = 1; exit 1 }
    name = substr(rest, 1, at - 1); gsub(/[ \t]/, "", name); rest = substr(rest, at + 1); sub(/^[ \t]+/, "", rest)
    if (kind == "room") uses[name] = rest
    else { who[++grants] = name; what[grants] = rest }
  } else if (kind == "family") { n = split(rest, list, " "); for (i = 1; i <= n; i++) families[list[i]] = 1 }
  else if (kind == "order") order[++orders] = rest
  else { print "layering.txt: neither room nor family, order or also: " $0; wrong = 1; exit 1 }
  next
}
AWK

rooms=$(sed -n 's/^room \([a-z]*\) .*/\1/p' "$table")
for room in $rooms; do
  if [ -d "$room" ]; then find "$room" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \); fi
done | sort > "$work/files"
if [ ! -s "$work/files" ]; then echo "layering: no sources in $root"; exit 1; fi
status=0

# ---- includes -------------------------------------------------------------------------------------------------------
xargs awk '
  match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+[">]/) {
    what = substr($0, RSTART, RLENGTH); sub(/^[^"<]*["<]/, "", what); sub(/[">]$/, "", what)
    print FILENAME "\t" FNR "\t" what
  }' < "$work/files" > "$work/includes"
cat "$work/rules.awk" - > "$work/includes.awk" <<'AWK'
# The file of the tree that an include names, or "".
function normal(path,    part, n, i, out, depth) {
  n = split(path, part, "/"); depth = 0
  for (i = 1; i <= n; i++) {
    if (part[i] == "." || part[i] == "") continue
    if (part[i] == ".." && depth > 0) depth--
    else out[++depth] = part[i]
  }
  path = out[1]
  for (i = 2; i <= depth; i++) path = path "/" out[i]
  return path
}
function resolve(file, name,    dir, path) {
  dir = file; sub(/\/[^\/]*$/, "", dir)
  path = normal(dir "/" name); if (path in exists) return path
  path = normal(name); if (path in exists) return path
  path = "include/" name; if (path in exists) return path
  return ""
}
function complain(i, text) { print file[i] ":" line[i] ": " text; bad++ }
# What file[i] reaches through its include number i that it may not: a chain of names, or "". Looked at where a room's files end: a header of
# the same room is judged itself.
function reaches(i,    queue, head, tail, from, seen, at, k, next_file, chain) {
  head = 1; tail = 1; queue[1] = target[i]; from[1] = ""; seen[target[i]] = 1
  while (head <= tail) {
    at = queue[head]
    for (k = first[at]; k <= last[at]; k++) {
      next_file = target[k]
      if (next_file == "" || (next_file in seen)) continue
      seen[next_file] = 1; queue[++tail] = next_file; from[tail] = head
      if (!rooms_allow(file[i], next_file)) {
        chain = next_file
        for (k = head; k != ""; k = from[k]) chain = queue[k] " -> " chain
        return chain
      }
    }
    head++
  }
  return ""
}
input == 2 { exists[$1] = 1; next }
{
  split($0, f, "\t")
  n++; file[n] = f[1]; line[n] = f[2]; included[n] = f[3]; target[n] = resolve(f[1], f[3])
  if (!(f[1] in first)) first[f[1]] = n
  last[f[1]] = n
}
END {
  if (wrong) exit 1
  do {                                   # headers that reach StarPU
    changed = 0
    for (i = 1; i <= n; i++)
      if (!(file[i] in starpu) && (included[i] ~ /^starpu(_[a-z0-9_]+)?\.h$/ || target[i] in starpu)) { starpu[file[i]] = 1; changed = 1 }
  } while (changed)
  for (i = 1; i <= n; i++) {
    if (included[i] ~ /^starpu(_[a-z0-9_]+)?\.h$/ && room(file[i]) != "runtime" && file[i] != "include/tilework/starpu.h" && file[i] !~ /^examples\/scheduler\//)
      complain(i, "only runtime/ and include/tilework/starpu.h include StarPU (" included[i] ")")
    if (target[i] == "") continue
    if (room(file[i]) ~ /^(kernels|types)$/ && target[i] in starpu) complain(i, room(file[i]) "/ know no StarPU, but " target[i] " includes it")
    broken = may(file[i], target[i])
    if (broken != "") complain(i, broken)
    else if (room(target[i]) != room(file[i]) && (chain = reaches(i)) != "") complain(i, room(file[i]) "/ may use only " uses[room(file[i])] ", but reaches " chain)
  }
  if (bad) { print "layering: " bad " broken rule(s)"; exit 1 }
  print "layering: " n " includes, all along the arrows"
}
AWK
awk -f "$work/includes.awk" "$table" "$work/files" "$work/includes" || status=1

# ---- symbols --------------------------------------------------------------------------------------------------------
if [ -n "$build" ]; then
  # BUILD/CMakeFiles/TARGET.dir/SOURCE.o of the targets that the pattern names, of sources that still exist: into $work/symbols
  symbols_of() {
    { find "$build/CMakeFiles" -path "*/CMakeFiles/$1.dir/*" -name '*.o' 2>/dev/null || true; } | sort > "$work/objects"
    while read -r object; do
      source=${object#"$build"/CMakeFiles/$1.dir/}; source=${source%.o}
      if [ -f "$source" ]; then printf '%s\n' "$object"; fi
    done < "$work/objects" > "$work/current"
    xargs -r nm -A < "$work/current" | sed "s|^.*/CMakeFiles/[^/]*\.dir/||" > "$work/symbols"
    [ -s "$work/current" ]
  }
  cat "$work/rules.awk" - > "$work/symbols.awk" <<'AWK'
{
  colon = index($0, ":"); source = substr($0, 1, colon - 1); sub(/\.o$/, "", source)
  m = split(substr($0, colon + 1), f, " "); type = f[m - 1]; symbol = f[m]
  if (type == "U") { if (!((source, symbol) in once)) { once[source, symbol] = 1; n++; user[n] = source; used[n] = symbol } }
  else if (type ~ /^[TBDRCVW]$/ && !((symbol, source) in made)) {
    made[symbol, source] = 1; makers[symbol] = makers[symbol] source " "
  }
}
END {
  if (wrong) exit 1
  for (i = 1; i <= n; i++) {
    if (!(used[i] in makers)) continue
    all++
    m = split(makers[used[i]], list, " "); broken = ""
    for (k = 1; k <= m; k++) {           # the same symbol may be made in several places: one that may be used is enough
      broken = may(user[i], list[k])
      if (broken == "") break
    }
    if (broken != "") { print user[i] ": refers to " used[i] ": " broken; bad++ }
  }
  if (bad) { print "layering: " bad " reference(s) against the arrows"; exit 1 }
  if (!all) { print "layering: no references found between objects"; exit 1 }
  print "layering: " all " references between objects, all along the arrows"
}
AWK
  symbols_of 'tw_*' || { echo "layering: no objects in $build"; exit 1; }
  awk -f "$work/symbols.awk" "$table" "$work/symbols" || status=1
  if symbols_of 'tilework_c*'; then awk -f "$work/symbols.awk" "$table" "$work/symbols" || status=1; fi
fi
exit $status
