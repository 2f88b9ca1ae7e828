# The C++17 header, made of the tables of bindings/api.awk: cplusplus.awk -f names.awk. -v part=fft: the header of libtilework_fft.
function c_type(t) { gsub(/dcomplex/, "tw_complex_double", t); gsub(/scomplex/, "tw_complex_float", t); return t }
function declared(t, a) { t = c_type(t); return t (t ~ /\*$/ ? "" : " ") a }
function short(name) { return substr(name, 4) }
function is_owner(s) { return s ~ /^tw_(particles|atoms|table|signal)$/ }
function by_default(name, i, a) {      # only where all behind it have one, too
  for (; i <= argc[name]; i++) { a = arg[name, i]; if (!((a == "nb" && i > 2 && type[name, i] !~ /\*/) || a == "dist" || a == "source" || a == "options" || a == "report" || a == "user" || a == "seed" || (a == "batch" && 0))) return "" }
  return "yes"
}
function default_value(a) { return a == "nb" ? "0" : a == "seed" ? "1" : "nullptr" }
function emit(name,    g, n, i, t, a, list, passed, made, answer, pre, post, status, counted, back, called) {
  g = is_lapack(name) || generic(name) != "" ? generic(name) : ""
  called = g != "" ? g : short(name)
  if (called == "delete") fail("a word of C++: " name)
  n = argc[name]; list = passed = ""; made = back = counted = ""; pre = ""
  status = result[name] ~ /^(int|tw_int)$/ && !is_answer(name)
  for (i = 1; i <= n; i++) {
    t = type[name, i]; a = arg[name, i]; if (("tw_" a) in known) a = a "_"      # no class' name
    if (i == 1 && t ~ /^tw_[a-z_]+ \*\*$/ && is_opaque(base_type(t)) && status) { made = short(base_type(t)); passed = "&made_"; continue }
    if (is_struct(base_type(t)) && stars_of(t) == 1 && t !~ /^const/ && arg[name, n] == "max" && i < n) { counted = base_type(t); passed = passed (passed == "" ? "" : ", ") "items_"; continue }
    if (counted != "" && i == n) { passed = passed ", max_"; continue }
    if (i == n && !is_answer(name) && stars_of(t) == 1 && t !~ /^const/ && (is_struct(base_type(t)) && !is_owner(base_type(t)) || (t == "double *" && a ~ /^(value|rcond|seconds)$/))) { back = base_type(t); passed = passed (passed == "" ? "" : ", ") "&back_"; continue }
    if (counted != "" && a == "first") { passed = passed ", 0"; continue }      # all of them, from the first on
    if (is_owner(base_type(t)) && stars_of(t) == 1) {      # arrays that belong to a structure
      list = list (list == "" ? "" : ", ") (t ~ /^const/ ? "const " base_type(t) " &" a : (name ~ /_(generate|read|alloc|load|restart)$/ ? short(base_type(t)) " &" a : base_type(t) " &" a))
      if (name ~ /_(generate|read|alloc|load|restart)$/ && t !~ /^const/) pre = pre "    " a ".reset();\n"
      passed = passed (passed == "" ? "" : ", ") "&" a; continue
    }
    list = list (list == "" ? "" : ", ") declared(t, a) (by_default(name, i) != "" ? " = " default_value(a) : "")
    passed = passed (passed == "" ? "" : ", ") a
  }
  if (counted != "") {
    print "inline std::vector<" counted "> " called "(" list ")\n{\n    return detail::all<" counted ">([&](" counted " *items_, auto max_) { return ::" name "(" passed "); });\n}"
    return
  }
  if (made != "") {
    print "inline " made " " called "(" list ")\n{\n    tw_" made " *made_ = nullptr;\n    check(::" name "(" passed "));\n    return " made "(made_);\n}"
    return
  }
  if (back != "" && (status || result[name] == "void")) {
    print "inline " back " " called "(" list ")\n{\n    " back " back_{};\n" pre "    " (status ? "check(::" name "(" passed "))" : "::" name "(" passed ")") ";\n    return back_;\n}"
    return
  }
  if (back != "") fail("what becomes of the last argument of " name)
  answer = is_answer(name) && result[name] ~ /^(int|tw_int)$/
  if (status) print "inline void " called "(" list ")\n{\n" pre "    check(::" name "(" passed "));\n}"
  else if (answer) print "inline " result[name] " " called "(" list ")\n{\n    return answer(::" name "(" passed "));\n}"
  else print "inline " declared(c_type(result[name]), called) "(" list ")\n{\n    " (result[name] == "void" ? "" : "return ") "::" name "(" passed ");\n}"
}
function fail(what) { print "cplusplus.awk: " what > "/dev/stderr"; failed = 1; exit 1 }
END {
  if (failed) exit 1
  mine = part == "fft" ? 2 : 1
  while ((getline line < prologue) > 0) print line
  print "/* ---- objects ---- */"
  for (i = 1; i <= structures; i++) {
    s = structure[i]
    if (of_table[s] != mine) continue
    if (is_opaque(s)) {
      free = (s "_destroy") in result ? s "_destroy" : ""
      if (free == "") fail("who destroys a " s)
      if (s == "tw_sequence") continue      # in the prologue
      print "using " short(s) " = detail::object<" s ", " result[free] ", ::" free ">;"
    } else if (is_owner(s)) print "using " short(s) " = detail::owner<" s ", ::" s "_free>;"
  }
  print "\n/* ---- functions ---- */"
  for (k = 1; k <= functions; k++) {
    if (of_table[fn[k]] != mine) continue
    if (fn[k] ~ /_(destroy|free)$/ && fn[k] != "tw_fft_free") { print "using ::" fn[k] ";"; continue }      # the objects' own
    emit(fn[k])
  }
  print "} // namespace tilework\n#endif"
}
