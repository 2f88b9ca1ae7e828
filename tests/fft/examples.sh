#!/usr/bin/env bash
# The FFT examples as a user runs them; each checks itself.   TILEWORK_BUILD: the build
set -u
bin=$(cd "${TILEWORK_BUILD:?}" && pwd)/bin/examples
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
expect() {      # STATUS PROGRAM ARGUMENTS…
  local want=$1 got; shift
  "$@" > out 2> err; got=$?
  if [ "$got" != "$want" ]; then echo "FAILED: $* gave $got instead of $want"; sed 's/^/    /' out err; failures=$((failures + 1)); return 1; fi
}
expect 0 "$bin/fft_poisson" && cat out
TILEWORK_FFT_PATH=tasks expect 0 "$bin/fft_poisson" 41
expect 2 "$bin/fft_poisson" 1
expect 0 "$bin/fft_lowpass" && cat out
TILEWORK_FFT_PATH=tasks expect 0 "$bin/fft_lowpass" 3
expect 2 "$bin/fft_lowpass" 0
expect 0 "$bin/fft_deblur" && cat out
TILEWORK_FFT_PATH=tasks expect 0 "$bin/fft_deblur" 3 0.01 && cat out
expect 2 "$bin/fft_deblur" 2 0
expect 2 "$bin/fft_deblur" 2 0.1 in.pgm
expect 0 "$bin/fft_spectrogram" && cat out
TILEWORK_FFT_PATH=tasks expect 0 "$bin/fft_spectrogram"

# files: a grey image, a sound made of one tone, and what is none
awk 'BEGIN { print "P2 64 48 255"; for (i = 0; i < 64 * 48; i++) print (i * 37) % 256 }' > in.pgm
expect 0 "$bin/fft_lowpass" 1.5 in.pgm out.pgm && [ "$(head -c 2 out.pgm)" = P5 ] || { echo "FAILED: no picture"; failures=$((failures + 1)); }
expect 0 "$bin/fft_deblur" 1.5 0.01 out.pgm sharp.pgm && [ "$(head -c 2 sharp.pgm)" = P5 ] || { echo "FAILED: no sharp picture"; failures=$((failures + 1)); }
expect 1 "$bin/fft_deblur" 1.5 0.01 nowhere.pgm sharp.pgm
expect 1 "$bin/fft_deblur" 1.5 0.01 out.pgm /nowhere/sharp.pgm
expect 1 "$bin/fft_lowpass" 1.5 nowhere.pgm out.pgm
expect 1 "$bin/fft_spectrogram" in.pgm out.ppm
printf 'hello' > text; expect 1 "$bin/fft_lowpass" 1.5 text out.pgm
{ printf 'RIFF\044\020\000\000WAVEfmt \020\000\000\000\001\000\001\000\100\037\000\000\200\076\000\000\002\000\020\000data\000\020\000\000'
  for ((i = 0; i < 256; i++)); do printf '\000\000\000\020\000\040\000\020\000\000\000\360\000\340\000\360'; done; } > in.wav
if expect 0 "$bin/fft_spectrogram" in.wav out.ppm; then
  grep -q ' 1000 Hz' out || { echo "FAILED: the tone was not found: $(cat out)"; failures=$((failures + 1)); }
  [ "$(head -c 2 out.ppm)" = P6 ] || { echo "FAILED: no picture"; failures=$((failures + 1)); }
  expect 0 "$bin/fft_spectrogram" in.wav out.png && [ "$(head -c 8 out.png | tail -c 7 | head -c 3)" = PNG ] || { echo "FAILED: no PNG"; failures=$((failures + 1)); }
fi
exit $((failures > 0))
