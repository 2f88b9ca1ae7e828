#!/usr/bin/env bash
# bundle.sh BUILD [--without-fxt] [--without-fft] [--tests=REGEX]: make BUILD/bundle/ and BUILD/tilework-bundle.tar.xz from a finished build.
#
# The bundle runs from any folder of an x86-64 Linux machine with the same or a newer glibc, with no network and nothing
# installed: command, bench, examples, drop-in libraries, the Python package, tests and their data, and every library they need except
# glibc, GCC's two small run-time libraries (every machine has them) and CUDA's own (a GPU machine has them: the same major version).
set -euo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:?usage: bundle.sh BUILD [--without-fxt] [--without-fft] [--tests=REGEX]}" && pwd)
left_out='^$'      # libraries that must not be there
chosen=.      # of the tests' programs those whose room/test_NAME, or room/NAME as ctest has it, matches: they are most of the archive
for flag in "${@:2}"; do
  case $flag in
    --without-fxt) left_out="$left_out|^libfxt" ;;
    --tests=?*) chosen=${flag#--tests=} ;;
    --without-fft) left_out="$left_out|^libfftw|^libtilework_fft" ;;
    *) printf 'bundle: unknown flag %s\n' "$flag" >&2; exit 2 ;;
  esac
done
say() { printf '==> %s\n' "$*"; }
die() { printf 'bundle: %s\n' "$*" >&2; exit 1; }
for tool in patchelf strip ldd readelf; do command -v $tool >/dev/null || die "$tool is missing (package patchelf or binutils)"; done

name=tilework-bundle
out=$build/bundle
rm -rf "$out"; mkdir -p "$out"/{bin/examples,lib,tests,cmake}
cd "$source_dir"

# --- what runs, and its data -------------------------------------------------------------------------------------
cp "$build/bin/tilework" "$out/bin/"
for program in tilework-bench tilework-fft tilework-bench-fft tilework-bench-fft-gpu tilework-bench-fft-small; do
  if [ -x "$build/bin/$program" ]; then cp "$build/bin/$program" "$out/bin/"; fi
