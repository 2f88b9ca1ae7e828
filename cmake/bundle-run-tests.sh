#!/usr/bin/env bash
# Run the bundle's test programs and scripts one after another:   ./run-tests.sh [PATTERN...]
#
# A pattern selects by name, e.g. 'dense/*' 'runtime/submit'. GPUs take part when TILEWORK_TEST_CUDA=1 is set. Each test
# has TILEWORK_TEST_TIMEOUT seconds (300). The last line counts; the exit status is 0 only if nothing failed.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
. ./env.sh
export TILEWORK_BUILD=$PWD TILEWORK_SOURCE=$PWD      # the bundle is laid out as both
passed=0 failed=() skipped=0
selected() {
  local pattern
  if [ $# -eq 1 ]; then return 0; fi
  for pattern in "${@:2}"; do
    # shellcheck disable=SC2053  # a pattern is meant
    if [[ $1 == $pattern ]]; then return 0; fi
  done
  return 1
}
log=$(mktemp); trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2012  # the names are ours
for test in $(ls -d tests/*/test_* tests/*/*.sh 2>/dev/null | sort -u); do
  if [ ! -f "$test" ]; then continue; fi
  room=$(basename "$(dirname "$test")")
  name=$(basename "$test" .sh); name=$room/${name#test_}
  case $room in gpu|bench|support|install|docs) continue ;; esac
  case $(basename "$test") in _*|common*) continue ;; esac      # helpers of scripts
  if ! selected "$name" "$@"; then continue; fi
  case $test in
    *.sh) command=(bash "$test") ;;
    *) command=("$test") ;;
  esac
  begin=$(date +%s.%N)
  timeout -k 10 "${TILEWORK_TEST_TIMEOUT:-300}" bash cmake/run-test.sh "${command[@]}" > "$log" 2>&1
  rc=$?
  seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')
  case $rc in
    0) verdict=passed; passed=$((passed + 1)) ;;
    77) verdict=skipped; skipped=$((skipped + 1)) ;;
    *) verdict="FAILED (exit $rc)"; failed+=("$name") ;;
  esac
  printf '%-40s %8s s  %s\n' "$name" "$seconds" "$verdict"
  if [ "$rc" -ne 0 ] && [ "$rc" -ne 77 ]; then tail -n 40 "$log"; fi
done
printf '%d passed, %d skipped, %d failed%s\n' "$passed" "$skipped" "${#failed[@]}" "${failed[*]:+: ${failed[*]}}"
[ ${#failed[@]} -eq 0 ]
