# RUN: tile-run %s --kernel kernel --device emulator --grid 1 --num-warps 1 --arg bits=i16[512]:-64 --arg out=fp64[4096]:poison --print out:4096 | FileCheck %s
# RUN: tile-run %s --kernel carried --device emulator --grid 1 --num-warps 1 --arg bits=i16[32]:-64 --arg out=i16[64]:poison --arg n=i32:2 --print out:64 | FileCheck %s
"""The bits of a bf16 that is a NaN are what they were, also in a kernel that is long enough to be cut into blocks."""
import triton
import triton.language as tl


# CHECK: out ={{( -64)+$}}
@triton.jit
def kernel(bits, out):
    x = tl.load(bits.to(tl.pointer_type(tl.bfloat16)) + (tl.arange(0, 4096) & 511))
    y = tl.reshape(x.to(tl.int16, bitcast=True), (64, 64)).to(tl.float64)
    tl.make_tensor_descriptor(out, [64, 64], [64, 1], [64, 64]).store([0, 0], y)


# One number of a thread, from one turn of a loop to the next.
@triton.jit
def carried(bits, out, n):
    places = tl.arange(0, 32)
    pointers = bits.to(tl.pointer_type(tl.bfloat16)) + places
    x = tl.load(pointers)
    for i in range(n):
        tl.store(out + i * 32 + places, x.to(tl.int16, bitcast=True))
        x = tl.load(pointers)
