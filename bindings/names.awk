# What the generators of the bindings share: the tables of bindings/api.awk, read into arrays, and the names of what is generic over types.
#
#   table[1 ... tables]   the first table is libtilework's; where there is a second one, the part that is made is its own (what the first has is left out)
#   fn[i], result[fn], argc[fn], type[fn, i], arg[fn, i]; structure[i], fields[s], ftype[s, i], fname[s, i], fsize[s, i]; enumeration[i], ...
function base_type(t) { gsub(/const |\*| $/, "", t); gsub(/ +$/, "", t); return t }
function stars_of(t) { return gsub(/\*/, "", t) }
function is_opaque(t) { return (t in known) && fields[t] == 0 }
function is_struct(t) { return (t in known) && fields[t] > 0 }
BEGIN { FS = "\t" }
FNR == 1 { tables++ }
$1 == "F" && !($2 in result) {
  name = $2; result[name] = $3; argc[name] = int((NF - 3) / 2); of_table[name] = tables
  for (i = 1; i <= argc[name]; i++) { type[name, i] = $(2 + 2 * i); arg[name, i] = $(3 + 2 * i) }
  fn[++functions] = name
}
$1 == "T" { callback[$2] = 1; if (!($2 in result)) { result[$2] = $3; argc[$2] = int((NF - 3) / 2); of_table[$2] = tables; callbacks[++ncallbacks] = $2
  for (i = 1; i <= argc[$2]; i++) { type[$2, i] = $(2 + 2 * i); arg[$2, i] = $(3 + 2 * i) } } }
$1 == "E" { if (!($2 in enums)) { enums[$2] = 0; enumeration[++nenums] = $2; of_table[$2] = tables } if (!(($2, $3) in enum_seen)) { enum_seen[$2, $3] = 1; i = ++enums[$2]; ename[$2, i] = $3; evalue[$2, i] = $4 } }
$1 == "S" && NF == 2 && !($2 in known) { known[$2] = tables; fields[$2] = 0; structure[++structures] = $2; of_table[$2] = tables; open_struct = $2 }
$1 == "S" && NF > 2 && known[$2] == tables { i = ++fields[$2]; ftype[$2, i] = $3; fname[$2, i] = $4; fsize[$2, i] = $5 }
$1 == "C" && !($2 in constant) { constant[$2] = $3; constants[++nconstants] = $2; of_table[$2] = tables }
# The name without the letter of the type, "" if it has none: tw_dpotrf is potrf's, tw_sfmm3d is fmm3d's. letter_of is the letter then.
function generic(name,    rest, other, i, c) {
  rest = substr(name, 5); c = substr(name, 4, 1); letter_of = ""
  if (name !~ /^tw_[sdcz]/) return ""
  for (i = 1; i <= 4; i++) { other = substr("sdcz", i, 1); if (other != c && ("tw_" other rest) in result) { letter_of = c; return rest } }
  if (c == "s" && ("tw_" rest) in result && !((name, 1) in type && type["tw_" rest, 1] != type[name, 1])) { letter_of = c; return rest }
  return ""
}
# A function of the LAPACK door: the letter of the type, and sizes by value.
function is_lapack(name) { return result[name] == "tw_int" && (generic(name) != "" && name !~ /fmm|yukawa/ || name ~ /^tw_(ds|zc)(ge|po)sv$/) }
# What an int says that is no status.
function is_answer(name) { return name ~ /^tw_(is_running|sequence_test|figure|generator_is_spd|recorded_standard_change|recorded_path|routine_nb|type_is_complex|routine_crossover|matrix_(rows|cols|mb|nb|type|uplo)|generator_type)$/ }
# The lines of bindings/shapes.txt (-v shapes=FILE), by the names that a function's lapack_name() gives: sizes[r, "n"] = "a.2", rows[r, "a"], columns[r, "a"] ("" of a vector).
function lapack_name(name) { if (name ~ /^tw_(ds|zc)gesv$/) return "gesv_mixed"; if (name ~ /^tw_(ds|zc)posv$/) return "posv_mixed"; return generic(name) }
function read_shapes(    line, part, name, n, i, k, m, word, nm, a, dims, depth, c) {
  while ((getline line < shapes) > 0) {
    if (line ~ /^#/ || line !~ /:/) continue
    split(line, part, " : ")
    n = split(part[1], name, " ")
    for (k = 1; k <= n; k++) {
      shaped[name[k]] = 1
      m = split(part[2], word, " ")
      for (i = 1; i <= m; i++) { split(word[i], nm, "="); sizes[name[k], nm[1]] = nm[2] }
      m = split(part[3], word, " ")
      for (i = 1; i <= m; i++) {
        a = substr(word[i], 1, index(word[i], "(") - 1); dims = substr(word[i], index(word[i], "(") + 1); dims = substr(dims, 1, length(dims) - 1)
        depth = 0; rows[name[k], a] = dims; columns[name[k], a] = ""
        for (c = 1; c <= length(dims); c++) {
          if (substr(dims, c, 1) == "(") depth++; if (substr(dims, c, 1) == ")") depth--
          if (depth == 0 && substr(dims, c, 1) == ",") { rows[name[k], a] = substr(dims, 1, c - 1); columns[name[k], a] = substr(dims, c + 1); break }
        }
      }
    }
  }
}
# One number behind a pointer, not an array; of functions that are not the LAPACK door's.
function one_number(name, i,    a, t) {
  a = arg[name, i]; t = type[name, i]
  if (is_lapack(name)) return !((lapack_name(name), a) in rows)
  if (t ~ /^int \*$/) return a !~ /_ids$/
  if (t ~ /^size_t \*$/) return 1
  if (t ~ /^tw_int \*$/) return a ~ /^(m|mb|nb|ns|nsplit|rank|step|iter|k|sdim|ilo|ihi)$/
  if (t ~ /^double \*$/) return a ~ /^(value|rcond|seconds|rowcnd|colcnd|amax|scond|dt|error|maxc2nrmk|relmaxc2nrmk|abnrm|rpivot)$/ || (name ~ /_geesx/ && a ~ /^rcond[ev]$/) || (name ~ /_nopiv/ && a == "growth") || (name ~ /_mixed|_nopiv|_half/ && a == "berr")
  return 0
}
