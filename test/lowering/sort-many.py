# SPDX-License-Identifier: MIT
# Many elements in a thread: 256 and 1024 of one warp. More than that is refused.
# RUN: tile-run %s --device emulator --grid 1 --num-warps 1 --signature "*i32, *i32, 512, 16" --arg x=i32[8192]:rand --arg out=i32[2]:poison --print out | FileCheck %s
# RUN: tile-run %s --device emulator --grid 1 --num-warps 1 --signature "*i32, *i32, 8, 1024" --arg x=i32[8192]:rand --arg out=i32[2]:poison --print out | FileCheck %s
# RUN: not tile-translate --tile-to-ptx --num-warps 1 --signature "*i32, *i32, 32, 2048" %s 2>&1 | FileCheck %s --check-prefix=REFUSED
import triton
import triton.language as tl


# CHECK: out = 0 0
# REFUSED: sort-many.py:[[@LINE+6]]:{{.*}}error: tile.sort: a thread would sort 2048 elements, the limit is 1024
@triton.jit
def sorts(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    column = tl.arange(0, COLUMNS)[None, :]
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + column
    values = tl.load(x + at)
    result = tl.sort(values)
    tl.store(x + at, result)
    tl.debug_barrier()
    before = tl.load(x + at - 1, mask=column > 0, other=-1000)
    tl.store(out, tl.sum(tl.sum((before > result).to(tl.int32), 1), 0))
    lost = tl.sum(values, 1) != tl.sum(result, 1)
    tl.store(out + 1, tl.sum(lost.to(tl.int32), 0))
