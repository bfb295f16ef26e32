# SPDX-License-Identifier: MIT
# wrapper.sh SOURCE BUILD WORK TEST CC SANITIZE: compiles tile.hpp's example and the test with gcc
# and clang, runs both.
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
# What must not compile, with the words that say why, and how often.
cat >"$3.refused.cpp" <<'END'
#include <tile/tile.hpp>
enum class kind { one };
void f(tile::kernel k, tile::buffer b, tile::device d, float *p) {
  float array[2] = {};
  k.launch(1, &b);
  k.launch(1, b.get());
  k.launch(1, p, &d);
  k.launch(1, &f);
  k.launch(1, kind::one);
  k.launch(1, array);
  k.launch(38 / 32.0, p);
}
END
for compiler in g++ clang++; do
  ! $compiler -std=c++17 -I "$1/include" -fsyntax-only "$3.refused.cpp" 2>"$3.log"
  while read -r times words; do
    [ "$(grep 'error:.*static' "$3.log" | grep -cF "$words")" = "$times" ] ||
      { cat "$3.log"; exit 1; }
  done <<'END'
3 this is the address of an object on the host
1 no kernel takes a function
2 no kernel takes this
1 a grid counts programs in integers
END
done

$build -std=c++17 $flags $6 "$1/examples/cpp/main.cpp" $libraries -o "$3.example"
"$3.example" "$1/examples/cpp/softmax.py"
! "$3.example" "$1/README.md"
$build -std=c++17 $flags $6 "$3.cpp" $libraries -o "$3.exe"
"$3.exe"
