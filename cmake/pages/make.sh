#!/usr/bin/env bash
# make.sh BIN OUT: man pages and shell completions from what the programs in BIN say of themselves and from the public headers, into
# OUT/man/man1, OUT/man/man3 and OUT/completions. Whoever adds a flag to a help text or a function to a header has documented it here.
set -euo pipefail
bin=${1:?usage: make.sh BIN OUT} out=${2:?usage: make.sh BIN OUT}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$source/cmake/pages
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
rm -rf "$out/man" "$out/completions"
mkdir -p "$out/man/man1" "$out/man/man3" "$out/completions"

"$bin/tilework" help all > "$work/all"
page() { sed -n "/^= $1\$/,/^= /{/^= /d;p}" "$work/all"; }
body() { { echo "= $1"; cat; } | awk -f "$here/command.awk" -v heading=none; }
page tilework | sed -n '/^Flags of all/,$p' | body flags > "$work/FLAGS"
page kinds | body kinds > "$work/KINDS"
# "NAME   text" in two columns: a list
page variables | awk '/^  [A-Z]/ { if (!list) print ".Bl -tag -width Ds"; list = 1; line = substr($0, 3); at = match(line, /   *[^ ]/); if (!at) at = match(line, /[a-z0-9]/);
  if (at) { printf ".It Ev \"%s\"\n", substr(line, 1, at - 1); text = substr(line, at); sub(/^ +/, "", text); print text } else printf ".It Ev %s\n", line; next }
  { if (list) print ".El"; list = 0; print } END { if (list) print ".El" }' > "$work/VARIABLES"
awk -f "$here/command.awk" -v leave="tilework kinds variables" "$work/all" > "$work/PAGES"
cp "$work/all" "$work/everything"
if [ -x "$bin/tilework-fft" ]; then
  { echo; echo "= fft"; "$bin/tilework-fft" --help; } >> "$work/everything"
  "$bin/tilework-fft" --help | body fft > "$work/FFT"
fi
if [ -x "$bin/tilework-bench" ]; then { echo; echo "= bench"; "$bin/tilework-bench" --help; } >> "$work/everything"; fi
awk -f "$here/table.awk" "$work/everything" > "$work/table"
awk -F '\t' '$2 == "" { text = $4; gsub(/\\/, "\\e", text); printf ".It Cm %s\n%s\n", $1, text }' "$work/table" > "$work/COMMANDS"
fill() {      # every @NAME@ alone on its line becomes the file NAME
  awk -v work="$work" '/^@[A-Z]+@$/ { gsub(/@/, ""); while ((getline line < (work "/" $0)) > 0) print line; next } { print }' "$1"
}
fill "$source/docs/man/tilework.1.in" > "$out/man/man1/tilework.1"
if [ -x "$bin/tilework-fft" ]; then fill "$source/docs/man/tilework-fft.1.in" > "$out/man/man1/tilework-fft.1"; fi

date=$(sed -n 's/^\.Dd //p' "$source/docs/man/tilework.1.in")
for header in "$source"/include/tilework/*.h; do
  name=$(basename "$header" .h)
  if [ "$name" = fft ] && [ ! -x "$bin/tilework-fft" ]; then continue; fi
  { printf '.Dd %s\n.Dt TILEWORK_%s 3\n.Os\n' "$date" "$(tr '[:lower:]' '[:upper:]' <<< "$name")"
    awk -v name="$name" -f "$here/header.awk" "$header"; } > "$out/man/man3/tilework_$name.3"
  awk -v name="$name" -v names=1 -f "$here/header.awk" "$header" | while read -r function; do
    echo ".so man3/tilework_$name.3" > "$out/man/man3/$function.3"
  done
done

for shell in bash zsh fish; do awk -v shell=$shell -f "$here/completion.awk" "$work/table" > "$out/completions/$shell"; done
