#!/usr/bin/env bash
# docs/coverage.md of the sources in this folder, on standard output.
find codelets runtime -name '*.c' -print0 | LC_ALL=C sort -z | LC_ALL=C xargs -0 awk -f "$(dirname "${BASH_SOURCE[0]}")/codelets.awk" || exit 1
