# RUN: tile-run %s --device emulator --grid 1 --check --num-warps 1 --signature '*fp16, *fp16, *fp32:16, i32' --arg a=fp16[2048]:ones --arg b=fp16[4096]:ones --arg c=fp32[32,64]:poison --arg n=i32:64 --print c:2 | FileCheck %s
#
# Hundreds of accesses of one element in one block: it is cut into short ones for LLVM's code generator, which took half a minute.
# CHECK: c = 64 64
import triton
import triton.language as tl


@triton.jit
def k(a, b, c, n):
    m, l, k = tl.arange(0, 32), tl.arange(0, 64), tl.arange(0, 64)
    x = tl.load(a + m[:, None] + k[None, :] * 32, mask=k[None, :] < n, other=1)
    y = tl.load(b + l[:, None] + k[None, :] * 64, mask=k[None, :] < n, other=1)
    tl.store(c + m[:, None] * 64 + l[None, :], tl.dot(x, tl.trans(y)))
