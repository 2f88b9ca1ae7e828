#!/usr/bin/env bash
# Install into a temporary prefix; build and run one program as C and as C++, with find_package and with pkg-config; build every
# installed example as its user would; run the command as somebody who cannot read the builder's home.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
here=$TILEWORK_SOURCE/tests/install
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
step() { printf '== %s\n' "$*"; }

step "install into a temporary prefix"
cmake --install "$TILEWORK_BUILD" --prefix "$tmp/first" > "$tmp/install.log" || { cat "$tmp/install.log"; exit 1; }
# The tree must not depend on where it was installed.
mv "$tmp/first" "$tmp/prefix"
prefix=$tmp/prefix
libdir=$(dirname "$(find "$prefix" -name libtilework.so | head -n 1)")
for f in "$libdir/libtilework.so.0" "$libdir/pkgconfig/tilework.pc" "$libdir/cmake/tilework/tilework-config.cmake" \
         "$prefix/bin/tilework" "$prefix/include/tilework/tilework.h" "$prefix/share/tilework/examples" "$prefix/share/doc/tilework/LICENSES.md" "$prefix/share/doc/tilework/dropin.md" \
         "$prefix/share/man/man1/tilework.1" "$prefix/share/man/man3/tw_dpotrf.3" "$prefix/share/bash-completion/completions/tilework"; do
  [ -e "$f" ] || { echo "not installed: ${f#"$prefix"/}"; exit 1; }
done

for program in tilework tilework-fft; do      # fish looks for a file of the program's name
  if [ -x "$prefix/bin/$program" ] && [ ! -e "$prefix/share/fish/vendor_completions.d/$program.fish" ]; then echo "no completion of $program for fish"; exit 1; fi
done

step "programs and libraries find each other by \$ORIGIN, CUDA apart"
while IFS= read -r file; do
  runpath=$(readelf -d "$file" 2>/dev/null | sed -nE 's/.*\((RUNPATH|RPATH)\).*\[(.*)\]/\2/p')
  case $file in "$prefix"/bin/*) own='$ORIGIN/../'${libdir#"$prefix"/} ;; */libtilework*) own='$ORIGIN' ;; *) own= ;; esac
  case :$runpath: in *:"$own":*) ;; *) echo "${file#"$prefix"/} has the RUNPATH '$runpath', without $own"; exit 1 ;; esac
  IFS=: read -ra parts <<< "$runpath"
  for part in ${parts[@]+"${parts[@]}"}; do
    case $part in ''|'$ORIGIN'*) ;; *cuda*) ;; *) echo "${file#"$prefix"/} looks in $part"; exit 1 ;; esac
  done
done < <(find "$prefix/bin" "$libdir" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -print)
if grep -rnF -e "$HOME/" -e "$TILEWORK_BUILD" "$libdir/pkgconfig" "$libdir/cmake"; then echo "the lines above name folders of the builder"; exit 1; fi

step "only tw_ symbols are exported"
strange=$(nm -D --defined-only "$libdir/libtilework.so" | awk '$2 ~ /[TDBRVW]/ && $3 !~ /^tw_/ && $3 !~ /^_(init|fini)$/ { print $3 }')
if [ -n "$strange" ]; then echo "exported, but not tw_…:"; echo "$strange"; exit 1; fi

step "the installed command"
"$prefix/bin/tilework" info > "$tmp/info.txt" || { cat "$tmp/info.txt"; exit 1; }

mkdir "$tmp/generated"
(cd "$prefix/include" && for h in tilework/*.h; do echo "#include <$h>"; done) > "$tmp/generated/all_headers.h"

step "C and C++ with find_package"
cmake -S "$here" -B "$tmp/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DHEADERS="$tmp/generated" -DEXAMPLES="$prefix/share/tilework/examples" -DCMAKE_BUILD_TYPE=Release > "$tmp/cmake.log" 2>&1 &&
  cmake --build "$tmp/cmake" >> "$tmp/cmake.log" 2>&1 || { cat "$tmp/cmake.log"; exit 1; }
for program in program_c program_cxx program_short own_tasks; do "$tmp/cmake/$program"; done

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

step "every installed example, by the one line that docs/examples.md gives"
mkdir "$tmp/examples"
cd "$prefix/share/tilework/examples"
build_one() {      # SOURCE MODULE
  local more=()
  if grep -q '#include "common/' "$1"; then more=(common/*.c); fi
  # shellcheck disable=SC2046  # words are wanted
  cc -I. "$1" ${more[@]+"${more[@]}"} $(pkg-config --cflags --libs "$2") -o "$tmp/examples/$(basename "$1" .c)" > "$tmp/out" 2>&1 ||
    { cat "$tmp/out"; echo "$1 does not build"; exit 1; }
  if [ -s "$tmp/out" ]; then cat "$tmp/out"; echo "$1 builds, but not in silence"; exit 1; fi
}
for example in *.c; do build_one "$example" tilework; done
if pkg-config --exists tilework_fft; then for example in fft/*.c; do build_one "$example" tilework_fft; done; fi
for example in solve_spd starpu_task tiles; do "$tmp/examples/$example" > "$tmp/out" || { cat "$tmp/out"; exit 1; }; done

step "another user: a home of its own, nothing of the builder's"
unset LD_LIBRARY_PATH
other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if [ "$(id -u)" -ne 0 ] || ! "${other[@]}" true 2>/dev/null; then
  echo "not run: only root can become another user"
else
  mkdir "$tmp/home"; chown 65534:65534 "$tmp/home"
  as_other() {
    (cd "$tmp/home" && "${other[@]}" env -i HOME="$tmp/home" PATH=/usr/local/bin:/usr/bin:/bin PKG_CONFIG_PATH="$libdir/pkgconfig" \
      LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" "$@" > "$tmp/out" 2>&1) || { cat "$tmp/out"; echo "as another user: $* failed"; exit 1; }
  }
  for program in "$prefix"/bin/*; do as_other "$program" --help; done
  as_other "$prefix/bin/tilework" info
  as_other "$prefix/bin/tilework" potrf --n 600 --nb 128 --check
  if grep -i warning "$tmp/out"; then echo "the lines above come from a run by another user"; exit 1; fi
  as_other sh -c "cc $prefix/share/tilework/examples/starpu_task.c \$(pkg-config --cflags --libs tilework) -o starpu_task"
  LD_LIBRARY_PATH=$libdir as_other ./starpu_task
fi
echo "installed tree: all right"
