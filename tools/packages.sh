#!/usr/bin/env bash
# Makes sure that the Debian packages of a group are there: tools/packages.sh python|run|test|bench
# As root it installs what is missing; otherwise it prints the line to run, and exits with 1.
set -euo pipefail

# package[:command]. A command found on the PATH will do, wherever it came from.
python_packages=(python3:python3)  # ./test needs it to read its arguments
run_packages=(
  g++:g++ cmake:cmake ninja-build:ninja
  libcli11-dev libfmt-dev nlohmann-json3-dev  # the command filch
  libtbb-dev  # what its demo compares with, beside OpenMP, which g++ brings
)
test_packages=(
  "${python_packages[@]}" "${run_packages[@]}"
  pkg-config:pkg-config
  clang:clang++ clang-format:clang-format clang-tidy:clang-tidy
  libclang-rt-14-dev  # its sanitizers
  lld:ld.lld  # links in half the time
  libgtest-dev libbenchmark-dev
  libboost-context-dev  # fibers of the model checker
  spin:spin
  valgrind:valgrind  # counts instructions
  zsh:zsh  # is asked what it completes
  chromium:chromium chromium-driver:chromedriver python3-selenium  # look at the report
)
bench_packages=(  # ./test needs none of those that the other groups lack
  "${python_packages[@]}" g++:g++ cmake:cmake ninja-build:ninja
  libbenchmark-dev
  libtbb-dev  # a peer
  clang:clang++ clang-19:clang++-19
  libomp-19-dev  # OpenMP of both clangs: Debian cannot install two versions
  python3-matplotlib  # bench/plot.py
)

case "${1-}" in
  python) wanted=("${python_packages[@]}") ;;
  run) wanted=("${run_packages[@]}") ;;
  test) wanted=("${test_packages[@]}") ;;
  bench) wanted=("${bench_packages[@]}") ;;
  *)
    echo "usage: tools/packages.sh python|run|test|bench, not '${1-}'" >&2
    exit 2
    ;;
esac

installed() {
  local package=${1%%:*} command=${1#*:}
  [[ $1 == *:* ]] && command -v "$command" > /dev/null && return 0
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null) == installed ]]
}

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  # Some other system: its packages have other names, so leave it to CMake to say what is missing.
  echo "note: no apt-get here; on Debian 12 this would need: ${wanted[*]%%:*}" >&2
  exit 0
fi

missing=()
for entry in "${wanted[@]}"; do
  installed "$entry" || missing+=("${entry%%:*}")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $(id -u) -ne 0 ]]; then
  cat >&2 << MESSAGE
Missing packages: ${missing[*]}
Only root can install them. Please run this as root (with sudo, or su -c), then try again:

  apt-get update && apt-get install --no-install-recommends ${missing[*]}

MESSAGE
  exit 1
fi

echo "Installing: ${missing[*]}"
log=$(mktemp)
# apt-get's own output is for those who have to find out why it failed; this is for all others.
# Reading from a pipe that no process writes to waits like sleep, but leaves no process behind.
{
  exec 3<> <(:)
  while read -r -t 5 -u 3 || true; do
    line=""
    while read -r next; do line=$next; done < "$log"
    echo "  $SECONDS s: ${line:0:80}"
  done
} &
ticker=$!
trap 'kill "$ticker" 2> /dev/null || true; rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } \
    < /dev/null > "$log" 2>&1; then
  cat "$log" >&2
  echo "apt-get could not install: ${missing[*]} (its output is above)" >&2
  exit 1
fi
