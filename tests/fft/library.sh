#!/usr/bin/env bash
# FFTW is GPL: only libtilework_fft and tilework-fft may link it. And only tw_ names are exported.   TILEWORK_BUILD: the build
set -euo pipefail
build=$(cd "${TILEWORK_BUILD:?}" && pwd)
needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
lib=$(find "$build/lib" -name 'libtilework.so.0' | head -n 1) fft=$(find "$build/lib" -name 'libtilework_fft.so.0' | head -n 1)
for file in "$lib" "$build/bin/tilework"; do
  if needs "$file" | grep -E 'fftw|tilework_fft'; then echo "$file links FFTW"; exit 1; fi
done
needs "$fft" | grep -q '^libfftw3\.so' || { echo "$fft does not link FFTW: this test looks at the wrong file"; exit 1; }
needs "$fft" | grep -q '^libtilework\.so\.0$' || { echo "$fft does not link libtilework"; exit 1; }
strange=$(nm -D --defined-only "$fft" | awk '$2 ~ /[TDBRVWi]/ && $3 !~ /^tw_(fft|signal)_[a-z0-9_]+$/ && $3 !~ /^_(init|fini)$/ { print $3 }')
if [ -n "$strange" ]; then echo "exported by $fft, but neither tw_fft_… nor tw_signal_…:"; echo "$strange"; exit 1; fi
echo "FFTW is where it may be"
