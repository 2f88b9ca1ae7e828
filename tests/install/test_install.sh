#!/usr/bin/env bash
# Install into a temporary prefix; build and run one program as C and as C++, with find_package and with pkg-config.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
here=$TILEWORK_SOURCE/tests/install
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
step() { printf '== %s\n' "$*"; }

step "install into a temporary prefix"
cmake --install "$TILEWORK_BUILD" --prefix "$tmp/first" > "$tmp/install.log" || { cat "$tmp/install.log"; exit 1; }
# The tree must not depend on where it was installed.
mv "$tmp/first" "$tmp/prefix"
prefix=$tmp/prefix
libdir=$(dirname "$(find "$prefix" -name libtilework.so | head -n 1)")
for f in "$libdir/libtilework.so.0" "$libdir/pkgconfig/tilework.pc" "$libdir/cmake/tilework/tilework-config.cmake" \
         "$prefix/bin/tilework" "$prefix/include/tilework/tilework.h" "$prefix/share/tilework/examples"; do
  [ -e "$f" ] || { echo "not installed: ${f#"$prefix"/}"; exit 1; }
done

step "only tw_ symbols are exported"
strange=$(nm -D --defined-only "$libdir/libtilework.so" | awk '$2 ~ /[TDBRVW]/ && $3 !~ /^tw_/ && $3 !~ /^_(init|fini)$/ { print $3 }')
if [ -n "$strange" ]; then echo "exported, but not tw_…:"; echo "$strange"; exit 1; fi

step "the installed command"
"$prefix/bin/tilework" info > "$tmp/info.txt" || { cat "$tmp/info.txt"; exit 1; }

mkdir "$tmp/generated"
(cd "$prefix/include" && for h in tilework/*.h; do echo "#include <$h>"; done) > "$tmp/generated/all_headers.h"

step "C and C++ with find_package"
cmake -S "$here" -B "$tmp/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DHEADERS="$tmp/generated" -DCMAKE_BUILD_TYPE=Release > "$tmp/cmake.log" 2>&1 &&
  cmake --build "$tmp/cmake" >> "$tmp/cmake.log" 2>&1 || { cat "$tmp/cmake.log"; exit 1; }
"$tmp/cmake/program_c"; "$tmp/cmake/program_cxx"

step "C and C++ with pkg-config"
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -ra cflags <<< "$(pkg-config --cflags tilework)"
cflags+=("-I$tmp/generated")
read -ra libs <<< "$(pkg-config --libs tilework)"
cc -Wall -Wextra "${cflags[@]}" "$here/program.c" -o "$tmp/pc_c" "${libs[@]}"
c++ -Wall -Wextra -x c++ "${cflags[@]}" "$here/program.c" -o "$tmp/pc_cxx" "${libs[@]}"
export LD_LIBRARY_PATH=$libdir
"$tmp/pc_c" | tee "$tmp/out"; "$tmp/pc_cxx"
grep -q "^tilework $(pkg-config --modversion tilework):" "$tmp/out" ||
  { echo "tilework.pc and the headers disagree about the version"; exit 1; }
echo "installed tree: all right"
