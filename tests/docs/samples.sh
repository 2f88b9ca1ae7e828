#!/usr/bin/env bash
# Every command and every sample of README.md and docs/*.md: blocks of commands are run, one after another in a folder of the document's
# own, blocks of C are compiled and linked, whole programs are run, too.
#
#   tests/docs/samples.sh [DOCUMENT.md...]       all of them without arguments
#
# A block fenced as `sh` is run as one script, which stops at the first failure; one fenced as `c` is compiled, one fenced as `python` is run where Python is. Indented blocks count as
# what they look like. A comment on a line of its own before a block says what the block does not:
#
#   <!-- not run: REASON -->      it cannot be run here: needs GPUs, hours, a display
#   <!-- given: DECLARATIONS -->  what stands around a piece of C
#   <!-- saved as: FILE -->       commands further down use this file
#   <!-- status: N -->            the block's last command ends with this status
set -u
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
build=$(cd "$TILEWORK_BUILD" && pwd) source=$(cd "$TILEWORK_SOURCE" && pwd)
top=$(mktemp -d) || exit 1
if [ -z "${TILEWORK_KEEP:-}" ]; then trap 'rm -rf "$top"' EXIT; else echo "kept: $top"; fi
export PATH=$build/bin:$PATH
failures=0 ran=0 compiled=0 left=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }

