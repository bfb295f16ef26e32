# RUN: tile-run --device emulator --signature "*fp32, *i32" --grid 1 --arg x=fp32[16]:arange --arg out=i32[4]:poison --print out:4 %s 2>&1 | FileCheck %s
"""Names that are fewer than the values of a tuple take the first ones, as in Triton: public kernels do so with what
a reduction returns beside its result. It is said once for a place."""
import triton
import triton.language as tl


@triton.jit
def kernel(x, out):
    a = tl.load(x + tl.arange(0, 16))
    # CHECK: names-fewer-than-values.py:[[@LINE+1]]:5: remark: 1 name for a tuple of 2: the rest is dropped, as by Triton
    (least,) = tl.min(-a, 0, return_indices=True)
    tl.store(out, least.to(tl.int32))
    for i in tl.static_range(3):
        # CHECK: names-fewer-than-values.py:[[@LINE+1]]:9: remark: 2 names for a tuple of 3: the rest is dropped, as by Triton
        three, four = i + 1, i + 2, i
        tl.store(out + 1, three)
        tl.store(out + 2, four)
    tl.store(out + 3, 0)
    # CHECK-NOT: remark
    # CHECK: -15 3 4 0
