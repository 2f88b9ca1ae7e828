#!/usr/bin/env bash
# zsh loads the completion that the build makes, and completes a command, a flag and a value.   TILEWORK_BUILD: the build
set -u
: "${TILEWORK_BUILD:?}"
pages=$(cd "$TILEWORK_BUILD" && pwd)/share/completions
command -v zsh > /dev/null || { echo "not run: zsh is not here"; exit 77; }
zsh -fc 'zmodload zsh/zpty && autoload -Uz +X compinit' 2> /dev/null || { echo "not run: zsh came without its functions"; exit 77; }
[ -d "$pages" ] || { echo "not run: this build makes no completions"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/functions" && cp "$pages/zsh" "$work/functions/_tilework" && cd "$work" || exit 1
export HOME=$work ZDOTDIR=$work TERM=dumb
# A zsh at a terminal of its own: what stands on the line after Tab goes to a file.
cat > "$work/type.zsh" <<'ZSH'
zmodload zsh/zpty
zpty -b shell zsh -f -i
say() { zpty -w shell "$1" }
say "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump"
say "show() { print -r -- \"\$BUFFER\" > $PWD/line.new; mv $PWD/line.new $PWD/line; BUFFER= }; zle -N show; bindkey '^X^X' show; bindkey '^I' complete-word; : > $PWD/ready"
wait_for() { for k in {1..3000}; do [[ -e $1 ]] && return; zpty -rt shell got; sleep 0.01; done }
wait_for ready
zpty -n -w shell "$1"$'\t\x18\x18'
wait_for line
zpty -d shell
ZSH
failures=0
# completes LINE WHOLE: Tab behind the first makes the second
completes() {
  rm -f "$work/line" "$work/ready"
  timeout 100 zsh -f "$work/type.zsh" "$1" > "$work/out" 2>&1
  if [ "$(cat "$work/line" 2>/dev/null)" != "$2" ]; then
    echo "FAILED: Tab behind '$1' makes '$(cat "$work/line" 2>&1)', not '$2'"; cat "$work/out"
    failures=$((failures + 1))
  fi
}
completes 'tilework minim' 'tilework minimize '
completes 'tilework potrf --lapa' 'tilework potrf --lapack-door '
completes 'tilework gees --select le' 'tilework gees --select left '
completes 'tilework memory cholq' 'tilework memory cholqr '
completes 'tilework memory cholqr --js' 'tilework memory cholqr --json '
completes 'tilework help var' 'tilework help variables '
completes 'tilework help kin' 'tilework help kinds '
if [ -x "$TILEWORK_BUILD/bin/tilework-fft" ]; then
  completes 'tilework-fft --convo' 'tilework-fft --convolve '
  completes 'tilework fft --norm or' 'tilework fft --norm ortho '
fi
exit $((failures > 0))
