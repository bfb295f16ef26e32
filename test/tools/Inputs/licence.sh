# SPDX-License-Identifier: MIT
# licence.sh SOURCE: the source files that do not say their licence.
cd "$1" || exit 1
find CMakeLists.txt cmake dialects lib include tools test bench scripts examples .ci \
  -name __pycache__ -prune -o -type f \
  \( -name '*.c' -o -name '*.h' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.def' \
  -o -name '*.map.in' -o -name '*.sh' -o -name '*.cmake' -o -name 'CMakeLists.txt' \
  -o -path '.ci/run' -o -path 'bench/*.py' \) -print | sort |
  while read -r file; do
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
  done
