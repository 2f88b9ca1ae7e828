#!/usr/bin/env bash
# relocate-starpu.sh LIBRARY PREFIX: make a copy of StarPU's library forget the folder where it was built.
#
# At every start StarPU looks for ready-made performance models in PREFIX/share/starpu/perfmodels/sampling (there are none) and warns
# where it cannot be read: for everybody but the builder, if that is a home. The name is compiled in; a name of the same length
# that is always there, the root folder's, takes its place.
set -euo pipefail
library=${1:?usage: relocate-starpu.sh LIBRARY PREFIX} folder=${2:?usage: relocate-starpu.sh LIBRARY PREFIX}/share/starpu/perfmodels/sampling
size=$(stat -c %s "$library")
pattern=$(printf '%s' "$folder" | sed 's/[][\\.*^$|]/\\&/g')
LC_ALL=C sed -i "s|$pattern|$(printf '%*s' "${#folder}" '' | tr ' ' /)|g" "$library"
[ "$(stat -c %s "$library")" = "$size" ] || { echo "relocate-starpu: $library has changed its size" >&2; exit 1; }
