# SPDX-License-Identifier: MIT
# RUN: tile-translate --import-triton --kernel in_turn_kernel --signature '*i32, *i32, 64' %s | tile-opt --tile-to-tile-gpu=num-warps=2 --tile-gpu-allocate-shared | FileCheck %s
# RUN: tile-run %s --device emulator --check --num-warps 2 --target sm_89 --kernel in_turn_kernel --signature '*i32, *i32, 64' --grid 1 --arg lines=i32[1]:poison --arg sorted=i32[1]:poison --print lines --print sorted | FileCheck %s --check-prefix=OUT
# RUN: tile-run %s --device emulator --check --num-warps 8 --target sm_90a --kernel in_turn_kernel --signature '*i32, *i32, 128' --grid 1 --arg lines=i32[1]:poison --arg sorted=i32[1]:poison --print lines --print sorted | FileCheck %s --check-prefix=OUT

# Large tiles that have to change their layout for a scan or a sort, and back, do so one value after the other, in rounds,
# through one area; what warps exchange has its own.

# CHECK: func.func @in_turn_kernel({{.*}}tile_gpu.shared_bytes = 34816
# OUT: lines = 0
# OUT: sorted = 0

import triton
import triton.language as tl


@triton.jit
def by_line(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def in_turn_kernel(lines, sorted, N: tl.constexpr):
    r = tl.arange(0, N)[:, None]
    c = tl.arange(0, 64)[None, :]
    one = (r == tl.arange(0, N)[None, :]).to(tl.float16)
    x = tl.dot(one, (tl.arange(0, N)[:, None] + c).to(tl.float16)).to(tl.int64)  # r + c, as tensor cores hold it
    sums = tl.associative_scan((tl.full((N, 64), 1, tl.int64), x), 0, by_line)[1]
    wrong = (sums != ((r + 1) * c + r * (r + 1) // 2).to(tl.int64)).to(tl.int32)
    tl.store(lines, tl.sum(tl.sum(wrong, 1), 0))
    wrong = (tl.sort(((c * 11 + r) % 64).to(tl.int64)) != c.to(tl.int64)).to(tl.int32)
    tl.store(sorted, tl.sum(tl.sum(wrong, 1), 0))
