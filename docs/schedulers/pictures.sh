#!/usr/bin/env bash
# Makes the pictures of docs/schedulers.md from the recordings in this folder.
#
#   docs/schedulers/pictures.sh [FOLDER]            into FOLDER, or here
#   docs/schedulers/pictures.sh --record            first records anew: the commands of docs/schedulers.md, on this machine
#
# TILEWORK: the command [tilework]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tilework=${TILEWORK:-tilework}
if [ "${1:-}" = --record ]; then
  shift
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/bin" && ln -s "$(command -v "$tilework")" "$work/bin/tilework"
  awk '/^### [0-9]/ { on = 1 } /^### And/ { on = 0 } on && /^```$/ { block = 0 } on && block; on && /^```sh/ { block = 1 }' "$here/../schedulers.md" > "$work/commands"
  # Of twenty runs the shortest, but for the one that is about other programs: any.
  for run in {1..20}; do
    (cd "$work" && PATH=$work/bin:$PATH TILEWORK_TRACE_FORMATS=tw bash -eu commands > /dev/null)
    for name in small large arrival urgent near bound kinds held shared; do
      took=$("$tilework" trace "$work/$name.tw" | sed -n 's/^[0-9]* tasks of.* edges, \([0-9.]*\) s.*/\1/p')
      if [ "$run" = 1 ] || { [ $name != shared ] && awk "BEGIN { exit !($took < $(cat "$work/$name.took")) }"; }; then
        echo "$took" > "$work/$name.took"
        cp "$work/$name.tw" "$here/"
      fi
    done
    sed -i '/while :; do/,/^wait/d; /shared/d' "$work/commands" # once is enough of it
  done
fi
to=${1:-$here}
mkdir -p "$to/h200"
for recording in "$here"/*.tw "$here"/h200/sched-16384-*.tw; do
  name=${recording#"$here/"} name=${name%.tw}
  "$tilework" trace "$recording" --svg --output "$to/$name" > /dev/null
done
