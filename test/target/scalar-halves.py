# RUN: tile-translate --tile-to-ptx -O 3 --signature "*i32:16, *u8:16, i32" %s | FileCheck %s
"""LLVM's O3 adds two bytes as a vector. Of add.s16x2 whose upper half alone is used ptxas takes the lower half of the constant: elements are added one at a time."""
import triton
import triton.language as tl


# CHECK-NOT: s16x2
# CHECK-DAG: add.s16 {{.*}}, 1;
# CHECK-DAG: st.global
# CHECK-NOT: s16x2
# CHECK: tile.metadata
@triton.jit
def kernel(x, out, n):
    i = tl.arange(0, 128)
    a = tl.minimum(tl.load(x + i), i)
    b = tl.load(x + 128 + i) ^ n
    tl.store(out + tl.arange(0, 256), tl.interleave(b, a) + tl.arange(0, 256))
