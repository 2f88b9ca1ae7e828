#!/usr/bin/env bash
# FFTW is GPL, and all but the FFT family is BSD: nothing of a fft room, and no library that it needs, gets into libtilework.so or into the
# programs that link it.
#
#   tests/separate.sh BUILD
set -euo pipefail
build=${1:?which build}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# Says what FILE has of the family; 1 if that is anything. cli_fft, which starts the GPL program, is no symbol of the family's rooms.
apart() {
  nm "$1" > "$work/symbols" && ldd "$1" > "$work/libraries" || { echo "$1 cannot be read"; return 1; }
  [ -s "$work/symbols" ] || { echo "$1 has no symbols: nothing can be said about it"; return 1; }
  local found=0
  if awk '{ print $NF }' "$work/symbols" | grep -E 'tw_(cu)?fft|fftwf?_|cufft' > "$work/found"; then
    echo "$1 has symbols of the FFT family:"; head -n 5 "$work/found"; found=1
  fi
  if grep -E 'fftw|cufft|tilework_fft' "$work/libraries"; then echo "$1 needs these libraries of the FFT family"; found=1; fi
  return $found
}

# What has such a symbol, and what has such a library, must be found.
echo 'static int tw_fft_planted(void) { return 1; } int planted(void) { return tw_fft_planted(); }' > "$work/planted.c"
${CC:-cc} -O0 -shared -fPIC -o "$work/planted.so" "$work/planted.c"
if apart "$work/planted.so" > /dev/null; then echo "a symbol of the FFT family was not found"; exit 1; fi
if [ -e "$build/lib/libtilework_fft.so" ]; then
  echo 'int planted(void) { return 1; }' > "$work/planted.c"
  ${CC:-cc} -shared -fPIC -o "$work/planted.so" "$work/planted.c" -Wl,--no-as-needed,-rpath,"$build/lib" -L"$build/lib" -ltilework_fft -Wl,--allow-shlib-undefined
  if apart "$work/planted.so" > /dev/null; then echo "a library of the FFT family was not found"; exit 1; fi
fi

status=0 count=0
for file in "$build/lib/libtilework.so" "$build/bin/tilework" "$build/bin/tilework-bench" "$build"/bin/examples/*; do
  case ${file##*/} in fft_*) continue ;; esac          # examples of libtilework_fft
  if [ ! -f "$file" ]; then continue; fi
  apart "$file" || status=1
  count=$((count + 1))
done
if [ "$count" -lt 2 ]; then echo "neither libtilework.so nor a program in $build"; exit 1; fi
if [ $status = 0 ]; then echo "$count files: nothing of the FFT family in them"; fi
exit $status
