# shellcheck shell=bash
# To be sourced. tilework_openblas_core [OPENBLAS_VERSION]: export the OPENBLAS_CORETYPE that suits this CPU.
#
# OpenBLAS before 0.3.26 does not know newer x86 CPUs and silently falls back to kernels that are twenty years old, at a
# fifth of the speed. The variable is read when the library loads. A value that is already set stays.
tilework_cpu_has() {
  local flags flag
  flags=" $(sed -n 's/^flags[[:space:]]*: //p;T;q' /proc/cpuinfo 2>/dev/null) "
  for flag; do case $flags in *" $flag "*) ;; *) return 1 ;; esac; done
}
tilework_openblas_core() {
  if [ -n "${OPENBLAS_CORETYPE:-}" ]; then return 0; fi
  if [ -n "${1:-}" ] && [ "$(printf '%s\n0.3.26\n' "$1" | sort -V | head -n 1)" = 0.3.26 ]; then return 0; fi
  if tilework_cpu_has avx512f avx512bw avx512dq avx512vl; then export OPENBLAS_CORETYPE=SkylakeX
  elif tilework_cpu_has avx2 fma; then export OPENBLAS_CORETYPE=Haswell; fi
}
