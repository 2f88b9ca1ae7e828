# shellcheck shell=bash
# To be sourced by ./quickstart. tilework_starpu: make sure that a StarPU that fits is there, and export the
# PKG_CONFIG_PATH with which CMake finds that one.
#
# Where a copy is built and looked for: TILEWORK_DEPS if it is set. Otherwise root builds in /var/cache/tilework, which all can read, since
# every program of the build folder loads the library from there and root's home is closed to others; anybody else builds in
# a cache of his own. Both places are looked at, so that users share what root built, and root goes on with an older copy in his home.

shared_deps=/var/cache/tilework
own_deps=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/tilework
starpu_fxt=${TILEWORK_STARPU_FXT:-on}       # off: StarPU without FxT, which is GPL (./quickstart bundle --without-fxt)
starpu_name=starpu
if [ "$starpu_fxt" = off ]; then starpu_name=starpu-without-fxt; fi

deps_to_build_in() {
  if [ -n "${TILEWORK_DEPS:-}" ]; then echo "$TILEWORK_DEPS"
  elif [ "$(id -u)" -eq 0 ] && mkdir -p -m 755 "$shared_deps" 2>/dev/null && [ -w "$shared_deps" ]; then echo "$shared_deps"
  else echo "$own_deps"; fi
}
deps_to_look_in() { if [ -n "${TILEWORK_DEPS:-}" ]; then echo "$TILEWORK_DEPS"; else echo "$shared_deps" "$own_deps"; fi; }

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
  if [ "$starpu_fxt" = on ]; then
    grep -q '^#define STARPU_USE_FXT' "$header" || { echo "$version is built without FxT"; return; }
  else
    if grep -q '^#define STARPU_USE_FXT' "$header"; then echo "$version is built with FxT"; return; fi
  fi
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
  local why here before=${PKG_CONFIG_PATH:-} dir reasons=""
  why=$(starpu_misfit)
  if [ -z "$why" ]; then
    # CMake looks into the caches before the system: name the one that was chosen.
    PKG_CONFIG_PATH=$(pkg-config --variable=pcfiledir starpu-1.4)${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    export PKG_CONFIG_PATH
    say "StarPU: the installed $(pkg-config --modversion starpu-1.4) fits"
    return
  fi
  for dir in $(deps_to_look_in); do
    dir=$dir/$starpu_name
    if [ ! -r "$dir/lib/pkgconfig/starpu-1.4.pc" ]; then continue; fi
    export PKG_CONFIG_PATH=$dir/lib/pkgconfig${before:+:$before}
    here=$(starpu_misfit)
    if [ -z "$here" ]; then
      say "StarPU: reusing $(cat "$dir/tilework-starpu.txt" 2>/dev/null) in $dir"
      if [ "$(id -u)" -eq 0 ] && [ "$dir" = "$own_deps/$starpu_name" ]; then
        say "StarPU: others cannot read it there: they can run what \`cmake --install\` makes (it takes StarPU along), not the build folder"
      fi
      return
    fi
    reasons="$reasons; the one in $dir: $here"
  done
  dir=$(deps_to_build_in)/$starpu_name
  say "StarPU: the system's: $why$reasons; building it in $dir"
  export PKG_CONFIG_PATH=$dir/lib/pkgconfig${before:+:$before}
  here=$(cuda_toolkit)
  bash cmake/build-starpu.sh "$dir" --cuda "${here:-off}" --fxt "$starpu_fxt" --jobs "${jobs:-$(nproc)}"
  why=$(starpu_misfit)
  [ -z "$why" ] || die "the StarPU just built does not fit: $why"
}
