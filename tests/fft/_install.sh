#!/usr/bin/env bash
# An installed libtilework_fft serves a program, as C and C++, with pkg-config and with find_package.   TILEWORK_BUILD: the build
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
cmake --install "${TILEWORK_BUILD:?}" --prefix "$tmp/first" > "$tmp/log" || { cat "$tmp/log"; exit 1; }
mv "$tmp/first" "$tmp/prefix"      # the tree must not depend on where it was installed
libdir=$(dirname "$(find "$tmp/prefix" -name libtilework_fft.so | head -n 1)")
cat > "$tmp/program.c" <<'C'
#include <tilework/fft.h>
#include <stdio.h>
int main(void)
{
    double x[16] = {1}, y[16];
    int e = tw_fft_1d(TW_DOUBLE, 8, x, y, TW_FFT_FORWARD);
    for (int k = 0; k < 8; k++)
        if (y[2 * k] != 1 || y[2 * k + 1] != 0) e = 1;
    printf("transform of an impulse: %d\n", e);
    return e;
}
C
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -ra flags <<< "$(pkg-config --cflags --libs tilework_fft)"
cc -Wall -Wextra "$tmp/program.c" -o "$tmp/c" "${flags[@]}"
c++ -Wall -Wextra -x c++ "$tmp/program.c" -x none -o "$tmp/cxx" "${flags[@]}"
LD_LIBRARY_PATH=$libdir "$tmp/c"; LD_LIBRARY_PATH=$libdir "$tmp/cxx"
mkdir "$tmp/project"
cat > "$tmp/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES C)
find_package(tilework REQUIRED)
add_executable(p $tmp/program.c)
target_link_libraries(p PRIVATE tilework::tilework_fft)
CMAKE
cmake -S "$tmp/project" -B "$tmp/b" -DCMAKE_PREFIX_PATH="$tmp/prefix" > "$tmp/log" 2>&1 && cmake --build "$tmp/b" >> "$tmp/log" 2>&1 ||
  { cat "$tmp/log"; exit 1; }
"$tmp/b/p"
"$tmp/prefix/bin/tilework" fft --n 60 --check
