# SPDX-License-Identifier: MIT
# Tunes scale for three sizes, among one candidate each: from a text, from what --list-configs
# prints, and from a file.
export TILE_TUNE_DATABASE=$PWD/tune.sqlite3
tune() {
  tile-run tuned.py --tune --device emulator --cache off --grid 'cdiv(n, BLOCK), m' "${@:3}" \
    --arg "x=fp32[$2,$1]:ones" --arg n=i32:$1 --arg m=i32:$2
}
tune 100 2 --space 'BLOCK=64, num_warps=4, num_stages=3'
tile-translate --list-configs --json tuned.py |
  sed 's/{"number": [01], [^{]*{[^}]*}[^}]*}, //g' > configs.json
tune 1000 2 --configs configs.json
printf '# wide\nBLOCK=128\nnum_warps=2 # few\n' > space.txt
tune 1000 50 --configs space.txt
