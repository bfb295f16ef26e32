# RUN: tile-translate --tile-to-ptx --target sm_90a --num-warps 1 --signature "*bf16:16, *fp32:16" %s | FileCheck %s
# RUN: tile-run %s --device emulator --grid 1 --num-warps 1 --check --arg x=bf16[64]:arange --arg out=fp32[64]:poison --print out:4 | FileCheck %s --check-prefix=VALUES
"""Of two bf16 in a word the lower one is extended by a conversion, which ptxas makes a shift, the upper one by a mask: it is not taken out of its word first."""
import triton
import triton.language as tl


# CHECK: ld.global.b32 [[WORD:%r[0-9]+]],
# CHECK-DAG: cvt.f32.bf16 [[LOWER:%r[0-9]+]],
# CHECK-DAG: and.b32 [[UPPER:%r[0-9]+]], [[WORD]], -65536;
# CHECK-NOT: cvt.f32.bf16
# CHECK: st.global.v2.b32 [{{.*}}], {[[LOWER]], [[UPPER]]};
# VALUES: out = 0 1 2 3
@triton.jit
def kernel(x, out):
    i = tl.arange(0, 64)
    tl.store(out + i, tl.load(x + i).to(tl.float32))
