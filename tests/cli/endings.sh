#!/usr/bin/env bash
# How commands end: after Ctrl-C at once, with one line, 128 + the signal and no file; with a full standard output in failure; quietly when
# who reads has left.
# shellcheck source-path=SCRIPTDIR source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"
export TILEWORK_CACHE_DIR=$work/cache
"$tilework" potrf --n 64 > /dev/null || exit 1     # the profile is there

# ---- standard output that is full
commands=('help' 'help potrf' 'help all' 'version' '--version' '-h' 'info' 'info --json' 'env' 'calibrate -h' 'potrf --n 64' 'potrf --n 64 --json'
  'potrf --n 64 --repeat 3 --json' 'direct --n 100' 'fmm --n 100 --json' 'nbody --n 100' 'md --n 500 --steps 5' 'minimize --n 500 --iterations 3'
  'bench -h' 'posv --n 10 --output -')
if has_fft; then commands+=('fft --n 64' 'fft --n 64 --json' 'fft --help' 'fft --n 64 --output -'); fi
for command in "${commands[@]}"; do
  # shellcheck disable=SC2086
  timeout 60 "$tilework" $command > /dev/full 2> err
  got=$?
  [ "$got" = 1 ] || bad "tilework $command > /dev/full: exit status $got"
  grep -q 'No space left' err || bad "tilework $command > /dev/full says: $(cat err)"
done
# a long run is not gone through with nobody to read it
begin=$SECONDS
timeout 100 "$tilework" md --n 500 --steps 100000000 --every 10 > /dev/full 2> err
[ $? = 1 ] || bad "md > /dev/full goes on"
[ $((SECONDS - begin)) -lt 60 ] || bad "md > /dev/full took $((SECONDS - begin)) s"

# ---- standard files that are closed: no other file takes their place
printf '%%%%MatrixMarket matrix array real general\n1 1\n4\n' > one.mtx
expect_closed() { # expect_closed STATUS REDIRECTIONS arguments…: by a shell of its own, in which nothing else holds the numbers
  local want=$1 redirections=$2
  shift 2
  timeout 60 bash -c '"$@" '"$redirections" closed "$tilework" "$@"
  local got=$?
  [ $got = "$want" ] || bad "tilework $* $redirections: exit status $got, not $want"
}
expect_closed 2 '<&-' potrf --input - > out 2> err
grep -q 'standard input' err || bad "potrf --input - <&- says: $(cat err)"
expect_closed 1 '>&-' potrf --n 64 2> err
expect_closed 1 '>&-' potrf --n 64 --output - 2> err
expect_closed 0 '2>&-' potrf --input one.mtx --output G.mtx > out
expect_closed 2 '2>&-' potrf --input nowhere.mtx --output H.mtx > out
head -n 1 G.mtx | grep -q '^%%MatrixMarket' || bad "with a closed stderr, G.mtx begins with: $(head -n 1 G.mtx)"
[ ! -e H.mtx ] || bad 'a failed command left H.mtx'
if has_fft; then expect_closed 1 '>&-' fft --n 64 2> err; fi

# ---- a limit of files' sizes: an error, and nothing is left
(ulimit -f 128; exec timeout 60 "$tilework" potrf --n 200 --output L.npy) > out 2> err
got=$?
[ $got = 1 ] || bad "potrf above ulimit -f: exit status $got"
grep -q 'File too large' err || bad "potrf above ulimit -f says: $(cat err)"
left=$(compgen -G 'L.npy*')
[ -z "$left" ] || bad "potrf above ulimit -f left $left"

# ---- a small stack, which is what threads get, too: a limit that may be raised (-S) and one that may not
potri=$work/potri.npy
"$tilework" potri --n 300 --output "$potri" > out 2> err || bad "potri --output potri.npy: $(cat err)"
commands=('potrf --n 600 --check' "posv --input $potri --check" 'posv --n 100 --lapack-door' 'gesv --n 600' 'fmm --n 3000 --gradient' 'md --n 500 --steps 2' 'nbody --n 100')
if has_fft; then commands+=('fft --n 4096 --check' 'fft --n 64x64x64 --path tasks'); fi
for command in "${commands[@]}"; do
  for limit in '-s 64' '-S -s 64'; do
    # shellcheck disable=SC2086
    (ulimit $limit; exec timeout 60 "$tilework" $command) > out 2> err
    got=$?
    [ $got = 0 ] || bad "tilework $command under ulimit $limit: exit status $got: $(cat err)"
  done
done
for example in tiles async; do # programs of others: their own stack is theirs to see to, workers' stacks are the library's
  (ulimit -s 192; exec timeout 60 "$(dirname "$tilework")/examples/$example") > out 2> err || bad "$example under ulimit -s 192: $(cat out err)"
done
if [ -x "$(dirname "$tilework")/tilework-bench" ]; then # OpenBLAS' own threads are of the limit's size
  (ulimit -s 64; exec timeout 60 "$tilework" bench potrf --n 300 --repeat 1 --no-gemm) > out 2> err
  got=$?
  if [ $got = 1 ]; then grep -q 'ulimit -s 8192' err || bad "bench under ulimit -s 64 says: $(cat err)"; else [ $got = 0 ] || bad "bench under ulimit -s 64: $got"; fi
  (ulimit -S -s 64; exec timeout 60 "$tilework" bench potrf --n 300 --repeat 1 --no-gemm) > out 2> err || bad "bench under ulimit -S -s 64: $(cat err)"
