#!/usr/bin/env bash
# Where ./quickstart looks for StarPU and where it builds one (cmake/find-starpu.sh): root where all can read it, others in their own
# cache, and what is there already is used. Nothing is built: folders, the builder and the check of a copy are stand-ins.
set -euo pipefail
: "${TILEWORK_SOURCE:?}"
cd "$TILEWORK_SOURCE"
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
unset TILEWORK_DEPS XDG_CACHE_HOME
export HOME=$tmp/home

chosen() {      # UID: what the set-up says to that user
  (
    uid=$1
    . cmake/find-starpu.sh
    shared_deps=$tmp/shared
    id() { echo "$uid"; }
    say() { echo "$*"; }
    cuda_toolkit() { :; }
    bash() { echo "builds in $2"; mkdir -p "$2/lib/pkgconfig"; touch "$2/lib/pkgconfig/starpu-1.4.pc"; }
    starpu_misfit() { [ -e "${PKG_CONFIG_PATH%%:*}/starpu-1.4.pc" ] || echo "not there"; }
    PKG_CONFIG_PATH=/nonexistent
    tilework_starpu
    echo "names ${PKG_CONFIG_PATH%%:*}"
  )
}
there_is() { rm -rf "$tmp/home" "$tmp/shared" "$tmp/named"; local d; for d; do mkdir -p "$d/starpu/lib/pkgconfig"; touch "$d/starpu/lib/pkgconfig/starpu-1.4.pc"; done; }
expect() {      # PATTERN UID
  local got
  got=$(chosen "$2" 2>&1) || true
  grep -qE -- "$1" <<< "$got" || { echo "as uid $2: expected '$1', got:"; echo "$got"; exit 1; }
}
own=$tmp/home/.cache/tilework

there_is; expect "builds in $tmp/shared/starpu\$" 0
[ "$(stat -c %a "$tmp/shared")" = 755 ] || { echo "the shared folder is not for all to read"; exit 1; }
there_is; expect "names $tmp/shared/starpu/lib/pkgconfig\$" 0
there_is; expect "builds in $own/starpu\$" 1000
there_is "$own"; expect "reusing .* in $own/starpu\$" 0
expect "others cannot read it there" 0
expect "names $own/starpu/lib/pkgconfig\$" 0
expect "reusing .* in $own/starpu\$" 1000
there_is "$tmp/shared"; expect "reusing .* in $tmp/shared/starpu\$" 1000
there_is "$own" "$tmp/shared"; expect "reusing .* in $tmp/shared/starpu\$" 0
export TILEWORK_DEPS=$tmp/named
there_is "$own" "$tmp/shared"; expect "builds in $tmp/named/starpu\$" 0
there_is "$own" "$tmp/named"; expect "reusing .* in $tmp/named/starpu\$" 1000
unset TILEWORK_DEPS
export TILEWORK_STARPU_FXT=off
there_is "$own" "$tmp/shared"; expect "builds in $tmp/shared/starpu-without-fxt\$" 0
echo "where StarPU is looked for and built: all right"
