# RUN: tile-translate --tile-to-ptx --num-warps 1 --signature "*i64:16, *i64:16" %s | FileCheck %s
# RUN: tile-run %s --device emulator --grid 1 --num-warps 1 --check --arg x=i64[64]:zeros --arg out=i64[64]:poison --print out:4 | FileCheck %s --check-prefix=VALUES
"""A quotient by a constant is the upper half of a product. ptxas loses a borrow where 64 bits are subtracted from it."""
import triton
import triton.language as tl


# CHECK: mul.hi.u32 [[UPPER:%r[0-9]+]],
# CHECK: cvt.u64.u32 [[WIDE:%rd[0-9]+]], [[UPPER]];
# CHECK-NOT: sub.s64
# CHECK: not.b64 [[SUM:%rd[0-9]+]], [[X:%rd[0-9]+]];
# CHECK-NEXT: add.s64 [[SUM]], [[WIDE]], [[SUM]];
# CHECK-NEXT: add.s64 [[SUM]], [[SUM]], 1;
# VALUES: out = 1 1 1 1
@triton.jit
def kernel(x, out):
    i = tl.arange(0, 64)
    tl.store(out + i, (i + 34) // 22 - tl.load(x + i))
