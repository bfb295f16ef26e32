#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Geometric means of a table that bench/beside printed: how many times as fast ours is as the best
# peer of each row, as the best of what is usual (PyTorch, and Triton as its users write it where
# the table has that), and as each peer. And of both softmax kernels together: a user takes the
# better one.
#   bench/summary.sh TABLE.csv ...     tables of parts (bench/sweep.sh) count as one
set -euo pipefail
awk -F, '
  function smaller(a, b) { return !a || b < a ? b : a }

  # Notes that in `group` the peers called `what` take `ratio` times as long as ours.
  function note(group, what, ratio) {
    if (!((group, what) in count)) {
      names[group] = names[group] (names[group] ? "," : "") what
      least[group, what] = ratio
    }
    count[group, what]++
    logs[group, what] += log(ratio)
    least[group, what] = smaller(least[group, what], ratio)
  }

  # The best of all, the best usual one, and each, from `time`: milliseconds by peer.
  function note_all(group, ours, time,    i, peer, best, usual) {
    for (peer in time) {
      best = smaller(best, time[peer])
      if (peer != "triton" || !("triton-usual" in time)) usual = smaller(usual, time[peer])
    }
    if (!best) return
    note(group, "the best peer", best / ours)
    note(group, "the best usual one", usual / ours)
    for (i = 1; i <= peer_count; i++)
      if (peers[i] in time) note(group, peers[i], time[peers[i]] / ours)
  }

  FNR > 1 && !/^#/ {
    if (!($1 in order)) order[$1] = groups[++group_count] = $1
    delete time
    for (i = 6; i + 2 <= NF; i += 3) {
      peer = $i
      sub(/:.*/, "", peer) # the configuration
      if (!(peer in known)) known[peer] = peers[++peer_count] = peer
      time[peer] = smaller(time[peer], $(i + 1))
    }
    note_all($1, $4, time)
    if ($1 !~ /^softmax_/) next
    if (!($2 in softmax)) shapes[++shape_count] = $2
    softmax[$2] = smaller(softmax[$2], $4)
    kernels[$2]++
    for (peer in time) softmax_peers[$2, peer] = smaller(softmax_peers[$2, peer], time[peer])
  }

  END {
    for (i = 1; i <= shape_count; i++) {
      if (kernels[shapes[i]] < 2) continue
      delete time
      for (key in softmax_peers) {
        split(key, part, SUBSEP)
        if (part[1] == shapes[i]) time[part[2]] = softmax_peers[key]
      }
      note_all("softmax, the better kernel", softmax[shapes[i]], time)
      best = 0
      for (peer in time) best = smaller(best, time[peer])
      if (best)
        printf "# softmax %s: the better kernel %.3f of the best peer\n", shapes[i],
               best / softmax[shapes[i]]
    }
    groups[++group_count] = "softmax, the better kernel"
    for (g = 1; g <= group_count; g++) {
      name = groups[g]
      if (!(name in names)) continue
      printf "# %s: %d shapes, geometric mean", name, count[name, "the best peer"]
      parts = split(names[name], part, ",")
      for (i = 1; i <= parts; i++)
        printf "%s %.3f of %s%s", (i > 1 ? "," : ""),
               exp(logs[name, part[i]] / count[name, part[i]]), part[i],
               (i <= 2 ? sprintf(" (least %.3f)", least[name, part[i]]) : "")
      print ""
    }
  }' "$@"
