# SPDX-License-Identifier: MIT
# Runs a kernel with one stage and with three: it leaves the same, without hazards.
#
#   same-past-stores.sh FILE TEMPORARY KERNEL SIGNATURE ARGUMENT... -- "NAME=NUMBER ..."...
#
# for each of the lists of numbers, and each of several n, iterations.
set -e
file=$1 out=$2.$3 kernel=$3 signature=$4
shift 4
arguments=
while [ "$1" != -- ]; do
  case $1 in
  --arg) ;;
  *)
    arguments="$arguments --arg $1" name=${1%%=*} count=${1##*[}
    prints="$prints --print $name:${count%%]*}"
    ;;
  esac
  shift
done
shift
for numbers; do
  for n in 0 1 4 9; do
    all=$arguments
    for number in $numbers n=$n; do
      all="$all --arg ${number%=*}=i32:${number#*=}"
    done
    for stages in 1 3; do
      tile-run "$file" --device emulator --kernel "$kernel" --signature "$signature" \
        --num-stages $stages --grid 1 --check --seed $n $all $prints >"$out.$stages"
    done
    cmp "$out.1" "$out.3" || { echo "$kernel $numbers n=$n"; exit 1; }
  done
done
