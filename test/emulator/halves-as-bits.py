# RUN: tile-run %s --device emulator --kernel kernel --grid 1 --check --arg x=fp16[8]:arange --arg out=i16[8]:poison --print out:8 | FileCheck %s
# RUN: tile-translate --tile-to-llvmir --kernel kernel --signature "*fp16, *i16" %s | FileCheck %s --check-prefix=IR
# RUN: tile-translate --tile-to-llvmir --kernel halves --signature "*fp16, *i16" %s | FileCheck %s --check-prefix=HALVES
"""The bits of a float16 as a bfloat16 that is compared with zero."""
import triton
import triton.language as tl


# CHECK: out = -13365 15360 16384 16896 17408 17664 17920 18176
# IR-NOT: and half
@triton.jit
def kernel(x, out):
    bits = tl.load(x + tl.arange(0, 8)).to(tl.int16, bitcast=True)
    tl.store(out + tl.arange(0, 8), bits, mask=bits.to(tl.bfloat16, bitcast=True).to(tl.int1))


# Of a float that is none of another type's bits: as a float.
# HALVES: fcmp une half
@triton.jit
def halves(x, out):
    smaller = tl.minimum(tl.load(x + tl.arange(0, 8)), 46.0)
    tl.store(out + tl.arange(0, 8), smaller.to(tl.int1).to(tl.int16))
