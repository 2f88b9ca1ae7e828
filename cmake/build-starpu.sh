#!/usr/bin/env bash
# Build StarPU for Tilework: with FxT (unless it shall stay free of the GPL) and hwloc, with CUDA where a toolkit is, with MPI where one is.
#
#   cmake/build-starpu.sh PREFIX [--cuda DIR|off|auto] [--mpi on|off|auto] [--fxt on|off] [--jobs N]
#
# The source is the source package "starpu" of the distribution's newest suite, fetched through a private apt
# configuration that names the machine's own mirror (read from the system's apt sources). The version below is
# the one Tilework is tested with; another one is accepted with a notice. Where there is no mirror,
# TILEWORK_STARPU_TARBALL=FILE names a source archive (1.4.7 or later) instead.
set -euo pipefail

WANT_VERSION=1.4.10
WANT_SHA256=6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3

say() { printf 'starpu: %s\n' "$*"; }
die() { printf 'starpu: %s\n' "$*" >&2; exit 1; }

usage="usage: build-starpu.sh PREFIX [--cuda DIR|off|auto] [--mpi on|off|auto] [--fxt on|off] [--jobs N]"
prefix=${1:?$usage}; shift
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
cuda=auto mpi=auto fxt=on jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    --cuda) cuda=${2:?$usage}; shift 2 ;;
    --mpi) mpi=${2:?$usage}; shift 2 ;;
    --fxt) fxt=${2:?$usage}; shift 2 ;;
    --jobs) jobs=${2:?$usage}; shift 2 ;;
    *) die "unknown argument $1; $usage" ;;
  esac
done
if [ "$cuda" = auto ]; then
  cuda=off
  for d in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr/lib/cuda; do
    if [ -n "$d" ] && [ -x "$d/bin/nvcc" ]; then cuda=$d; break; fi
  done
fi
if [ "$mpi" = auto ]; then if command -v mpicc >/dev/null; then mpi=on; else mpi=off; fi; fi
if [ -e "$prefix" ] && [ ! -e "$prefix/tilework-starpu.txt" ] && [ -n "$(ls -A "$prefix")" ]; then
  die "$prefix exists and was not made by this script: name another folder"
fi

case $fxt in on|off) ;; *) die "--fxt $fxt: on or off; $usage" ;; esac

umask 022                   # others may use what root builds
work=$prefix.build
mkdir -p "$(dirname "$prefix")"
exec 9> "$prefix.lock"      # two set-ups at the same time: the second waits, then builds again what it asked for
flock 9
rm -rf "$work"; mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/src"

# --- the source package -------------------------------------------------------------------------------------
# Debian's newest suite is called sid, Ubuntu's devel; both are names that the distribution's mirrors keep.
case $(. /etc/os-release 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}") in
  ubuntu*|*" ubuntu"*) suite=devel components="main universe" tail=ubuntu keyring=ubuntu-archive-keyring.gpg ;;
  *) suite=sid components=main tail=debian keyring=debian-archive-keyring.gpg ;;
esac
system_mirror() {           # the first mirror of the distribution in the system's apt sources, both formats
  { cat /etc/apt/sources.list 2>/dev/null || true
    cat /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    sed -nE 's/^deb(-src)?[[:space:]]+(\[[^]]*\][[:space:]]+)?([a-z+]+:[^[:space:]]+).*/\3/p; s/^URIs:[[:space:]]*([^[:space:]]+).*/\1/p' |
    grep -E "$tail/?\$" | head -n 1 || true
}
fetch_source() {
  local mirror signed="" opts
  mirror=$(system_mirror)
  [ -n "$mirror" ] && command -v apt-get >/dev/null ||
    die "no $tail mirror in the system's apt sources: give TILEWORK_STARPU_TARBALL=FILE, or install StarPU >= 1.4.7 (with FxT) and set PKG_CONFIG_PATH"
  if [ -e "/usr/share/keyrings/$keyring" ]; then signed="[signed-by=/usr/share/keyrings/$keyring]"; fi
  echo "deb-src $signed $mirror $suite $components" > "$work/sources.list"
  opts=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$work/lists"
        -o "Dir::Cache=$work/cache" -o APT::Get::List-Cleanup=0 -o "APT::Sandbox::User=$(id -un)"
        -o Acquire::Languages=none -o Acquire::Retries=3 -o APT::Update::Error-Mode=any)
  apt-get "${opts[@]}" -qq update ||
    die "apt could not read the source lists of the suite $suite: is the package mirror reachable from here?"
  (cd "$work/src" && apt-get "${opts[@]}" -qq --download-only source starpu) ||
    die "the source package 'starpu' could not be fetched from the suite $suite"
}
if [ -n "${TILEWORK_STARPU_TARBALL:-}" ]; then
  tarball=$TILEWORK_STARPU_TARBALL
  [ -r "$tarball" ] || die "TILEWORK_STARPU_TARBALL=$tarball cannot be read"
