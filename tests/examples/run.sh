#!/usr/bin/env bash
# Every example, as a user runs it: the short ones, the job of ./quickstart, and gp_regression on made and (where they are)
# real data, with good and bad input.   TILEWORK_BUILD: the build, TILEWORK_SOURCE: the sources.
set -u
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
bin=$(cd "$TILEWORK_BUILD" && pwd)/bin/examples
source=$(cd "$TILEWORK_SOURCE" && pwd)
top=$(mktemp -d) || exit 1
work=$top/work
mkdir "$work"
trap 'rm -rf "$top"' EXIT
cd "$work" || exit 1
failures=0

bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
# expect STATUS PROGRAM ARGUMENTS…: leaves out and err behind
expect() {
  local want=$1 got
  shift
  "$@" >out 2>err
  got=$?
  [ "$got" = "$want" ] && return 0
  bad "$* gave $got instead of $want"
  sed 's/^/    /' out err
  return 1
}
says() { grep -qF -- "$1" "$2" || { bad "no '$1' in the output:"; sed 's/^/    /' "$2"; }; }
true_that() { awk "BEGIN { exit !($1) }" </dev/null || bad "$2: $1 does not hold"; }
# value KEY: a number of the JSON line in out
value() { sed -n "s/.*\"$1\": \([-+0-9.eEinfa]*\).*/\1/p" out | head -n 1; }

# --- the short ones: each checks itself ------------------------------------------------------------------------
for name in solve_spd tiles async lapacke_prefix starpu_task galaxy_collision peptide density_estimate; do
  expect 0 "$bin/$name" && echo "$name: $(cat out)"
done
# … also with tiles where the library would have called LAPACK, and with one worker
TILEWORK_NB=128 expect 0 "$bin/solve_spd"
STARPU_NCPU=1 expect 0 "$bin/async"

# eigenvalues; spectral_clusters with fewer places than its own 4000
if expect 0 "$bin/membrane" 16 modes.ppm; then echo "membrane: $(cat out)"; head -c 2 modes.ppm | grep -q P6 || bad "modes.ppm is no PPM file"; fi
for file in - "$source/examples/data/peptide.pdb"; do
  expect 0 "$bin/vibrations" "$file" 8 mode.svg && says ' 6 zero modes' out
  tail -n 1 mode.svg | grep -q '</svg>' || bad "mode.svg does not end with </svg>"
done
expect 1 "$bin/vibrations" - 2 # atoms that are not held together: more than six
expect 1 "$bin/vibrations" - 1 && says 'no two atoms are within 1 Angstrom' err
if expect 0 "$bin/spectral_clusters" - 600 5 map.ppm; then
  says '5 components by search, 5 zero eigenvalues' out
  says 'places in each cluster: 120 120 120 120 120' out
  head -c 2 map.ppm | grep -q P6 || bad "map.ppm is no PPM file"
fi
awk 'BEGIN { srand(3); print "name,longitude,latitude"; for (i = 0; i < 900; i++) printf "p%d,%.4f,%.4f\n", i, (i % 2 ? 10 : 20) + rand(), 50 + rand() }' >places.csv
expect 0 "$bin/spectral_clusters" places.csv 500 2 && says '2 components by search, 2 zero eigenvalues' out
awk 'BEGIN { print "a,b"; for (i = 0; i < 40; i++) print i ",1" }' >none.csv
expect 2 "$bin/spectral_clusters" none.csv && says 'no columns longitude and latitude' err
expect 2 "$bin/spectral_clusters" - 3
expect 2 "$bin/membrane" 8
if expect 0 "$bin/circular_law" 700 disk.ppm; then
  echo "circular_law: $(cat out)"
  head -c 2 disk.ppm | grep -q P6 || bad "disk.ppm is no PPM file"
fi
expect 2 "$bin/circular_law" 100
expect 2 "$bin/vibrations" missing.pdb

# boundary elements: 1 % from 500 panels on; another radius
if expect 0 "$bin/sphere_capacitance" 500; then
  echo "sphere_capacitance: $(cat out)"
  says '500 panels' out
  true_that "$(sed -n 's/.*pF: \([-+0-9.]*\) %.*/\1/p' out) ^ 2 < 1" "the capacitance of 500 panels"
fi
expect 0 "$bin/sphere_capacitance" 300 6371000 && says '320 panels' out
expect 2 "$bin/sphere_capacitance" 3
expect 2 "$bin/sphere_capacitance" 500 0

# polynomials: made data, a table with a column twice (rank below the number of terms), refusals
if expect 0 "$bin/polynomial_regression"; then
  echo "polynomial_regression: $(cat out)"
  says '8 columns, 495 monomials to degree 4' out
  says 'rank 495' out