# What was installed is what samples are built with, as a reader builds them.
cmake --install "$build" --prefix "$top/prefix" > "$top/install.log" 2>&1 || { cat "$top/install.log"; exit 1; }
PKG_CONFIG_PATH=$(dirname "$(find "$top/prefix" -name tilework.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
PYTHONPATH=$(pkg-config --variable=python tilework)
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
modules="tilework"; fft_header=""
if pkg-config --exists tilework_fft; then modules="tilework tilework_fft" fft_header="#include <tilework/fft.h>"; fi
# shellcheck disable=SC2046,SC2086  # words are wanted
build_c() { cc -std=gnu11 -Wall -Wextra -Werror -Wno-unused "$@" $(pkg-config --cflags --libs $modules); }

# Cut a document into blocks: N.sh, N.c, N.text, and N.about with line, directive and its text.
cut_up() {      # DOCUMENT FOLDER
  awk -v folder="$2" '
    function begin(kind, line) { n++; file = folder "/" sprintf("%03d", n) "." kind; about = folder "/" sprintf("%03d", n) ".about"
      printf "%d\n", line > about; if (what != "") printf "%s\n", what > about; printf "" > file; close(about); what = "" }
    function kind_of(line) {
      if (line ~ /^ *(tilework|tilework-[a-z-]+|build\/bin\/[a-z\/_-]+|bash|cc|cmake|ctest|export|mkdir|python3|\.\/[a-z_]+|[A-Z_]+=[^ ]*) /) return "sh"
      return line ~ /tw_|#include/ ? "c" : "text" }
    fenced { if (/^ *```/) { fenced = 0; close(file) } else print >> file; next }
    /^ *```/ { lang = $0; sub(/^ *```/, "", lang); begin(lang == "sh" || lang == "c" || lang == "python" ? lang : "text", FNR + 1); fenced = 1; blank = 0; next }
    /^<!-- (not run|given|saved as|status): .* -->$/ { sub(/^<!-- /, ""); sub(/ -->$/, ""); what = what == "" ? $0 : what "\n" $0; blank = 1; next }
    /^    / && (blank || indented) { if (!indented) begin(kind_of($0), FNR); indented = 1; blank = 0; print substr($0, 5) >> file; next }
    /^ *$/ { blank = 1; if (indented) print "" >> file; next }
    { if (indented) close(file); indented = 0; blank = 0; if (what != "" ) { print FILENAME ":" FNR ": a comment without its block: " what; what = "" } }
  ' "$1"
}
told() { sed -n "s/^$2: //p" "$1.about"; }

run_block() {      # BLOCK PLACE SCRATCH
  local want got begin=$SECONDS
  want=$(told "$1" status)
  (cd "$3" && HOME=$3/home timeout -k 5 "${TILEWORK_SAMPLE_TIMEOUT:-900}" bash -eu -o pipefail "$1.sh") > "$1.out" 2>&1 < /dev/null
  got=$?
  ran=$((ran + 1))
  if [ "$got" != "${want:-0}" ]; then bad "$2: status $got instead of ${want:-0}"; sed 's/^/    | /' "$1.sh"; tail -n 15 "$1.out" | sed 's/^/    /'; fi
  if [ $((SECONDS - begin)) -ge 10 ]; then echo "$2: $((SECONDS - begin)) s"; fi
}

compile_block() {      # BLOCK PLACE SCRATCH DOCUMENT
  local name; name=$(told "$1" "saved as")
  compiled=$((compiled + 1))
  if grep -q 'int main(' "$1.c"; then
    build_c "$1.c" -o "$1.program" > "$1.out" 2>&1 || { bad "$2 does not compile"; cat "$1.out"; return; }
    (cd "$3" && HOME=$3/home timeout 120 "$1.program") > "$1.out" 2>&1 || { bad "$2: the program fails"; cat "$1.out"; return; }
    cp "$1.program" "$3/my_program"; cp "$1.program" "$top/my_program"
    if [ -n "$name" ]; then cp "$1.c" "$3/$name"; fi
  else
    { printf '#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <tilework/tilework.h>\n%s\n' "$fft_header"
      grep '^#include' "$1.c"
      printf 'int sample(void);\nint sample(void)\n{\n%s\n{\n#line %s "%s"\n' "$(told "$1" given)" "$(head -n 1 "$1.about")" "$4"
      grep -v '^#include' "$1.c"
      printf '}\nreturn 0;\n}\n'; } > "$1.whole.c"
    build_c -shared -fPIC -Wl,--no-undefined "$1.whole.c" -o "$1.so" > "$1.out" 2>&1 || { bad "$2 does not compile"; grep -E 'error|undefined' "$1.out" | head -n 12; }
  fi
}

run_python() {      # BLOCK PLACE
  if ! command -v python3 > /dev/null || ! python3 -c 'import ctypes' 2> /dev/null; then echo "not run: $2: no Python here"; return; fi
  if grep -q 'import tilework' "$1.python" && ! python3 -c 'import tilework; tilework.potrf' 2> /dev/null; then echo "not run: $2: no Python extension here"; return; fi
  ran=$((ran + 1))
  timeout 120 python3 "$1.python" > "$1.out" 2>&1 < /dev/null || { bad "$2: the Python sample fails"; tail -n 8 "$1.out"; }
}

documents=("$@")
if [ $# -eq 0 ]; then documents=("$source/README.md" "$source"/docs/*.md); fi
for document in "${documents[@]}"; do
  name=$(basename "$document" .md)
  case $name in performance | design) continue ;; esac      # measurements on other machines, and architecture: nothing to try
  blocks=$top/$name.blocks scratch=$top/$name
  mkdir -p "$blocks" "$scratch/home"
  for link in examples tests cmake traces docs; do ln -s "$source/$link" "$scratch/$link"; done
  ln -s "$build" "$scratch/build"
  if [ -e "$top/my_program" ]; then cp "$top/my_program" "$scratch/"; fi
  cut_up "$document" "$blocks" > "$blocks/said"
  if [ -s "$blocks/said" ]; then bad "$(cat "$blocks/said")"; fi
  for about in "$blocks"/*.about; do
    if [ ! -e "$about" ]; then continue; fi
    block=${about%.about} place="$name.md:$(head -n 1 "$about")"
    reason=$(told "$block" "not run")
    if [ -n "$reason" ]; then echo "not run: $place: $reason"; left=$((left + 1)); continue; fi
    if [ -z "$fft_header" ] && grep -qE 'tw_fft|tw_signal|tilework fft|tilework-fft|fft_' "$block".[sct]*; then echo "not run: $place: this build has no FFTs"; continue; fi
    if [ -e "$block.sh" ]; then run_block "$block" "$place" "$scratch"
    elif [ -e "$block.python" ]; then run_python "$block" "$place"
    elif [ -e "$block.c" ]; then compile_block "$block" "$place" "$scratch" "$document"
    elif grep -qE '^ *(build/bin/)?tilework[a-z-]* +[a-z-]' "$block.text"; then bad "$place: commands in a block that is not fenced as sh"; fi
  done
done

echo "$ran blocks of commands run, $compiled samples compiled, $left left out"
if [ $# -eq 0 ] && { [ "$ran" -lt 20 ] || [ "$compiled" -lt 10 ]; }; then bad "there are fewer samples than there were: are they found?"; fi
[ "$failures" = 0 ] && echo "documents: all right" && exit 0
echo "$failures failures"
exit 1
