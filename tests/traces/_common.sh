# Shared by the scripts of this room; read with `.`.
set -euo pipefail
source_dir=${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${TILEWORK_BUILD:-$source_dir/build}
tilework=$build/bin/tilework
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "skipped: $*"; exit 77; }
# wanted PROGRAM...: the first of them; what ./quickstart test has set up has to be there.
wanted() {
  command -v "$@" | head -n 1 | grep . && return
  case " ${TILEWORK_TEST_PACKAGES:-} " in *" $1 "*) ;; *) skip "$1 is not installed" >&2 ;; esac
  echo "FAILED: $1 is not installed, though the tests' packages were set up" >&2; exit 1
}
die() { echo "FAILED: $*" >&2; exit 1; }

# export_picture TRACE PICTURE [FROM:TO]: ViTE without a display, started where it may leave a log.txt.
export_picture() {
  (cd "$work" && vite ${3:+-t "$3"} -e "$2" "$1" > "$2.log" 2>&1) || { cat "$2.log" >&2; die "vite -e failed on $1"; }
  [ -s "$2" ] || die "vite wrote no picture of $1"
  grep -q '0 errors and 0 warnings' "$2.log" || { cat "$2.log" >&2; die "vite complained about $1"; }
}
boxes() { { grep -o '<rect\|<polygon' "$1" || true; } | wc -l; }

# drawn TRACE: how many tasks ViTE's picture of it shows: the boxes in colours that the picture of the same trace
# without its tasks (only machine, workers and idle time) does not have.
drawn() {
  colors() { grep -o '<rect[^>]*fill="[^"]*"' "$1" | sed 's/.*fill=//'; }
  grep -v '^8 ' "$1" > "$work/empty.paje"
  export_picture "$work/empty.paje" "$work/empty.svg"
  export_picture "$1" "$work/full.svg"
  colors "$work/empty.svg" | sort -u > "$work/empty.colors"
  colors "$work/full.svg" | { grep -vxFf "$work/empty.colors" || true; } | wc -l
}
