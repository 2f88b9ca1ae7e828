# The functions of libtilework_lapack.so, made of the public prototypes, which tests/dense/test_lapack_rows.c holds to the routines' rows
# (algorithms/lapack/doors.h): what a routine's row brings there is here with the next build.
#
#   { cc -E -P include/tilework/lapacke.h; cc -E -P include/tilework/lapack.h; } | awk -f dropin/doors.awk > doors.c
#
# LAPACK's names come from tw_LAPACKE_?NAME_work, whose arguments are LAPACK's, in LAPACK's order, workspaces included, but for info. BLAS-3, which
# LAPACKE does not have, comes from tw_?NAME. Functions that LAPACK does not have (getrf_nopiv) have no LAPACKE name either.
BEGIN {
  RS = ";"
  print "/* Made by dropin/doors.awk of include/tilework/lapacke.h and lapack.h. */"
  print "#include <stddef.h>\n#include \"dropin/dropin.h\"\n#define EXPORT __attribute__((visibility(\"default\")))\n"
}
function trim(text) { gsub(/^[ \t\n]+|[ \t\n]+$/, "", text); return text }
# One door: what it calls, with the first arguments `before`; `letters` is the routine's name with its type's letter.
function door(function_name, returns, letters, list, before, blas,    n, part, i, at, type, name, fortran, types, pass, call, lengths, length_types, length_pass, chars) {
  if (letters in made) return
  made[letters] = ++doors
  names[doors] = toupper(letters)
  is_blas[doors] = blas
  has_layout[doors] = list ~ /int matrix_layout/      # sterf has none
  n = split(list, part, ",")
  fortran = types = pass = lengths = length_types = length_pass = ""
  call = has_layout[doors] ? before : ""
  for (i = 1; i <= n; i++) {
    part[i] = trim(part[i])
    if (part[i] == "int matrix_layout") continue
    if (!match(part[i], /[A-Za-z_][A-Za-z_0-9]*$/)) { print "doors.awk: " letters ": what is " part[i] "?" > "/dev/stderr"; wrong = 1; exit 1 }
    name = substr(part[i], RSTART); type = trim(substr(part[i], 1, RSTART - 1))
    call = call (call == "" ? "" : ", ")
    if (type ~ /^(const )?char( \*)?$/) {      # Fortran passes the lengths of characters behind all arguments
      lengths = lengths ", size_t length_" ++chars
      length_types = length_types ", size_t"
      length_pass = length_pass ", length_" chars
    }
    if (type ~ /\*$/) { call = call name }
    else {
      if (type == "tw_int") type = "int32_t"
      type = "const " type " *"; call = call "*" name
    }
    fortran = fortran (fortran == "" ? "" : ", ") type (type ~ /\*$/ ? "" : " ") name
    types = types (types == "" ? "" : ", ") type
    pass = pass (pass == "" ? "" : ", ") name
  }
  if (!blas) { fortran = fortran ", int32_t *info"; types = types ", int32_t *"; pass = pass ", info" }
  gsub(/tw_int/, "int64_t", list)
  printf "%s %s(%s);\n", returns, function_name, trim(list)
  printf "EXPORT void %s_(%s%s);\n", letters, fortran, lengths
  printf "void %s_(%s%s)\n{\n", letters, fortran, lengths
  printf "    struct tw_dropin_door *const door = &tw_dropin_doors[%d];\n", doors - 1
  printf "    if (!tw_dropin_enter(door, __builtin_return_address(0))) {\n"
  printf "        void (*own)(%s%s) = (void (*)(%s%s))door->own;\n", types, length_types, types, length_types
  printf "        if (own) own(%s%s);\n        return;\n    }\n", pass, length_pass
  printf "    tw_dropin_leave(door, %s(%s), %s);\n}\n\n", function_name, call, blas ? "NULL" : "info"
}
{
  gsub(/[ \t\n]+/, " ")
  if (match($0, /tw_LAPACKE_[sdcz][a-z0-9_]+_work\(/)) {
    function_name = substr($0, RSTART, RLENGTH - 1); list = substr($0, RSTART + RLENGTH)
    sub(/\).*/, "", list)
    letters = function_name; sub(/^tw_LAPACKE_/, "", letters); sub(/_work$/, "", letters)
    door(function_name, "int32_t", letters, list, "102", 0)
  } else if (match($0, /tw_[sdcz](gemm|symm|hemm|syrk|herk|syr2k|her2k|trmm|trsm)\(/)) {
    function_name = substr($0, RSTART, RLENGTH - 1); list = substr($0, RSTART + RLENGTH)
    sub(/\).*/, "", list)
    door(function_name, "int64_t", substr(function_name, 4), list, "", 1)
  }
}
END {
  if (wrong) exit 1
  if (doors < 50) { print "doors.awk: only " doors + 0 " functions found" > "/dev/stderr"; exit 1 }
  print "struct tw_dropin_door tw_dropin_doors[] = {"
  for (i = 1; i <= doors; i++) printf "    {.name = \"%-6s\", .blas = %d, .layout = %d},\n", names[i], is_blas[i], has_layout[i]
  print "    {.name = NULL}};"
}
