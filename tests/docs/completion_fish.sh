#!/usr/bin/env bash
# fish loads the completion that the build makes, and offers commands, flags and values.   TILEWORK_BUILD: the build
set -u
: "${TILEWORK_BUILD:?}"
pages=$(cd "$TILEWORK_BUILD" && pwd)/share/completions
command -v fish > /dev/null || { echo "not run: fish is not here"; exit 77; }
[ -d "$pages" ] || { echo "not run: this build makes no completions"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work TERM=dumb PATH=$TILEWORK_BUILD/bin:$PATH # fish completes what it finds
mkdir "$work/tilework" && cp "$pages/fish" "$work/tilework/tilework.fish" && cp "$pages/fish" "$work/tilework/tilework-fft.fish" && cd "$work/tilework" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
# offers LINE WORDS...: each of the words, in this order and no others, is offered behind the line
offers() {
  local line=$1 got; shift
  # loaded by its name from fish's path, as it is from an installed tree; without the descriptions behind tabs
  # shellcheck disable=SC2016  # fish expands it
  got=$(fish --no-config -c 'set fish_complete_path $argv[1]; complete -C $argv[2]' "$PWD" "$line" 2>&1 | cut -f 1)
  [ "$got" = "$(printf '%s\n' "$@")" ] || bad "behind '$line' fish offers: $got"
}
offers 'tilework minim' minimize
offers 'tilework zq' # nothing: letters that no word has in this order
offers 'tilework potrf --lapa' --lapack-door
offers 'tilework potrf --uplo ' L U
offers 'tilework gees --select ' disk left none
offers 'tilework memory cholq' cholqr
offers 'tilework memory gels cholq' # one routine at a time
offers 'tilework memory cholqr --n' --n --nb
offers 'tilework help kin' kinds
offers 'tilework minimize --toler' --tolerance
offers 'tilework potrf --toler'
if [ -x "$TILEWORK_BUILD/bin/tilework-fft" ]; then offers 'tilework-fft --convo' --convolve; fi
exit $((failures > 0))