fi
awk 'BEGIN { srand(5); print "a,b,c,y"; for (i = 0; i < 400; i++) { a = 2 * rand() - 1; b = 2 * rand() - 1; printf "%.6f,%.6f,%.6f,%.8f\n", a, b, a, 1 + a * b - b * b } }' >twice.csv
if expect 0 "$bin/polynomial_regression" twice.csv y 300 2; then says '10 monomials to degree 2' out && says 'rank 6' out; fi
expect 2 "$bin/polynomial_regression" twice.csv nothing && says "column 'nothing' (TARGET)" err
expect 2 "$bin/polynomial_regression" twice.csv y 5
expect 2 "$bin/polynomial_regression" twice.csv y 500 && says 'TRAIN 500: twice.csv has 400 rows' err
expect 2 "$bin/polynomial_regression" twice.csv y 300 9
expect 2 "$bin/polynomial_regression" missing.csv
if expect 1 env STARPU_SCHED=nonsense "$bin/polynomial_regression"; then says 'tw_init: ' err; fi      # the start is not part of the first routine's time

# singular values: a made picture, one of a file, and no picture; a made table, one with text and a constant column, and too little
if expect 0 "$bin/image_lowrank" - 12 low; then
  echo "image_lowrank: $(cat out)"
  says '480 x 640 pixels' out
  says 'rank 12 by random vectors' out
  head -c 11 low.pgm | grep -q '640 480' || bad "low.pgm is not 640 x 480"
  tail -n 1 low.svg | grep -q '</svg>' || bad "low.svg does not end with </svg>"
fi
expect 0 "$bin/image_lowrank" "$source/examples/data/image.pgm" 5 && says '32 x 48 pixels' out
expect 2 "$bin/image_lowrank" places.csv && says 'no PGM file' err
expect 2 "$bin/image_lowrank" - 0
if expect 0 "$bin/pca" - y places.ppm; then
  echo "pca: $(cat out)"
  says 'rank 8, with one column twice 8 of 9' out
  head -c 2 places.ppm | grep -q P6 || bad "places.ppm is no PPM file"
fi
awk 'BEGIN { srand(6); print "a,b,t,k,y"; for (i = 0; i < 300; i++) { a = rand(); printf "%.6f,%.6f,word,7,%.6f\n", a, 2 * a + 0.1 * rand(), a } }' >table.csv
expect 0 "$bin/pca" table.csv y && says '300 rows, 2 columns' out
expect 2 "$bin/pca" table.csv nothing && says 'nothing' err
expect 2 "$bin/pca" missing.csv

# --- the main job ------------------------------------------------------------------------------------------------
mkdir job && cd job || exit 1
if expect 0 "$bin/quickstart_gp"; then
  cat out
  for kind in paje json svg; do
    [ -s "tilework-quickstart.$kind" ] || bad "quickstart_gp left no tilework-quickstart.$kind"
  done
  head -n 1 tilework-quickstart.paje | grep -q '^%EventDef' || bad "the Paje file does not begin with %EventDef"
  tail -n 1 tilework-quickstart.svg | grep -q '</svg>' || bad "the SVG file does not end with </svg>"
  residual=$(sed -n 's/.*scaled residual \([^ ]*\) .*/\1/p' out)
  true_that "${residual:-99} > 0 && ${residual:-99} < 30" "quickstart_gp's residual"
  volume=$(sed -n 's/.*holds \([0-9.]*\) cubic feet.*/\1/p' out) # between what its neighbours in the data hold
  true_that "${volume:-0} > 34 && ${volume:-0} < 41" "quickstart_gp's prediction"
  met=$(sed -n 's/.*met to \([0-9.]*\) cubic feet.*/\1/p' out) # a plane through the data meets them to 3.7
  true_that "${met:-99} < 3.7" "quickstart_gp's fit of the trees"
  tasks=$(sed -n 's/.* \([0-9]*\) tasks .*/\1/p' out | awk '{ n += $1 } END { print n + 0 }')
  true_that "$tasks >= 20" "the number of tasks"
fi
expect 2 "$bin/quickstart_gp" surplus
cd "$work" || exit 1

# --- gp_regression on a made table: y = sin(a) b plus a little noise, c says nothing, t is text, 1 in 9 of c is missing -------
awk 'BEGIN { srand(7); print "a,b,c,t,y"
  for (i = 0; i < 1000; i++) { a = 6 * rand(); b = 2 * rand() - 1
    printf "%.6f,%.6f,%s,word%d,%.8f\n", a, b, i % 9 ? sprintf("%.6f", exp(3 * rand())) : "", i % 3,
           sin(a) * b + 0.02 * (rand() - 0.5) } }' >made.csv
gp=$bin/gp_regression
made=(--input made.csv --target y)
if expect 0 "$gp" "${made[@]}" --train 600 --subset 300 --json --output-picture made.svg; then
  true_that "$(value rmse) < 0.012 && $(value rmse_mean_predictor) > 0.3" "RMSE on the made table"
  true_that "$(value residual) > 0 && $(value residual) < 30" "residual on the made table"
  true_that "$(value noise) > 0.008 && $(value noise) < 0.03" "the noise chosen" # 0.0058 of a deviation of 0.4
  true_that "$(value filled) == 112 && $(value n) == 600 && $(value test) == 400" "the counts"
  true_that "$(value "log c") > 5 * $(value a)" "the irrelevant column's length"
  says '"info": 0' out
  mean=$(value rmse_mean_predictor)
  tail -n 1 made.svg | grep -q '</svg>' || bad "made.svg does not end with </svg>"
  if command -v rsvg-convert >/dev/null; then rsvg-convert made.svg -o made.png || bad "made.svg is not an SVG file"; fi
