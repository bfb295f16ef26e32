#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attention beside Triton and cuDNN on one device, in one go: a table with ratios, and geometric
# means.
#   bench/attention.sh [--shard I/N] [BUILD_FOLDER [OUT [PART[:SHAPE] ...]]]
#                                  build/release, build/bench-attention, causal full
# Parts: causal, full, described, described_causal, masked, masked_causal; backward,
# backward_causal; decode; fp8, fp8_causal, fp8_turned (bench/peers/attention.py says what each is).
# A shape as in the table, or its last number: causal:128x4096. Needs python3 ($PYTHON) with PyTorch
# and Triton, and a GPU.
# With --shard I/N in front a part of the cases: bench/sweep.sh says more.
exec "$(dirname "$0")/sweep.sh" attention "$@"
