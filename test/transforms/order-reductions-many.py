# RUN: tile-translate --tile-to-ptx --signature '*fp32:16, *fp32:16, 1600' %s | FileCheck %s
#
# 1600 reductions, each of which needs the one before: looking for those that can be put together takes a second, and not hours.
import triton
import triton.language as tl


# CHECK: .entry chain
@triton.jit
def chain(a, o, N: tl.constexpr):
    x = tl.load(a + tl.arange(0, 256))
    for i in tl.static_range(N):
        x = x - tl.sum(x, axis=0) * 0.25
    tl.store(o + tl.arange(0, 256), x)
