# SPDX-License-Identifier: MIT
# Shared by the scripts of this folder; source it, do not run it. It changes to the project's
# root and offers `install_packages`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Bookworm has an older Boost under the plain name and llhttp only as C sources.
codename=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
case $codename in
  bookworm) boost=libboost1.81-dev llhttp=node-llhttp ;;
  *) boost=libboost-dev llhttp=libllhttp-dev ;;
esac

build_packages=(cmake ninja-build g++ pkg-config ccache "$boost" "$llhttp" libcpp-httplib-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev libexpected-dev libhowardhinnant-date-dev
  libssl-dev prometheus-cpp-dev zlib1g-dev)
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev python3
  python3-jsonschema python3-junitparser python3-pytest python3-urllib3 curl)
demo_packages=(curl python3 python3-urllib3)

# install_packages NAME...: installs with apt those that are missing. Asks the network for
# nothing when all are there. RETRYLAB_NO_INSTALL=1 skips it, for systems without apt.
install_packages() {
  [ -z "${RETRYLAB_NO_INSTALL:-}" ] || return 0
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q '^install ok installed' ||
      missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  if ! command -v apt-get >/dev/null; then
    echo "error: this script installs Debian packages with apt-get, which is not here." >&2
    echo "Install what corresponds to these and run it with RETRYLAB_NO_INSTALL=1:" >&2
    echo "  ${missing[*]}" >&2
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "error: these Debian packages are missing, and installing needs root or sudo:" >&2
      echo "  ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "Installing Debian packages: ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "error: apt-get could not install: ${missing[*]} (whole log: $log)" >&2
    exit 1
  fi
  rm -f "$log"
}

# quietly COMMAND...: shows its output only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    echo "error: failed: $*" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
