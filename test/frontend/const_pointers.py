# RUN: tile-translate --import-triton --kernel copy --signature "*kfp32:16, *fp32, u1" %s | FileCheck %s
# RUN: tile-run %s --device emulator --kernel copy --signature "*kfp32:16, *fp32, u1" --grid 1 --arg x=fp32[4]:arange --arg out=fp32[4]:poison --arg negate=i1:1 --print out:4 | FileCheck %s --check-prefix=COPY
# RUN: tile-run %s --device emulator --kernel annotated --grid 1 --arg x=fp32[4]:arange --arg out=fp32[4]:poison --arg negate=i1:0 --print out:4 | FileCheck %s --check-prefix=ANNOTATED
"""Pointers to constants, *k in a signature or tl.const in the kernel: loads are the same; u1 is i1."""
import triton
import triton.language as tl


# CHECK: func.func @copy(%arg0: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"}, %arg1: !tile.ptr<f32> {tile.name = "out"}, %arg2: i1
# CHECK-NOT: bitcast
# COPY: out = -0 -1 -2 -3
@triton.jit
def copy(x, out, negate):
    tl.static_assert(x.dtype.is_const() and not out.dtype.is_const() and negate.dtype == tl.int1)
    tl.static_assert(x.dtype != out.dtype and x.dtype.element_ty == out.dtype.element_ty)
    i = tl.arange(0, 4)
    p = x + i
    for _ in range(1):
        p += 0
    value = tl.load(p)
    # A cast takes the mark off, as in Triton.
    target = x.to(tl.pointer_type(tl.float32)) if False else out
    tl.store(target + i, -value if negate else value)


# ANNOTATED: out = 0 1 2 3
@triton.jit
def annotated(x: tl.const, out, negate):
    tl.static_assert(x.dtype.is_const())
    i = tl.arange(0, 4)
    value = tl.load(x + i)
    tl.store(out + i, -value if negate else value)
