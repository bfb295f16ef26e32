# RUN: tile-translate --tile-to-ptx --kernel kernel --signature "*i16:16, *fp32:16, *i32:16, *i32:16" %s | FileCheck %s
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
