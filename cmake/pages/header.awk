# A public header as a page of section 3: its first comment is the description, then declarations, each under its comment. Also prints,
# with names=1, only the functions that it declares.   -v name=cutoff
function escape(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); if (s ~ /^[.']/) s = "\\&" s; return s }
function functions(line,    at, found) {      # names in a prototype, one for each type where the line is a macro's
  sub(/\/\*.*/, "", line)
  if (line !~ /TW_API/) return
  sub(/.*TW_API/, "", line)
  if (!match(line, /tw_[A-Za-z0-9_#]+ *\(/)) return
  found = substr(line, RSTART, RLENGTH); sub(/ *\($/, "", found)
  if (found ~ /##p##/) {
    letters = split(found ~ /##p##or/ ? "s d" : found ~ /##p##(un|he[mr])/ ? "c z" : "s d c z", letter, / /)   # ormqr; unmqr, hemm
    for (at = 1; at <= letters; at++) { one = found; gsub(/##p##/, letter[at], one); if (one !~ /#/) declared[++count] = one }
  } else if (found !~ /#/) declared[++count] = found
}
function close_code() { if (code) print ".Ed"; code = 0 }
function comment(text) {                       # one line of a comment, without its stars
  if (text ~ /^ *$/) { if (body) print ".Pp"; return }
  if (text ~ /^  /) print ".br"                # tables and formulas keep their lines
  sub(/^ +/, "", text); print escape(text)
}
{ line[NR] = $0; functions($0) }
END {
  if (names) { for (i = 1; i <= count; i++) print declared[i]; exit }
  first = line[1]; sub(/^\/\* *(Tilework: *)?/, "", first); sub(/ *\*\/$/, "", first); title = first; sub(/[.:;].*/, "", title)
  print ".Sh NAME"
  printf ".Nm tilework_%s", name
  for (i = 1; i <= count; i++) printf " ,\n.Nm %s", declared[i]
  printf "\n.Nd %s\n.Sh LIBRARY\n", escape(title)
  print name == "fft" ? "Tilework's FFTs (libtilework_fft, \\-ltilework_fft)" : "Tilework (libtilework, \\-ltilework)"
  printf ".Sh SYNOPSIS\n.In tilework/%s.h\n.Pp\n.Dl cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs %s)\n.Sh DESCRIPTION\n", name, name == "fft" ? "tilework_fft" : "tilework"
  body = 1; print escape(first)
  i = 2
  if (line[1] !~ /\*\/ *$/)
    for (; i <= NR; i++) {
      text = line[i]; last = text ~ /\*\/ *$/; sub(/^ \*\/?/, "", text); sub(/ *\*\/ *$/, "", text); sub(/^ /, "", text); comment(text)
      if (last) { i++; break }
    }
  if (count) print ".Sh DECLARATIONS"
  for (; i <= NR; i++) {
    text = line[i]
    if (text ~ /^#(ifndef|define) TILEWORK_([A-Z]+_)?H$/) continue
    if (skipping) {                                    # what C++ sees; where there is an #else, C sees that
      if (text ~ /^#(else|endif)/) { skipping = 0; swallow = text ~ /^#else/ ? 1 : 0 }
      continue
    }
    if (text ~ /^#ifdef __cplusplus/) { skipping = 1; continue }
    if (swallow) {
      if (text ~ /^#if/) swallow++
      if (text ~ /^#endif/ && --swallow == 0) continue
    }
    if (text ~ /^#include/) continue
    if (text ~ /^\/\*/) {
      close_code(); print ".Pp"
      do {
        text = line[i]; last = text ~ /\*\/ *$/; sub(/^\/\* ?/, "", text); sub(/^ \*\/?/, "", text); sub(/ *\*\/ *$/, "", text); sub(/^ /, "", text); comment(text)
      } while (!last && i++ < NR)
      continue
    }
    if (text ~ /^ *$/) { if (code) blank = 1; continue }
    if (i == NR && text ~ /^#endif/) continue
    if (!code) { print ".Bd -literal"; code = 1; blank = 0 }
    if (blank) { print ""; blank = 0 }
    sub(/^TW_API /, "", text); sub(/ +\\$/, " \\", text); print escape(text)
  }
  close_code()
  if (count) print ".Sh ERRORS\nFunctions that return int or tw_int give 0, or a code for\n.Fn tw_strerror ;\n.Fn tw_last_message\nsays more."
  print ".Sh SEE ALSO\n.Xr tilework 1"
}
