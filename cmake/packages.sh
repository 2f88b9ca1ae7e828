# shellcheck shell=bash
# To be sourced by ./quickstart. tilework_packages NAME...: install the distribution packages that are missing.
#
# Asks for nothing, changes nothing when all are there, reads the package lists anew only when they are absent or old.
tilework_packages() {
  local missing=() package apt
  if [ -n "${TILEWORK_SKIP_PACKAGES:-}" ]; then say "TILEWORK_SKIP_PACKAGES is set: packages are not looked at"; return; fi
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "no apt here: these packages of Debian (or their like) must be installed already: $*"
    return
  fi
  for package; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then missing+=("$package"); fi
  done
  if [ ${#missing[@]} -eq 0 ]; then say "packages: all there"; return; fi

  apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "packages are missing, and this is neither root nor is there sudo. As root, run:
    apt-get install -y --no-install-recommends ${missing[*]}
(TILEWORK_SKIP_PACKAGES=1 ./quickstart … goes on without)"
    apt=(sudo "${apt[@]}")
  fi
  say "packages: installing ${missing[*]}"
  local log; log=$(mktemp)
  if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 ||
     ! "${apt[@]}" install --no-install-recommends "${missing[@]}" > "$log" 2>&1; then
    if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } > "$log" 2>&1; then
      grep -E '^(E|W|Err)' "$log" | head -n 10 >&2 || true
      die "the packages could not be installed: is the package mirror reachable? The log is $log"
    fi
  fi
  rm -f "$log"
}
