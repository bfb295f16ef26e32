# SPDX-License-Identifier: MIT
# calls.sh MODULE COMPILER FOLDER < CASES: configures the project of calls/ once for each line,
# "CALLS" or, where C is no language of the project, "none: CALLS", and prints what CMake says of it
# on one line.
cp -r "$(dirname "$0")/calls" "$3" && cd "$3" || exit 1
while IFS= read -r calls; do
  case $calls in
  none:*) language=NONE folder=none calls=${calls#none:} ;;
  *) language=C folder=build ;;
  esac
  cmake -S . -B $folder -DCMAKE_C_COMPILER="$2" -DLANGUAGE=$language -DMODULE="$1" \
    -DCALLS="$calls" >output 2>&1 && echo "configured:" || echo "refused:"
  said=$(sed '/^CMake /d; /^Call Stack/,/^$/d; /^--/d; /^This warning/d; /^See also/d' output |
    tr -s '\n ' '  ')
  [ "$said" = " " ] || [ -z "$said" ] && said=nothing
  echo "$said"
done
