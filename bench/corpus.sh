#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Public Triton kernels of many packages: what the compiler makes of them, and how fast that is
# beside Triton. bench/corpus/kernels has the table: facts such as names, sizes and types, no code;
# the files are fetched by whoever runs this. docs/benchmarking.md tells more.
#
#   bench/corpus.sh fetch   DIR              gets the packages' files into DIR, one folder each;
#                                            folders that are there stay
#   bench/corpus.sh compile DIR [BUILD]      compiles each kernel: registers and bytes that spill
#                                            (by ptxas), CPU time; the error; a summary. As `run`
#                                            does, with fewer warps, several programs a block and
#                                            versions for few blocks; --as-asked: without these
#   bench/corpus.sh sample  DIR [BUILD]      compiles kernels that were drawn at random from these
#                                            packages (bench/corpus/sample.toml, or
#                                            $TILE_CORPUS_SAMPLE); prints those that are not as that
#                                            table says, and counts
#   bench/corpus.sh passes  DIR [BUILD]      how many kernels each pass changes, and which if few;
#                                            --every: all of them by name, those of
#                                            bench/registers.txt, too, as in bench/passes.txt
#   bench/corpus.sh lines   DIR              arguments of tile-translate, one kernel a line, as
#                                            scripts/same-ptx.sh takes them (TILE_MORE_LINES);
#                                            --as-asked as above
#   bench/corpus.sh run     DIR [BUILD]      beside Triton on a GPU: ratios, the slowest first, and
#                                            a summary; --out FOLDER (build/bench-corpus),
#                                            --rounds N, --repeat-ms X, --seconds N a kernel,
#                                            --alone: without Triton, --device emulator
#   bench/corpus.sh check   DIR [BUILD]      on the emulator, with its checks, at small sizes: each
#                                            kernel as devices get it and without optional passes,
#                                            with the same numbers; hazards, results that differ;
#                                            --seconds N a run
#   bench/corpus.sh copy    DIR [BUILD] --to FOLDER   the files that the kernels need
#
# BUILD: build/release. Flags: --only REGEX (of PACKAGE/KERNEL, may be repeated), --jobs N,
# --targets sm_80,sm_90a (run: the last one). $TILE_CORPUS is another folder of tables. Needs Python
# 3.11; fetch also git, pip and the network. Exit code 1 if a kernel fails.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '3,37s/^# \{0,1\}//p' "$0" >&2; exit 1; }
exec "${PYTHON:-python3}" "$(dirname "$0")/corpus/commands.py" "$@"
