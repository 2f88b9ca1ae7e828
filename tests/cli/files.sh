#!/usr/bin/env bash
# Files mean one thing everywhere: suffixes, "-", bare elements, and what is said before any work.
# shellcheck source-path=SCRIPTDIR source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"

# ---- suffixes
expect 0 '' posv --n 50 --nrhs 3 --seed 4 --output x.npy
[ "$(head -c 6 x.npy | od -An -c | tr -d ' ')" = '223NUMPY' ] || bad "x.npy is no .npy file"
expect 0 '' posv --n 50 --nrhs 3 --seed 4 --output x.mtx
expect 0 '' potri --n 40 --output A.npy
expect 0 ' ok' posv --input A.npy --nrhs 2 --check --output -.npy
expect 0 ' ok' potrf --input A.npy --type s --check
expect 0 '' potri --n 40 --output A.raw
expect 0 '' potri --n 40 --output bare
expect 2 'A.csv: expected a name that ends in' posv --n 10000 --output A.csv
expect 2 'A.txt' potrf --n 10000 --output A.txt
expect 2 'p.npy' nbody --n 1e6 --output p.npy
expect 2 'p.csv' md --n 1e5 --output p.csv
expect 2 'p' minimize --n 1e5 --output p
if has_fft; then
  expect 2 'z.csv' fft --n 2^24 --output z.csv
  expect 2 'z.mtx' fft --n 2^24 --output z.mtx
fi
for name in A.csv A.txt p.npy p.csv p z.csv z.mtx; do [ ! -e $name ] || bad "$name was written"; done

# ---- standard input and output: results alone on stdout, reports on stderr
"$tilework" potri --n 30 --output - > A.mtx 2> err || bad "potri --output -: $(cat err)"
head -n 1 A.mtx | grep -q '^%%MatrixMarket matrix array real symmetric$' || bad "potri --output - printed: $(head -n 1 A.mtx)"
grep -q '^dpotri ' err || bad "potri --output - does not report on stderr: $(cat err)"
"$tilework" posv --input - --seed 2 --check --output x1.mtx < A.mtx > out 2> err || bad "posv --input -: $(cat err)"
"$tilework" posv --input A.mtx --seed 2 --output x2.mtx > out 2> err
cmp x1.mtx x2.mtx || bad "standard input gives another solution"
"$tilework" posv --input A.mtx --rhs - --json --output - < x1.mtx 2> err | head -n 1 | grep -q MatrixMarket || bad "posv --rhs - --output -: $(cat err)"
grep -q '"routine":"posv"' err || bad "JSON does not go to stderr: $(cat err)"
"$tilework" posv --input - --rhs - < A.mtx > out 2> err
[ $? = 2 ] || bad "two inputs from standard input are taken"
echo nonsense | "$tilework" posv --input - > out 2> err
[ $? = 2 ] || bad "nonsense from standard input is taken"
grep -q 'standard input' err || bad "nonsense from standard input: $(cat err)"
"$tilework" nbody --n 20 --steps 2 --output - 2> err | "$tilework" fmm --input - --check > out 2>> err || bad "nbody --output - | fmm --input -: $(cat out err)"
"$tilework" nbody --n 20 --output -.xyz 2> err | head -n 1 | grep -qx 20 || bad "nbody --output -.xyz"
"$tilework" md --kind peptide --n 30 --steps 1 --output -.pdb 2> err > p.pdb || bad "md --output -.pdb: $(cat err)"
grep -q '^HETATM' p.pdb || bad "md --output -.pdb: $(cat p.pdb)"
"$tilework" minimize --input - --bonds --electrostatics none --tolerance 5 < p.pdb > out 2> err || bad "minimize --input -: $(cat out err)"
"$tilework" md --n 500 --steps 2 --checkpoint - 2> err > c.atoms || bad "md --checkpoint -: $(cat err)"
"$tilework" md --restart - --steps 1 < c.atoms > out 2> err
grep -q 'step 3' out || bad "md --restart -: $(cat out err)"
"$tilework" nbody --n 20 --steps 4 --every 1 --energies - 2> err > energies || bad "nbody --energies -: $(cat err)"
[ "$(wc -l < energies)" = 6 ] || bad "nbody --energies - printed: $(cat energies)"
"$tilework" nbody --n 20 --steps 4 --every 1 --checkpoint - 2> err | "$tilework" nbody --restart - > out 2>> err
grep -q '^step 4 ' out || bad "nbody --restart -: $(cat out err)"
expect 2 'several files' potrf --trace -
expect 2 'several files' nbody --frames -
if has_fft; then
  "$tilework" fft --n 60 --output - 2> err | "$tilework" fft --input - --backward --norm n --check --output z.npy > out 2>> err || bad "fft | fft: $(cat err)"
  grep -q ': ok' out || bad "fft --input -: $(cat out)"
