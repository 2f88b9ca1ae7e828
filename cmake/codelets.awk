# docs/coverage.md of the codelets' sources: which kernel has a body for CPUs, which one for GPUs.
#   awk -f cmake/codelets.awk $(find codelets runtime -name '*.c' | LC_ALL=C sort)
# A codelet is a brace with .name = "…" (runtime/task/submit.h), or CODELET("…", …) where its file defines that macro so.
function body(text, field) { return match(text, "\\." field " = ") ? "yes" : "–" }
function row(file, name, text,    parts) {
  split(file, parts, "/")
  family = parts[1] == "codelets" && parts[3] != "" ? parts[2] : "shared"
  cpu = body(text, "cpu"); cuda = body(text, "cuda")
  if (cpu != "yes" && cuda != "yes") { print file ": " name " has no body" > "/dev/stderr"; failed = 1 }
  if (family " " name in rows) { print file ": there is another " name > "/dev/stderr"; failed = 1 }
  rows[family " " name] = "| `" name "` | " cpu " | " cuda " | [" file "](../" file ") |"
  if (!count[family] && index(" dense eigen svd fft nbody md shared ", " " family " ") == 0) more = more " " family # a new one
  order[++total] = family " " name
  count[family]++
  if (cpu == "yes") on_cpu[family]++
  if (cuda == "yes") on_gpu[family]++
}
function finish(file, text,    macro, before, found) {
  if (text !~ /struct tw_codelet[ \n]+[a-z0-9_]+(\[[A-Z_]+\])? = \{/) return
  before = total
  gsub(/\\\n/, " ", text); gsub(/\n/, " ", text)
  while ((found = index(text, "/*"))) { # comments
    rest = substr(text, found + 2)
    text = substr(text, 1, found - 1) " " substr(rest, index(rest, "*/") + 2)
  }
  if (match(text, /#define CODELET\([^{]*\{[^{}]*\}/)) {
    macro = substr(text, RSTART, RLENGTH)
    others = substr(text, RSTART + RLENGTH)
    while (match(others, /CODELET\("[^"]*"/)) {
      name = substr(others, RSTART + 9, RLENGTH - 10)
      others = substr(others, RSTART + RLENGTH) # row() matches, too
      row(file, name, macro)
    }
  }
  while (match(text, /\{[^{}]*\.name = "[^"]*"[^{}]*\}/)) {
    brace = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (brace !~ /\.rate = /) continue # a routine's row, say
    match(brace, /\.name = "[^"]*"/)
    row(file, substr(brace, RSTART + 9, RLENGTH - 10), brace)
  }
  if (total == before) { print file ": a codelet that is not understood" > "/dev/stderr"; failed = 1 }
}
FNR == 1 { if (file != "") finish(file, all); file = FILENAME; all = "" }
{ all = all $0 "\n" }
END {
  if (file != "") finish(file, all)
  print "# Kernels on CPUs and on GPUs"
  print ""
  print "Which task has a body for CPUs, and which one for GPUs: the scheduler may place it where it has one. Made of the codelets by `cmake --build build --target coverage-page`;"
  print "the test `docs/coverage` compares."
  print ""
  print "| family | kernels | on CPUs | on GPUs |"
  print "|---|---|---|---|"
  families = split("dense eigen svd fft nbody md" more " shared", list, " ")
  for (f = 1; f <= families; f++)
    if (count[list[f]]) printf "| %s | %d | %d | %d |\n", list[f], count[list[f]], on_cpu[list[f]], on_gpu[list[f]]
  for (i = 2; i <= total; i++) # by name
    for (k = i; k > 1 && order[k] < order[k - 1]; k--) { swap = order[k]; order[k] = order[k - 1]; order[k - 1] = swap }
  for (f = 1; f <= families; f++) {
    if (!count[list[f]]) continue
    print "\n## " list[f] "\n\n| kernel | CPU | GPU | file |\n|---|---|---|---|"
    for (i = 1; i <= total; i++)
      if (index(order[i], list[f] " ") == 1) print rows[order[i]]
  }
  exit failed
}
