# Where the product waits for what threads make of the tiles, in a loop that stores, the next copies start at the head of the iteration; else
# after the first product.
# RUN: tile-translate --import-triton --kernel decayed --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu -o - | FileCheck %s --check-prefix=FIRST
# RUN: tile-translate --import-triton --kernel summed --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu -o - | FileCheck %s --check-prefix=LATER
# RUN: tile-translate --import-triton --kernel plain --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu -o - | FileCheck %s --check-prefix=LATER
import triton
import triton.language as tl


# FIRST: scf.for
# FIRST: tile_gpu.async_wait
# FIRST: tile_gpu.async_copy
# FIRST: tile_gpu.async_commit
# FIRST: tile_gpu.warpgroup_dot
@triton.jit
def decayed(k, v, g, h, n):
    at = tl.arange(0, 64)
    b_h = tl.zeros([64, 64], tl.float32)
    for t in tl.range(n, num_stages=3):
        tl.store(h + t * 4096 + at[:, None] * 64 + at[None, :], b_h.to(tl.bfloat16))
        b_k = tl.load(k + t * 4096 + at[:, None] + at[None, :] * 64)
        b_v = tl.load(v + t * 4096 + at[:, None] * 64 + at[None, :])
        d = tl.load(g + t)
        b_h = tl.dot(b_k, (b_v * tl.exp2(d)).to(tl.bfloat16), b_h * tl.exp2(d))


# A loop that only sums up.
# LATER: scf.for
# LATER: tile_gpu.async_wait
# LATER: tile_gpu.warpgroup_dot"
# LATER: tile_gpu.async_copy
@triton.jit
def summed(k, v, g, h, n):
    at = tl.arange(0, 64)
    b_h = tl.zeros([64, 64], tl.float32)
    for t in tl.range(n, num_stages=3):
        b_k = tl.load(k + t * 4096 + at[:, None] + at[None, :] * 64)
        b_v = tl.load(v + t * 4096 + at[:, None] * 64 + at[None, :])
        b_h = tl.dot(b_k, (b_v * 2).to(tl.bfloat16), b_h)
    tl.store(h + at[:, None] * 64 + at[None, :], b_h.to(tl.bfloat16))


# Operands that come as they are can be multiplied at once.
@triton.jit
def plain(k, v, g, h, n):
    at = tl.arange(0, 64)
    b_h = tl.zeros([64, 64], tl.float32)
    for t in tl.range(n, num_stages=3):
        b_k = tl.load(k + t * 4096 + at[:, None] + at[None, :] * 64)
        b_v = tl.load(v + t * 4096 + at[:, None] * 64 + at[None, :])
        b_h = tl.dot(b_k, b_v, b_h * 0.5)
        tl.store(h + t * 4096 + at[:, None] * 64 + at[None, :], b_h.to(tl.bfloat16))
