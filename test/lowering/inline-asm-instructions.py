# RUN: tile-run %s --device emulator --kernel halves --grid 1 --arg p=fp32[16]:4 --print p:8 | FileCheck %s --check-prefix=HALVES
# RUN: tile-run %s --device emulator --kernel rounding --grid 1 --arg p=fp32[16]:4 --print p:8 | FileCheck %s --check-prefix=ROUNDING
# RUN: tile-run %s --device emulator --kernel packed --grid 1 --arg p=i32[16]:0 --print p:10 | FileCheck %s --check-prefix=PACKED
# RUN: tile-run %s --device emulator --kernel floats --grid 1 --arg p=fp32[16]:4 --print p:10 | FileCheck %s --check-prefix=FLOATS
# RUN: tile-run %s --device emulator --kernel words --grid 1 --arg p=i32[16]:0 --print p:12 | FileCheck %s --check-prefix=WORDS

# What the emulator runs of inline assembly: the instructions of ptx_text.def, predicates, and registers in braces.
import triton
import triton.language as tl


@triton.jit
def asm(text: tl.constexpr, constraints: tl.constexpr, x, dtype: tl.constexpr):
    return tl.inline_asm_elementwise(text, constraints, [x], dtype, is_pure=True, pack=1)


# FLOATS: p = 0.25 16 2 0.5 -7 4 3 1 24 1.5
@triton.jit
def floats(p):
    x = tl.load(p)
    a = asm("rcp.approx.f32 $0, $1;", "=f,f", x, tl.float32)
    b = asm("ex2.approx.f32 $0, $1;", "=f,f", x, tl.float32)
    c = asm("lg2.approx.f32 $0, $1;", "=f,f", x, tl.float32)
    d = asm("rsqrt.approx.f32 $0, $1;", "=f,f", x, tl.float32)
    e = asm("{ .reg .f32 t; mov.f32 t, 0fC0E00000; min.f32 $0, t, $1; }", "=f,f", x, tl.float32)
    f = asm("{ .reg .b16 h; cvt.rn.f16.f32 h, $1; cvt.f32.f16 $0, h; }", "=f,f", x, tl.float32)
    g = asm("{ .reg .pred q; setp.gt.f32 q, $1, 0f40400000; mov.f32 $0, $1; @q mov.f32 $0, 0f40400000; }",
            "=f,f", x, tl.float32)
    h = asm("{ .reg .pred q; setp.lt.f32 q, $1, 0f00000000; @!q mov.f32 $0, 0f3F800000; @q mov.f32 $0, 0f00000000; }",
            "=f,f", x, tl.float32)
    # Numbers with a point are doubles, rounded to the instruction's type.
    i = asm("add.f32 $0, $1, 20.;", "=f,f", x, tl.float32)
    j = asm("{ .reg .pred q; setp.gt.f32 q, $1, -0.5; mov.f32 $0, 0f00000000; @q mov.f32 $0, 1.5; }", "=f,f", x, tl.float32)
    tl.store(p, a)
    tl.store(p + 1, b)
    tl.store(p + 2, c)
    tl.store(p + 3, d)
    tl.store(p + 4, e)
    tl.store(p + 5, f)
    tl.store(p + 6, g)
    tl.store(p + 7, h)
    tl.store(p + 8, i)
    tl.store(p + 9, j)


# x is 0x12345678.
# WORDS: p = 2018915346 305419896 52 -2 305419896 1450709556 305419897 305419888 3 610839792 70 305419896
@triton.jit
def words(p):
    x = tl.load(p) + 0x12345678
    a = asm("prmt.b32 $0, $1, 0, 0x0123;", "=r,r", x, tl.int32)
    b = asm("lop3.b32 $0, $1, 0, 0, 0xF0;", "=r,r", x, tl.int32)
    c = asm("bfe.u32 $0, $1, 16, 8;", "=r,r", x, tl.int32)
    d = asm("{ .reg .b32 t; not.b32 t, 1; mov.b32 $0, t; }", "=r,r", x, tl.int32)
    e = asm("{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {l, h}; }", "=r,r", x, tl.int32)
    f = asm("{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }", "=r,r", x, tl.int32)
    g = asm("mad.lo.s32 $0, $1, 1, 1;", "=r,r", x, tl.int32)
    h = asm("bfi.b32 $0, 0, $1, 0, 4;", "=r,r", x, tl.int32)
    i = asm("clz.b32 $0, $1;", "=r,r", x, tl.int32)
    j = asm("shf.l.wrap.b32 $0, 0, $1, 1;", "=r,r", x, tl.int32)
    k = asm("dp4a.u32.u32 $0, $1, 0x00000001, -50;", "=r,r", x, tl.int32)
    l = asm("{ .reg .pred q; setp.ne.s32 q, $1, 0; selp.b32 $0, $1, 7, q; }", "=r,r", x, tl.int32)
    tl.store(p, a)
    tl.store(p + 1, b)
    tl.store(p + 2, c)
    tl.store(p + 3, d)
    tl.store(p + 4, e)
    tl.store(p + 5, f)
    tl.store(p + 6, g)
    tl.store(p + 7, h)
    tl.store(p + 8, i)
    tl.store(p + 9, j)
    tl.store(p + 10, k)
    tl.store(p + 11, l)


