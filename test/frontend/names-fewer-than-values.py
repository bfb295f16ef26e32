# RUN: tile-run --device emulator --signature "*fp32, *i32" --grid 1 --arg x=fp32[16]:arange --arg out=i32[4]:poison --print out:4 %s 2>&1 | FileCheck %s
"""Names that are fewer than the values of a tuple take the first ones, as in Triton: public kernels do so with what
a reduction returns beside its result."""
import triton
import triton.language as tl


# CHECK: names-fewer-than-values.py:[[@LINE+6]]:5: remark: 1 name for a tuple of 2: the rest is dropped, as by Triton
# CHECK: names-fewer-than-values.py:[[@LINE+6]]:5: remark: 2 names for a tuple of 3: the rest is dropped, as by Triton
# CHECK: -15 3 4 0
@triton.jit
def kernel(x, out):
    a = tl.load(x + tl.arange(0, 16))
    (least,) = tl.min(-a, 0, return_indices=True)
    three, four = 3, 4, 5
    tl.store(out, least.to(tl.int32))
    tl.store(out + 1, three)
    tl.store(out + 2, four)
    tl.store(out + 3, 0)
