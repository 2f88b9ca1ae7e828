#!/usr/bin/env bash
# TILEWORK_REPRODUCIBLE=1: the same bits whatever the scheduler and however many workers.   TILEWORK_BUILD: the build
set -u
build=$(cd "${TILEWORK_BUILD:?}" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export TILEWORK_REPRODUCIBLE=1
failures=0
for flags in "--n 2^14 --type z" "--n 30000 --type s" "--n 40x30x50 --type d" "--n 37 --batch 500 --type c" "--n 65537 --type z" "--n 3^10 --type d" "--n 2^14 --r2r dst3"; do
  rm -f "$work/first"
  for workers in 1 2 4; do
    for sched in eager lws dmdas; do
      # shellcheck disable=SC2086  # flags are words
      STARPU_NCPU=$workers STARPU_SCHED=$sched "$build/bin/tilework" fft $flags --path tasks --output "$work/now" > "$work/log" 2>&1 ||
        { echo "FAILED: $flags with $workers workers under $sched"; cat "$work/log"; failures=$((failures + 1)); continue; }
      if [ ! -e "$work/first" ]; then mv "$work/now" "$work/first"; continue; fi
      cmp "$work/first" "$work/now" || { echo "FAILED: $flags: other bits with $workers workers under $sched"; failures=$((failures + 1)); }
    done
  done
done
exit $((failures > 0))
