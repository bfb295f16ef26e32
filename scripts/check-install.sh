#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs a finished release build and uses what was installed as its users do: every project of
# examples/ is configured, built and run, with an empty environment and the installed files alone;
# then once more from the Debian packages, unpacked into a root of their own. The last line is "N
# passed, N failed".
#   scripts/check-install.sh [BUILD_FOLDER]                 build/release
set -uo pipefail
cd "$(dirname "$0")/.."
source=$PWD
build=$(realpath "${1:-build/release}")
work=$build/install
rm -rf "$work" && mkdir -p "$work"

passed=0 failed=0
check() { # NAME COMMAND ...: what it says is shown when it fails
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok   $name"
  else
    failed=$((failed + 1))
    cat "$work/log"
    echo "FAIL $name"
  fi
}

clean() { # what a user's shell has, with the installed tools; no word of the sources
  local path=$prefix/bin:/usr/local/bin:/usr/bin:/bin
  (cd "$work" && env -i HOME="$work" LC_ALL=C.UTF-8 PATH="$path" "$@")
}

# No file says where the toolkit was built, and none is there for everyone to write.
names_no_builder() {
  ! grep -rlF -e "$source" -e "$build" "$prefix" && [ -z "$(find "$prefix" -type f -perm /022)" ]
}

# Run paths are relative, and none is empty, which would be the current folder.
run_paths() {
  readelf -d "$prefix"/bin/tile-* "$prefix"/lib/libtile*.so.*.* |
    grep -o 'unpath: .*' >"$work/run-paths"
  [ -s "$work/run-paths" ] &&
    ! grep -Ev '^unpath: \[\$ORIGIN(/\.\./lib)?(:/usr/lib/llvm-[0-9]*/lib)?\]$' "$work/run-paths"
}

example() { # FOLDER
  local folder=$work/$layout/${1##*/}
  clean cmake -S "$1" -B "$folder" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release &&
    clean cmake --build "$folder" &&
    clean ctest --test-dir "$folder" --output-on-failure --no-tests=error
}

flags() { clean env PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config "$@"; }

with_pkg_config() { # the program in C without CMake, by the README's commands
  sed -n '/^## From C/,/^##* /p' README.md | sed ':more; /\\$/ {N; s/\\\n */ /; b more}' |
    grep -E '^(export PKG_CONFIG_PATH|cc |\./in_process)' |
    sed "s|/opt/tile|$prefix|" >"$work/commands"
  [ "$(wc -l <"$work/commands")" = 3 ] &&
    cp "$examples"/in_process/in_process.c "$examples"/in_process/softmax.py "$work" &&
    clean bash -e commands
}

installed_program() { # finds the libraries where they were
  clean cmake --install "$work/$layout/in_process" --prefix "$work/$layout/program" &&
    clean "$work/$layout/program/bin/in_process" "$examples/in_process/softmax.py"
}

documents_are_there() { # that headers and messages name
  local name count=0
  for name in $(grep -rhoE 'docs/[a-z0-9/-]+\.md' "$prefix/include/tile" | sort -u); do
    [ -f "$prefix/share/tile/$name" ] || { echo "no $name"; return 1; }
    count=$((count + 1))
  done
  [ $count -gt 3 ]
}

static_runtime() { # of the archive only what the program asks for is taken; nothing else is needed
  clean gcc -std=c17 $(flags --cflags tile_runtime) "$source/test/tools/Inputs/runtime-only.c" \
    "$prefix/lib/libtile_runtime.a" -Wl,--gc-sections -o runtime_only &&
    clean ./runtime_only && ! ldd "$work/runtime_only" | grep libtile
}

# How much of the archive a program with a kernel takes: 70 kB (2026-11-23). After the examples.
runtime_size() {
  local kernels=$work/$layout/ahead_of_time/tile_kernels/ahead_of_time form
  local limit=77000 # of what clang compiles a little more
  ! grep -q '^CMAKE_C_COMPILER:.*clang' "$build/CMakeCache.txt" || limit=80000
  for form in "$prefix/lib/libtile_runtime.a" "-L$prefix/lib -ltile_runtime"; do
    clean gcc -O2 -std=c17 -s -I "$prefix/include" -I "$kernels" \
      "$examples/ahead_of_time/main.c" "$kernels"/*.c $form \
      -Wl,--gc-sections -lm -o "size_${form: -1}" || return 1
  done
  local bytes=$(($(stat -c %s "$work/size_a") - $(stat -c %s "$work/size_e")))
  echo "$bytes bytes of libtile_runtime.a in a program"
  [ "$bytes" -lt "$limit" ]
}

tools_run() {
  local tool
  for tool in "$prefix"/bin/tile-*; do
    clean "$tool" --version | grep "$(basename "$tool") $version" || return 1
  done
}

try() { # LAYOUT PREFIX: what everybody does with an installed toolkit
  layout=$1 prefix=$2 examples=$2/share/tile/examples
  version=$(flags --modversion tile)
  mkdir -p "$work/$layout"
  check "$layout: no path of the builder" names_no_builder
  check "$layout: run paths" run_paths
  check "$layout: tools" tools_run
  check "$layout: pkg-config" with_pkg_config
  check "$layout: static runtime" static_runtime
  check "$layout: documents" documents_are_there
  local each
  for each in "$examples"/*/CMakeLists.txt; do
    check "$layout: $(basename "$(dirname "$each")")" example "$(dirname "$each")"
  done
  check "$layout: a program that is installed" installed_program
  check "$layout: size of the runtime" runtime_size
}

# Moved after it was installed: it must not know its place.
check "install" cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved"
try installed "$work/moved"

check "packages" cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages"
for package in "$work"/packages/*.deb; do
  check "unpack $(basename "$package")" dpkg -x "$package" "$work/root"
done
try packages "$work/root/usr"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
