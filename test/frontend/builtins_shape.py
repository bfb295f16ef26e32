# RUN: tile-translate --import-triton --kernel create --signature "*fp32, *i32, i32" %s | FileCheck %s --check-prefix=CREATE
# RUN: tile-translate --import-triton --kernel swizzle --signature "*i32, *i32, i32" %s -o %t.mlir
# RUN: FileCheck %s --check-prefix=ASSUME --input-file %t.mlir
# RUN: tile-run --device emulator %t.mlir --check --grid 4,5 --arg i_ptr=i32[20]:zeros --arg j_ptr=i32[20]:zeros --arg n=i32:4 --print i_ptr:20 --print j_ptr:20 | FileCheck %s --check-prefix=SWIZZLE
"""Programs and tiles from nothing. Census items 1, 4, 9, 10, 25, 27, 51, 54, 90 and 104 of section 3."""
import triton
import triton.language as tl

SIZE = tl.constexpr(32)


@triton.jit
def create(x_ptr, y_ptr, n):
    # CREATE: "tile.program_id"() {axis = 1 : i32}
    p = tl.program_id(axis=1)
    # CREATE: "tile.num_programs"() {axis = 2 : i32}
    q = tl.num_programs(axis=2)
    # CREATE: "tile.range"() {end = 24 : i32, start = 8 : i32} : () -> tensor<16xi32>
    o = tl.arange(8, 24)
    # CREATE: arith.constant 0.000000e+00 : bf16
    # CREATE: "tile.splat"({{.*}}) : (bf16) -> tensor<16x2xbf16>
    z = tl.zeros((16, 2), dtype=tl.bfloat16)
    # No dimensions: a scalar.
    # CREATE: arith.constant 3.000000e+00 : f32
    s = tl.full((), 3, tl.float32)
    # CREATE: "tile.splat"({{.*}}) : (i1) -> tensor<16xi1>
    m = tl.full((16,), True, dtype=tl.int1)
    # CREATE: arith.truncf
    # CREATE: "tile.splat"({{.*}}) : (f16) -> tensor<16xf16>
    h = tl.full((16,), s, tl.float16)
    # CREATE: "tile.splat"({{.*}}) : (f16) -> tensor<16xf16>
    h += tl.zeros_like(h)
    # CREATE: "tile.splat"({{.*}}) : (i32) -> tensor<16xi32>
    i = tl.full_like(h, 5, dtype=tl.int32)
    # CREATE: "tile.broadcast"({{.*}}) -> tensor<16x2xbf16>
    z += z.reshape(16, 2) + h.to(tl.bfloat16)[:, None].broadcast_to((16, 2))
    # CREATE: "tile.splat"({{.*}}) : (f32) -> tensor<16x2xf32>
    t = tl.broadcast_to(s, 16, 2)
    tl.static_assert(triton.next_power_of_2(17) == 32)
    tl.static_assert(triton.next_power_of_2(1) == 1)
    tl.static_assert(triton.cdiv(33, SIZE) == 2)
    # CREATE: arith.divsi
    d = tl.cdiv(n, 32) + triton.cdiv(n, 16)
    tl.store(x_ptr + o[:, None] + tl.arange(0, 2)[None, :] * 16, t + z, m[:, None])
    tl.store(y_ptr + o, i + p + q + d)


@triton.jit
def swizzle(i_ptr, j_ptr, n):
    i = tl.program_id(0)
    j = tl.program_id(1)
    # Rows and columns have no sign, whatever the sizes' is taken to be.
    # ASSUME: %[[U:.*]] = arith.cmpi sge, %{{.*}}, %c0
    # ASSUME: "tile.assume"(%[[U]])
    # ASSUME: %[[V:.*]] = arith.cmpi sge, %{{.*}}, %c0
    # ASSUME: "tile.assume"(%[[V]])
    u, v = tl.swizzle2d(i, j, n, 5, 3)
    tl.store(i_ptr + i * 5 + j, u)
    tl.store(j_ptr + i * 5 + j, v)


# SWIZZLE: i_ptr = 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 3 3 3 3 3
# SWIZZLE: j_ptr = 0 0 0 1 1 1 2 2 2 3 3 3 4 4 4 0 1 2 3 4
