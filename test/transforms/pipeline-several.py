# Loops in stages with several products, and with few iterations of a huge step: exact sums, no hazard.
#
# A product of warps stands before one of warp groups, whose stages are used again after its wait: the copies start after that wait,
# whatever is first. The small product is summed up (its first use is the yield), or used in the loop.
# RUN: tile-run %s --kernel two --constexpr SUMMED=True --grid 1 --check --seed 2 --num-stages 4 --arg a=fp16[128,256]:ones --arg b=fp16[256,128]:ones --arg c=fp32[64,64]:poison --arg d=fp16[32,256]:ones --arg g=fp16[256,32]:ones --arg e=fp32[32,32]:poison --arg n=i32:8 --print c:2 --print e:2 --signature "*fp16:16,*fp16:16,*fp32:16,*fp16:16,*fp16:16,*fp32:16,i32" | FileCheck %s --check-prefix=BOTH
# RUN: tile-run %s --kernel two --constexpr SUMMED=False --grid 1 --check --seed 2 --num-stages 4 --arg a=fp16[128,256]:ones --arg b=fp16[256,128]:ones --arg c=fp32[64,64]:poison --arg d=fp16[32,256]:ones --arg g=fp16[256,32]:ones --arg e=fp32[32,32]:poison --arg n=i32:8 --print c:2 --print e:2 --signature "*fp16:16,*fp16:16,*fp32:16,*fp16:16,*fp16:16,*fp32:16,i32" | FileCheck %s --check-prefix=USED
# BOTH: c = 256 256
# BOTH: e = 256 256
# USED: c = 256 256
# USED: e = 32 32
#
# One first operand for two products: a barrier before a product is before what it reads of both operands, so
# that the next iteration's stores wait for the second product, too.
# RUN: tile-run %s --kernel gate --grid 1 --check --seed 2 --num-stages 1 --arg a=fp16[64,64]:ones --arg b=fp16[65536]:ones --arg c=fp32[64,64]:poison --arg n=i32:2 --print c:2 --signature "*fp16:16,*fp16:16,*fp32:16,i32" | FileCheck %s --check-prefix=GATE
# GATE: c = 128 128
#
# Four steps of 2^30 are no distance of 0.
# RUN: tile-run %s --kernel far --grid 1 --check --num-stages 5 --arg a=fp16[64,32]:ones --arg b=fp16[32,64]:ones --arg c=fp32[64,64]:poison --arg n=i32:1 --print c:2 --signature "*fp16:16,*fp16:16,*fp32:16,i32,1073741824" | FileCheck %s --check-prefix=FAR
# RUN: tile-run %s --kernel far --grid 1 --check --num-stages 5 --arg a=fp16[64,32]:ones --arg b=fp16[32,64]:ones --arg c=fp32[64,64]:poison --arg n=i32:1 --arg STEP=i32:1073741824 --print c:2 --signature "*fp16:16,*fp16:16,*fp32:16,i32,i32" | FileCheck %s --check-prefix=FAR
# FAR: c = 32 32
#
# Nor are four of 2^62 + 4 one of 16: there is no iteration at 16, whose rows would end outside of the buffers.
# RUN: tile-run %s --kernel far64 --grid 1 --check --num-stages 5 --arg a=fp16[64,32]:ones --arg b=fp16[32,64]:ones --arg c=fp32[64,64]:poison --arg n=i64:32 --print c:2 --signature "*fp16:16,*fp16:16,*fp32:16,i64,4611686018427387908" | FileCheck %s --check-prefix=FAR
# RUN: tile-run %s --kernel far64 --grid 1 --check --num-stages 5 --arg a=fp16[64,32]:ones --arg b=fp16[32,64]:ones --arg c=fp32[64,64]:poison --arg n=i64:32 --arg STEP=i64:4611686018427387908 --print c:2 --signature "*fp16:16,*fp16:16,*fp32:16,i64,i64" | FileCheck %s --check-prefix=FAR
import triton
import triton.language as tl


@triton.jit
def two(a, b, c, d, g, e, n, SUMMED: tl.constexpr):
    m, k, s = tl.arange(0, 64), tl.arange(0, 32), tl.arange(0, 32)
    large = tl.zeros((64, 64), tl.float32)
    small = tl.zeros((32, 32), tl.float32)
    a_ptrs = a + m[:, None] * 256 + k[None, :]
    b_ptrs = b + k[:, None] * 64 + m[None, :]
    d_ptrs = d + s[:, None] * 256 + k[None, :]
    g_ptrs = g + k[:, None] * 32 + s[None, :]
    for _ in range(n):
        z, w = tl.load(d_ptrs), tl.load(g_ptrs)
        if SUMMED:
            small = tl.dot(z, w, small)
        else:
            small = tl.maximum(small, tl.dot(z, w))
        large = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), large)
        a_ptrs += 32
        b_ptrs += 32 * 64
        d_ptrs += 32
        g_ptrs += 32 * 32
    tl.store(c + m[:, None] * 64 + m[None, :], large)
    tl.store(e + s[:, None] * 32 + s[None, :], small)


@triton.jit
def gate(a, b, c, n):
    m, k = tl.arange(0, 64), tl.arange(0, 32)
    up = tl.zeros((64, 64), tl.float32)
    down = tl.zeros((64, 64), tl.float32)
    for i in range(n):
        x = tl.load(a + m[:, None] * 64 + k[None, :] + i * 32)
        up = tl.dot(x, tl.load(b + i * 2048 + k[:, None] * 64 + m[None, :]), up)
        down = tl.dot(x, tl.trans(tl.load(b + m[:, None] * 64 + i * 32 + k[None, :])), down)
    tl.store(c + m[:, None] * 64 + m[None, :], up + down)


@triton.jit
def far(a, b, c, n, STEP):
    m, k = tl.arange(0, 64), tl.arange(0, 32)
    total = tl.zeros((64, 64), tl.float32)
    a_ptrs = a + m[:, None] * 32 + k[None, :]
    b_ptrs = b + k[:, None] * 64 + m[None, :]
    for _ in range(0, n, STEP):
        total = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), total)
        a_ptrs += 2048
        b_ptrs += 2048
    tl.store(c + m[:, None] * 64 + m[None, :], total)


@triton.jit
def far64(a, b, c, n, STEP):
    m, k = tl.arange(0, 64), tl.arange(0, 32)
    total = tl.zeros((64, 64), tl.float32)
    for i in range(0, n, STEP):
        x = tl.load(a + m[:, None] * 32 + i + k[None, :])
        total = tl.dot(x, tl.load(b + (i + k[:, None]) * 64 + m[None, :]), total)
    tl.store(c + m[:, None] * 64 + m[None, :], total)
