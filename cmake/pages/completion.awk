# From the table of table.awk to a completion for `shell` (bash, zsh, fish). Routines have the flags of the topic `tilework`, too, and are what `memory` asks about. Values
# are offered where the help lists them with bars, as in s|d|c|z.
BEGIN { FS = "\t" }
function add(list, word) { return index(" " list " ", " " word " ") ? list : list (list == "" ? "" : " ") word }
function quote(s) { gsub(/\\/, "\\\\", s); gsub(/'/, "\\'", s); return "'" s "'" }
function values(v) { if (v !~ /^[A-Za-z0-9-]+(\|[A-Za-z0-9-]+)+$/) return ""; gsub(/\|/, " ", v); gsub(/[A-Z][A-Z]+ /, "", v); return v }
$2 == "" { name[++n] = $1; about[$1] = $4; next }
{ flags[$1] = add(flags[$1], $2); text[$1, $2] = $4; v = values($3); if (v != "") choice[$1, $2] = v; takes[$1, $2] = $3 != "" }
END {
  for (i = 1; i <= n; i++) { if (name[i] == "nbody") break; routine[name[i]] = 1; routines = add(routines, name[i]) }
  for (i = 1; i <= n; i++) {
    t = name[i]; words = add(words, t)
    if (routine[t]) {
      count = split(flags["tilework"], f, / /)
      for (k = 1; k <= count; k++) {
        flags[t] = add(flags[t], f[k]); text[t, f[k]] = text["tilework", f[k]]; takes[t, f[k]] = takes["tilework", f[k]]
        if (("tilework", f[k]) in choice) choice[t, f[k]] = choice["tilework", f[k]]
      }
    }
    if (t != "help") { flags[t] = add(flags[t], "--help"); flags[t] = add(flags[t], "--version") }
  }
  if (shell == "fish") {
    print "# Completion of tilework for fish, made from `tilework help all`."
    for (i = 1; i <= n; i++) {
      t = name[i]
      printf "complete -c tilework -n __fish_use_subcommand -x -a %s -d %s\n", t, quote(about[t])
      print_fish("tilework -n '__fish_seen_subcommand_from " t (routine[t] ? "; and not __fish_seen_subcommand_from memory" : "") "'", t)
    }
    print "complete -c tilework -n '__fish_seen_subcommand_from help' -x -a " quote(words " kinds variables all")
    printf "complete -c tilework -n '__fish_seen_subcommand_from memory; and not __fish_seen_subcommand_from %s' -x -a %s\n", routines, quote(routines)
    print_fish("tilework-fft", "fft")
    exit
  }
  if (shell == "zsh") print "#compdef tilework tilework-fft tilework-bench\n# Completion of tilework for zsh, made from `tilework help all`.\n"
  else print "# Completion of tilework for bash, made from `tilework help all`.\n"
  print "_tilework_words() {      # COMMAND LAST-WORD: what may come next; nothing: a file, or a value that only the user knows\n  case $1:$2 in"
  for (i = 1; i <= n; i++) {
    count = split(flags[name[i]], f, / /)
    for (k = 1; k <= count; k++) {
      if ((name[i], f[k]) in choice) printf "    %s:%s) echo '%s' ;;\n", name[i], f[k], choice[name[i], f[k]]
      else if (takes[name[i], f[k]]) plain = plain (plain == "" ? "" : "|") name[i] ":" f[k]
    }
  }
  if (plain != "") printf "    %s) ;;\n", plain
  print "    :*) echo '" words " --help --version' ;;"
  print "    help:*) echo '" words " kinds variables all' ;;"
  print "    memory:memory) echo '" routines " " flags["memory"] "' ;;"
  for (i = 1; i <= n; i++) if (name[i] != "help") printf "    %s:*) echo '%s' ;;\n", name[i], flags[name[i]]
  print "  esac\n}\n"
  if (shell == "zsh") {
    print "local command=${words[2]} first=2\ncase ${words[1]:t} in tilework-fft) command=fft first=1 ;; tilework-bench) command=bench first=1 ;; esac"
    print "if (( CURRENT <= first )); then command=; fi"
    print "local -a offered\noffered=(${=$(_tilework_words \"$command\" \"${words[CURRENT-1]}\")})"
    print "if (( ${#offered} )); then compadd -- $offered; else _files; fi"
  } else {
    print "_tilework() {\n  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} first=1"
    print "  case ${COMP_WORDS[0]##*/} in tilework-fft) command=fft first=0 ;; tilework-bench) command=bench first=0 ;; esac"
    print "  if [ \"$COMP_CWORD\" -le \"$first\" ]; then command=; fi"
    print "  COMPREPLY=($(compgen -W \"$(_tilework_words \"$command\" \"$last\")\" -- \"$word\"))\n}"
    print "complete -o default -F _tilework tilework tilework-fft tilework-bench"
  }
}
function print_fish(what, t,    count, k, f) {
  count = split(flags[t], f, / /)
  for (k = 1; k <= count; k++)
    printf "complete -c %s -l %s%s%s\n", what, substr(f[k], 3), (t, f[k]) in choice ? " -x -a " quote(choice[t, f[k]]) : takes[t, f[k]] ? " -r" : "",
           text[t, f[k]] != "" ? " -d " quote(text[t, f[k]]) : ""
}
