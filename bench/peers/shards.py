# SPDX-License-Identifier: MIT
"""Parts of a sweep: 1/3 is every third case, from the second on, as bench/beside counts them."""
import re


def taken(words):
    """What a command line says after the folder: the rest of it, and the part as (index,
    count)."""
    if words[:1] != ["--shard"]:
        return words, (0, 1)
    match = re.fullmatch(r"(\d+)/(\d+)", words[1]) if len(words) > 1 else None
    if not match or int(match[1]) >= int(match[2]):
        raise SystemExit("--shard is I/N, part I of N parts from 0/N to N-1/N")
    return words[2:], (int(match[1]), int(match[2]))


def part(cases, shard):
    index, count = shard
    return cases[index::count]