fi

# ---- pipes, which can be read but once
timeout 60 "$tilework" potrf --input <(cat one.mtx) --output Q.mtx > out 2> err || bad "--input from a pipe: $(cat err)"
tail -n 1 Q.mtx | grep -qx 2 || bad "the factor of 4, read from a pipe: $(cat Q.mtx)"
timeout 60 "$tilework" posv --input <(cat one.mtx) --rhs <(cat one.mtx) --sched eager,lws --output Q.mtx > out 2> err || bad "two pipes: $(cat err)"
tail -n 1 Q.mtx | grep -qx 1 || bad "4 x = 4, read from pipes: $(cat Q.mtx)"
timeout 60 "$tilework" posv --input - --rhs - < one.mtx > out 2> err && bad 'standard input is taken twice'

# ---- a file that others may not read stays so when it is replaced
touch P.npy && chmod 600 P.npy
timeout 60 "$tilework" potrf --n 64 --output P.npy > out 2> err || bad "potrf --output P.npy: $(cat err)"
[ "$(stat -c %a P.npy)" = 600 ] || bad "a file of mode 600 is replaced by one of mode $(stat -c %a P.npy)"

# ---- a reader that leaves
for command in 'help all' 'potrf --n 64 --repeat 20' 'md --n 500 --steps 500 --every 1'; do
  for ignored in no yes; do
    # shellcheck disable=SC2086
    (if [ $ignored = yes ]; then trap '' PIPE; fi; exec timeout 60 "$tilework" $command 2> err) | head -n 1 > out
    [ -s out ] || bad "tilework $command | head printed nothing"
    [ ! -s err ] || bad "tilework $command | head says: $(cat err)"
  done
done

# ---- Ctrl-C: interrupted SIGNAL PATTERN arguments…: PATTERN: a file that appears when it is time; or a number of seconds
# Not before the program takes the signal: a shell's background jobs ignore SIGINT until they say otherwise, on busy machines for seconds.
takes() { local caught; caught=$(sed -n 's/^SigCgt:[^0-9a-f]*/0x/p' "/proc/$1/status" 2> /dev/null); (((${caught:-0} >> ($(kill -l "$2") - 1)) & 1)); }
interrupted() {
  local signal=$1 when=$2 pid got left
  shift 2
  rm -f F*
  "$tilework" "$@" > out 2> err < /dev/null &
  pid=$!
  case $when in
    [0-9]*)
      sleep "$when"
      for _ in $(seq 6000); do if takes $pid "$signal" || ! kill -0 $pid 2> /dev/null; then break; fi; sleep 0.01; done ;;
    *) for _ in $(seq 6000); do if compgen -G "$when" > /dev/null || ! kill -0 $pid 2> /dev/null; then break; fi; sleep 0.01; done ;;
  esac
  local begin end
  begin=$(date +%s%N)
  kill -s "$signal" $pid 2> /dev/null || bad "tilework $* ended before its signal: $(cat err)"
  wait $pid
  got=$?
  end=$(date +%s%N)
  [ $got = $((128 + $(kill -l "$signal"))) ] || bad "tilework $*: exit status $got after SIG$signal: $(cat out err)"
  # a second by the clock is the promise; other work on the machine may take as long again
  [ $(((end - begin) / 1000000)) -lt 2000 ] || bad "tilework $*: ended $(((end - begin) / 1000000)) ms after SIG$signal"
  if [ "$(wc -l < err)" != 1 ] || ! grep -q interrupted err; then bad "tilework $* says after SIG$signal: $(cat err)"; fi
  left=$(compgen -G 'F*')
  [ -z "$left" ] || bad "tilework $* left $left"
}
interrupted INT 'F.mtx.tmp-*' potrf --n 3000 --output F.mtx
interrupted INT 'F.tmp-*' potrf --n 3000 --output F
interrupted TERM 'F.csv.tmp-*' nbody --n 500000 --eps 1e-2 --output F.csv
interrupted INT 2 potrf --n 10000 --check
interrupted INT 2 syevd --n 5000 --check
interrupted INT 1.5 fmm --n 1e6 --repeat 100 --check --gradient
interrupted INT 1.5 direct --n 1e5 --repeat 100
interrupted INT 1.5 nbody --n 20000 --steps 10000 --output F.csv
interrupted TERM 1.5 md --n 20000 --steps 1000000 --output F.xyz
interrupted INT 1.5 minimize --n 100000 --iterations 100000 --tolerance 0 --output F.xyz
interrupted INT 2 calibrate --seconds 30
if has_fft; then
  interrupted INT 'F.npy.tmp-*' fft --n 2^22 --output F.npy
  interrupted INT 2 fft --n 128x128x128 --repeat 10000 --check --output F.npy
fi
exit $((failures > 0))
