#!/usr/bin/env bash
# Man pages and completions that the build makes: every command and flag that help knows is there, every public header has a page that
# names its functions, every page is one that `man` shows, and completion offers what comes next.
set -u
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
build=$(cd "$TILEWORK_BUILD" && pwd); bin=$build/bin; pages=$build/share
if [ ! -d "$pages/man" ]; then echo "skipped: this build makes no pages"; exit 77; fi
work=$(mktemp -d) || exit 1; trap 'rm -rf "$work"' EXIT
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }

# --- the command's page ---------------------------------------------------------------------------------------------
page=$pages/man/man1/tilework.1
plain() { sed 's/\\-/-/g; s/\\(dq/"/g' "$1"; }
plain "$page" > "$work/page"
commands=$("$bin/tilework" help | sed -nE '/^Routines:|^Other commands:/,/^$/s/^  ([a-z]+) .*/\1/p')
for command in $commands; do grep -qx "\.It Cm $command" "$work/page" || bad "tilework(1) has no line for $command"; done
for command in potrf md minimize info; do grep -qx "\.Ss $command" "$work/page" || bad "tilework(1) has no section on $command"; done
flags=0
for flag in $("$bin/tilework" help all | grep -E '^  --' | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u); do
  flags=$((flags + 1))
  grep -qF -- "$flag" "$work/page" || bad "tilework(1) lacks $flag"
done
[ "$flags" -gt 50 ] || bad "help knows only $flags flags"
for name in TILEWORK_NVRTC TILEWORK_FFT_PLACE STARPU_SCHED; do grep -q "^\.It Ev \"\?$name" "$work/page" || bad "tilework(1) lacks $name"; done
if grep -nE '^@|mend' "$work/page"; then bad "the lines above of tilework(1)"; fi
if [ -x "$bin/tilework-fft" ]; then
  plain "$pages/man/man1/tilework-fft.1" > "$work/fft"
  for flag in $("$bin/tilework-fft" --help | grep -E '^  --' | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u); do
    grep -qF -- "$flag" "$work/fft" || bad "tilework-fft(1) lacks $flag"
  done
fi

# --- the headers' ----------------------------------------------------------------------------------------------------
for header in "$TILEWORK_SOURCE"/include/tilework/*.h; do
  name=$(basename "$header" .h)
  if [ "$name" = fft ] && [ ! -x "$bin/tilework-fft" ]; then continue; fi
  page=$pages/man/man3/tilework_$name.3
  [ -s "$page" ] || { bad "no page on $name.h"; continue; }
  for function in $(grep -oE '^TW_API [^(]*\(' "$header" | grep -oE 'tw_[A-Za-z0-9_]+ *\($' | tr -d ' ('); do
    grep -qE "^\.Nm $function( ,)?\$" "$page" || bad "tilework_$name(3) does not name $function"
    [ "$(cat "$pages/man/man3/$function.3" 2>/dev/null)" = ".so man3/tilework_$name.3" ] || bad "man $function finds no page"
  done
  if grep -nE '^#include|__cplusplus' "$page"; then bad "tilework_$name(3) has the preprocessor's lines above"; fi
  [ "$(grep -c '^#if' "$page")" = "$(grep -c '^#endif' "$page")" ] || bad "tilework_$name(3) has an #if or #endif too many"
done
for function in tw_dpotrf tw_zposv tw_fmm3d; do [ -s "$pages/man/man3/$function.3" ] || bad "man $function finds no page"; done
if command -v man > /dev/null && command -v groff > /dev/null; then
  for page in "$pages"/man/man[13]/tilework*; do
    LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings=mac,syntax,reg -l "$page" > "$work/shown" 2> "$work/said" || bad "man cannot show $page"
    if [ -s "$work/said" ]; then bad "$(basename "$page"): $(head -n 3 "$work/said")"; fi
    [ "$(wc -l < "$work/shown")" -gt 15 ] || bad "$(basename "$page") is nearly empty"
  done
else
  echo "not run: man and groff are not here to show the pages"
fi

# --- completion ----------------------------------------------------------------------------------------------------
offers() {      # WORDS WANTED...: bash offers each of them after these words
  local words=$1 got wanted; shift
  # shellcheck disable=SC2016  # the other bash expands it
  got=$(bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tilework; printf " %s" "${COMPREPLY[@]}"' sh "$pages/completions/bash" $words "${last-}")
  for wanted; do case "$got " in *" $wanted "*) ;; *) bad "after '$words ${last-}' completion offers$got, not $wanted" ;; esac; done
}
last=''    offers tilework potrf minimize help version
last=po    offers tilework potrf potrs
last=''    offers "tilework help" md kinds all
last=--    offers "tilework potrf" --n --check --output --help
last=--nr  offers "tilework posv" --nrhs
last=''    offers "tilework potrf --type" s d c z
last=''    offers "tilework gees --select" none left disk
last=''    offers "tilework gesvdx --route" auto lapack two
last=''    offers "tilework memory" gesv geqrf cholqr --n
last=ge    offers "tilework memory" gesv gels geqp3
last=--    offers "tilework memory gesv" --n --nb --type --json
last=''    offers "tilework memory gesv --type" s d c z
last=--    offers "tilework minimize" --iterations --tolerance
last=--    offers "tilework info" --json --startup
if [ -x "$bin/tilework-fft" ]; then last=--c offers tilework-fft --check --convolve; last='' offers "tilework fft --norm" none n ortho; fi
for shell in bash zsh fish; do [ -s "$pages/completions/$shell" ] || bad "no completion for $shell"; done
bash -n "$pages/completions/bash" || bad "bash cannot read its completion"
for shell in zsh fish; do if command -v $shell > /dev/null; then $shell -n "$pages/completions/$shell" || bad "$shell cannot read its completion"; fi; done

[ "$failures" = 0 ] && echo "pages: all right" && exit 0
echo "$failures failures"
exit 1