else
  say "fetching the source package"
  fetch_source
  tarball=$(find "$work/src" -name 'starpu_*.orig.tar.*' ! -name '*.asc' | head -n 1)
  [ -n "$tarball" ] || die "no source archive arrived in $work/src"
fi
version=$(basename "$tarball" | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1 || true)
sum=$(sha256sum "$tarball" | cut -d' ' -f1)
if [ "$sum" != "$WANT_SHA256" ]; then
  say "notice: this is version ${version:-unknown} (sha256 $sum), not the tested $WANT_VERSION; going on with it"
fi
mkdir "$work/tree"; tar -xf "$tarball" -C "$work/tree" --strip-components=1
[ -x "$work/tree/configure" ] || die "$(basename "$tarball") has no configure script: a release archive is needed"

# --- CUDA 13 ------------------------------------------------------------------------------------------------
# CUDA 13 removed cudaDeviceProp.computeMode, which StarPU <= 1.4.12 reads to skip GPUs in exclusive mode.
# The attribute query says the same with every CUDA version.
for f in src/drivers/cuda/driver_cuda.c src/drivers/cuda/driver_cuda1.c; do
  if [ -f "$work/tree/$f" ] && grep -q '\.computeMode' "$work/tree/$f"; then
    sed -i -E 's/props\[([a-z]+)\]\.computeMode == cudaComputeModeExclusive/({ int mode_ = 0; cudaDeviceGetAttribute(\&mode_, cudaDevAttrComputeMode, \1); mode_; }) == cudaComputeModeExclusiveProcess/' "$work/tree/$f"
  fi
done

# --- configure, build, install ------------------------------------------------------------------------------
# maxcpus defaults to the build machine's core count: always set it, so that the result also serves bigger machines.
cpus=$(nproc); if [ "$cpus" -lt 128 ]; then cpus=128; fi
args=(--prefix="$prefix" --libdir="$prefix/lib" --enable-maxcpus="$cpus" --enable-maxcudadev=8
      --enable-maxnodes=16 --disable-opencl --disable-hip --disable-build-doc --disable-build-examples
      --disable-build-tests --disable-starpupy --disable-socl --disable-fortran --disable-starpufft --disable-static
      --disable-silent-rules)
if [ "$cuda" != off ]; then
  args+=(--enable-cuda --with-cuda-dir="$cuda" --with-cuda-lib-dir="$cuda/lib64" "LDFLAGS=-L$cuda/lib64/stubs")
else
  args+=(--disable-cuda)
fi
if [ "$fxt" = on ]; then args+=(--with-fxt); else args+=(--without-fxt); fi
if [ "$mpi" = on ]; then args+=(--enable-mpi); else args+=(--disable-mpi); fi
say "configuring ${version:-} (CUDA: $cuda, MPI: $mpi, FxT: $fxt)"
mkdir "$work/obj"; cd "$work/obj"
"$work/tree/configure" "${args[@]}" > configure.out 2>&1 ||
  { tail -n 30 configure.out >&2; die "configure failed; the log is $work/obj/configure.out"; }
say "building with $jobs jobs (about two minutes on two cores)"
make -j"$jobs" > make.out 2>&1 ||
  { grep -nE 'error|Error' make.out | head -n 20 >&2; die "the build failed; the log is $work/obj/make.out"; }
rm -rf "$prefix"      # an earlier build of this script, checked above
make install > install.out 2>&1 ||
  { tail -n 20 install.out >&2; die "the installation failed; the log is $work/obj/install.out"; }
echo "${version:-unknown} cuda=$cuda mpi=$mpi fxt=$fxt maxcpus=$cpus" > "$prefix/tilework-starpu.txt"
cd /; rm -rf "$work"
say "installed ${version:-} in $prefix"
