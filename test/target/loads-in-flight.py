# RUN: tile-translate --tile-to-ptx --kernel softmax --num-warps 2 --constexpr BLOCK=1024 --signature "*fp32:16, *fp32:16, i32, i32:16" %s | FileCheck %s --check-prefix=ENDS
# RUN: tile-translate --tile-to-ptx --kernel softmax --num-warps 2 --constexpr BLOCK=2048 --signature "*fp16:16, *fp16:16, i32, i32:16" %s | FileCheck %s --check-prefix=ENDS
# RUN: tile-translate --tile-to-ptx --kernel softmax --num-warps 4 --constexpr BLOCK=1024 --signature "*fp32:16, *fp32:16, i32, i32:16" %s | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --tile-to-ptx --kernel mean --num-warps 2 --signature "*fp32:16, *fp32:16, i32, i32:16" %s | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --tile-to-ptx --kernel largest --num-warps 2 --signature "*fp32:16, *fp32:16, i32, i32:16" %s | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --tile-to-ptx --kernel straight --num-warps 2 --signature "*fp32:16, *fp32:16, i32, i32:16" %s | FileCheck %s --check-prefix=ELSEWHERE
"""Where the threads of a block wait for one another and store after loads for the next iteration, of 64 bytes of
each and more, the block of code ends behind the loads: ptxas would give their scoreboards to exponentials, too."""
import triton
import triton.language as tl


# ENDS: $L__BB0_1:
# ENDS-COUNT-2: ld.global
# ENDS-NOT: {{shfl|bar.sync}}
# ENDS: mov.u32 blocks, %nctaid.z;
# ENDS-NEXT: setp.ne.u32 always, blocks, 0;
# ENDS-NEXT: @always bra.uni tile$on;
# ENDS-NEXT: membar.gl;
# ENDS-NEXT: tile$on:
# ENDS-NOT: ld.global
# ENDS: bar.sync
# STAYS: $L__BB0_1:
# STAYS: ld.global
# STAYS-NOT: membar
# STAYS: tile.metadata
@triton.jit
def softmax(out, x, rows, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        a = tl.load(x + row * BLOCK + i, mask=i < n, other=-float("inf"))
        e = tl.exp(a.to(tl.float32) - tl.max(a, 0))
        tl.store(out + row * BLOCK + i, e / tl.sum(e, 0), mask=i < n)


# No thread waits for another one in the loop.
@triton.jit
def mean(out, x, rows, n):
    i = tl.arange(0, 2048)
    sums = tl.zeros([2048], tl.float32)
    for row in tl.range(0, rows, num_stages=2):
        sums += tl.exp(tl.load(x + row * 2048 + i, mask=i < n, other=0))
    tl.store(out + i, sums / rows)


# The loop stores nothing.
@triton.jit
def largest(out, x, rows, n):
    i = tl.arange(0, 2048)
    sums = 0.0
    for row in tl.range(0, rows, num_stages=2):
        a = tl.load(x + row * 2048 + i, mask=i < n, other=0)
        sums += tl.sum(tl.exp(a - tl.max(a, 0)), 0)
    tl.store(out, sums)


# What is for a later block, and no loop, stays.
# ELSEWHERE-COUNT-16: ld.global.v4
# ELSEWHERE-NOT: membar
# ELSEWHERE: tile.metadata
@triton.jit
def straight(out, x, rows, n):
    i = tl.arange(0, 2048)
    b = tl.load(x + 2048 + i, mask=i < n, other=0)
    a = tl.load(x + i, mask=i < n, other=0)
    tl.store(out + i, a / tl.sum(a, 0), mask=i < n)
    if rows > 3:
        tl.store(out + 2048 + i, b, mask=i < n)
