# RUN: tile-translate --tile-to-ptx --num-warps 2 --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, 2048' %s -o %t.ptx
# RUN: FileCheck %s --input-file %t.ptx
# RUN: tile-translate --tile-to-ptx --num-warps 1 --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, 1024' %s | FileCheck %s --check-prefix=ONE
# RUN: tile-run %s --grid 1 --num-warps 2 --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, 2048' --arg X=fp16[2000]:ones --arg W=fp16[2000]:arange \
# RUN:   --arg Y=fp16[2000]:poison --arg N=i32:2000 --print Y:6 --check | FileCheck %s --check-prefix=OUT
import triton
import triton.language as tl


# A thread has 32 elements of a row, in 16 registers across the sum: after it they are widened again, of words that ptxas
# does not know to be the same. Weights are loaded one piece ahead of the stores.
# CHECK: .maxnreg 40
# CHECK-COUNT-4: ld.global.v4.b32
# CHECK: shfl.sync
# CHECK: ld.global.v4.b32
# CHECK: ld.global.v4.b32
# CHECK: shr.u32 {{.*}}, programs, {{.*}};
# CHECK-COUNT-4: or.b32
# CHECK: st.global.v4.b32
# CHECK: ld.global.v4.b32
# CHECK-COUNT-4: or.b32
# CHECK: st.global.v4.b32
# CHECK: ld.global.v4.b32
# CHECK-COUNT-4: or.b32
# CHECK: st.global.v4.b32
# CHECK-COUNT-4: or.b32
# CHECK: st.global.v4.b32
# One warp waits for nobody.
# ONE-NOT: .maxnreg
# ONE-NOT: nctaid.y
# OUT: Y = 0 2 4 6 8 10
@triton.jit
def scaled(X, W, Y, N, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    inside = columns < N
    x = tl.load(X + columns, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    w = tl.load(W + columns, mask=inside, other=0.0).to(tl.float32)
    tl.store(Y + columns, (x + mean) * w, mask=inside)
