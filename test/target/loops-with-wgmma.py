# RUN: tile-translate --tile-to-ptx --target sm_90a --kernel kernel --signature "*fp16:16, *fp16:16, *fp32:16, 3" %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel kernel --signature "*fp16:16, *fp16:16, *fp32:16, 3" %s | FileCheck %s --check-prefix=MMA
"""ptxas loses products of a loop of constant length that it unrolls where sums change in between: loops with wgmma
say that they are not to be unrolled, and no others."""
import triton
import triton.language as tl


# CHECK: $L__BB0_1:
# CHECK-NEXT: .pragma "nounroll";
# CHECK: wgmma.mma_async
# CHECK: bra{{.*}} $L__BB0_1;
# MMA: mma.sync
# MMA-NOT: nounroll
@triton.jit
def kernel(a_ptr, b_ptr, out_ptr, N: tl.constexpr):
    rows, columns, k = tl.arange(0, 64)[:, None], tl.arange(0, 32)[None, :], tl.arange(0, 32)
    sums = tl.zeros((64, 32), tl.float32)
    for i in tl.range(0, N, num_stages=2):
        a = tl.load(a_ptr + i * 2048 + rows * 32 + k[None, :])
        b = tl.load(b_ptr + i * 1024 + k[:, None] + columns * 32)
        sums = tl.dot(a, b, sums) * 2
    tl.store(out_ptr + rows * 32 + columns, sums)
