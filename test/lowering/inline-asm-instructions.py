# RUN: tile-run %s --device emulator --kernel floats --grid 1 --arg p=fp32[16]:4 --print p:8 | FileCheck %s --check-prefix=FLOATS
# RUN: tile-run %s --device emulator --kernel words --grid 1 --arg p=i32[16]:0 --print p:12 | FileCheck %s --check-prefix=WORDS

# What the emulator runs of inline assembly: the instructions of ptx_text.def, predicates, and registers in braces.
import triton
import triton.language as tl


@triton.jit
def asm(text: tl.constexpr, constraints: tl.constexpr, x, dtype: tl.constexpr):
    return tl.inline_asm_elementwise(text, constraints, [x], dtype, is_pure=True, pack=1)


# FLOATS: p = 0.25 16 2 0.5 -7 4 3 1
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
    tl.store(p, a)
    tl.store(p + 1, b)
    tl.store(p + 2, c)
    tl.store(p + 3, d)
    tl.store(p + 4, e)
    tl.store(p + 5, f)
    tl.store(p + 6, g)
    tl.store(p + 7, h)


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
