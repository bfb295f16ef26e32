# RUN: tile-translate --import-triton --kernel immediates --signature "*i32, 255" %s | FileCheck %s --check-prefix=IMMEDIATES
# RUN: tile-translate --import-triton --kernel kernel --signature "*fp32, *u8, i32" %s | FileCheck %s
"""Inline assembly. Census 5: inline_asm_elementwise 81; section 6: asm, constraints, args, dtype, is_pure, pack."""
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, u_ptr, n):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    u = tl.load(u_ptr + i)
    # CHECK: "tile.inline_asm"(%{{.*}}) {asm = "ex2.approx.ftz.f32 $0, $1;", constraints = "=f,f", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, pack = 1 : i32, pure = true, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8xf32>) -> tensor<8xf32>
    y = tl.inline_asm_elementwise("ex2.approx.ftz.f32 $0, $1;", "=f, f", [x], dtype=tl.float32, is_pure=True, pack=1)
    # Operands are broadcast, several results make a tuple.
    # CHECK: "tile.splat"(%{{.*}}) : (i32) -> tensor<8xi32>
    # CHECK: "tile.inline_asm"(%{{.*}}, %{{.*}}) {asm = "{ add.u32 $0, $2, $3;\0A sub.u32 $1, $2, $3; }", {{.*}}operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, pack = 4 : i32, pure = false, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<8xi8>, tensor<8xi32>) -> (tensor<8xi8>, tensor<8xi16>)
    a, b = tl.inline_asm_elementwise(
        asm="{ add.u32 $0, $2, $3;\n sub.u32 $1, $2, $3; }",
        constraints="=r,=r,=r,r,r,r,r,r",
        args=[u, n],
        dtype=(tl.uint8, tl.int16),
        is_pure=False,
        pack=4,
    )
    # Without operands the result is a scalar.
    # CHECK: "tile.inline_asm"() {{.*}} : () -> i64
    t = tl.inline_asm_elementwise("mov.u64 $0, %globaltimer;", "=l", [], dtype=tl.int64, is_pure=False, pack=1)
    tl.store(x_ptr + i, y + a + b + t)


# Operands with the constraint "n" are numbers in the text; what is after them counts down.
# IMMEDIATES: "tile.inline_asm"(%{{[0-9a-z]+}}, %{{[0-9a-z]+}}) {asm = "{ .reg .b32 t; lop3.b32 t, $1, 255, 170, 170; add.s32 $0, t, ${2}; mov.b32 t, $$; }", constraints = "=r,r,r"
# IMMEDIATES: "tile.inline_asm"(%{{[0-9a-z]+}}) {asm = "add.u32 $0, $1, -5;", constraints = "=r,r", {{.*}}pack = 2
@triton.jit
def immediates(p, MASK: tl.constexpr):
    x = tl.load(p + tl.arange(0, 16))
    y = tl.inline_asm_elementwise("{ .reg .b32 t; lop3.b32 t, $1, $2, $3, $3; add.s32 $0, t, ${4}; mov.b32 t, $$; }",
                                  "=r, r, n, n, r", [x, MASK, 170, 7], tl.int32, True, 1)
    h = tl.inline_asm_elementwise("add.u32 $0, $1, $2;", "=r,r,n,n", [y.to(tl.int16), -5], tl.int16, True, 2)
    tl.store(p + tl.arange(0, 16), h)
