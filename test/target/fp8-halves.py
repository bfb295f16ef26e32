# RUN: tile-translate --tile-to-ptx --target sm_90a --num-warps 1 --kernel masked --signature "*fp8e5:16, *fp32:16, i32:16" %s | FileCheck %s --check-prefix=MASKED
# RUN: tile-translate --tile-to-ptx --target sm_90a --num-warps 1 --kernel whole --signature "*fp8e4nv:16, *fp32:16" %s | FileCheck %s --check-prefix=WHOLE
# RUN: tile-run %s --device emulator --target sm_90a --kernel masked --grid 1 --num-warps 1 --check --arg x=fp8e5[256]:1 --arg out=fp32[256]:poison --arg n=i32:128 --print out:256 | FileCheck %s --check-prefix=VALUES
"""Of the pairs of fp8 in a word ptxas reads the upper one in place, and takes a wrong one where it finds later that the word is a constant, as behind a mask that is false.
So the upper pair is shifted down, but for words that were loaded without a mask."""
import triton
import triton.language as tl


# MASKED: @%p{{[0-9]+}} ld.global.b32 [[FIRST:%r[0-9]+]],
# MASKED-DAG: cvt.u16.u32 [[LOWER:%rs[0-9]+]], [[FIRST]];
# MASKED-DAG: shr.u32 [[SHIFTED:%r[0-9]+]], [[FIRST]], 16;
# MASKED-DAG: cvt.rn.f16x2.e5m2x2 {{.*}}, [[LOWER]];
# MASKED-DAG: { .reg .b16 pair; cvt.u16.u32 pair, [[SHIFTED]]; cvt.rn.f16x2.e5m2x2 {{.*}}, pair; }
# VALUES: out ={{( 1){128}( 0){128}$}}
@triton.jit
def masked(x, out, n):
    i = tl.arange(0, 256)
    tl.store(out + i, tl.load(x + i, mask=i < n, other=0.0).to(tl.float32))


# WHOLE: ld.global.v2.b16
# WHOLE-NOT: .reg .b16 pair
# WHOLE: cvt.rn.f16x2.e4m3x2
# WHOLE-NOT: .reg .b16 pair
# WHOLE: tile.metadata
@triton.jit
def whole(x, out):
    i = tl.arange(0, 256)
    tl.store(out + i, tl.load(x + i).to(tl.float32))