fi

# ---- bare elements: --n (or --m) and --type say what they are
expect 0 '' posv --n 40 --nrhs 2 --output b.npy
tail -c 640 b.npy > b.bin
{ "$tilework" potri --n 40 --output -.npy 2> err; } | tail -c 12800 > A.bin
expect 0 ' ok' posv --input A.bin --n 40 --rhs b.bin --nrhs 2 --check --output y1.mtx
"$tilework" potri --n 40 --output A.npy > out 2> err
expect 0 ' ok' posv --input A.npy --rhs b.npy --check --output y2.mtx
cmp y1.mtx y2.mtx || bad "bare elements give another solution"
expect 0 ' ok' potrf --input A.bin --m 40 --check
expect 2 '--n' potrf --input A.bin
expect 2 'A.bin' potrf --input A.bin --n 41
expect 2 'A.bin' potrf --input A.bin --n 40 --type s

# ---- rectangular matrices: the first 30 columns of A, and what they are the rows of
head -c 9600 A.bin > tall.bin
expect 0 ' ok' gels --input tall.bin --m 40 --n 30 --rhs b.bin --nrhs 2 --check --output x.npy
expect 0 ' ok' gels --input tall.bin --m 40 --n 30 --rhs b.bin --nrhs 2 --check --lapack-door --output x.npy
head -c 480 b.bin > short.bin
expect 0 ' ok' gels --input tall.bin --m 30 --n 40 --rhs short.bin --nrhs 2 --check --output x.npy
expect 2 '--rhs' gels --input tall.bin --m 30 --n 40 --rhs b.bin --nrhs 2
expect 2 '--n' gels --input tall.bin --m 30
expect 2 'tall.bin' geqrf --input tall.bin --m 40 --n 31
expect 2 '--m 41' geqrf --input A.npy --m 41
expect 0 ' ok' geqrf --input A.npy --check --output f.npy

# ---- vectors: a right-hand side of one dimension has an answer of one
shape() { head -c 128 "$1" | grep -ao "'shape': ([0-9L, ]*)"; }
header="{'descr': '<f8', 'fortran_order': False, 'shape': (40,), }"
{ printf '\223NUMPY\001\000\166\000%-117s\n' "$header"; head -c 320 b.bin; } > v.npy
for command in posv gesv; do
  for door in '' --lapack-door --in-place; do
    # shellcheck disable=SC2086
    expect 0 ' ok' $command --input A.npy --rhs v.npy --check --output w.npy $door
    [ "$(shape w.npy)" = "'shape': (40,)" ] || bad "$command $door of one dimension gives $(shape w.npy)"
  done
done
expect 0 '' posv --input A.npy --rhs v.npy --output w.mtx
expect 0 '' posv --input A.npy --rhs v.npy --output w.npy
expect 0 '' posv --input A.npy --rhs w.mtx --output w2.npy
[ "$(shape w2.npy)" = "'shape': (40, 1)" ] || bad "a column gives $(shape w2.npy)"
sed "s/(40,), }/(40L,),}/" v.npy > long.npy      # as Python 2 wrote it
expect 0 '' posv --input A.npy --rhs long.npy --output w3.npy
cmp w.npy w3.npy || bad "Python 2's header gives another answer"

# ---- symbolic links, also those that lead to nothing yet, stay what they are
mkdir there
for link in to=there/one.npy further=to2 to2=there/two.npy; do ln -s "${link#*=}" "${link%%=*}".npy; done
mv further.npy f.npy && ln -sf to2.npy f.npy
for link in to f f; do
  expect 0 '' potrf --n 20 --output $link.npy
  [ -L $link.npy ] || bad "$link.npy was a link, and is a file"
