#!/usr/bin/env bash
# Geometric means of a table that bench/beside printed: against the best peer of each row, and each peer.
#   bench/summary.sh TABLE.csv
set -euo pipefail
awk -F, '
  NR > 1 {
    best = 0
    for (i = 6; i + 2 <= NF; i += 3) {
      peer = $i
      sub(/:.*/, "", peer) # the configuration
      if (!best || $(i + 1) < best) best = $(i + 1)
      logs[$1, peer] += log($(i + 2))
      peers[peer]
    }
    all[$1] += log(best / $4)
    n[$1]++
    if (!($1 in least) || best / $4 < least[$1]) least[$1] = best / $4
  }
  END {
    for (name in n) {
      printf "# %s: %d shapes, geometric mean %.3f of the best peer, least %.3f", name, n[name], exp(all[name] / n[name]), least[name]
      for (p in peers) if ((name, p) in logs) printf "; %s %.3f", p, exp(logs[name, p] / n[name])
      print ""
    }
  }' "$1"