done
find "$build/bin/examples" -maxdepth 1 -type f -perm -u+x -exec cp {} "$out/bin/examples/" \;
copy_data() {      # FOLDER: its files that are neither sources nor the build's
  [ -d "$1" ] || return 0
  find "$1" -type f ! -name '*.c' ! -name '*.cu' ! -name '*.h' ! -name CMakeLists.txt ! -name '*.cmake' ! -path 'tests/install/*' \
       ! -path 'tests/layering*' -print0 | tar -cf - --null -T - | tar -xf - -C "$out"
}
copy_data tests; copy_data examples; copy_data traces
# What tests/dropin and tests/bindings look at in the sources: other packages' tests run with the drop-ins, the public headers, the routines' rows.
mkdir -p "$out/dropin" "$out/algorithms/lapack" "$out/include"
cp dropin/*-tests.sh "$out/dropin/"
cp algorithms/lapack/doors.h "$out/algorithms/lapack/"
cp -r include/tilework "$out/include/"
for room in "$build"/tests/*/; do
  room=$(basename "$room") program_names='test_*'
  case $room in dropin) program_names='*' ;; gpu) program_names=spin ;; esac      # these know nothing of tests
  find "$build/tests/$room" -maxdepth 1 -type f -perm -u+x \( -name "$program_names" -o -name 'dropin_*' -o -name '*.so' \) -print0 |
    while IFS= read -r -d '' program; do
      base=$(basename "$program")
      case $base in test_*) [[ $room/$base =~ $chosen || $room/${base#test_} =~ $chosen ]] || continue ;; esac
      mkdir -p "$out/tests/$room"; cp "$program" "$out/tests/$room/"
    done
done
# Python: the package of the build folder, with its extension where Python's headers were.
mkdir -p "$out/python/tilework"
package=$build/generated/python/tilework
if [ -e "$package/_tilework.abi3.so" ]; then cp "$package/_tilework.abi3.so" "$package/_tilework.pyi" "$out/python/tilework/"
else say "notice: built without Python's headers, so that the bundle has no Python extension (package libpython3-dev)"; fi
cp python/tilework/*.py python/tilework/py.typed "$out/python/tilework/"
if [ -e "$build/lib/libtilework_fft.so.0" ]; then mkdir "$out/python/tilework_fft"; cp python/tilework_fft/*.py "$out/python/tilework_fft/"; fi
mkdir "$out/generated"; ln -s ../python "$out/generated/python"      # as in a build folder, for tests/bindings
cp cmake/run-test.sh cmake/openblas-core.sh "$out/cmake/"
cp LICENSE "$out/"
cp docs/licences.md "$out/LICENSES.md"
commit=$(git rev-parse --verify -q HEAD 2>/dev/null || echo unknown)
if [ -n "$(git status --porcelain 2>/dev/null)" ]; then commit="$commit (with local changes)"; fi
echo "$commit" > "$out/commit.txt"

# --- libraries ---------------------------------------------------------------------------------------------------
not_ours='^(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|util|gcc_s|stdc\+\+)\.so\..*|lib(cudart|cublas|cublasLt|cusolver|cusolverMg|cusparse|cufft|curand|nvJitLink|cuda|nvidia-ml)\.so.*)$'
programs=$(find "$out/bin" "$out/tests" "$out/python" -type f -perm -u+x -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -print)
[ -n "$programs" ] || die "no programs in $build"
# The drop-ins: loaded before a program's libraries, by which they are not needed.
for library in libtilework_lapack libtilework_lbt libtilework_lbt64 libtilework_fftw; do
  if [ ! -e "$build/lib/$library.so.0" ]; then
    case $library in libtilework_fftw) continue ;; *) die "$build/lib/$library.so.0 was not built" ;; esac
  fi
  cp -L "$build/lib/$library.so.0" "$out/lib/"
  ln -s "$library.so.0" "$out/lib/$library.so"
done
# shellcheck disable=SC2086  # one word per program: their names have no spaces
ldd $programs "$build/lib/libtilework.so" | sed -nE 's/^[[:space:]]*([^ ]+) => ([^ ]+) \(.*/\1 \2/p' | sort -u |
  while read -r soname path; do
    if [[ $soname =~ $not_ours ]]; then continue; fi
    case $soname in libblas.so.3|liblapack.so.3|libtilework_lapack.so.0) continue ;; esac      # OpenBLAS is the first two, below; the third is there
    cp -L "$path" "$out/lib/$soname"
  done
found=$(find "$out/lib" -type f -printf '%f\n' | grep -E "$left_out" || true)
[ -z "$found" ] || die "left out on demand, but needed by what was built: $found"
# The licences' texts, as the distribution and StarPU's source give them.
mkdir "$out/licenses"
starpu_texts=$(pkg-config --variable=prefix starpu-1.4)/share/doc/starpu
if [ -r "$starpu_texts/COPYING.LGPL" ]; then cp "$starpu_texts/COPYING.LGPL" "$out/licenses/starpu"; fi
ldd $programs | sed -nE 's/^[[:space:]]*([^ ]+) => ([^ ]+) \(.*/\1 \2/p' | sort -u |
  while read -r soname path; do
    if [ ! -e "$out/lib/$soname" ] || ! command -v dpkg-query >/dev/null; then continue; fi
    for owner in $(dpkg-query -S "$path" "$(readlink -f "$path")" "${path#/usr}" 2>/dev/null | sed -nE 's/:.*//p' | sort -u); do
      if [ -r "/usr/share/doc/$owner/copyright" ]; then cp -L "/usr/share/doc/$owner/copyright" "$out/licenses/$owner"; fi
    done
  done
openblas=$(ldd "$build/lib/libtilework.so" | sed -nE 's/.*libopenblas\.so\.0 => ([^ ]+).*/\1/p')
case $(readlink -f "$openblas") in
  *pthread*) ;;
  *) say "notice: the OpenBLAS here ($(readlink -f "$openblas")) is not the pthread variant (libopenblas0-pthread)" ;;
