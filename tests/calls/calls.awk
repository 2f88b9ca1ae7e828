# From the preprocessed public headers to C: one function call_<name>() per public function, which calls it with good arguments
# but for those that are to be bad (bad_calls.h), and the table of them all. only: the names that count.
{ text = text " " $0 }
END {
  n = split(text, part, ";")
  for (k = 1; k <= n; k++) {
    p = part[k]
    if (p !~ /visibility\("default"\)/) continue
    sub(/.*visibility\("default"\)\)\)/, "", p)
    open = index(p, "(")
    head = substr(p, 1, open - 1); args = substr(p, open + 1); sub(/\)[ ]*$/, "", args)
    gsub(/[ \t]+/, " ", head); sub(/ $/, "", head)
    name = head; sub(/.*[ *]/, "", name)
    result = substr(head, 1, length(head) - length(name)); gsub(/^ | $/, "", result)
    if (name in seen || name !~ only) continue
    seen[name] = 1
    emit(name, args)
  }
  printf "const struct call calls[] = {\n"
  for (k = 1; k <= count; k++) printf "    {\"%s\", call_%s, \"%s\"},\n", names[k], names[k], kinds[k]
  printf "};\nconst int ncalls = %d;\n", count
}
function emit(name, args,    a, m, i, t, v, stars, base, list) {
  m = 0
  if (args !~ /^[ ]*(void)?[ ]*$/) m = split(args, a, ",")
  printf "static void call_%s(const struct bad *b)\n{\n    (void)b;\n", name
  list = ""; kind = ""
  for (i = 1; i <= m; i++) {
    t = a[i]; gsub(/^ +| +$/, "", t); gsub(/[ \t]+/, " ", t)
    stars = gsub(/\*/, "*", t)
    if (t ~ /\[/) { stars++; sub(/\[[^]]*\]/, "", t) }
    v = t; sub(/.*[ *]/, "", v)
    base = substr(t, 1, length(t) - length(v)); gsub(/\*/, "", base); gsub(/const /, "", base)
    gsub(/^ +| +$/, "", base)
    if (stars) {
      kind = kind (stars == 1 && (base == "char" || base == "tw_int") ? "n" : stars == 1 ? "p" : "0")
      sub(/[^ *]+$/, "", t)
      printf "    void *a%d = pointer(b, %d, \"%s\", %d, \"%s\");\n", i, i - 1, base, stars, v
    } else if (base == "tw_scalar") {
      printf "    tw_scalar a%d = {1, 0};\n", i; kind = kind "-"
    } else if (base ~ /_(fn|kernel|report)$/) {
      printf "    %s a%d = (%s)function(b, %d, \"%s\");\n", base, i, base, i - 1, base; kind = kind "0"
    } else if (base == "double" || base == "float") {
      printf "    %s a%d = (%s)real(b, %d, \"%s\");\n", base, i, base, i - 1, v
    } else {
      printf "    %s a%d = (%s)number(b, %d, \"%s\");\n", base, i, base, i - 1, v
    }
    if (length(kind) < i) kind = kind "n"
    list = list (i > 1 ? ", " : "") "a" i
  }
  printf "    before(\"%s\");\n    (void)%s(%s);\n    after(\"%s\");\n}\n", name, name, list, name
  names[++count] = name; kinds[count] = kind
}
