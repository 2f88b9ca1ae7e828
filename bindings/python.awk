# The Python extension `_tilework`, made of the tables of bindings/api.awk, bindings/shapes.txt and bindings/lengths.txt: -f names.awk -f python.awk -v shapes= -v lengths= -v stubs=OUT.pyi
function fail(what) { print "python.awk: " what > "/dev/stderr"; failed = 1; exit 1 }
function is_owner(s) { return s ~ /^tw_(particles|atoms|table)$/ }
function read_lengths(    line, part, w, n, i, a) {
  while ((getline line < lengths) > 0) {
    if (line ~ /^#/ || line !~ /:/) continue
    split(line, part, " : "); n = split(part[2], w, " ")
    for (i = 1; i <= n; i++) {
      a = substr(w[i], 1, index(w[i], "=") - 1)
      nlengths++; l_of[nlengths] = "^(" part[1] ")$"; l_expr[nlengths] = substr(w[i], index(w[i], "=") + 1)
      l_none[nlengths] = sub(/\?$/, "", a); l_arg[nlengths] = a
    }
  }
}
function length_line(name, a,    k, plain) {
  plain = substr(name, 4); sub(/_async$/, "", plain)
  for (k = 1; k <= nlengths; k++) if (l_arg[k] == a && plain ~ l_of[k]) return k
  fail("bindings/lengths.txt says nothing of " a " of " name)
}
function c_type(t) { gsub(/dcomplex/, "double _Complex", t); gsub(/scomplex/, "float _Complex", t); return t }
function declared(t) { if (base_type(t) in enums) sub(base_type(t), "enum " base_type(t), t); return c_type(t) }
function element(t) { t = base_type(t); return t == "float" ? 0 : t == "double" ? 1 : t == "scomplex" ? 2 : t == "dcomplex" ? 3 : t == "int" ? 4 : t == "tw_int" ? 5 : -1 }
function is_letters(t,    i) { for (i = 1; i <= enums[t]; i++) if (evalue[t, i] < 65) return 0; return 1 }
function expr(e) { e = " " e; while (match(e, /[^a-z_](pick|left|factor|wants|found|inside|compact|vectors|wide|tall|min|max)\(/)) e = substr(e, 1, RSTART) "of_" substr(e, RSTART + 1)
  while (match(e, /[a-z]+\.1/)) e = substr(e, 1, RSTART + RLENGTH - 3) "_.rows" substr(e, RSTART + RLENGTH)
  while (match(e, /[a-z]+\.2/)) e = substr(e, 1, RSTART + RLENGTH - 3) "_.columns" substr(e, RSTART + RLENGTH); return substr(e, 2) }
# ---- structures
function field_value(s, i,    t, f, n, x) {
  t = ftype[s, i]; f = "s->" fname[s, i]; n = fsize[s, i]
  if (t == "char" && n != "") return "PyUnicode_DecodeUTF8(" f ", (Py_ssize_t)strnlen(" f ", sizeof " f "), \"replace\")"
  if (n != "") return ""
  if (t == "const char *") return "tw_py_string(" f ")"
  if (t == "char") return "PyUnicode_FromStringAndSize(&" f ", " f " ? 1 : 0)"
  if (t == "double" || t == "float") return "PyFloat_FromDouble(" f ")"
  if (t == "size_t" || t == "uint64_t") return "PyLong_FromUnsignedLongLong(" f ")"
  if (t ~ /^(int|tw_int|int64_t)$/ || t in enums) return "PyLong_FromLongLong((long long)" f ")"
  if (is_struct(t)) return "py_of_" t "(&" f ")"
  if (t ~ /\*/ || t == "function") return "Py_NewRef(Py_None)"
  fail("field " fname[s, i] " of " s)
}
function to_python(s,    i, t, n, x, count) {
  print "static __attribute__((unused)) PyObject *py_of_" s "(const " s " *s)\n{\n    PyObject *d = PyDict_New();\n    if (!d) return NULL;\n    int bad = 0;"
  for (i = 1; i <= fields[s]; i++) {
    x = field_value(s, i); t = ftype[s, i]; n = fsize[s, i]
    if (x != "") { print "    bad |= tw_py_put(d, \"" fname[s, i] "\", " x ");"; continue }
    count = n; for (k = 1; k <= fields[s]; k++) if (fname[s, k] == fname[s, i] "s" && ftype[s, k] == "int") count = "s->" fname[s, k]
    x = t == "double" ? "PyFloat_FromDouble(s->" fname[s, i] "[k])" : is_struct(t) ? "py_of_" t "(&s->" fname[s, i] "[k])" : t == "const char *" ? "tw_py_string(s->" fname[s, i] "[k])" : "PyLong_FromLongLong((long long)s->" fname[s, i] "[k])"
    print "    {\n        PyObject *list = PyList_New(0);\n        for (int k = 0; list && k < (int)(" count ") && k < " n "; k++) {\n            PyObject *one = " x ";\n            bad |= !one || PyList_Append(list, one);\n            Py_XDECREF(one);\n        }"
    print "        bad |= tw_py_put(d, \"" fname[s, i] "\", list);\n    }"
  }
  print "    if (!bad) return tw_py_named(d);\n    Py_DECREF(d);\n    return NULL;\n}"
}
function from_python(s,    i, t, f) {
  print "static int py_to_" s "(PyObject *o, " s " *s, PyObject *keep)\n{\n    PyObject *v = NULL;\n    (void)keep;\n    memset(s, 0, sizeof *s);"
  if ((s "_init") in result && argc[s "_init"] == 1) print "    " s "_init(s);"
  print "    if (!o || o == Py_None) return 0;"
  for (i = 1; i <= fields[s]; i++) {
    t = ftype[s, i]; f = fname[s, i]
    if (f == "size" || t == "function" || t == "void *") continue
    if (fsize[s, i] != "") { if (t !~ /double|int|tw_int/ && !(t in enums)) fail("field " f " of " s); print "    if ((v = tw_py_look(o, \"" f "\"))) {\n        for (int k = 0; k < " fsize[s, i] "; k++) {\n            PyObject *one = PySequence_GetItem(v, k);\n            if (!one) goto bad;\n            s->" f "[k] = " (t == "double" ? "PyFloat_AsDouble(one)" : "(" declared(t) ")PyLong_AsLongLong(one)") ";\n            Py_DECREF(one);\n            if (PyErr_Occurred()) goto bad;\n        }\n        Py_CLEAR(v);\n    }"; continue }
    print "    if ((v = tw_py_look(o, \"" f "\"))) {"
    if (t == "const char *") print "        if (v != Py_None) {\n            if (!(s->" f " = PyUnicode_AsUTF8AndSize(v, NULL)) || PyList_Append(keep, v)) goto bad;\n        }"
    else if (t == "const int *") print "        if (v != Py_None) {\n            struct tw_py_array a;\n            PyObject *view = PyMemoryView_FromObject(v);\n            if (!view || PyList_Append(keep, view) || tw_py_take(&a, view, \"" f "\", TW_INT32, 0, 0)) {\n                Py_XDECREF(view);\n                goto bad;\n            }\n            Py_DECREF(view);\n            s->" f " = a.at;\n            tw_py_let(&a);\n        }"
    else if (t == "double") print "        if (tw_py_real(v, &s->" f ")) goto bad;"
    else if (t == "char") print "        if (tw_py_letter(v, \"" f "\", &s->" f ")) goto bad;"
    else if (t == "size_t" || t == "uint64_t") print "        s->" f " = PyLong_AsSize_t(v);\n        if (PyErr_Occurred()) goto bad;"
    else if (t ~ /^(int|tw_int)$/ || t in enums) print "        long long number;\n        if (tw_py_integer(v, \"" f "\", &number, " (t in enums && is_letters(t)) ")) goto bad;\n        s->" f " = (" declared(t) ")number;"
    else if (is_struct(t)) print "        if (py_to_" t "(v, &s->" f ", keep)) goto bad;"
    else fail("field " f " of " s ": " t)
    print "        Py_CLEAR(v);\n    }"
  }
  print "    return PyErr_Occurred() ? -1 : 0;\nbad:\n    Py_XDECREF(v);\n    return -1;\n}"
}
# ---- functions
# What an argument is: size, ld (of the LAPACK door), out (a number that is returned), struct_out, made, max, room, user, or what is given.
function role(name, i,    a, t, b, k) {
  a = arg[name, i]; t = type[name, i]; b = base_type(t); k = stars_of(t)
  if (is_lapack(name)) {
    if ((lapack_name(name), a) in sizes) return "size"
    if (a ~ /^ld/ && ((lapack_name(name), substr(a, 3)) in rows)) return "ld"
    if (k == 1 && (lapack_name(name), a) in rows) return "matrix"
    if (t in callback) return "address"      # without a word of the caller's that it could find a Python function by
    if (k == 1 && b == "char") return "letter_inout"
    if (k == 1) return "out"
    return b == "char" ? "letter" : "number"
  }
  if (b == "void" && a == "user") return (name ~ /nbody/) ? "address" : "user"
  if (t in callback) return t == "tw_nbody_kernel" ? "address" : "callable"
  if (name ~ /wrap_device(_tiles)?$/ && b == "void") return "address"
  if (k == 2 && is_opaque(b)) return "made"
  if (k == 2 && b == "char") return "text_out"
  if (k == 1 && is_opaque(b)) return "object"
  if (k == 1 && is_owner(b)) return "object"
  if (k == 1 && b == "tw_distribution") return "none"
  if (k == 1 && is_struct(b)) return arg[name, argc[name]] == "max" ? "items" : t ~ /^const/ ? "struct_in" : (name ~ /_async$/ ? "struct_later" : "struct_out")
  if (a == "max" && i == argc[name]) return "max"
  if (a == "first" && arg[name, argc[name]] == "max") return "zero"
  if (k == 1 && b == "char") return "text"
  if (k == 1 && one_number(name, i)) return name ~ /_async$/ ? "array" : "out"
  if (k == 1) return "array"
  if (k == 0 && t == "tw_scalar") return "scalar"
  if (k == 0) return "number"
  fail("argument " a " of " name)
}
function may_be_left_out(name, i,    a, r, k) {
  a = arg[name, i]; r = role(name, i)
  if (r == "letter_inout" || r == "user" || r == "none" || r == "callable") return !(name == "tw_syfun" && r == "callable" && 0)
  if (r == "matrix") return rows[lapack_name(name), a] ~ /wants|vectors|inside|compact/
  if (r == "array" && !one_number(name, i)) return l_none[length_line(name, a)]
  if (r == "array") return 1
  if (r == "struct_in") return base_type(type[name, i]) ~ /options/
  if (r == "number") return (a == "nb" && i > 2) || a == "seed" || a == "bonds"
  if (r == "object") return a !~ /^(seq|A)$/
  if (r == "text") return a ~ /^(kernels|workers|formats|changes|cuda)$/
  return 0
}
# Whether an array's elements are looked at at all.
function needed(name, i,    r, a) { r = lapack_name(name); a = arg[name, i]; return may_be_left_out(name, i) ? "(" expr(rows[r, a]) ") > 0" : "1" }
function default_number(a) { return a == "seed" ? "1" : "0" }
function py_type(name, i,    r, t) {
  r = role(name, i); t = base_type(type[name, i])
  if (r == "matrix" || r == "array") return "Buffer"
  if (r == "object") return substr(t, 4)
  if (r == "letter" || r == "letter_inout" || r == "text") return "str"
  if (r == "struct_in") return "Any"
  if (r == "callable") return "Callable[..., Any]"
  if (r == "address") return "int"
  if (r == "scalar") return "complex"
  if (t == "dcomplex" || t == "scomplex") return "complex"
  if (t == "double" || t == "float") return "float"
  if (t in enums) return is_letters(t) ? "int | str" : "int"
  return "int"
}
function emit(name,    i, n, a, t, b, r, k, slot, list, convert, release, outs, nouts, pre, call, status, keepers, made, items, decl, names, o, sync, py, ret, l, counts, out_names) {
  n = argc[name]; slot = 0; list = convert = release = outs = keepers = made = items = decl = names = py = ret = out_names = ""; nouts = 0
  sync = name !~ /_async$/; status = result[name] ~ /^(int|tw_int)$/ && !is_answer(name); counts = 0
  for (i = 1; i <= n; i++) {
    a = arg[name, i]; t = type[name, i]; b = base_type(t); r = role(name, i)
    o = "given_[" slot "]"
    if (r ~ /^(matrix|letter|letter_inout|number|address|callable|object|struct_in|text|array|scalar|none)$/) {
      names = names ", \"" (may_be_left_out(name, i) ? "?" : "") a (a ~ /^(from|in|is|lambda|class)$/ ? "_" : "") "\""; slot++
      # in a stub only what is behind all that has to be there may be left out
      for (k = i + 1; k <= n; k++) if (role(name, k) ~ /^(matrix|letter|number|address|object|struct_in|text|array|scalar)$/ && !may_be_left_out(name, k)) break
      py = py (py == "" ? "" : ", ") a (a ~ /^(from|in|is|lambda|class)$/ ? "_" : "") ": " py_type(name, i) (may_be_left_out(name, i) ? (py_type(name, i) ~ /^(int|float)$/ ? "" : " | None") (k > n ? (py_type(name, i) == "int" ? " = " default_number(a) : " = None") : "") : "")
    }
    if (r == "size") { decl = decl "    tw_int " a " = 0;\n" }
    else if (r == "ld") { decl = decl "    tw_int " a " = 1;\n" }
    else if (r == "matrix") {
      decl = decl "    struct tw_py_array " a "_;\n    memset(&" a "_, 0, sizeof " a "_);\n"
      convert = convert "    if (tw_py_take(&" a "_, " o ", \"" a "\", " element(t) ", " (columns[lapack_name(name), a] != "" ? 2 : 1) ", " (t !~ /^const/) ")) goto out_;\n"
      release = release "    tw_py_let(&" a "_);\n"
      list = list ", " a "_.at"; continue
    } else if (r == "letter") { decl = decl "    char " a " = 0;\n"; convert = convert "    if (tw_py_letter(" o ", \"" a "\", &" a ")) goto out_;\n" }
    else if (r == "letter_inout") {
      decl = decl "    char " a " = 'N';\n"; convert = convert "    if (" o " && " o " != Py_None && tw_py_letter(" o ", \"" a "\", &" a ")) goto out_;\n"
      nouts++; out_names = out_names ", " a; outs = outs ", PyUnicode_FromStringAndSize(&" a ", 1)"; list = list ", &" a; ret = ret ", str"; continue
    } else if (r == "out") {
      decl = decl "    " declared(b) " " a " = 0;\n"; list = list ", &" a; nouts++; out_names = out_names ", " a
      outs = outs ", " (b == "double" || b == "float" ? "PyFloat_FromDouble(" a ")" : "PyLong_FromLongLong((long long)" a ")"); ret = ret (b == "double" || b == "float" ? ", float" : ", int"); continue
    } else if (r == "number") {
      if (b == "dcomplex" || b == "scomplex") {
        decl = decl "    double re_" a " = 0, im_" a " = 0;\n"; convert = convert "    if (tw_py_complex(" o ", &re_" a ", &im_" a ")) goto out_;\n"
        list = list ", __builtin_complex(" (b == "scomplex" ? "(float)re_" a ", (float)im_" a : "re_" a ", im_" a) ")"; continue
      }
      if (b == "double" || b == "float") { decl = decl "    double " a " = 0;\n"; convert = convert "    if (tw_py_real(" o ", &" a ")) goto out_;\n"; if (b == "float") { list = list ", (float)" a; continue } }
      else if (b == "tw_int") { decl = decl "    long long " a " = " default_number(a) ";\n"; convert = convert "    if (" o " && tw_py_integer(" o ", \"" a "\", &" a ", 0)) goto out_;\n" }
      else if (b == "size_t" || b == "uint64_t") { decl = decl "    " b " " a " = " default_number(a) ";\n"; convert = convert "    if (" o ") " a " = PyLong_AsSize_t(" o ");\n    if (PyErr_Occurred()) goto out_;\n" }
      else if (b == "int") { decl = decl "    int " a " = " default_number(a) ";\n"; convert = convert "    if (" o " && tw_py_int(" o ", \"" a "\", &" a ", 0)) goto out_;\n" }
      else if (b in enums) { decl = decl "    int number_" a " = 0;\n    enum " b " " a " = (enum " b ")0;\n"; convert = convert "    if (tw_py_int(" o ", \"" a "\", &number_" a ", " is_letters(b) ")) goto out_;\n    " a " = (enum " b ")number_" a ";\n" }
      else fail("number " a " of " name ": " t)
    } else if (r == "scalar") {
      decl = decl "    tw_scalar " a " = {0, 0};\n"; convert = convert "    if (tw_py_complex(" o ", &" a ".re, &" a ".im)) goto out_;\n"
    } else if (r == "address") {
      decl = decl "    void *" a " = NULL;\n"; convert = convert "    if (" o " != Py_None && !(" a " = PyLong_AsVoidPtr(" o ")) && PyErr_Occurred()) goto out_;\n"
      if (t in callback) { list = list ", (" t ")(uintptr_t)" a; continue }
    } else if (r == "callable") {
      decl = decl "    PyObject *call_" a " = " o " == Py_None ? NULL : " o ";\n"; list = list ", call_" a " ? py_call_" t " : NULL"; called_back = a; keepers = keepers ", call_" a; continue
    } else if (r == "user") { list = list ", call_" called_back; continue }
    else if (r == "none") { convert = convert "    if (" o " && " o " != Py_None) {\n        PyErr_SetString(PyExc_NotImplementedError, \"" a ": None\");\n        goto out_;\n    }\n"; list = list ", NULL"; continue }
    else if (r == "object") {
      decl = decl "    " b " *" a " = NULL;\n"; convert = convert "    {\n        void *pointer;\n        if (tw_py_pointer(" o ", \"" a "\", KIND_" b ", &pointer)) goto out_;\n        " a " = pointer;\n    }\n"
      keepers = keepers ", " o; if (a == "seq" || (b == "tw_sequence")) the_sequence = o
      if (a !~ /^(seq|A|targets|Z|U|Vt|X|Q)$/ || a == "A") if (!may_be_left_out(name, i)) convert = convert "    if (!" a ") {\n        PyErr_SetString(PyExc_TypeError, \"" a " is missing\");\n        goto out_;\n    }\n"
    } else if (r == "struct_in") {
      decl = decl "    " b " " a "_in;\n    PyObject *keep_" a " = PyList_New(0);\n"; convert = convert "    if (!keep_" a " || py_to_" b "(" o ", &" a "_in, keep_" a ")) goto out_;\n"
      release = release "    Py_XDECREF(keep_" a ");\n"; list = list ", " (may_be_left_out(name, i) ? o " && " o " != Py_None ? &" a "_in : NULL" : "&" a "_in"); need_from[b] = 1; continue
    } else if (r == "struct_out") { decl = decl "    static const " b " empty_" a ";\n    " b " " a " = empty_" a ";\n"; list = list ", &" a; nouts++; out_names = out_names ", " a; outs = outs ", py_of_" b "(&" a ")"; ret = ret ", Any"; continue }
    else if (r == "struct_later") {
      decl = decl "    " b " *" a " = calloc(1, sizeof *" a ");\n    PyObject *later_" a " = " a " ? tw_py_new_object(KIND_" b ", " a ") : PyErr_NoMemory();\n"
      convert = convert "    if (!later_" a ") goto out_;\n"; release = release "    Py_XDECREF(later_" a ");\n"; keepers = keepers ", later_" a; nouts++; out_names = out_names ", " a; outs = outs ", Py_NewRef(later_" a ")"; ret = ret ", Any"
    } else if (r == "made") { decl = decl "    " b " *" a " = NULL;\n"; made = b; list = list ", &" a; made_name = a; continue }
    else if (r == "text") {
      decl = decl "    const char *" a " = NULL;\n    PyObject *text_" a " = NULL;\n"; convert = convert "    if (tw_py_text(" o ", &" a ", &text_" a ")) goto out_;\n"; release = release "    Py_XDECREF(text_" a ");\n"
    } else if (r == "text_out") { decl = decl "    const char *" a " = NULL;\n"; list = list ", &" a; nouts++; out_names = out_names ", " a; outs = outs ", tw_py_string(" a ")"; ret = ret ", str | None"; continue }
    else if (r == "array") {
      decl = decl "    struct tw_py_array " a "_;\n    memset(&" a "_, 0, sizeof " a "_);\n"
      convert = convert "    if (tw_py_take(&" a "_, " o ", \"" a "\", " element(t) ", 0, " (t !~ /^const/) ")) goto out_;\n"
      release = release "    tw_py_let(&" a "_);\n"; keepers = keepers ", " o; list = list ", " a "_.at"; continue
    } else if (r == "items") { items = b; list = list ", items"; continue }
    else if (r == "zero") { list = list ", 0"; continue }
    else if (r == "max") { list = list ", room"; continue }
    list = list ", " (r == "ld" || 1 ? a : a)
  }
  print "static const char *const py_names_" name "[] = {" substr(names ", NULL", 3) "};"
  print "static PyObject *py_" name "(PyObject *const *given_)\n{\n    (void)given_;\n    PyObject *result_ = NULL;\n" decl convert
  # sizes and lengths
  if (is_lapack(name)) {
    r = lapack_name(name)
    for (i = 1; i <= n; i++) if (role(name, i) == "matrix" && !may_be_left_out(name, i)) {
      print "    if (!tw_py_is_there(&" arg[name, i] "_, \"" arg[name, i] "\")) goto out_;"
      if (type[name, i] ~ /^const/) continue
      for (k = 1; k <= n; k++) if (k != i && role(name, k) == "matrix" && !may_be_left_out(name, k) && (k > i || type[name, k] ~ /^const/))
        print "    if (tw_py_apart(&" arg[name, i] "_, \"" arg[name, i] "\", &" arg[name, k] "_, \"" arg[name, k] "\")) goto out_;"
    }
    for (i = 1; i <= n; i++) if (role(name, i) == "size") print "    " arg[name, i] " = " expr(sizes[r, arg[name, i]]) ";"
    for (i = 1; i <= n; i++) {
      a = arg[name, i]
      if (role(name, i) == "ld") print "    " a " = " substr(a, 3) "_.held ? " substr(a, 3) "_.ld : 1;"
      if (role(name, i) == "matrix") print "    if (tw_py_fits(&" a "_, \"" a "\", " expr(rows[r, a]) ", " (columns[r, a] != "" ? expr(columns[r, a]) : "1") ", " (columns[r, a] != "" ? 2 : 1) ", " (may_be_left_out(name, i) || a == "z" ? 0 : 1) ")) goto out_;"
      if (role(name, i) == "matrix" && a == "ipiv" && type[name, i] ~ /^const/) print "    if (tw_py_pivots(&ipiv_, \"ipiv\", " expr(rows[r, a]) ")) goto out_;"
    }
    # arrays that a job asks for, too
    for (i = 1; i <= n; i++) if (role(name, i) == "matrix" && type[name, i] !~ /^const/)
      for (k = 1; k <= n; k++) if (k != i && role(name, k) == "matrix" && (may_be_left_out(name, i) || may_be_left_out(name, k)) && (k > i || type[name, k] ~ /^const/))
        print "    if ((" needed(name, i) ") && (" needed(name, k) ") && tw_py_apart(&" arg[name, i] "_, \"" arg[name, i] "\", &" arg[name, k] "_, \"" arg[name, k] "\")) goto out_;"
  } else for (i = 1; i <= n; i++) {
    a = arg[name, i]
    if (role(name, i) != "array") continue
    if (one_number(name, i)) { print "    if (" a "_.held && tw_py_fits(&" a "_, \"" a "\", 1, 1, 1, 0)) goto out_;"; continue }
    l = length_line(name, a)
    print "    if (" (l_none[l] ? a "_.held && " : "") "tw_py_fits(&" a "_, \"" a "\", " l_expr[l] ", 1, 1, 0)) goto out_;"
  }
  sub(/^, /, "", list)
  if (items != "") {
    print "    {\n        int room = 64;\n        " items " *items = NULL;\n        long long there;\n        for (;;) {\n            free(items);\n            items = calloc((size_t)room, sizeof *items);\n            if (!items) {\n                PyErr_NoMemory();\n                goto out_;\n            }"
    print "            Py_BEGIN_ALLOW_THREADS\n            there = (long long)" name "(" list ");\n            Py_END_ALLOW_THREADS\n            if (there <= room) break;\n            room = (int)there;\n        }"
    print "        if (there < 0) tw_py_failed(there);\n        else if ((result_ = PyList_New(0)))\n            for (int k = 0; k < there && result_; k++) {\n                PyObject *one = py_of_" items "(items + k);\n                if (!one || PyList_Append(result_, one)) Py_CLEAR(result_);\n                Py_XDECREF(one);\n            }\n        free(items);\n    }"
    ret = "list[Any]"
  } else {
    call = name "(" list ")"
    if (result[name] == "void") print "    Py_BEGIN_ALLOW_THREADS\n    " call ";\n    Py_END_ALLOW_THREADS"
    else print "    " declared(result[name]) (result[name] ~ /\*$/ ? "" : " ") "answer_;\n    Py_BEGIN_ALLOW_THREADS\n    answer_ = " call ";\n    Py_END_ALLOW_THREADS"
    if (name == "tw_sequence_wait" || name == "tw_sequence_destroy") print "    tw_py_waited(given_[0]);"
    if (status) {
      print "    if (PyErr_Occurred()) goto out_;\n    if (answer_ != 0) {\n        tw_py_failed(answer_);\n        goto out_;\n    }"
    } else if (is_answer(name) && result[name] ~ /^(int|tw_int)$/) { print "    if (answer_ < 0) {\n        tw_py_failed(answer_);\n        goto out_;\n    }"; outs = ", PyLong_FromLongLong((long long)answer_)" outs; nouts++; ret = ", int" ret }
    else if (result[name] == "const char *") { outs = ", tw_py_string(answer_)" outs; nouts++; ret = ", str | None" ret }
    else if (result[name] == "size_t" || result[name] in enums) { outs = ", PyLong_FromLongLong((long long)answer_)" outs; nouts++; ret = ", int" ret }
    else if (result[name] == "double") { outs = ", PyFloat_FromDouble(answer_)" outs; nouts++; ret = ", float" ret }
    else if (result[name] == "char") { outs = ", PyUnicode_FromStringAndSize(&answer_, answer_ != 0)" outs; nouts++; ret = ", str" ret }
    else if (result[name] == "const tw_variable *") { outs = ", py_list_of_variables(answer_)"; nouts++; ret = ", list[Any]" }
    else if (result[name] != "void") fail("what is returned by " name)
    if (!sync) {
      m = split(substr(keepers, 3), kept, ", ")
      for (i = 1; i <= m; i++) if (kept[i] != the_sequence && kept[i] != "") print "    if (tw_py_keep(" the_sequence ", " kept[i] ")) goto out_;"
      for (i = 1; i <= n; i++) if (0) print ""
    }
    if (made != "") {
      print "    result_ = tw_py_new_object(KIND_" made ", " made_name ");\n    if (!result_) {\n        tw_py_kinds[KIND_" made "].destroy(" made_name ");\n        goto out_;\n    }"
      # What lives under the new object: arrays that were wrapped, and objects that it was made of.
      if (keepers != "" && name !~ /(from_lapack|_load|_read|select|pivots|tau)/) { m = split(substr(keepers, 3), kept, ", "); for (i = 1; i <= m; i++) print "    if (tw_py_keep(result_, " kept[i] ")) Py_CLEAR(result_);" }
      ret = ", " substr(made, 4)
    } else if (nouts == 0) print "    result_ = Py_NewRef(Py_None);"
    else {
      m = split(substr(outs, 3), kept, /, Py|, py_|, tw_py_/); 
      if (nouts == 1) print "    result_ = " substr(outs, 3) ";"
      else { k = ""; for (i = 1; i <= nouts; i++) k = k "N"; print "    result_ = Py_BuildValue(\"(" k ")\"" outs ");" }
    }
    sub(/^, /, "", ret); if (nouts > 1) ret = "tuple[" ret "]"; if (ret == "") ret = "None"
  }
  print "    goto out_;\nout_:\n" release "    return result_;\n}"
  if (slot > 24) fail("too many arguments: " name)
  slots[name] = slot; python_of[name] = py; returns_of[name] = ret
  names_returned[name] = ret == "None" ? "" : substr(out_names, 3)
}
function owner_field(s, i,    t, f, count) {
  t = ftype[s, i]; f = fname[s, i]
  if (fsize[s, i] != "" && t == "double") return "tw_py_view((PyObject *)o, s->" f ", TW_DOUBLE, " fsize[s, i] ")"
  if (t ~ /^(tw_int|int)$/) return "PyLong_FromLongLong(s->" f ")"
  if (t == "double *") { count = f ~ /^[xv]$/ ? "of_product(3, s->n)" : s == "tw_table" ? "of_product(s->rows, s->cols)" : "s->n"; return "tw_py_view((PyObject *)o, s->" f ", TW_DOUBLE, " count ")" }
  if (t == "int *") return "tw_py_view((PyObject *)o, s->" f ", TW_INT32, s->cols)"
  if (t == "char **") return "py_list_of_texts(s->" f ", s->cols)"
  if (t ~ /^char \(\*\)/) return "py_list_of_names(s->" f ", s->n)"
  if (t == "tw_bond *") return "py_list_of_bonds(s->" f ", s->nlinks)"
  fail("field " f " of " s ": " t)
}
END {
  if (failed) exit 1
  read_shapes(); read_lengths()
  print "from collections.abc import Buffer, Callable\nfrom typing import Any, overload\n\nclass Error(RuntimeError): ...\nclass NumericalError(Error): ..." > stubs
  print "/* Generated by bindings/python.awk. */\n#include \"python.h\""
  for (i = 1; i <= structures; i++) if (fields[structure[i]] > 0 && !is_owner(structure[i]) && structure[i] !~ /^tw_(scalar|distribution)$/) { to_python(structure[i]); if (structure[i] !~ /^tw_(times|variable)$/) plain[structure[i]] = 1 }
  for (k = 1; k <= functions; k++) for (i = 1; i <= argc[fn[k]]; i++) { b = base_type(type[fn[k], i]); if (b in plain && role(fn[k], i) == "struct_in") wanted[b] = 1; if (role(fn[k], i) == "struct_later") later[b] = 1 }
  for (i = 1; i <= structures; i++) if (structure[i] in wanted) from_python(structure[i])
  # kinds: the matrix first
  print "enum {\n    KIND_tw_matrix,"
  nkinds = 1; kind_of[1] = "tw_matrix"
  for (i = 1; i <= structures; i++) { s = structure[i]; if (s != "tw_matrix" && (is_opaque(s) || is_owner(s) || s in later)) { print "    KIND_" s ","; kind_of[++nkinds] = s } }
  print "    KINDS\n};"
  for (i = 1; i <= nkinds; i++) {
    s = kind_of[i]; free = is_opaque(s) ? s "_destroy" : s "_free"
    print "static void py_destroy_" s "(void *pointer) { " (s in later ? "(void)pointer" : (result[free] == "void" ? "" : "(void)") free "(pointer)") "; }"
  }
  print "static struct tw_py_kind tw_py_kinds[] = {"
  for (i = 1; i <= nkinds; i++) { s = kind_of[i]; print "    {\"tilework." substr(s, 4) "\", " (is_opaque(s) ? "0" : "sizeof(" s ")") ", py_destroy_" s ", NULL}," }
  print "    {NULL, 0, NULL, NULL}};"
  print "#include \"python_fields.h\""
  print "static PyObject *tw_py_field(struct tw_py_object *o, const char *name)\n{"
  for (i = 1; i <= nkinds; i++) {
    s = kind_of[i]
    if (is_opaque(s)) continue
    print "    if (o->kind == KIND_" s ") {\n        " s " *s = o->pointer;"
    if (s in later) print "        PyObject *all = py_of_" s "(s), *one = all ? PyObject_GetAttrString(all, name) : NULL;\n        Py_XDECREF(all);\n        return one;"
    else for (f = 1; f <= fields[s]; f++) print "        if (!strcmp(name, \"" fname[s, f] "\")) return " owner_field(s, f) ";"
    print "        return NULL;\n    }"
  }
  print "    return NULL;\n}"
  for (k = 1; k <= functions; k++) {
    name = fn[k]
    if (name ~ /^tw_(set_log|blas_reexec|recorded_standard_change)$/) { by_hand[name] = 1; continue }
    if (name ~ /_(destroy|free)$/ && argc[name] == 1) { print "static const char *const py_names_" name "[] = {\"object\", NULL};\nstatic PyObject *py_" name "(PyObject *const *given_) { return tw_py_destroyed(given_[0], KIND_" base_type(type[name, 1]) "); }"; slots[name] = 1; python_of[name] = "object: " substr(base_type(type[name, 1]), 4) " | None"; returns_of[name] = "None"; continue }
    emit(name)
  }
  # the public names
  for (k = 1; k <= functions; k++) {
    name = fn[k]; if (name in by_hand) continue
    g = is_lapack(name) ? lapack_name(name) : generic(name)
    letter_of = ""; if (g != "") { letter_of = substr(name, 4, 1) }
    public_name = g != "" ? g : substr(name, 4)
    if (!(public_name in publics)) { publics[public_name] = 1; names_of[++npublics] = public_name }
    implementation[public_name, g != "" ? index("sdcz", letter_of) : 0] = name
  }
  for (p = 1; p <= npublics; p++) {
    public_name = names_of[p]
    print "static const struct tw_py_routine routine_" public_name " = {\"" public_name "\", NULL, {"
    overloads = 0; for (w = 0; w <= 4; w++) if ((public_name, w) in implementation) overloads++
    for (w = 0; w <= 4; w++) if ((public_name, w) in implementation) {
      name = implementation[public_name, w]
      print "    {py_" name ", " slots[name] ", py_names_" name "},"
      line = "def " public_name "(" python_of[name] ") -> " returns_of[name] ": ..."
      if (!((public_name, line) in said)) { said[public_name, line] = 1; lines[public_name] = lines[public_name] "\n" line; told[public_name, line] = names_returned[name] }
    } else print "    {NULL, 0, NULL},"
    print "}};\nstatic PyObject *public_" public_name "(PyObject *self, PyObject *const *given, Py_ssize_t n, PyObject *names)\n{\n    (void)self;\n    return tw_py_call(&routine_" public_name ", given, n, names);\n}"
  }
  print "static PyMethodDef tw_py_methods[] = {"
  for (p = 1; p <= npublics; p++) {
    public_name = names_of[p]; n = split(substr(lines[public_name], 2), line_of, "\n"); doc = ""
    for (i = 1; i <= n; i++) { l = line_of[i]; sub(/^def /, "", l); sub(/: \.\.\.$/, "", l); if (told[public_name, line_of[i]] != "") l = l ": " told[public_name, line_of[i]]; doc = doc (i > 1 ? "\\n" : "") l; print (n > 1 ? "@overload\n" : "") line_of[i] > stubs }
    print "    {\"" public_name "\", (PyCFunction)(void (*)(void))public_" public_name ", METH_FASTCALL | METH_KEYWORDS, \"" doc "\"},"
  }
  print "    {\"set_log\", py_set_log, METH_O, \"set_log(function): function(level, message), or None\"},\n    {\"blas_reexec\", py_blas_reexec, METH_VARARGS, \"blas_reexec(words=sys.orig_argv)\"},\n    {\"recorded_standard_change\", py_recorded_standard_change, METH_VARARGS, \"recorded_standard_change(recorded, k) -> str | None\"},\n    {\"dlpack\", py_dlpack, METH_O, \"dlpack(capsule): what a DLPack capsule says of its array\"},\n    {NULL, NULL, 0, NULL}};"
  print "static const struct { const char *name; long value; } tw_py_constants[] = {"
  for (i = 1; i <= nconstants; i++) print "    {\"" substr(constants[i], 4) "\", " constants[i] "},"
  for (i = 1; i <= nenums; i++) for (k = 1; k <= enums[enumeration[i]]; k++) print "    {\"" substr(ename[enumeration[i], k], 4) "\", " ename[enumeration[i], k] "},"
  print "    {NULL, 0}};\n#include \"python_module.h\""
  for (i = 1; i <= nconstants; i++) print substr(constants[i], 4) ": int" > stubs
  for (i = 1; i <= nenums; i++) for (k = 1; k <= enums[enumeration[i]]; k++) print substr(ename[enumeration[i], k], 4) ": int" > stubs
  for (i = 1; i <= nkinds; i++) print "class " substr(kind_of[i], 4) ":\n    def __getattr__(self, name: str) -> Any: ..." > stubs
}
