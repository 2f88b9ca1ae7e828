#!/usr/bin/env bash
# Octave's own tests of linear algebra, polynomials, signals and FFTs (Debian's package octave), plainly, then through libtilework_lapack.so and libtilework_fftw.so with every call taken, and with
# the defaults. --tiles: also with small problems in tiles of 16, which some tests' bounds of a few eps do not bear. A file of tests of which fewer pass with Tilework is a failure of ours.
#   dropin/octave-tests.sh BUILD [--tiles] [--keep FOLDER]
set -euo pipefail
build=$(cd "$1" && pwd); shift
keep= with_tiles=
if [ "${1:-}" = --tiles ]; then with_tiles=1; shift; fi
if [ "${1:-}" = --keep ]; then mkdir -p "$2"; keep=$(cd "$2" && pwd); fi
command -v octave-cli > /dev/null || { echo "no Octave here (package octave)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cat > tests.m <<'M'
share = OCTAVE_HOME ();
core = fullfile (share, "share", "octave", OCTAVE_VERSION (), "etc", "tests", "libinterp", "corefcn");
m = fullfile (share, "share", "octave", OCTAVE_VERSION (), "m");
names = {"balance", "bsxfun", "chol", "data", "det", "dot", "eig", "__eigs__", "fft", "fft2", "fftn", "filter", "givens", "gsvd", "hess", "inv", "kron", "lsode", "lu", "matrix_type", "mgorth", ...
         "ordqz", "ordschur", "pinv", "__qp__", "qr", "qz", "rcond", "schur", "sqrtm", "svd", "sylvester", "tril", "conv2"};
files = cellfun (@(n) fullfile (core, [n ".cc-tst"]), names, "UniformOutput", false);
for f = {"linear-algebra", "polynomial", "signal", "statistics"}
  found = dir (fullfile (m, f{1}, "*.m"));
  files = [files, cellfun(@(d) fullfile (m, f{1}, d), {found.name}, "UniformOutput", false)];
end
output_precision (5);
fid = fopen (tempname (), "w");
for f = files
  if (! exist (f{1}, "file"))
    continue
  end
  [n, nmax, nxfail] = test (f{1}, "quiet", fid);
  [~, name, ending] = fileparts (f{1});
  printf ("RESULT %s%s %d %d\n", name, ending, n, nmax);
end
## Larger than what goes straight to LAPACK.
rand ("seed", 1); randn ("seed", 1);
for n = [600, 900]
  A = randn (n); H = A + A'; P = A * A' + n * eye (n); C = complex (A, randn (n)); b = randn (n, 3);
  [U, S, V] = svd (A); [Q, R] = qr (A); [L, u, p] = lu (A); [X, D] = eig (H); K = chol (P);
  e = @(X, Y) norm (X - Y, 1) / norm (Y, 1);
  near = [e(U*S*V', A), e(Q*R, A), e(L*u, p*A), e(X*D, H*X), e(K'*K, P), e(A*(A\b), b), e(A*inv(A), eye(n)), e(svd(C), svd(C')), e(ifft2(fft2(C)), C), e(A(:,1:200)\A(:,1:200), eye(200))] < 1e-9;
  printf ("RESULT large%d %d %d\n", n, sum (near), numel (near));
end
M
run() {      # NAME COMMAND...
  local name=$1; shift
  timeout 1500 "$@" octave-cli --no-init-file --no-history --quiet tests.m > "$name.log" 2> "$name.err" || { tail -n 20 "$name.log" "$name.err"; echo "FAILED: $name: Octave ended with $?"; exit 1; }
  sed -n 's/^RESULT //p' "$name.log" | sort > "$name.results"
  [ -z "$keep" ] || cp "$name".* "$keep"
  awk -v name="$name" '{ p += $2; n += $3 } END { printf "%s: %d of %d tests pass, in %d files\n", name, p, n, NR }' "$name.results"
}
compare() {
  if ! join plain.results "$1.results" | awk '$4 < $2 || $5 != $3 { print "fewer tests pass: " $0; bad = 1 } END { exit bad }'; then exit 1; fi
  [ "$(wc -l < "$1.results")" = "$(wc -l < plain.results)" ] || { echo "not all files were tested"; exit 1; }
}
taken() { sed -nE 's/.*"forked": false, "calls": ([0-9]*), "taken": ([0-9]*).*/  \1 calls, \2 taken/p' "$1"; }
run plain env
run all "$build/bin/tilework" run --report=all.json --min 0 -- env; taken all.json; compare all
run defaults "$build/bin/tilework" run -- env; compare defaults
if [ -n "$with_tiles" ]; then run tiles env TILEWORK_CROSSOVER=0 TILEWORK_NB=16 "$build/bin/tilework" run --min 0 -- env; compare tiles; fi
grep -q '"taken": [1-9]' all.json || { echo "FAILED: nothing was taken"; exit 1; }
echo passed
