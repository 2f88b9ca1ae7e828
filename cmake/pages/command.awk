# From pages of help ("= NAME" before each) to mdoc: a subsection for each page, its flags as a list. `leave` names pages to leave out.
function escape(s) { gsub(/\\/, "\\e", s); gsub(/--/, "\\-\\-", s); gsub(/"/, "\\(dq", s); if (s ~ /^[.']/) s = "\\\\&" s; return s }
function say(s) { if (in_list) { print ".El"; in_list = 0; print ".Pp" } print escape(s) }
function list() { if (!in_list) print ".Bl -tag -width Ds"; in_list = 1 }
/^= / {
  if (in_list) print ".El"; in_list = 0
  page = $2; skip = index(" " leave " ", " " page " ") > 0
  if (!skip && heading == "") print ".Ss " page
  next
}
skip { next }
/^ *$/ { if (in_list) { print ".El"; in_list = 0 } else if (said) print ".Pp"; said = 0; next }
/^  --/ {
  line = substr($0, 3); text = ""
  if (line ~ /   *--/) { if (in_list) print ".El"; in_list = 0; printf ".Dl %s\n", escape(line); next }   # several columns: as they stand
  if (match(line, /   */)) { text = substr(line, RSTART + RLENGTH); line = substr(line, 1, RSTART - 1) }
  else if (match(line, /^--[^ ]+ [^ ]+ /)) { text = substr(line, RLENGTH + 1); line = substr(line, 1, RLENGTH - 1) }
  list(); printf ".It Sy \"%s\"\n", escape(line); if (text != "") print escape(text); next
}
/^          / && in_list { sub(/^ +/, ""); print escape($0); next }                                        # a flag's text goes on
/^  / { if (in_list) print ".El"; in_list = 0; sub(/^  /, ""); printf ".Dl %s\n", escape($0); said = 1; next }
{ say($0); said = 1 }
END { if (in_list) print ".El" }
