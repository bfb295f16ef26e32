# Where the product waits for what threads make of the tiles, in a loop that stores, the next copies start at the head of the iteration; else
# after the first product.
# RUN: tile-translate --import-triton --kernel decayed --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu -o - | FileCheck %s --check-prefix=FIRST
# RUN: tile-translate --import-triton --kernel summed --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu -o - | FileCheck %s --check-prefix=LATER
# RUN: tile-translate --import-triton --kernel plain --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu -o - | FileCheck %s --check-prefix=LATER
# Where a stage less is kept, the copies go where this iteration's blocks are, which the product has to have read.
# RUN: tile-translate --import-triton --kernel reused --signature '*bf16:16, *bf16:16, *fp32:16, *bf16:16, i32' %s -o %t.mlir
# RUN: tile-opt --tile-to-tile-gpu %t.mlir -o - | FileCheck %s --check-prefix=LATER
# RUN: tile-run --device emulator --check --grid 1 --arg k=bf16[256,128]:rand --arg v=bf16[256,32]:rand --arg g=fp32[1]:zeros --arg h=bf16[256,32]:zeros --arg n=i32:4 %t.mlir
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


@triton.jit
def reused(k, v, g, h, n):
    rows = tl.arange(0, 64)
    cols = tl.arange(0, 128)
    out = tl.arange(0, 32)
    state = tl.zeros([128, 32], tl.float32)
    for t in tl.range(n, num_stages=3):
        b_q = tl.load(k + (t * 64 + rows)[:, None] * 128 + cols[None, :]).to(tl.float32)
        b_k = tl.load(k + cols[:, None] + (t * 64 + rows)[None, :] * 128).to(tl.float32)
        b_v = tl.load(v + (t * 64 + rows)[:, None] * 32 + out[None, :]).to(tl.float32)
        o = tl.dot(tl.dot(b_q, b_k), b_v) + tl.dot(b_q, state)
        tl.store(h + (t * 64 + rows)[:, None] * 32 + out[None, :], o.to(tl.bfloat16))
        state += tl.dot(b_k, b_v)
