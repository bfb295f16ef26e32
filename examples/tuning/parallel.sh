#!/bin/bash
# SPDX-License-Identifier: MIT
# A tuning by GNU parallel: on this host, or on others over ssh. Each part of the plan prints what
# it measured as JSON, which comes back here: nothing is shared but this script's standard input and
# output.
#
#   tile-tune plan -o plan.txt -- matmul.py --kernel matmul_kernel --grid ... --arg ...
#   parallel.sh plan.txt tune.sqlite3 8                    # eight parts, one at a time on this host
#   parallel.sh plan.txt tune.sqlite3 8 node1 user@node2   # on two hosts, one at a time on each
#
# The hosts have tile-tune on their PATH and the plan's files at the same place as here; a shared
# folder is not needed. PARALLEL_SSH names another command than ssh.
set -eu

[ $# -gt 2 ] || { echo "usage: $0 PLAN DATABASE PARTS [HOST...]" >&2; exit 1; }
plan=$1 result=$2 parts=$3
shift 3
hosts=()
for host in "$@"; do
  hosts+=(--sshlogin "1/$host") # 1/: hosts are not asked how many processors they have
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
database=$(printf %q "$PWD/.tile-tune-$$-")'{}.sqlite3' # on the host that does the part
command="tile-tune work --quiet --shard {}/$parts --database $database $(printf %q "$plan") >&2
  code=\$?
  tile-tune export --database $database && rm -f $database*; exit \$code"
failed=0
seq 0 $((parts - 1)) |
  parallel --jobs 1 "${hosts[@]}" --workdir "$PWD" --results "$folder/{}.export" "$command" \
    >"$folder/log" || failed=$?
[ $failed = 0 ] || cat "$folder"/*.err >&2
find "$folder" -name '*.export' -empty -delete # of parts that measured nothing
tile-tune merge "$folder"/*.export -o "$result"
exit $failed