# Halves: fma, min and max, also of two in a register; bf16 arithmetic. p[0] is 4.
# HALVES: p = 14 4 3 14 -2 6 65504 3
@triton.jit
def halves(p):
    x = tl.load(p)
    h = x.to(tl.float16)
    b = x.to(tl.bfloat16)
    a0 = asm("fma.rn.f16 $0, $1, 0x4200, 0x4000;", "=h,h", h, tl.float16)
    a1 = asm("min.f16 $0, $1, 0x7FFF;", "=h,h", h, tl.float16)
    a2 = asm("min.bf16 $0, $1, 0x4040;", "=h,h", b, tl.bfloat16)
    a3 = asm("fma.rn.bf16 $0, $1, 0x4040, 0x4000;", "=h,h", b, tl.bfloat16)
    pair = asm("{ .reg .b32 t; mov.b32 t, {$1, $1}; fma.rn.bf16x2 t, t, 0xBF803F80, 0x40004000; mov.b32 $0, t; }", "=r,h", b, tl.int32)
    a4 = (pair & -65536).to(tl.float32, bitcast=True)
    a5 = (pair << 16).to(tl.float32, bitcast=True)
    a6 = asm("{ .reg .b32 t; mov.b32 t, {$1, $1}; max.f16x2 t, t, 0x7BFF7BFF; .reg .b16 u, v; mov.b32 {u, v}, t; mov.b16 $0, v; }", "=h,h", h, tl.float16)
    a7 = asm("sub.rn.bf16 $0, $1, 0x3F80;", "=h,h", b, tl.bfloat16)
    tl.store(p, a0)
    tl.store(p + 1, a1)
    tl.store(p + 2, a2)
    tl.store(p + 3, a3)
    tl.store(p + 4, a4)
    tl.store(p + 5, a5)
    tl.store(p + 6, a6)
    tl.store(p + 7, a7)


# Rounding, packed conversions, subnormals that are flushed. p[0] is 4.
# ROUNDING: p = 2 2 3 -3 4 0 -4 1
@triton.jit
def rounding(p):
    x = tl.load(p) - 1.5
    a0 = asm("cvt.rni.f32.f32 $0, $1;", "=f,f", x, tl.float32)
    a1 = asm("cvt.rmi.s32.f32 $0, $1;", "=r,f", x, tl.int32)
    a2 = asm("cvt.rpi.s32.f32 $0, $1;", "=r,f", x, tl.int32)
    a3 = asm("cvt.rmi.s32.f32 $0, $1;", "=r,f", -x, tl.int32)
    a4 = asm("cvt.rni.s32.f32 $0, $1;", "=r,f", x + 1, tl.int32)
    # 2^-140 is none of the numbers that are left.
    a5 = asm("max.ftz.f32 $0, $1, 0f00000000;", "=f,f", x * 0 + 2.0**-140, tl.float32)
    a6 = asm("cvt.rmi.f32.f32 $0, $1;", "=f,f", -x - 1, tl.float32)
    a7 = asm("{ .reg .pred q; setp.eq.ftz.f32 q, $1, 0f00000000; selp.f32 $0, 0f3F800000, 0f00000000, q; }", "=f,f", x * 0 + 2.0**-140, tl.float32)
    tl.store(p, a0)
    tl.store(p + 1, a1)
    tl.store(p + 2, a2)
    tl.store(p + 3, a3)
    tl.store(p + 4, a4)
    tl.store(p + 5, a5)
    tl.store(p + 6, a6)
    tl.store(p + 7, a7)


# 1006650368 is 0x3C004400, halves 4 and 1; 32328 is 0x7E48, 448 and 4; a tied input is where its output begins.
# PACKED: p = 1006650368 32328 1006650368 15428 1 63 1 -1 8 1082195968
@triton.jit
def packed(p):
    x = (tl.load(p) + 4).to(tl.float32)
    a0 = asm("cvt.rn.f16x2.f32 $0, 0f3F800000, $1;", "=r,f", x, tl.int32)
    a1 = asm("{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, 0f7F7FFFFF, $1; cvt.u32.u16 $0, t; }", "=r,f", x, tl.int32)
    a2 = asm("{ .reg .b16 t; cvt.rn.satfinite.e5m2x2.f32 t, 0f3F800000, $1; cvt.rn.f16x2.e5m2x2 $0, t; }", "=r,f", x, tl.int32)
    a3 = asm("{ .reg .b16 t; cvt.rn.satfinite.e5m2x2.f16x2 t, $1; cvt.u32.u16 $0, t; }", "=r,r", a0, tl.int32)
    wide = (tl.load(p) + 1).to(tl.int64) << 40
    a4 = asm("popc.b64 $0, $1;", "=r,l", wide, tl.int32)
    a5 = asm("clz.b64 $0, $1;", "=r,l", wide >> 40, tl.int32)
    a6 = asm("mul.hi.u64 $0, $1, 0x1400000;", "=l,l", wide, tl.int64)
    a7 = asm("mul.hi.s64 $0, $1, 3;", "=l,l", -wide, tl.int64)
    a8 = tl.inline_asm_elementwise("add.s32 $0, $0, $0;", "=r,0", [a0 * 0 + 4], tl.int32, True, 1)
    a9 = asm("{ .reg .b32 t; cvt.rn.bf16x2.f32 t, $1, 0f00000000; mov.b32 $0, t; }", "=r,f", x + 0.03125, tl.int32)
    tl.store(p, a0)
    tl.store(p + 1, a1)
    tl.store(p + 2, a2)
    tl.store(p + 3, a3)
    tl.store(p + 4, a4)
    tl.store(p + 5, a5)
    tl.store(p + 6, a6)
    tl.store(p + 7, a7)
    tl.store(p + 8, a8)
    tl.store(p + 9, a9)
