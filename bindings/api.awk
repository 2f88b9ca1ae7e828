# From preprocessed public headers to a table, a line for each thing that they declare, fields with tabs between:
#
#   F  name  result  type argument  type argument ...     a function; types are as C writes them, without `enum`, `struct` and the complex types' own words (scomplex, dcomplex)
#   T  name  result  type argument  ...                   a pointer to a function
#   E  enumeration   constant  value
#   S  structure     type  field  size ...                 sizes of an array's dimensions behind it; a structure without fields is opaque
#   C  constant      value                                 a macro that is a number (lines of -dM)
#
# What it does not understand it says, and fails: a header cannot grow something that the bindings pass by.
function fail(what) { print "api.awk: " what > "/dev/stderr"; failed = 1; exit 1 }
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
# "const double _Complex *a" to "const dcomplex *" and "a"
function split_declaration(s,    stars) {
  s = trim(s); gsub(/[ \t]+/, " ", s)
  gsub(/double _Complex/, "dcomplex", s); gsub(/float _Complex/, "scomplex", s); gsub(/(enum|struct) /, "", s)
  if (match(s, /[A-Za-z_][A-Za-z_0-9]*$/) == 0) fail("no name in: " s)
  the_name = substr(s, RSTART); the_type = trim(substr(s, 1, RSTART - 1))
  if (the_type == "") { the_type = the_name; the_name = "" }      # an unnamed argument
  gsub(/ \*/, "*", the_type); gsub(/\* /, "*", the_type); gsub(/\*+/, " &", the_type)
}
function arguments(s,    n, i, list, one, result) {
  s = trim(s)
  if (s == "" || s == "void") return ""
  n = split(s, list, ","); result = ""
  for (i = 1; i <= n; i++) {
    one = list[i]
    if (one ~ /\[/) { if (gsub(/\[[^]]*\]/, "", one)) sub(/[A-Za-z_0-9]+[ ]*$/, "*&", one) }
    split_declaration(one)
    result = result "\t" the_type "\t" the_name
  }
  return result
}
function fields(structure, body,    n, list, i, m, part, j, base, one, sizes) {
  print "S\t" structure
  n = split(body, list, ";")
  for (i = 1; i <= n; i++) {
    one = trim(list[i]); if (one == "") continue
    if (match(one, /\(\*[a-z_]+\)\(/)) { one = substr(one, RSTART + 2); sub(/\).*/, "", one); print "S\t" structure "\tfunction\t" one; continue }
    if (match(one, /\(\*[a-z_]+\)\[/)) {      # a pointer to arrays
      sizes = one; sub(/.*\[/, "", sizes); sub(/\].*/, "", sizes); base = one; sub(/[ ]*\(.*/, "", base)
      sub(/.*\(\*/, "", one); sub(/\).*/, "", one); print "S\t" structure "\t" base " (*)[" sizes "]\t" one; continue
    }
    m = split(one, part, ",")
    for (j = 1; j <= m; j++) {
      one = part[j]; sizes = ""
      while (match(one, /\[[^]]*\]/)) { sizes = sizes "\t" substr(one, RSTART + 1, RLENGTH - 2); one = substr(one, 1, RSTART - 1) substr(one, RSTART + RLENGTH) }
      if (j > 1) one = base " " one
      split_declaration(one)
      if (j == 1) { base = the_type; sub(/ *\*+$/, "", base) }
      print "S\t" structure "\t" the_type "\t" the_name sizes
    }
  }
}
function constants(enumeration, body,    n, list, i, one, value, next_value) {
  n = split(body, list, ","); next_value = 0
  for (i = 1; i <= n; i++) {
    one = trim(list[i]); if (one == "") continue
    if (one ~ /=/) {
      value = one; sub(/.*=[ ]*/, "", value); sub(/[ ]*=.*/, "", one)
      if (value ~ /^'.'$/) value = index(letters, substr(value, 2, 1)) + 31
      if (value !~ /^-?[0-9]+$/) fail("the value of " one ": " value)
      next_value = value + 0
    }
    print "E\t" enumeration "\t" one "\t" next_value; next_value++
  }
}
BEGIN { for (i = 32; i < 127; i++) letters = letters sprintf("%c", i) }
/^#define TW_[A-Z_0-9]+ [0-9]+$/ { print "C\t" $2 "\t" $3; next }
/^#/ { next }
{ text = text " " $0 }
END {
  if (failed) exit 1
  gsub(/[ \t]+/, " ", text)
  gsub(/extern "C" \{/, "", text)
  while (text != "") {
    # The next declaration: up to a semicolon outside of braces.
    text = trim(text); depth = 0; n = 0
    while (match(substr(text, n + 1), /[{};]/)) {
      n += RSTART; c = substr(text, n, 1)
      if (c == "{") depth++
      else if (c == "}") { depth--; if (depth == 0 && text ~ /^(static|extern) .*\)[ ]*\{/ && substr(text, n + 1, 2) !~ /^ ?;/) break }
      else if (depth == 0) break
    }
    if (n == 0) break
    one = trim(substr(text, 1, n - 1)); text = substr(text, n + 1)
    if (one !~ /tw_/) continue
    if (one ~ /^(static|extern) /) continue
    if (match(one, /^enum tw_[a-z_0-9]+ \{/)) { name = substr(one, 6, RLENGTH - 7); sub(/^[^{]*\{/, "", one); sub(/\}.*/, "", one); constants(trim(name), one) }
    else if (match(one, /^typedef struct tw_[a-z_0-9]+ \{/)) { name = substr(one, 16, RLENGTH - 17); sub(/^[^{]*\{/, "", one); sub(/\}[^}]*$/, "", one); fields(trim(name), one) }
    else if (one ~ /^typedef struct tw_[a-z_0-9]+ tw_[a-z_0-9]+$/) { name = one; sub(/.* /, "", name); print "S\t" name }
    else if (match(one, /^typedef [a-z ]+ \(\*tw_[a-z_]+\)\(/)) {
      result = one; sub(/^typedef /, "", result); sub(/ \(.*/, "", result)
      name = one; sub(/^[^*]*\*/, "", name); sub(/\).*/, "", name)
      sub(/^[^(]*\([^(]*\(/, "", one); sub(/\)$/, "", one)
      print "T\t" name "\t" result arguments(one)
    }
    else if (one ~ /^typedef [a-z0-9_]+ tw_[a-z]+$/) continue
    else if (one ~ /visibility\("default"\)/) {
      sub(/^.*visibility\("default"\)\)\) ?/, "", one)
      open = index(one, "("); head = substr(one, 1, open - 1); one = substr(one, open + 1); sub(/\)[^)]*$/, "", one)
      split_declaration(head); name = the_name; result = the_type
      if (!(name in seen)) print "F\t" name "\t" result arguments(one)
      seen[name] = 1
    }
    else fail("what is this: " substr(one, 1, 200))
  }
}
