#!/usr/bin/env bash
# -h, --help, help, -V, --version and version: of every program, every routine and every command; examples say what they take and
# refuse what they do not know, before they write anything.   TILEWORK_BUILD: the build
set -u
: "${TILEWORK_BUILD:?}"
bin=$(cd "$TILEWORK_BUILD" && pwd)/bin
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"; cd "$work/empty" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
# gives STATUS PATTERN COMMAND…: what it says on stdout (status 0) or stderr matches the pattern; the other one is empty
gives() {
  local want=$1 pattern=$2 got said silent
  shift 2
  timeout 60 "$@" > "$work/out" 2> "$work/err" < /dev/null
  got=$?
  if [ "$want" = 0 ]; then said=$work/out silent=$work/err; else said=$work/err silent=$work/out; fi
  [ "$got" = "$want" ] || { bad "${*##*/bin/} gave $got instead of $want"; sed 's/^/    /' "$work/out" "$work/err"; return; }
  grep -qE -- "$pattern" "$said" || { bad "${*##*/bin/} does not say '$pattern'"; sed 's/^/    /' "$said"; }
  [ ! -s "$silent" ] || bad "${*##*/bin/} also says: $(head -n 1 "$silent")"
}

version=$("$bin/tilework" --version | sed -nE 's/^tilework ([0-9]+\.[0-9]+\.[0-9]+)$/\1/p')
[ -n "$version" ] || bad "tilework --version is '$("$bin/tilework" --version)'"
for program in "$bin"/tilework "$bin"/tilework-*; do
  if [ ! -x "$program" ]; then continue; fi
  for word in -h --help help; do gives 0 '^usage: tilework' "$program" "$word"; done
  for word in -V --version version; do gives 0 "^$(basename "$program") $version\$" "$program" "$word"; done
done

commands=$("$bin/tilework" help | sed -nE '/^Routines:|^Other commands:/,/^$/s/^  ([a-z]+) .*/\1/p')
[ "$(wc -w <<< "$commands")" -ge 18 ] || bad "tilework help lists only: $commands"
for command in $commands; do
  case $command in
    fft) [ -x "$bin/tilework-fft" ] || continue ;;
    bench) [ -x "$bin/tilework-bench" ] || continue ;;
  esac
  for line in "$command -h" "$command --help" "help $command"; do
    # shellcheck disable=SC2086  # words are wanted
    gives 0 "(^usage: .*tilework.*|^tilework )($command|ROUTINE)" "$bin/tilework" $line
  done
  gives 0 "^tilework $version\$" "$bin/tilework" "$command" --version
done
gives 0 '^usage: tilework' "$bin/tilework" help help
gives 0 '^= minimize' "$bin/tilework" help all
gives 2 'no topic' "$bin/tilework" help nonsense
gives 2 'no topic' "$bin/tilework" nonsense --help
if [ -x "$bin/tilework-bench" ]; then
  for line in "bench gemm -h" "help bench" "bench gemm --n 64 --help"; do
    # shellcheck disable=SC2086
    gives 0 '^usage: tilework bench' "$bin/tilework" $line
  done
fi
if [ -x "$bin/tilework-bench-fft" ]; then
  for line in "bench fft -h" "help bench fft"; do
    # shellcheck disable=SC2086
    gives 0 '^usage: tilework bench fft' "$bin/tilework" $line
  done
fi

for example in "$bin"/examples/*; do
  name=$(basename "$example")
  for word in -h --help; do gives 0 "^usage: $name" "$example" "$word"; done
  for word in -V --version; do gives 0 "^$name $version\$" "$example" "$word"; done
  gives 2 -- "$example" --frob
  gives 2 . "$example" one two three four five six
done
for line in "density_estimate many" "fft_poisson 12x" "fft_lowpass wide" "fft_deblur 2 loud" "density_estimate 9"; do
  read -ra words <<< "$line"
  if [ -x "$bin/examples/${words[0]}" ]; then gives 2 '^usage' "$bin/examples/${words[0]}" "${words[@]:1}"; fi
done

left=$(ls -A)
[ -z "$left" ] || bad "these files were left behind: $left"
[ "$failures" = 0 ] && echo "help and version: all right" && exit 0
echo "$failures failures"
exit 1
