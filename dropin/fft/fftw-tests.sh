#!/usr/bin/env bash
# FFTW's own checks (bench and check.pl of its source package, which is fetched, or given, and never kept) on the FFTW that is installed, plainly and through libtilework_fftw.so with every plan taken:
# impulses, shifts and linearity of random sizes, strides, loops, split arrays, real and real-to-real transforms, in place and out.
#   dropin/fft/fftw-tests.sh BUILD [--source FOLDER] [--rounds N] [--float]
# --source: an unpacked FFTW 3.3; else the source package is fetched (Debian's, which wants "deb-src" in apt's sources, or fftw.org's). --rounds: random problems a kind (30, as FFTW's own check).
set -euo pipefail
build=$(cd "$1" && pwd); shift
source= rounds=30 letter= option=
while [ $# -gt 0 ]; do
  case $1 in
    --source) source=$(cd "$2" && pwd); shift ;; --rounds) rounds=$2; shift ;; --float) letter=f option=--enable-single ;;
    *) echo "fftw-tests: $1?"; exit 2 ;;
  esac
  shift
done
[ -e "$build/lib/libtilework_fftw.so" ] || { echo "this build has no libtilework_fftw.so"; exit 77; }
command -v perl > /dev/null || { echo "no perl here"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
if [ -z "$source" ]; then
  if ! apt-get source -qq fftw3 > fetched.log 2>&1; then
    curl -fsSL https://www.fftw.org/fftw-3.3.10.tar.gz | tar xz || { tail -n 3 fetched.log; echo "no FFTW sources to be had"; exit 77; }
  fi
  source=$(echo "$work"/fftw*/)
fi
cp -r "$source" tree; cd tree
{ ./configure --enable-threads $option && make -C libbench2 clean all; } > ../made.log 2>&1 || { tail -n 20 ../made.log; exit 1; }
# FFTW's bench looks into FFTW's planner, too; here it has the public interface alone.
printf 'void install_hook(void);\nvoid uninstall_hook(void);\nvoid install_hook(void) { }\nvoid uninstall_hook(void) { }\n' > hook.c
${CC:-cc} -O1 -w -DHAVE_CONFIG_H -I. tests/*bench.c hook.c libbench2/.libs/libbench2.a -o bench -lfftw3${letter}_threads -lfftw3$letter -lm -lpthread 2> ../made.log ||
  ${CC:-cc} -O1 -w -DHAVE_CONFIG_H -I. tests/*bench.c hook.c libbench2/libbench2.a -o bench -lfftw3${letter}_threads -lfftw3$letter -lm -lpthread || { cat ../made.log; exit 1; }
status=0
check() {      # NAME COMMAND...
  local name=$1; shift
  if "$@" > "../$name.log" 2>&1; then echo "$name: passed, $(grep -c '^Executing' "../$name.log") runs of bench"; else grep -m 10 -A3 -iE 'FAILED|error|Found' "../$name.log" || true; tail -n 5 "../$name.log"; echo "FAILED: $name"; status=1; fi
}
options="-r -c=$rounds -v"
check plain perl -w tests/check.pl $options "$PWD/bench"
with="$build/bin/tilework run --min 0 --report=$work/report --"
check taken $with perl -w tests/check.pl $options "$PWD/bench"
check estimated $with perl -w tests/check.pl --estimate $options "$PWD/bench"
check threads $with perl -w tests/check.pl --estimate -r -c=5 -v --nthreads=2 "$PWD/bench"
check "by tasks" env TILEWORK_FFT_PATH=tasks $with perl -w tests/check.pl --estimate -r -c=5 -v "$PWD/bench"
check defaults "$build/bin/tilework" run -- perl -w tests/check.pl --estimate -r -c=5 -v "$PWD/bench"
cat "$work"/report* 2> /dev/null | sed -nE 's/.*"plans": ([0-9]+), "taken": ([0-9]+).*/\1 \2/p' | awk '{ p += $1; t += $2 } END { if (NR) print p " plans, " t " taken" }'
[ $status = 0 ] || exit 1
echo passed