done
for file in one two; do [ -s there/$file.npy ] || bad "nothing in there/$file.npy"; done
ln -s nowhere/three.npy none.npy && ln -s loop.npy loop.npy
for link in none loop; do
  expect 1 "$link.npy: cannot write" potrf --n 10000 --output $link.npy
  [ -L $link.npy ] || bad "$link.npy was a link"
done
[ "$(ls there)" = "one.npy
two.npy" ] || bad "left in there: $(ls there)"

# ---- input that is missing or bad: 2 everywhere
for command in 'potrf --input' 'posv --n 3 --rhs' 'direct --input' 'fmm --input' 'nbody --input' 'nbody --restart' 'md --input' 'md --restart' 'minimize --input' 'fft --input' 'fft --n 8 --filter' 'fft --n 8 --convolve'; do
  case $command in fft*) has_fft || continue ;; esac
  # shellcheck disable=SC2086
  expect 2 'missing.xyz' $command missing.xyz
  head -c 100 "$tilework" > broken.xyz
  # shellcheck disable=SC2086
  expect 2 'broken.xyz' $command broken.xyz
done

# ---- output that cannot be written: said before the work
for command in 'potrf --n 10000 --output' 'fmm --n 1e7 --trace' 'nbody --n 1e6 --output' 'nbody --n 1e6 --checkpoint' 'nbody --n 1e6 --energies' 'nbody --n 1e6 --frames' 'md --n 1e6 --output' 'md --n 1e6 --checkpoint' 'fft --n 2^26 --output'; do
  case $command in fft*) has_fft || continue ;; esac
  name=/nowhere/x
  case $command in md*--output) name=/nowhere/x.xyz ;; esac
  begin=$SECONDS
  # shellcheck disable=SC2086
  expect 1 "$name" $command $name
  [ $((SECONDS - begin)) -lt 5 ] || bad "$command $name was said after $((SECONDS - begin)) s"
  [ ! -s out ] || bad "$command $name worked before it said so: $(cat out)"
done
# ---- two results are two files, and both are there or neither
mkdir two && ln -s ../two two/again && ln -s two/eigen.npy link-e.npy
for pair in 'eigen.npy eigen.npy' 'eigen.npy ./eigen.npy' 'two/eigen.npy two/again/eigen.npy' 'two/eigen.npy link-e.npy' '- -' '- -.npy'; do
  # shellcheck disable=SC2086
  expect 2 '--output' syevd --n 300 --values ${pair% *} --output ${pair#* }
done
[ -z "$(compgen -G '*eigen.npy*')" ] || bad "one file of two results: $(ls)"
"$tilework" syevd --n 20 --values - --output Z.mtx > w.mtx 2> err || bad "--values -: $(cat err)"
grep -qx '20 1' w.mtx || bad "--values - printed $(head -n 2 w.mtx)"
expect 0 '' syevd --n 20 --values eigen.npy --output /dev/null
[ -s eigen.npy ] || bad 'no eigen.npy'
echo old > eigen.npy
(ulimit -f 128; exec timeout 60 "$tilework" syevd --n 200 --values eigen.npy --output Zlarge.npy) > out 2> err
got=$?
[ $got = 1 ] || bad "syevd above ulimit -f: exit status $got"
[ "$(cat eigen.npy)" = old ] || bad '--output failed, and --values was written'
[ -z "$(compgen -G '*.npy.tmp*')$(compgen -G 'Zlarge.npy')" ] || bad "left above ulimit -f: $(ls)"

# ---- names and variables of any bytes in JSON
printf '%%%%MatrixMarket matrix array real general\n1 1\n2\n' > $'a\xff.mtx'
expect 0 '"input":"a?.mtx"' getrf --input $'a\xff.mtx' --json
[ ! -s err ] || bad "--json of a name that is not UTF-8: $(cat err)"
TILEWORK_DROPIN_REPORT=$'r\xff' expect 0 '"TILEWORK_DROPIN_REPORT":"r?"' info --json
printf 'x,y,z,q\n0,0,0,1\n1,1,1,-1\n' > $'p\xff.csv'
expect 0 '"input": "p?.csv"' fmm --input $'p\xff.csv' --json

mkdir folder.raw
expect 1 'is a folder' potrf --n 10000 --output folder.raw
exit $((failures > 0))
