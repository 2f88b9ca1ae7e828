# shellcheck shell=bash
# To be sourced by ./quickstart. tilework_starpu: make sure that a StarPU that fits is there, and export the
# PKG_CONFIG_PATH with which CMake finds that one.

starpu_cache=${TILEWORK_DEPS:-${XDG_CACHE_HOME:-$HOME/.cache}/tilework}/starpu

cuda_toolkit() {       # the folder of the CUDA toolkit, or nothing
  local d
  for d in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr/lib/cuda; do
    if [ -n "$d" ] && [ -x "$d/bin/nvcc" ]; then echo "$d"; return; fi
  done
  if command -v nvcc >/dev/null; then dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")"; fi
}

starpu_misfit() {      # why the StarPU that pkg-config finds now does not fit; nothing if it does
  local version header library cpus
  version=$(pkg-config --modversion starpu-1.4 2>/dev/null) || { echo "not installed"; return; }
  pkg-config --atleast-version=1.4.7 starpu-1.4 || { echo "version $version is older than 1.4.7"; return; }
  header=$(pkg-config --variable=includedir starpu-1.4)/starpu/1.4/starpu_config.h
  [ -e "$header" ] || { echo "its header starpu_config.h is not at $header"; return; }
  grep -q '^#define STARPU_USE_FXT' "$header" || { echo "$version is built without FxT"; return; }
  if [ -n "$(cuda_toolkit)" ] && ! grep -q '^#define STARPU_USE_CUDA ' "$header"; then
    echo "$version is built without CUDA, and a toolkit is here"; return
  fi
  cpus=$(sed -n 's/^#define STARPU_MAXCPUS //p' "$header")
  [ "${cpus:-0}" -ge "$(nproc)" ] || { echo "$version is built for $cpus CPUs, and this machine has $(nproc)"; return; }
  library=$(pkg-config --variable=libdir starpu-1.4)/libstarpu-1.4.so
  if ldd "$library" 2>/dev/null | grep -q 'not found'; then
    echo "$version needs $(ldd "$library" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | tr '\n' ' ')which this machine lacks"
  fi
}

tilework_starpu() {
  local why cache_why cuda
  why=$(starpu_misfit)
  if [ -z "$why" ]; then
    # CMake looks into the cache before the system: name the one that was chosen.
    PKG_CONFIG_PATH=$(pkg-config --variable=pcfiledir starpu-1.4)${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    export PKG_CONFIG_PATH
    say "StarPU: the installed $(pkg-config --modversion starpu-1.4) fits"
    return
  fi
  export PKG_CONFIG_PATH=$starpu_cache/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  cache_why="not built yet"
  if [ -e "$starpu_cache/lib/pkgconfig/starpu-1.4.pc" ]; then cache_why=$(starpu_misfit); fi
  if [ -z "$cache_why" ]; then
    say "StarPU: reusing $(cat "$starpu_cache/tilework-starpu.txt" 2>/dev/null) in $starpu_cache"
    return
  fi
  say "StarPU: the system's: $why; the one in $starpu_cache: $cache_why; building it"
  cuda=$(cuda_toolkit)
  bash cmake/build-starpu.sh "$starpu_cache" --cuda "${cuda:-off}" --jobs "${jobs:-$(nproc)}"
  why=$(starpu_misfit)
  [ -z "$why" ] || die "the StarPU just built does not fit: $why"
}
