# A remainder of 64 bits that is an offset is one of 32 bits: one product with the element's size.
# RUN: tile-translate --tile-to-ptx --num-warps 1 --kernel rows --signature "*fp16:16, *fp16:16, i64:16" %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --num-warps 1 --kernel sums --signature "*i64:16" %s | FileCheck %s --check-prefix=SUM
import triton
import triton.language as tl


# CHECK: .entry rows
# CHECK-NOT: and.b64
# CHECK: and.b32 {{.*}}[[R:%r[0-9]+]], {{.*}}, 4095
# CHECK: mul.wide.u32 [[O:%rd[0-9]+]], [[R]], 2
# CHECK: add.s64 {{.*}}, [[O]]
# CHECK: add.s64 {{.*}}, [[O]]
@triton.jit
def rows(x, y, stride):
    at = tl.program_id(0).to(tl.int64) * 33 + tl.arange(0, 32)
    row, column = at // 4096, at % 4096
    tl.store(y + row * stride + column, tl.load(x + column))


# One that is no offset stays.
# SUM: .entry sums
# SUM: and.b64
@triton.jit
def sums(x):
    at = tl.arange(0, 32)
    tl.store(x + at, tl.load(x + at) & 4095)
