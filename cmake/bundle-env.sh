#!/usr/bin/env bash
# The environment of the unpacked Tilework bundle.
#
#   ./env.sh COMMAND [ARGUMENTS]      run one command in it, e.g. ./env.sh tilework info
#   . ./env.sh                        set it in this shell
tilework_bundle=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$tilework_bundle/bin:${PATH:-/usr/local/bin:/usr/bin:/bin}
# The programs find the bundle's libraries by themselves. CUDA's come from the machine.
export LD_LIBRARY_PATH=$tilework_bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PYTHONPATH=$tilework_bundle/python${PYTHONPATH:+:$PYTHONPATH}
for tilework_dir in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr/local/cuda-*; do
  if [ -n "$tilework_dir" ] && ls "$tilework_dir"/lib64/libcudart.so* >/dev/null 2>&1; then
    export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$tilework_dir/lib64
    break
  fi
done
. "$tilework_bundle/cmake/openblas-core.sh"
tilework_openblas_core "@OPENBLAS_VERSION@"
if [ "${BASH_SOURCE[0]}" = "$0" ]; then exec "${@:-bash}"; fi