fi
expect 0 "$gp" "${made[@]}" --train 600 --subset 100 --json && true_that "$(value rmse_mean_predictor) == ${mean:-0}" "the same seed's split"
expect 0 "$gp" "${made[@]}" --train 600 --subset 100 --json --seed 2 && true_that "$(value rmse_mean_predictor) != ${mean:-0}" "another seed's split"
if TILEWORK_NB=128 TILEWORK_CROSSOVER=0 expect 0 "$gp" "${made[@]}" --train 999 --subset 100 --trace run; then
  says "RMSE on 1 held-out rows" out
  for kind in paje json svg; do [ -s "run.$kind" ] || bad "--trace left no run.$kind"; done
fi
rm -f run.*

# --- bad input: status 2, the culprit named, nothing on stdout, nothing left behind ---------------------------------------
awk 'BEGIN { print "a,y"; for (i = 0; i < 40; i++) print i ",1" }' >flat.csv
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 40; i++) print i "," (i % 4 ? "" : i) "," i * i }' >gaps.csv
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 40; i++) print i "," (i == 5 ? "inf" : i) "," i * i }' >inf.csv
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 40; i++) print "nan,nan," i * i }' >nan.csv
awk 'BEGIN { print "t,y"; for (i = 0; i < 40; i++) print "word," i }' >text.csv
: >empty.csv
echo "a,y" >header.csv
head -c 3000 "$gp" >binary.csv
find . | sort >../before
refuses() { # refuses CULPRIT ARGUMENTS…
  local culprit=$1
  shift
  expect 2 "$gp" "$@" || return
  says "$culprit" err
  [ -s out ] && bad "gp_regression $* printed on stdout"
}
{
  refuses nowhere.csv --input nowhere.csv --target y --train 30
  refuses "a, b, c, t, y" --input made.csv --target price --train 30
  refuses "'t'" --input made.csv --target t --train 30
  refuses --train "${made[@]}" --train 1
  refuses --train "${made[@]}" --train 1000
  refuses --train "${made[@]}" --train 5000
  refuses --train "${made[@]}" --train -3
  refuses --train "${made[@]}" --train 12x
  refuses --train "${made[@]}" --train 99999999999999999999
  refuses --train "${made[@]}"
  refuses --train "${made[@]}" --train
  refuses --input --target y --train 30
  refuses --target --input made.csv --train 30
  refuses --subset "${made[@]}" --train 30 --subset 1
  refuses --type "${made[@]}" --train 30 --type s
  refuses --output-picture "${made[@]}" --train 30 --output-picture no/such/folder/p.svg
  refuses --output-picture "${made[@]}" --train 30 --output-picture "$work"
  refuses --trace "${made[@]}" --train 30 --output-picture run.svg --trace run
  refuses --frob "${made[@]}" --train 30 --frob
  refuses "given twice" "${made[@]}" --train 30 --train 40
  refuses --target --input flat.csv --target y --train 30
  refuses "'b'" --input gaps.csv --target y --train 30
  refuses inf.csv --input inf.csv --target y --train 30
  refuses nan.csv --input nan.csv --target y --train 30
  refuses text.csv --input text.csv --target y --train 30
  refuses empty.csv --input empty.csv --target y --train 30
  refuses header.csv --input header.csv --target y --train 30
  refuses binary.csv --input binary.csv --target y --train 30
  refuses "$work" --input "$work" --target y --train 30
}
TILEWORK_HOST_MEMORY=1000000 refuses --train "${made[@]}" --train 900
find . | sort | diff ../before - || bad "files came or went while input was refused"

# --- real data ---------------------------------------------------------------------------------------------------------
housing=$source/../shared/data/california_housing.csv
if [ -f "$housing" ]; then
  if expect 0 "$gp" --input "$housing" --target median_house_value --train 1500 --subset 750 --json; then
    echo "california_housing.csv, 1500 rows train: RMSE $(value rmse)"
    true_that "$(value rmse) < 62000 && $(value rmse_mean_predictor) > 110000 && $(value filled) == 207" "RMSE of house values"
  fi
  if expect 0 "$bin/polynomial_regression" "$housing" median_house_value 3000 3; then
    says '165 monomials to degree 3' out
    true_that "$(sed -n 's/^gelsy.* \([0-9.]*\) on those held out.*/\1/p' out) < 68000" "the polynomial's RMSE of house values"
  fi
  if expect 0 "$bin/pca" "$housing"; then
    echo "pca of california_housing.csv: $(cat out)"
    says '20640 rows, 8 columns' out
    says 'rank 8, with one column twice 8 of 9' out
  fi
else
  echo "not run: gp_regression, polynomial_regression and pca on real data ($housing is not here)"
fi

[ "$failures" = 0 ] && echo "all examples are right" && exit 0
echo "$failures failures"
exit 1
