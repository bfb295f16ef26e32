# RUN: tile-run %s --device emulator --grid 1 --num-warps 1 --arg bits=i16[512]:-64 --arg out=fp64[4096]:poison --print out:4096 | FileCheck %s
"""The bits of a bf16 that is a NaN are what they were, also in a kernel that is long enough to be cut into blocks."""
import triton
import triton.language as tl


# CHECK: out ={{( -64)+$}}
@triton.jit
def kernel(bits, out):
    x = tl.load(bits.to(tl.pointer_type(tl.bfloat16)) + (tl.arange(0, 4096) & 511))
    y = tl.reshape(x.to(tl.int16, bitcast=True), (64, 64)).to(tl.float64)
    tl.make_tensor_descriptor(out, [64, 64], [64, 1], [64, 64]).store([0, 0], y)
