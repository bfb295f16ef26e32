# RUN: tile-run %s --device emulator --grid 1 --arg x=fp8e5[4]:inf --arg out=fp32[20]:poison --print out:20 | FileCheck %s
"""8-bit floats saturate where a value is known, too, and where arithmetic between two conversions folds away."""
import triton
import triton.language as tl


# CHECK: out ={{( 57344){4}( -57344){4}( -448){4}( 448){4}( 57344){4}$}}
@triton.jit
def kernel(x, out):
    i = tl.arange(0, 4)
    infinite = tl.load(x + i)
    tl.store(out + i, infinite * tl.full((4, ), 1, tl.float8e5))
    tl.store(out + 4 + i, tl.full((4, ), 0, tl.float8e5) - infinite)
    large = tl.full((4, ), -200, tl.bfloat16).to(tl.int16, bitcast=True).to(tl.bfloat16)
    tl.store(out + 8 + i, large.to(tl.float64).to(tl.bfloat16, fp_downcast_rounding="rtz").to(tl.float8e4nv))
    tl.store(out + 12 + i, (-tl.full((4, ), 1, tl.uint16)).to(tl.float64).to(tl.float32).to(tl.float8e4nv))
    tl.store(out + 16 + i, tl.full((4, ), float("inf"), tl.float16).to(tl.float8e5))
