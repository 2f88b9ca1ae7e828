#!/usr/bin/env bash
# The short part of dropin/r-tests.sh: some examples of R say the same with every call taken; and a number that differs is found.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
command -v R > /dev/null || { echo "no R here (package r-base-core)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
topics="backsolve chol chol2inv crossprod det eigen kappa qr solve svd"
bash "$TILEWORK_SOURCE/dropin/r-tests.sh" "$TILEWORK_BUILD" --topics "$topics" base | tee "$work/log"
grep -Eq 'all: [0-9]{3,} lines; [0-9]{2,} calls, [1-9]' "$work/log" || { echo "few examples, or nothing was taken"; exit 1; }

# Planted: a command that changes a digit of what R says.
mkdir "$work/bin"
cat > "$work/bin/tilework" << 'S'
#!/usr/bin/env bash
while [ "$1" != -- ]; do case $1 in --report=*) echo '{"forked": false, "calls": 1, "taken": 1}' > "${1#--report=}" ;; esac; shift; done
shift
"$@" | sed 's/0.44721/0.44921/'
S
chmod +x "$work/bin/tilework"
status=0
bash "$TILEWORK_SOURCE/dropin/r-tests.sh" "$work" --topics "$topics" base > "$work/log" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'base says something else (all)' "$work/log" || { cat "$work/log"; echo "a changed digit was not found (exit status $status)"; exit 1; }
echo "found: a changed digit"
echo passed
