# RUN: tile-translate --tile-to-ptx --kernel kernel --signature "*i16:16, *i8:16, *i32:16" %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel assembly --signature "*i16:16" %s | FileCheck %s --check-prefix=ASSEMBLY
# RUN: tile-run %s --device emulator --kernel kernel --grid 1 --check --arg halves=i16[128]:-32768 --arg bytes=i8[128]:-128 --arg out=i32[384]:poison --print out:384 | FileCheck %s --check-prefix=VALUES
"""The least int16 is its own negation and magnitude. ptxas takes neg.s16 and abs.s16 for operations that never
overflow, so neither is written, but in the user's assembly."""
import triton
import triton.language as tl


# CHECK-NOT: {{(neg|abs)[.]s16}}
# CHECK-DAG: sub.u16 [[NEGATED:%rs[0-9]+]], 0, [[X:%rs[0-9]+]];
# CHECK-DAG: cvt.s32.s16 {{.*}}, [[NEGATED]];
# CHECK-DAG: max.s16 [[LARGER:%rs[0-9]+]], [[X]], [[LARGER]];
# CHECK-DAG: cvt.s32.s16 {{.*}}, [[LARGER]];
# CHECK-NOT: {{(neg|abs)[.]s16}}
# CHECK: tile.metadata
# VALUES: out ={{( -32768)+( -128)+$}}
@triton.jit
def kernel(halves, bytes, out):
    i = tl.arange(0, 128)
    x = tl.load(halves + i)
    tl.store(out + i, (-x).to(tl.int32))
    tl.store(out + 128 + i, tl.abs(x).to(tl.int32))
    tl.store(out + 256 + i, (-tl.load(bytes + i)).to(tl.int16).to(tl.int32))


# ASSEMBLY: begin inline asm
# ASSEMBLY-NEXT: neg.s16
@triton.jit
def assembly(halves):
    i = tl.arange(0, 128)
    y = tl.inline_asm_elementwise("neg.s16 $0, $1;", "=h,h", [tl.load(halves + i)], dtype=tl.int16, is_pure=True,
                                  pack=1)
    tl.store(halves + i, y)
