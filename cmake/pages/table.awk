# From the pages of help ("= NAME" before each) to a table: topic, flag, value, text, with tabs between them. A topic's own line has
# no flag, and its one-line description as text. A line of help with several flags gives a row for each.
function clean(s) { gsub(/\t/, " ", s); sub(/^ +/, "", s); sub(/ +$/, "", s); return s }
function row(flag, value, text) {
  if (!((topic, flag) in seen)) printf "%s\t%s\t%s\t%s\n", topic, flag, value, text
  seen[topic, flag] = 1
}
/^= / { topic = $2; listing = 0; next }
topic == "tilework" && /^(Routines|Other commands):/ { listing = 1; next }
listing && /^  [a-z]/ { name = $1; text = $0; sub(/^  [a-z]+ +/, "", text); printf "%s\t\t\t%s\n", name, clean(text); next }
/^[^ ]/ { listing = 0 }
/^  --/ {
  line = substr($0, 3)
  gsub(/   *--/, "\n--", line)                       # a second column of flags
  columns = split(line, column, /\n/)
  for (c = 1; c <= columns; c++) {
    left = column[c]; text = ""
    if (match(left, /   */)) { text = clean(substr(left, RSTART)); left = substr(left, 1, RSTART - 1) } # two blanks before the text
    gsub(/, --|\|--/, "\n--", left)
    count = split(left, part, /\n/)
    for (i = 1; i <= count; i++) {
      flag = value = part[i]
      sub(/[ \[=].*/, "", flag)
      sub(/^[^ ]* */, "", value)
      if (text == "" && split(value, word, / +/) > 1) { text = value; value = word[1]; sub(/^[^ ]+ +/, "", text) }
      row(flag, value, text)
    }
  }
}
/^usage:/ {                      # commands with a line of usage only
  line = $0
  while (match(line, /--[a-z][a-z0-9-]*( [A-Z]+)?/)) {
    split(substr(line, RSTART, RLENGTH), word, / /)
    later[++laters] = topic "\t" word[1] "\t" word[2]
    line = substr(line, RSTART + RLENGTH)
  }
}
END {
  for (i = 1; i <= laters; i++) { split(later[i], word, /\t/); topic = word[1]; row(word[2], word[3], "") }
}
