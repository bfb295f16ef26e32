# SPDX-License-Identifier: MIT
# wrapper.sh SOURCE BUILD WORK TEST CC SANITIZE: compiles tile.hpp's example and the test with gcc and clang, runs both.
set -e
case $5 in *clang*) build=clang++ ;; *) build=g++ ;; esac # sanitizers of two compilers do not mix
flags="-Wall -Wextra -Werror -pedantic -I $1/include"
libraries="-L $2/lib -ltile -ltile_runtime -Wl,-rpath,$2/lib"
cp "$4" "$3.cpp"
for compiler in g++ clang++; do
  for standard in c++17 c++20; do
    $compiler -std=$standard $flags -fsyntax-only "$1/examples/cpp/main.cpp"
    $compiler -std=$standard $flags -fsyntax-only "$3.cpp"
    $compiler -std=$standard $flags -fno-exceptions -fsyntax-only "$3.cpp"
  done
done
$build -std=c++17 $flags $6 "$1/examples/cpp/main.cpp" $libraries -o "$3.example"
"$3.example" "$1/examples/cpp/softmax.py"
! "$3.example" "$1/README.md"
$build -std=c++17 $flags $6 "$3.cpp" $libraries -o "$3.exe"
"$3.exe"
