# The Fortran module, made of the tables of bindings/api.awk and of bindings/shapes.txt: -f names.awk -f fortran.awk -v shapes=FILE -v prologue=FILE. -v part=fft: libtilework_fft's.
function fail(what) { print "fortran.awk: " what > "/dev/stderr"; failed = 1; exit 1 }
# A statement, broken where there is a comma behind column 100.
function put(s,    at, i, c, room) {
  room = 110
  while (length(s) > room) {
    at = 0
    for (i = room; i > 20; i--) if (substr(s, i, 1) == ",") { at = i; break }
    if (!at) fail("a statement that cannot be broken: " s)
    print substr(s, 1, at) " &"; s = "      " substr(s, at + 1)
  }
  print s
}
function scalar_of(t) {
  if (t == "double") return "real(c_double)"
  if (t == "float") return "real(c_float)"
  if (t == "dcomplex") return "complex(c_double_complex)"
  if (t == "scomplex") return "complex(c_float_complex)"
  if (t == "tw_int" || t == "int64_t" || t == "uint64_t") return "integer(c_int64_t)"
  if (t == "int32_t") return "integer(c_int32_t)"
  if (t == "size_t") return "integer(c_size_t)"
  if (t == "int" || t in enums) return "integer(c_int)"
  if (t == "char") return "character(kind=c_char)"
  return ""
}
# The declaration of an argument in an interface to C.
function to_c(name, i,    t, b, k) {
  t = type[name, i]; b = base_type(t); k = stars_of(t)
  if (k == 0) {
    if (t in callback) return "type(c_funptr), value"
    if (is_struct(t)) return "type(" t "), value"
    if (scalar_of(t) != "") return scalar_of(t) ", value"
  } else if (k == 1) {
    if (b == "void") return "type(c_ptr), value"
    if (is_opaque(b)) return "type(" b "), value"
    if (is_struct(b)) return "type(" b "), " (t ~ /^const/ ? "intent(in)" : "intent(inout)") ", optional" (arg[name, argc[name]] == "max" || b == "tw_fft_dim" ? ", dimension(*)" : "")
    if (b == "char") return is_lapack(name) ? "character(kind=c_char), intent(inout)" : "character(kind=c_char), dimension(*), " (t ~ /^const/ ? "intent(in)" : "intent(inout)") ", optional"
    if (one_number(name, i)) return scalar_of(b) ", intent(inout), optional"
    if (scalar_of(b) != "") return scalar_of(b) ", dimension(*), " (t ~ /^const/ ? "intent(in)" : "intent(inout)") (arg[name, i] == "source" ? "" : ", optional")      # tells the types apart
  } else if (k == 2) {
    if (is_opaque(b)) return "type(" b "), intent(inout)"
    if (b == "char") return name ~ /reexec/ ? "type(c_ptr), value" : "type(c_ptr), intent(inout), optional"
  }
  fail("argument " arg[name, i] " of " name ": " t)
}
function local_name(name, i,    j, a) {      # Fortran does not tell A from a
  a = arg[name, i]
  for (j = 1; j < i; j++) if (tolower(arg[name, j]) == tolower(a)) return a "_"
  return a
}
function result_of(name,    t) {
  t = result[name]
  if (t == "void") return ""
  if (t ~ /\*/) return "type(c_ptr)"
  return scalar_of(t)
}
# plain: arrays are addresses (what the module itself calls)
function interface_to(name, as, plain,    i, list, r) {
  list = ""; for (i = 1; i <= argc[name]; i++) list = list (i > 1 ? ", " : "") local_name(name, i)
  r = result_of(name)
  put("    " (r == "" ? "subroutine " : "function ") as "(" list ") " (r == "" ? "" : "result(answer_) ") "bind(C, name='" name "')")
  print "      import"
  for (i = 1; i <= argc[name]; i++)
    # a letter by value is a number: gfortran 12 passes a dummy's address for it
    if (plain && type[name, i] == "char") put("      integer(c_signed_char), value :: " local_name(name, i))
    else put("      " (plain && stars_of(type[name, i]) && !one_number(name, i) && base_type(type[name, i]) != "char" ? "type(c_ptr), value" : to_c(name, i)) " :: " local_name(name, i))
  if (r != "") print "      " r " :: answer_"
  print "    end " (r == "" ? "subroutine" : "function")
}
function structure_of(s,    i, t, b, f) {
  print "  type, bind(C) :: " s
  if (fields[s] == 0) print "    type(c_ptr) :: pointer = c_null_ptr"
  for (i = 1; i <= fields[s]; i++) {
    t = ftype[s, i]; b = base_type(t); f = fname[s, i]
    if (t ~ /\*/) t = "type(c_ptr)"
    else if (t == "function") t = "type(c_funptr)"
    else if (is_struct(t)) t = "type(" t ")"
    else if (scalar_of(t) != "") t = scalar_of(t)
    else fail("field " f " of " s ": " t)
    print "    " t " :: " f (fsize[s, i] != "" ? "(" fsize[s, i] ")" : "")
  }
  print "  end type"
}
function kinds(t) { t = base_type(t); return t == "double" ? "d" : t == "float" ? "s" : t == "dcomplex" ? "z" : t == "scomplex" ? "c" : "i" }
# Sizes' expressions: all numbers are tw_int's; 2*n and n-1 are as in C.
function expression(e) { gsub(/pick\(/, "of_pick(", e); gsub(/left\(/, "of_left(", e); gsub(/factor\(/, "of_factor(", e); gsub(/wants\(/, "of_wants(", e); gsub(/found\(/, "of_found(", e); gsub(/inside\(/, "of_inside(", e); gsub(/compact\(/, "of_compact(", e); gsub(/vectors\(/, "of_vectors(", e)
  gsub(/wide\(/, "of_wide(", e); gsub(/tall\(/, "of_tall(", e); gsub(/min\(/, "of_min(", e); gsub(/max\(/, "of_max(", e); gsub(/[a-z]+\.[12]/, "size(&, kind=c_int64_t)", e)
  while (match(e, /\.[12], kind/)) e = substr(e, 1, RSTART - 1) ", " substr(e, RSTART + 1, 1) substr(e, RSTART + 2)
  while (match(e, /[(,+*-][0-9]+[),]|[(,+*-][0-9]+$|^[0-9]+[*]/)) {      # numbers of the right kind
    c = substr(e, RSTART, RLENGTH); before = substr(e, 1, RSTART - 1); after = substr(e, RSTART + RLENGTH)
    match(c, /[0-9]+/); e = before substr(c, 1, RSTART - 1) substr(c, RSTART, RLENGTH) "_c_int64_t" substr(c, RSTART + RLENGTH) after
    if (before ~ /size\([a-z]+$/) e = before c after
    if (before ~ /size\([a-z]+$/) break
  }
  return e }
function is_leading(name, i) { return arg[name, i] ~ /^ld/ && ((lapack_name(name), substr(arg[name, i], 3)) in rows) }
function is_size(name, i) { return (lapack_name(name), arg[name, i]) in sizes }
# Arrays that are not there for some jobs.
function may_be_absent(r, a) { return r != "stedc" && rows[r, a] ~ /wants|vectors|inside|compact/ }
# One right-hand side may be a vector: the same under another name, of the same generic.
function takes_vector(name,    r) { r = lapack_name(name); return (r, "b") in rows && columns[r, "b"] == "nrhs" && (r, "nrhs") in sizes }
function is_side(r, a, vector) { return vector && columns[r, a] == "nrhs" }
function wrapper(name, as, vector,    r, i, a, list, passed, t, order, k, locals, checks, optional_list) {
  r = lapack_name(name); list = passed = ""; optional_list = ""; k = 0
  for (i = 1; i <= argc[name]; i++) {
    a = arg[name, i]
    if (!is_leading(name, i) && !is_size(name, i)) list = list (list == "" ? "" : ", ") a
    if (is_leading(name, i)) t = "ld_" substr(a, 3)
    else if (is_size(name, i)) t = a
    else if ((r, a) in rows) t = "at_" a
    else if (type[name, i] == "char") t = "int(iachar(" a "), c_signed_char)"
    else t = a
    passed = passed (i > 1 ? ", " : "") t
  }
  put("  function " as "(" list ") result(info)")
  for (i = 1; i <= argc[name]; i++) {
    a = arg[name, i]; t = type[name, i]
    if (is_leading(name, i) || is_size(name, i)) continue
    if ((r, a) in rows) put("    " scalar_of(base_type(t)) ", intent(" (t ~ /^const/ ? "in" : "inout") "), target" (may_be_absent(r, a) ? ", optional" : "") " :: " a "(:" (columns[r, a] != "" && !is_side(r, a, vector) ? ",:" : "") ")")
    else if (t in callback) put("    type(c_funptr), intent(in) :: " a)
    else if (stars_of(t)) put("    " scalar_of(base_type(t)) ", intent(inout) :: " a)
    else put("    " scalar_of(base_type(t)) ", intent(in) :: " a)
  }
  print "    integer(c_int64_t) :: info"
  locals = ""
  for (i = 1; i <= argc[name]; i++) if (is_size(name, i)) locals = locals (locals == "" ? "" : ", ") arg[name, i]
  put("    integer(c_int64_t) :: " locals)
  for (i = 1; i <= argc[name]; i++) if ((r, arg[name, i]) in rows) { put("    integer(c_int64_t) :: ld_" arg[name, i]); put("    type(c_ptr) :: at_" arg[name, i]) }
  # m and n before k, which asks for them
  for (i = 1; i <= argc[name]; i++) if (is_size(name, i)) put("    " arg[name, i] " = " (vector && arg[name, i] == "nrhs" ? "1" : expression(sizes[r, arg[name, i]])))
  print "    info = 0"
  for (i = argc[name]; i >= 1; i--) {      # the first one that is wrong counts
    a = arg[name, i]
    if (!((r, a) in rows)) continue
    if (is_side(r, a, vector)) {
      put("    call of_look(" a ", " expression(rows[r, a]) ", at_" a ", ld_" a ", info, " i "_c_int64_t)")
      print "    ld_" a " = max(1_c_int64_t, size(" a ", kind=c_int64_t))"
    } else if (may_be_absent(r, a)) {
      print "    if (present(" a ")) then"
      put("      call of_look(" a ", " expression(rows[r, a]) (columns[r, a] != "" ? ", " expression(columns[r, a]) : "") ", at_" a ", ld_" a ", info, " i "_c_int64_t" (columns[r, a] != "" ? ", .false." : "") ")")
      print "    else\n      at_" a " = c_null_ptr\n      ld_" a " = 1"
      put("      if (" expression(rows[r, a]) " > 0) info = -" i)
      print "    end if"
    } else put("    call of_look(" a ", " expression(rows[r, a]) (columns[r, a] != "" ? ", " expression(columns[r, a]) : "") ", at_" a ", ld_" a ", info, " i "_c_int64_t" (columns[r, a] != "" ? (a == "z" ? ", .false." : ", .true.") : "") ")")
  }
  print "    if (info /= 0) then"
  print "      info = of_illegal('" name "' // c_null_char, int(-info, c_int), of_why)"
  print "      return\n    end if"
  put("    info = c_" name "(" passed ")")
  print "  end function"
}
END {
  if (failed) exit 1
  mine = part == "fft" ? 2 : 1
  while ((getline line < prologue) > 0) { if (line ~ /^  ! PARTS/) break; print line }
  for (i = 1; i <= nconstants; i++) if (of_table[constants[i]] == mine) print "  integer(c_int), parameter :: " constants[i] " = " constant[constants[i]]
  for (i = 1; i <= nenums; i++) if (of_table[enumeration[i]] == mine)
    for (k = 1; k <= enums[enumeration[i]]; k++) print "  integer(c_int), parameter :: " ename[enumeration[i], k] " = " evalue[enumeration[i], k]
  for (i = 1; i <= structures; i++) if (of_table[structure[i]] == mine) structure_of(structure[i])
  if (mine == 1) {
    read_shapes()
    print "  interface"
    for (k = 1; k <= functions; k++) if (is_lapack(fn[k])) interface_to(fn[k], "c_" fn[k], 1)
    print "  end interface"
    for (k = 1; k <= functions; k++) if (is_lapack(fn[k])) {
      if (!(lapack_name(fn[k]) in shaped)) fail("bindings/shapes.txt has no line for " lapack_name(fn[k]))
      print "  private :: c_" fn[k]
    }
  }
  # Functions by their own names; what is there for several types, and the matrices' of that name, are one generic.
  for (k = 1; k <= functions; k++) {
    if (of_table[fn[k]] != mine || is_lapack(fn[k])) continue
    g = generic(fn[k]); gname = g != "" ? "tw_" g : fn[k]
    if (!(gname in members)) gnames[++ngnames] = gname
    members[gname] = members[gname] " " fn[k]
  }
  if (mine == 1) for (k = 1; k <= functions; k++) if (is_lapack(fn[k])) {
    gname = "tw_" lapack_name(fn[k])
    if (!(gname in members)) gnames[++ngnames] = gname
    lapacks[gname] = lapacks[gname] " " fn[k]; members[gname] = members[gname] ""
  }
  for (i = 1; i <= ngnames; i++) {
    gname = gnames[i]; n = split(members[gname], one, " ")
    if (n == 1 && lapacks[gname] == "") { print "  interface"; interface_to(one[1], one[1], 0); print "  end interface"; continue }
    print "  interface " gname
    for (k = 1; k <= n; k++) interface_to(one[k], one[k], 0)
    n = split(lapacks[gname], one, " ")
    for (k = 1; k <= n; k++) print "    module procedure " one[k] (takes_vector(one[k]) ? ", " one[k] "_vector" : "")
    print "  end interface"
  }
  print "contains"
  while ((getline line < prologue) > 0) print line
  if (mine == 1) for (k = 1; k <= functions; k++) if (is_lapack(fn[k])) {
    wrapper(fn[k], fn[k], 0)
    if (takes_vector(fn[k])) wrapper(fn[k], fn[k] "_vector", 1)
  }
  print "end module"
}
