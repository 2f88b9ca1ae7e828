# The functions of libtilework_lapack.so, made of the public prototypes, which tests/dense/test_lapack_rows.c holds to the routines' rows
# (algorithms/lapack/doors.h): what a routine's row brings there is here with the next build.
#
#   { cc -E -P include/tilework/lapacke.h; cc -E -P include/tilework/lapack.h; } | awk -f dropin/doors.awk > doors.c
#
# LAPACK's names come from tw_LAPACKE_?NAME_work, whose arguments are LAPACK's, in LAPACK's order, workspaces included, but for info. BLAS-3, which
# LAPACKE does not have, comes from tw_?NAME. Functions that LAPACK does not have (getrf_nopiv) have no LAPACKE name either.
BEGIN {
  RS = ";"; doors = 0
  print "/* Made by dropin/doors.awk of include/tilework/lapacke.h and lapack.h. */"
  print "#include \"dropin/dropin.h\"\n#define LONG __attribute__((visibility(\"hidden\"), used))"
  print "__asm__(\".text\\n\");"
  split("_,,_64_,64_", fortran_ending, ",")
  split(",_64,64_", c_ending, ",")
  split("rdi rsi rdx rcx r8 r9", general, " "); split("edi esi edx ecx r8d r9d", low, " ")
  # Flops by the product of the dimensions, real arithmetic.
  split("gemm 2 symm 2 hemm 2 syrk 1 herk 1 syr2k 2 her2k 2 trmm 1 trsm 1 potrf .33 potrs 2 posv .33 potri .67 lauum .33 trtri .33 " \
        "getrf .67 getrs 2 gesv .67 getri 1.33 trtrs 1 geqrf 1.33 gelqf 1.33 gels 1.33 gelsy 1.33 geqp3 1.33 pocon 0 gecon 0 trcon 0", rates, " ")
  for (i = 1; i in rates; i += 2) rate[rates[i]] = rates[i + 1]
  # LAPACK's routines that have no info, or return a value: a door as those below would write where nothing is.
  split("heswapr hfrk lacgv lacn2 lacp2 lacpy lacrm lamch langb lange langt lanhb lanhe lanhp lanhs lanht lansb lansp lanst lansy lantb lantp lantr lapmr lapmt lapy2 lapy3 " \
        "larcm larf larfb larfg larft larfx larnv lartgp lartgs laset lassq laswp sfrk syr syswapr tfsm tprfb", names_without, " ")
  for (i = 1; i in names_without; i++) without_info[names_without[i]] = 1
}
function trim(text) { gsub(/^[ \t\n]+|[ \t\n]+$/, "", text); return text }
function with(list, item) { return list == "" ? item : list ", " item }
# Splits a prototype's arguments into type[] and arg[]; layout or not.
function arguments(letters, list,    n, part, i) {
  n = split(list, part, ","); count = layout = 0
  for (i = 1; i <= n; i++) {
    part[i] = trim(part[i])
    if (part[i] == "int matrix_layout") { layout = 1; continue }
    if (!match(part[i], /[A-Za-z_][A-Za-z_0-9]*$/)) { print "doors.awk: " letters ": what is " part[i] "?" > "/dev/stderr"; wrong = 1; exit 1 }
    arg[++count] = substr(part[i], RSTART); type[count] = trim(substr(part[i], 1, RSTART - 1))
    sub(/tw_int/, "int64_t", type[count])
    if (type[count] ~ /_select_fn$/) type[count] = "const void *"      # a function's address is passed on, whoever's language it is
  }
}
function is_int(t) { return t ~ /^int(32|64)_t$/ }
function is_complex(t) { return t ~ /_Complex$/ }
function in_arguments(name,    i) { for (i = 1; i <= count; i++) if (arg[i] == name) return 1; return 0 }
# Which product of its dimensions says how large a problem is.
function shape_of(routine) {
  if (in_arguments("side") && routine !~ /^((or|un)m|gebak|trevc3)/) return "side"      # theirs are sides of other things
  if (in_arguments("m") && in_arguments("n") && in_arguments("k")) return "mnk"
  if (in_arguments("k") && in_arguments("n")) return "nnk"
  if (routine ~ /^(potrs|getrs|trtrs|gerfs|porfs|trrfs)$/) return "nnr"
  if (in_arguments("m") && in_arguments("n") && (!in_arguments("vl") || in_arguments("jobu"))) return "min"      # m of syevr is a result
  return "nnn"
}
# D(x): the integer argument x.
function product(routine,    shape) {
  shape = shape_of(routine)
  return "(double)D(n) * " (shape == "side" ? "D(m) * (SIDE ? D(m) : D(n))" : shape == "mnk" ? "D(m) * D(k)" : shape == "nnk" ? "D(n) * D(k)" : shape == "nnr" ? "D(n) * D(nrhs)" \
         : shape == "min" ? "D(m) * (D(m) < D(n) ? D(m) : D(n))" : "D(n) * D(n)")
}
# How many elements go to a GPU and back: matrices read count once, those written twice.
function elements(routine,    shape) {
  shape = shape_of(routine)
  return shape == "side" ? "(SIDE ? D(m) * D(m) : D(n) * D(n)) + 2 * D(m) * D(n)" : shape == "mnk" ? "D(m) * D(k) + D(k) * D(n) + 2 * D(m) * D(n)" : shape == "nnk" ? "2 * D(n) * D(k) + D(n) * D(n)" \
         : (shape == "nnr" ? "D(n) * D(n) + 2 * D(n) * D(nrhs)" : shape == "min" ? "2 * D(m) * D(n)" : "2 * D(n) * D(n)") (solves(routine) ? " + 2 * D(n) * D(nrhs)" : "")
}
# Of drivers, whose solves come to much where right-hand sides are many: flops beside the rate times the size, elements beside the matrix.
function solves(routine) { return routine ~ /^(gesv|posv|gels)$/ && in_arguments("nrhs") }
function flops_beside(routine, letter) {
  return !solves(routine) ? "" : " + " (letter ~ /[cz]/ ? 4 : 1) * (routine == "gels" ? 4 : 2) ".0 * D(n) * " (routine == "gels" ? "D(m)" : "D(n)") " * D(nrhs)"
}
function by(expression, how, side) {
  gsub(/D\(/, how, expression); gsub(/SIDE/, side, expression); return expression
}
function new_door(letters, kind, blas) {
  names[doors] = letters; kinds[doors] = kind; is_blas[doors] = blas; return doors++
}
# ---- the names: machine code, for a call that is forwarded must not cost more than some instructions, whatever arguments it has --------------------------------------------

function asm(line) { printf "__asm__(\"%s\\n\");\n", line }
# Where the argument in general place `at` (from 0) is.
function place(at) {
  return at < 6 ? "%" general[at + 1] : 8 * (at - 5) "(%rsp)"
}
# Loads integer `name` into a register: 32 or 64 bits, by address or by value.
function load(name, register, wide, by_address,    from, at) {
  at = where[name]; from = place(at)
  if (by_address) {
    if (at >= 6) { asm("    mov " from ", %" register); from = "%" register }
    asm("    " (wide ? "mov" : "movslq") " (" from "), %" register)
  } else if (at >= 6) asm("    " (wide ? "mov" : "movslq") " " from ", %" register)
  else if (wide) asm("    mov " from ", %" register)
  else asm("    movslq %" low[at + 1] ", %" register)
}
function times(name, wide, by_address) {
  load(name, "rax", wide, by_address)
  asm("    imul %rax, %r10"); asm("    jo 7f")      # large enough
}
# %r10: the product of the dimensions or, where the side decides, the larger one.
function multiply(routine, wide, by_address,    shape) {
  shape = shape_of(routine)
  if (shape == "side" || shape == "min") {
    load("m", "r10", wide, by_address); load("n", "rax", wide, by_address)
    asm("    cmp %rax, %r10"); asm("    " (shape == "side" ? "cmovl" : "cmovg") " %rax, %r10")
    times("m", wide, by_address); times("n", wide, by_address)
    return
  }
  load("n", "r10", wide, by_address)
  if (shape == "mnk") { times("m", wide, by_address); times("k", wide, by_address) }
  else { times("n", wide, by_address); times(shape == "nnk" ? "k" : shape == "nnr" ? "nrhs" : "n", wide, by_address) }
}
# All names of a door: each brings its number to the same code, which finds the place of the call and forwards, or goes to the C function.
function entries(door, base, routine, long_name, by_address,    p, e, last, name) {
  for (p = 0; p < 2; p++) for (e = 1; e <= 4; e++) {
    if (by_address ? p == 1 && e == 2 : e == 4 || (p == 1 && e == 2)) continue      # nobody has these
    name = (p ? "scipy_" : "") base (by_address ? fortran_ending[e] : c_ending[e])
    asm(".globl " name); asm(".type " name ", @function"); asm(name ":"); asm("    mov $" door * 8 + p * 4 + e - 1 ", %eax"); asm("    jmp fast_" long_name)
    asm(".size " name ", .-" name)
  }
  asm(".type fast_" long_name ", @function"); asm("fast_" long_name ":"); asm("    .cfi_startproc")
  asm("    lea tw_sites(%rip), %r11"); asm("    mov (%r11,%rax,8), %r11"); asm("    mov (%rsp), %r10")
  asm("    test %r11, %r11"); asm("    jz 8f"); asm("    cmp %r10, 8(%r11)"); asm("    jne 8f")
  asm("1:  cmpl $0, 32(%r11)"); asm("    je 6f"); asm("    cmpl $0, 36(%r11)"); asm("    jne 2f")
  multiply(routine, 0, by_address); asm("    jmp 3f"); asm("2:")
  multiply(routine, 1, by_address)
  asm("3:  cmp 24(%r11), %r10"); asm("    jge 7f"); asm("6:  jmp *16(%r11)")
  asm("7:  mov tw_site_asked@gottpoff(%rip), %r10"); asm("    mov %r11, %fs:(%r10)"); asm("    jmp " long_name)
  asm("8:  call tw_dropin_site"); asm("    jmp 1b"); asm("    .cfi_endproc"); asm(".size fast_" long_name ", .-fast_" long_name)
}
function flops_of(routine, letter,    r) {
  r = routine in rate ? rate[routine] : 2
  return r * (letter ~ /[cz]/ ? 4 : 1)
}
# What asks for the size of a workspace.
function query(how,    i, q) {
  q = "0"
  for (i = 1; i <= count; i++) if (arg[i] ~ /^l(i|r)?work$/) q = q " || " how arg[i] ") == -1"
  return q
}
# Vectors are wanted, too, which takes longer than values alone.
function vectors(how,    i, v) {
  v = ""
  for (i = 1; i <= count; i++) if (arg[i] ~ /^(jobz|jobu|jobv|jobvt|jobvl|jobvr|jobvs|compz|compq)$/ && type[i] ~ /char/) v = v (v == "" ? "" : " || ") "TW_WANTED(" how arg[i] ")"
  return v == "" ? "0" : v
}
# LAPACK's word on workspaces that have a length: their first element is how long they had best be, which as long as given is.
function lengths_out(how, letter, indent,    i, given) {
  for (i = 1; i <= count; i++) {
    if (arg[i] !~ /^l(i|r)?work$/ || !in_arguments(substr(arg[i], 2))) continue
    given = how arg[i] ")"
    if (arg[i] == "liwork") printf "%stw_length_integer(site_, iwork, %s);\n", indent, given
    else printf "%sif (%s >= 1) *%s = tw_length_%s(%s);\n", indent, given, substr(arg[i], 2), letter ~ /[sc]/ ? "single" : "double", given
  }
}
# A call of the engine's function with integers of one width.
function engine_call(returns, wide, values,    types, i) {
  types = layout ? "int" : ""
  for (i = 1; i <= count; i++) types = with(types, type[i])
  if (wide) gsub(/int32_t/, "int64_t", types)
  return "((" returns " (*)(" types "))call_.engine)(" values ")"
}
function fortran(letters, routine, blas,    door, declared, passed, types, lengths, length_types, length_pass, chars, values32, values64, i, t, work, name) {
  if ((letters "F") in made) return
  made[letters "F"] = 1
  door = new_door(letters, "TW_DOOR_FORTRAN", blas)
  declared = passed = types = lengths = length_types = length_pass = ""; chars = 0
  values32 = values64 = layout ? "102" : ""
  for (i = 1; i <= count; i++) {
    t = type[i]; name = arg[i]
    if (t ~ /^(const )?char( \*)?$/) {      # Fortran passes the lengths of characters behind all arguments
      lengths = lengths ", size_t length_" ++chars; length_types = length_types ", size_t"; length_pass = length_pass ", length_" chars
    }
    where[name] = i - 1
    if (is_int(t)) {
      declared = with(declared, "const void *" name); types = with(types, "const void *")
      values32 = with(values32, blas ? "INT_AT(site_, " name ")" : "*(const int32_t *)" name)
      values64 = with(values64, blas ? "INT_AT(site_, " name ")" : "*(const int64_t *)" name)
    } else if (t ~ /int(32|64)_t \*$/) {
      declared = with(declared, (t ~ /^const/ ? "const " : "") "void *" name); types = with(types, (t ~ /^const/ ? "const " : "") "void *")
      values32 = with(values32, name); values64 = with(values64, name)
    } else if (t ~ /\*$/) {
      declared = with(declared, t name); types = with(types, t)
      values32 = with(values32, name); values64 = with(values64, name)
    } else {
      declared = with(declared, "const " t " *" name); types = with(types, "const " t " *")
      values32 = with(values32, "*" name); values64 = with(values64, "*" name)
    }
    passed = with(passed, name)
  }
  if (!blas) { declared = declared ", void *info"; passed = passed ", info"; types = types ", void *" }
  declared = declared lengths; passed = passed length_pass; types = types length_types
  work = by(product(routine), "INT_AT(site_, ", "*side == 'L' || *side == 'l'")
  if (in_arguments("sort")) work = "TW_SORTED(*sort, " work ")"
  if (in_arguments("anorm")) work = "__builtin_isfinite(*anorm) ? " work " : -1"      # LAPACKs differ in what they say about such norms: the real one does
  printf "LONG void long_%s(%s);\nvoid long_%s(%s)\n{\n    struct tw_site *const site_ = tw_site_here();\n    const double size_ = %s;\n", letters, declared, letters, declared, work
  printf "    struct tw_dropin_call call_;\n    if (tw_dropin_enter(&call_, site_, size_, size_ * %s%s, (double)(%s), %s, %s)) {\n", flops_of(routine, substr(letters, 1, 1)), by(flops_beside(routine, substr(letters, 1, 1)), "INT_AT(site_, ", ""), by(elements(routine), "INT_AT(site_, ", "*side == 'L' || *side == 'l'"), query("INT_AT(site_, "), vectors("*")
  if (blas) printf "        if (tw_dropin_done(&call_, %s)) return;\n", engine_call("int64_t", 1, values64)
  else {
    printf "        const int64_t code_ = site_->wide ? %s\n                                     : %s;\n", engine_call("int64_t", 1, values64), engine_call("int32_t", 0, values32)
    print "        if (tw_dropin_done(&call_, code_)) {"
    lengths_out("INT_AT(site_, ", substr(letters, 1, 1), "            ")
    print "            if (site_->wide) *(int64_t *)info = code_;\n            else *(int32_t *)info = (int32_t)code_;\n            return;\n        }"
  }
  printf "    }\n    ((void (*)(%s))site_->real)(%s);\n    tw_dropin_forwarded(&call_);\n}\n", types, passed
  entries(door, letters, routine, "long_" letters, 1)
}
# LAPACKE's, with and without _work: the layout is among the arguments, and Tilework's function knows both.
function lapacke(letters, routine, work_ending,    door, declared, passed, types, values32, values64, i, t, name, long_name, at, work) {
  if ((letters work_ending "L") in made) return
  made[letters work_ending "L"] = 1
  door = new_door(letters, work_ending == "" ? "TW_DOOR_LAPACKE" : "TW_DOOR_LAPACKE_WORK", 0)
  long_name = "long_LAPACKE_" letters work_ending
  declared = layout ? "long matrix_layout" : ""; passed = layout ? "matrix_layout" : ""; types = layout ? "long" : ""
  values32 = values64 = layout ? "(int)matrix_layout" : ""
  at = layout      # among the arguments that are no real numbers
  for (i = 1; i <= count; i++) {
    t = type[i]; name = arg[i]
    where[name] = at; if (t !~ /^(float|double)$/) at++
    if (is_int(t)) {
      declared = with(declared, "long " name); types = with(types, "long")
      values32 = with(values32, "(int32_t)" name); values64 = with(values64, name)
    } else if (t == "char") {
      declared = with(declared, "long " name); types = with(types, "long")
      values32 = with(values32, "(char)" name); values64 = with(values64, "(char)" name)
    } else {
      if (t ~ /int(32|64)_t \*$/) t = (t ~ /^const/ ? "const " : "") "void *"
      declared = with(declared, t " " name); types = with(types, t)
      values32 = with(values32, name); values64 = with(values64, name)
    }
    passed = with(passed, name)
  }
  work = by(product(routine), "INT_OF(site_, ", "(char)side == 'L' || (char)side == 'l'")
  if (in_arguments("sort")) work = "TW_SORTED((char)sort, " work ")"
  if (in_arguments("anorm")) work = "__builtin_isfinite(anorm) ? " work " : -1"
  printf "LONG int64_t %s(%s);\nint64_t %s(%s)\n{\n    struct tw_site *const site_ = tw_site_here();\n    const double size_ = %s;\n    int64_t code_;\n", long_name, declared, long_name, declared, work
  printf "    struct tw_dropin_call call_;\n    if (tw_dropin_enter(&call_, site_, size_, size_ * %s%s, (double)(%s), %s, %s)) {\n", flops_of(routine, substr(letters, 1, 1)), by(flops_beside(routine, substr(letters, 1, 1)), "INT_OF(site_, ", ""), by(elements(routine), "INT_OF(site_, ", "(char)side == 'L' || (char)side == 'l'"), query("INT_OF(site_, "), vectors("(char)")
  printf "        code_ = site_->wide ? %s\n                       : %s;\n", engine_call("int64_t", 1, values64), engine_call("int32_t", 0, values32)
  print "        if (tw_dropin_done(&call_, code_)) {"
  lengths_out("INT_OF(site_, ", substr(letters, 1, 1), "            ")
  print "            return code_;\n        }\n    }"
  printf "    code_ = ((int64_t (*)(%s))site_->real)(%s);\n    tw_dropin_forwarded(&call_);\n    return code_;\n}\n", types, passed
  entries(door, "LAPACKE_" letters work_ending, routine, long_name, 0)
}
# CBLAS'. Row-major matrices are the transposes of column-major ones: C^T = op(B)^T op(A)^T; else the other side, the other triangle, the other of trans.
function cblas(letters, routine,    door, declared, passed, types, column, row, i, t, name, other, swapped, at, work) {
  if ((letters "C") in made) return
  made[letters "C"] = 1
  door = new_door(letters, "TW_DOOR_CBLAS", 1)
  declared = "long layout"; passed = "layout"; types = "long"; column = row = ""
  swapped["m"] = "n"; swapped["n"] = in_arguments("m") ? "m" : "n"
  if (routine == "gemm") { swapped["a"] = "b"; swapped["b"] = "a"; swapped["lda"] = "ldb"; swapped["ldb"] = "lda"; swapped["transa"] = "transb"; swapped["transb"] = "transa" }
  at = 1
  for (i = 1; i <= count; i++) {
    t = type[i]; name = arg[i]; where[name] = at; if (t !~ /^(float|double)$/) at++
    other = name in swapped ? swapped[name] : name
    if (is_int(t)) {
      declared = with(declared, "long " name); types = with(types, "long")
      column = with(column, "INT_OF(site_, " name ")"); row = with(row, "INT_OF(site_, " other ")")
    } else if (t == "char") {
      declared = with(declared, "long " name); types = with(types, "long")
      column = with(column, "tw_cblas_letter(" name ")")
      if (routine == "gemm" || name == "diag" || (name ~ /^trans/ && routine ~ /^tr/)) row = with(row, "tw_cblas_letter(" other ")")
      else row = with(row, "tw_cblas_flip(" name ", '" (routine ~ /^he/ ? "C" : "T") "')")
    } else if (is_complex(t)) {      # scalars, by address
      declared = with(declared, "const " t " *" name); types = with(types, "const " t " *")
      column = with(column, "*" name); row = with(row, routine == "her2k" && name == "alpha" ? "~*alpha" : "*" name)
    } else {
      declared = with(declared, t " " name); types = with(types, t)
      column = with(column, name); row = with(row, other)
    }
    passed = with(passed, name)
  }
  layout = 0
  work = by(product(routine), "INT_OF(site_, ", "(int)side == 141")
  printf "LONG void long_cblas_%s(%s);\nvoid long_cblas_%s(%s)\n{\n    struct tw_site *const site_ = tw_site_here();\n    const double size_ = %s;\n", letters, declared, letters, declared, work
  printf "    struct tw_dropin_call call_;\n    if (((int)layout == 101 || (int)layout == 102) && tw_dropin_enter(&call_, site_, size_, size_ * %s, (double)(%s), 0, 0)) {\n", flops_of(routine, substr(letters, 1, 1)), by(elements(routine), "INT_OF(site_, ", "(int)side == 141")
  printf "        const int64_t code_ = (int)layout == 102 ? %s\n                                               : %s;\n", engine_call("int64_t", 1, column), engine_call("int64_t", 1, row)
  printf "        if (tw_dropin_done(&call_, code_)) return;\n    } else if ((int)layout != 101 && (int)layout != 102)\n        (void)tw_dropin_enter(&call_, site_, -1, 0, 0, 0, 0);\n"
  printf "    ((void (*)(%s))site_->real)(%s);\n    tw_dropin_forwarded(&call_);\n}\n", types, passed
  entries(door, "cblas_" letters, routine, "long_cblas_" letters, 0)
}
{
  gsub(/[ \t\n]+/, " ")
  if (match($0, /tw_LAPACKE_[sdcz][a-z0-9_]+\(/)) {
    letters = substr($0, RSTART + 11, RLENGTH - 12); list = substr($0, RSTART + RLENGTH)
    sub(/\).*/, "", list)
    if (letters ~ /^set_/) next      # set_nancheck
    work_ending = ""
    if (letters ~ /_work$/) { sub(/_work$/, "", letters); work_ending = "_work" }
    routine = substr(letters, 2)
    if (routine in without_info) {
      print "doors.awk: LAPACK's " letters " has no info, which a door made of tw_LAPACKE_" letters "_work would write: leave its LAPACKE names out of lapacke.h" > "/dev/stderr"
      wrong = 1; exit 1
    }
    arguments(letters, list)
    if (work_ending != "") fortran(letters, routine, 0)
    lapacke(letters, routine, work_ending)
  } else if (match($0, /tw_[sdcz](gemm|symm|hemm|syrk|herk|syr2k|her2k|trmm|trsm)\(/)) {
    letters = substr($0, RSTART + 3, RLENGTH - 4); list = substr($0, RSTART + RLENGTH)
    sub(/\).*/, "", list)
    routine = substr(letters, 2)
    arguments(letters, list)
    fortran(letters, routine, 1)
    cblas(letters, routine)
  }
}
END {
  if (wrong) exit 1
  if (doors < 50) { print "doors.awk: only " doors + 0 " functions found" > "/dev/stderr"; exit 1 }
  printf "const struct tw_door tw_doors[] = {\n"
  for (i = 0; i < doors; i++) printf "    {\"%s\", %s, %d},\n", names[i], kinds[i], is_blas[i]
  printf "    {\"\", 0, 0}};\nconst int tw_door_count = %d;\nstruct tw_site *_Atomic tw_sites[%d];\n", doors, doors * 8
}
