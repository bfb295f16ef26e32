# RUN: tile-translate --tile-to-ptx --signature '*fp32:16, *fp32:16, 4' %s | FileCheck %s
#
# 4000 stores in a row: what is live across each of them is not looked at, which took minutes.
import triton
import triton.language as tl


# CHECK: .entry stores
@triton.jit
def stores(a, o, N: tl.constexpr):
    x = tl.load(a + tl.arange(0, 256))
    for i in tl.static_range(N):
        for j in tl.static_range(1000):
            tl.store(o + tl.arange(0, 256) + (i * 1000 + j) * 256, x + i)
