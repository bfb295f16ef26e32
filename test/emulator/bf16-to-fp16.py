# RUN: tile-run %s --device emulator --grid 1 --check --arg x=bf16[8]:131072 --arg out=fp16[16]:poison --print out:16 | FileCheck %s
# RUN: tile-translate --tile-to-ptx --signature "*bf16, *fp16" %s | FileCheck %s --check-prefix=PTX
"""What is computed with bf16 becomes fp16 after the arithmetic, not before it, where 131072 is infinite."""
import triton
import triton.language as tl


# CHECK: out ={{( 8){8}( 0){8}$}}
# PTX-NOT: .f16
# PTX: cvt.rn.f16.f32
@triton.jit
def kernel(x, out):
    i = tl.arange(0, 8)
    y = tl.load(x + i)
    tl.store(out + i, (y.to(tl.float32) * 0.00006103515625).to(tl.float16))
    tl.store(out + 8 + i, (y.to(tl.float32) - y.to(tl.float32)).to(tl.float16))