esac
ln -s libtilework.so.0 "$out/lib/libtilework.so"
chmod u+w "$out"/lib/*
bash cmake/relocate-starpu.sh "$(readlink -f "$out"/lib/libstarpu-1.4.so.*)" "$(pkg-config --variable=prefix starpu-1.4)"

# Strip first: stripping what patchelf has moved breaks it.
find "$out/lib" -type f -exec strip --strip-unneeded {} +
# shellcheck disable=SC2016  # the loader, not the shell, knows $ORIGIN
find "$out/lib" -type f -exec patchelf --set-rpath '$ORIGIN' {} \;
for program in $programs; do
  up=$(realpath --relative-to="$(dirname "$program")" "$out/lib")
  strip "$program"
  patchelf --set-rpath "\$ORIGIN/$up" "$program"
done
# OpenBLAS is BLAS and LAPACK, too; under these names other programs, such as the machine's Python, find their own. (By patchelf once more: 0.14 mixes the two up.)
for file in "$out"/lib/* $programs; do
  if [ ! -L "$file" ] && readelf -d "$file" | grep -qE 'NEEDED.*lib(blas|lapack)\.so\.3'; then
    patchelf --replace-needed libblas.so.3 libopenblas.so.0 --replace-needed liblapack.so.3 libopenblas.so.0 "$file"
  fi
done

# --- how to use it -----------------------------------------------------------------------------------------------
openblas_version=$(pkg-config --modversion openblas 2>/dev/null || true)
sed "s/@OPENBLAS_VERSION@/$openblas_version/" cmake/bundle-env.sh > "$out/env.sh"
cp cmake/bundle-run-tests.sh "$out/run-tests.sh"
cp cmake/bundle-README.txt "$out/README.txt"
chmod +x "$out/env.sh" "$out/run-tests.sh"

say "packing"
# The test programs hold the same library: a dictionary that spans many of them makes a quarter of what gzip makes (unpacking takes as much memory).
tar -C "$build" --transform "s,^bundle,$name," --owner=0 --group=0 --sort=name -cf - bundle |
  xz -T0 --lzma2=preset=3,dict=384MiB > "$build/$name.tar.xz"
size=$(stat -c %s "$build/$name.tar.xz")
[ "$size" -lt $((64 * 1024 * 1024)) ] || die "the archive has $size bytes: more than 64 MiB"

# --- self-test: unpacked elsewhere, in an empty environment --------------------------------------------------------
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
tar -C "$tmp" -xJf "$build/$name.tar.xz"
cd /
elsewhere=$(find "$tmp/$name/bin" "$tmp/$name/tests" "$tmp/$name/python" "$tmp/$name/lib" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -print0 |
  xargs -0 env -i ldd | sed -nE "s,^[[:space:]]*([^ ]+) => (not found|[^ ]+).*,\1 \2,p" | sort -u |
  while read -r soname path; do
    if [[ $soname =~ $not_ours ]]; then continue; fi
    case $path in "$tmp"/*) ;; *) echo "$soname ($path)" ;; esac
  done)
[ -z "$elsewhere" ] || die "these libraries are not taken from the bundle: $elsewhere"
if grep -rlIF -e "$source_dir" -e "$HOME/" "$tmp/$name" 2>/dev/null | grep .; then die "the files above name folders of this machine"; fi
env -i HOME="$tmp" "$tmp/$name/env.sh" tilework info > "$tmp/info.txt" 2>&1 ||
  { cat "$tmp/info.txt" >&2; die "tilework info fails in the unpacked bundle"; }
env -i HOME="$tmp" "$tmp/$name/bin/tilework" info > "$tmp/info.txt" 2>&1 ||
  { cat "$tmp/info.txt" >&2; die "tilework info fails without env.sh"; }
# The drop-ins take a program's calls, and Python finds its package, from there.
calls=$tmp/$name/tests/dropin/calls
env -i HOME="$tmp" TILEWORK_DROPIN_MIN=0 STARPU_NCUDA=0 "$tmp/$name/env.sh" tilework run --report="$tmp/calls.json" -- "$calls" results "$tmp/results" > "$tmp/calls.txt" 2>&1 ||
  { cat "$tmp/calls.txt" >&2; die "tilework run fails in the unpacked bundle"; }
grep -q '"taken": [1-9]' "$tmp/calls.json" || die "tilework run takes no calls in the unpacked bundle"
if [ -e "$tmp/$name/python/tilework/_tilework.abi3.so" ] && python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  env -i HOME="$tmp" STARPU_NCUDA=0 PYTHONDONTWRITEBYTECODE=1 "$tmp/$name/env.sh" python3 -c 'if 1:
    from array import array
    import tilework
    d, e = array("d", [2.0] * 50), array("d", [-1.0] * 49)
    tilework.sterf(d, e)
    assert abs(d[0] - 0.0037933) < 1e-6, d[0]' || die "the Python package fails in the unpacked bundle"
fi
say "bundle: $build/$name.tar.xz, $((size / 1024 / 1024)) MiB, $(find "$out/tests" -name 'test_*' -type f | wc -l) test programs and scripts; it runs when unpacked elsewhere"
