# RUN: tile-translate --tile-to-ptx --kernel kernel --signature "*i16:16, *fp32:16, *i32:16, *i32:16" %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel later --signature "*i32:16, *fp32:16" %s | FileCheck %s --check-prefix=LATER
# RUN: tile-translate --tile-to-ptx --kernel others --signature "*i32:16, *fp32:16" %s | FileCheck %s --check-prefix=OTHERS
"""The bits of a mask as a float, 1 and 0, are the least subnormal number and zero. ptxas takes a conversion of
such a select for one from an integer, so the select chooses from converted numbers."""
import triton
import triton.language as tl


# CHECK: setp.ne.b16 [[MASK:%p[0-9]+]], {{.*}}, 0;
# CHECK-NOT: cvt.f32.f16
# CHECK: selp.f32 {{.*}}, 0f33800000, 0f00000000, [[MASK]];
# CHECK: st.global
@triton.jit
def kernel(masks, halves, floats, numbers):
    i = tl.arange(0, 128)
    mask = tl.load(masks + i) != 0
    half = mask.to(tl.int16).to(tl.float16, bitcast=True)
    tl.store(halves + i, half.to(tl.float32))
    # CHECK: selp.b32 [[BITS:%r[0-9]+]], 1, 0, [[MASK]];
    # Conversions that are assembly become two, of numbers.
    # CHECK: cvt.rzi.s64.f32 [[YES:%rd[0-9]+]], [[ONE:%r[0-9]+]];
    # CHECK: cvt.rzi.s64.f32 [[NO:%rd[0-9]+]], [[ZERO:%r[0-9]+]];
    # CHECK: selp.b64 {{.*}}, [[YES]], [[NO]], [[MASK]];
    single = mask.to(tl.int32).to(tl.float32, bitcast=True)
    tl.store(floats + i, single.to(tl.int64).to(tl.int32))
    # What is no conversion stays.
    # CHECK: st.global.b32 {{.*}}, [[BITS]];
    tl.store(numbers + i, single.to(tl.int32, bitcast=True))


# Bits that LLVM's code generator finds to be a mask's go through an addition of zero.
# LATER: add.s32 [[HIDDEN:%r[0-9]+]], {{%r[0-9]+}}, blocks;
# LATER: cvt.rzi.s64.f32 {{.*}}, [[HIDDEN]];
@triton.jit
def later(masks, floats):
    i = tl.arange(0, 128)
    mask = tl.load(masks + i) != 0
    single = tl.minimum(2 * i + 1, mask.to(tl.int32)).to(tl.float32, bitcast=True)
    tl.store(floats + i, single.to(tl.int64).to(tl.float32))


# Bits that cannot be 1, and those that are loaded, are converted as they are.
# OTHERS-NOT: blocks
# OTHERS: cvt.rzi.s64.f32
# OTHERS-NOT: blocks
# OTHERS: tile.metadata
@triton.jit
def others(numbers, floats):
    i = tl.arange(0, 128)
    x = tl.load(numbers + i)
    y = (x.to(tl.float32, bitcast=True).to(tl.int64) + ((x & 0xFF) << 8).to(tl.float32, bitcast=True).to(tl.int64)
         + ((x & 0xFF) | 0x43000000).to(tl.float32, bitcast=True).to(tl.int64))
    tl.store(floats + i, y.to(tl.float32))
