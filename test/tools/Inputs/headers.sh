# SPDX-License-Identifier: MIT
# headers.sh INCLUDE CC CXX: every header of INCLUDE/tile by itself, *.h as C17 and as C++17, *.hpp
# as C++17.
set -e
flags="-Wall -Wextra -pedantic -Werror -fsyntax-only -I $1"
for header in "$1"/tile/*.h "$1"/tile/*.hpp; do
  [ -f "$header" ] || continue
  name=tile/${header##*/}
  case $name in *.h) printf '#include "%s"\n' "$name" | "$2" -std=c17 $flags -x c - ;; esac
  printf '#include "%s"\n' "$name" | "$3" -std=c++17 $flags -x c++ -
done
