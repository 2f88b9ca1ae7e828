#!/usr/bin/env bash
# What exists is named: every command in docs/command.md, every variable that the sources read in `tilework help variables` and in
# docs/tuning.md, every document in README.md, every example in docs/examples.md; and links between documents lead somewhere.
set -u
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
bin=$(cd "$TILEWORK_BUILD" && pwd)/bin
cd "$TILEWORK_SOURCE" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }

commands=$("$bin/tilework" help | sed -nE '/^Routines:|^Other commands:/,/^$/s/^  ([a-z]+) .*/\1/p')
[ "$(wc -w <<< "$commands")" -ge 18 ] || bad "tilework help lists only: $commands"
for command in $commands; do grep -qE "\b$command\b" docs/command.md || bad "docs/command.md does not name $command"; done
for command in md minimize nbody fmm direct fft info memory calibrate env bench compare trace; do
  grep -qE "^\*\*\`tilework $command|\*\*\`tilework $command\b" docs/command.md || bad "docs/command.md has no paragraph on $command"
done

"$bin/tilework" help variables > "${TMPDIR:-/tmp}/variables.$$"
read_ones=$(cat runtime/base/own_variables.h types/*/*_variables.h | tr "\n" " " | grep -oE "TW_VARIABLE\( *TILEWORK_[A-Z0-9_]+" | grep -oE "TILEWORK_[A-Z0-9_]+")
# One place asks the environment for them, by their rows; what the command sets for the library it sets by name.
if grep -rnE 'getenv\( *"TILEWORK_' runtime codelets kernels algorithms io types cli; then
  bad "the lines above ask for a variable that is no row (runtime/base/variables.h)"
fi
[ "$(wc -w <<< "$read_ones")" -ge 20 ] || bad "only these variables are read: $read_ones"
for variable in $read_ones; do
  grep -qw "$variable" "${TMPDIR:-/tmp}/variables.$$" || bad "tilework help variables lacks $variable"
  grep -qw "$variable" docs/tuning.md || bad "docs/tuning.md lacks $variable"
done
for variable in $(sed -nE 's/^\| `(TILEWORK_[A-Z0-9_]+)`.*/\1/p' docs/tuning.md); do
  grep -qw "$variable" <<< "$read_ones" || bad "docs/tuning.md has $variable, of which tilework help variables knows nothing"
done
grep -wE 'TILEWORK_FFT_PLACE' "${TMPDIR:-/tmp}/variables.$$" | grep -qw both || bad "help variables: TILEWORK_FFT_PLACE without both"
rm -f "${TMPDIR:-/tmp}/variables.$$"
[ "$("$bin/tilework" env | grep -c '^# TILEWORK_')" = "$(wc -w <<< "$read_ones")" ] || bad "tilework env does not list all variables"
TILEWORK_NB=72 "$bin/tilework" env | grep -q '^# TILEWORK_NB=72 ' || bad "tilework env: TILEWORK_NB=72 is not shown"
(TILEWORK_TRACE=$'x\nfalse_command=1' ; export TILEWORK_TRACE; eval "$("$bin/tilework" env)"; [ -z "${false_command:-}" ]) || bad "tilework env: a value got into the shell"
"$bin/tilework" help potrf | grep -q '\.html' || bad "help: --trace without .html"
if [ -x "$bin/tilework-fft" ]; then "$bin/tilework-fft" --help | grep -q '\.png' || bad "help fft: --output without .png"; fi

for document in docs/*.md; do grep -qF "$document" README.md || bad "README.md does not name $document"; done
for example in examples/*.c examples/fft/*.c; do
  name=$(basename "$example" .c)
  case $example in examples/fft/*) name=fft_$name ;; esac
  grep -qE "\b$name\b" docs/examples.md || bad "docs/examples.md does not name $name"
done
for file in examples/data/*; do grep -rqF "$file" README.md docs examples/*.c || bad "no document uses $file"; done
for document in README.md docs/*.md; do
  for link in $(grep -oE '\]\([^)#: ]+\)' "$document" | sed 's/^](//; s/)$//'); do
    [ -e "$(dirname "$document")/$link" ] || bad "$document: the link to $link leads nowhere"
  done
done
if grep -nwiE 'mend|mends' README.md docs/*.md docs/man/*.in cli/*.c cli/*/*.c; then bad "the lines above: one says fix"; fi

[ "$failures" = 0 ] && echo "names: all right" && exit 0
echo "$failures failures"
exit 1
