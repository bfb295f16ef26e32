# RUN: tile-translate --import-triton --kernel types --signature "*fp16, *bf16, *fp32, *fp64, *i8, *fp8e4nv, *fp8e5, *fp8e4b15" %s | FileCheck %s --check-prefix=TYPES
# RUN: tile-translate --import-triton --kernel options --signature "*fp16, *fp32, *fp8e4nv" %s | FileCheck %s --check-prefix=OPTIONS
# RUN: tile-translate --import-triton --kernel scaled --signature "*u8, *fp8e5, *bf16, *fp32" %s | FileCheck %s --check-prefix=SCALED
"""Matrix products. Census items 11 and 55 of section 3; 35, 49, 55, 61 and 86 of section 5."""
import triton
import triton.language as tl


@triton.jit
def tile(ptr, M: tl.constexpr, N: tl.constexpr):
    return tl.load(ptr + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])


@triton.jit
def types(h_ptr, b_ptr, f_ptr, d_ptr, i_ptr, e4_ptr, e5_ptr, e15_ptr):
    o = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    # TYPES: "tile.dot"({{.*}}) {precision = "tf32"} : (tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
    x = tl.dot(tile(h_ptr, 16, 32), tile(h_ptr, 32, 16))
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
    x += tl.dot(tile(h_ptr, 16, 32), tile(h_ptr, 32, 16), out_dtype=tl.float16)
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>)
    x += tl.dot(tile(b_ptr, 16, 16), tile(b_ptr, 16, 16))
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>)
    x += tl.dot(tile(f_ptr, 16, 8), tile(f_ptr, 8, 16))
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x4xf64>, tensor<4x16xf64>, tensor<16x16xf64>) -> tensor<16x16xf64>
    x += tl.dot(tile(d_ptr, 16, 4), tile(d_ptr, 4, 16)).to(tl.float32)
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x32xi8>, tensor<32x16xi8>, tensor<16x16xi32>) -> tensor<16x16xi32>
    x += tl.dot(tile(i_ptr, 16, 32), tile(i_ptr, 32, 16), out_dtype=tl.int32)
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x32xf8E4M3FN>, tensor<32x16xf8E5M2>, tensor<16x16xf32>)
    x += tl.dot(tile(e4_ptr, 16, 32), tile(e5_ptr, 32, 16))
    # What no tensor core knows is multiplied as fp16.
    # TYPES: arith.bitcast {{.*}} : tensor<16x32xi16> to tensor<16x32xf16>
    # TYPES: arith.bitcast {{.*}} : tensor<32x16xi16> to tensor<32x16xf16>
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>)
    x += tl.dot(tile(e15_ptr, 16, 32), tile(e15_ptr, 32, 16))
    # Batches.
    # TYPES: "tile.dot"({{.*}}) {{.*}} : (tensor<2x16x16xf16>, tensor<2x16x16xf16>, tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
    y = tl.dot(tile(h_ptr, 32, 16).reshape(2, 16, 16), tile(h_ptr, 32, 16).reshape(2, 16, 16))
    tl.store(f_ptr + o, x)
    tl.store(f_ptr + tl.arange(0, 512), y.ravel())


@triton.jit
def options(h_ptr, f_ptr, e_ptr):
    o = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    a = tile(h_ptr, 16, 16)
    f = tile(f_ptr, 16, 16)
    e = tile(e_ptr, 32, 32)
    # OPTIONS: %[[ONE:.*]] = "tile.dot"({{.*}}) {precision = "ieee"}
    x = tl.dot(f, f, allow_tf32=False)
    # OPTIONS: %[[TWO:.*]] = "tile.dot"({{.*}}, {{.*}}, %[[ONE]]) {precision = "tf32x3"}
    x = tl.dot(f, f, x, input_precision="tf32x3")
    # OPTIONS: "tile.dot"({{.*}}, {{.*}}, %[[TWO]]) {precision = "tf32"}
    x = tl.dot(f, f, acc=x, allow_tf32=True)
    # OPTIONS: "tile.dot"({{.*}}) {precision = "ieee"}
    x = tl.dot(f, f, acc=x, input_precision="ieee", out_dtype=tl.float32)
    # OPTIONS: "tile.dot"({{.*}}) {precision = "bf16x6"}
    x = tl.dot(f, f, acc=x, input_precision="bf16x6")
    # OPTIONS: "tile.dot"({{.*}}) {precision = "bf16x3"}
    x = tl.dot(f, f, acc=x, input_precision="bf16x3")
    # The accumulator's type is the result's.
    # OPTIONS: "tile.dot"({{.*}}) {{.*}} -> tensor<16x16xf16>
    y = tl.dot(a, a, tl.zeros((16, 16), tl.float16))
    # OPTIONS: "tile.dot"({{.*}}) {max_imprecise = 32 : i32, precision = "tf32"}
    z = tl.dot(e, e, max_num_imprecise_acc=32)
    # It is for 8-bit floats only.
    # OPTIONS: "tile.dot"({{.*}}) {precision = "tf32"} : (tensor<16x16xf16>
    x = tl.dot(a, a, x, max_num_imprecise_acc=1 << 30)
    # OPTIONS: "tile.permute"({{.*}}) {order = array<i32: 1, 0>}
    # OPTIONS: "tile.dot"
    x = tl.dot(a, a, x, trans_b=True)
    tl.store(f_ptr + o, x + y)
    tl.store(f_ptr + tl.arange(0, 1024), z.ravel())


@triton.jit
def scaled(u_ptr, e_ptr, b_ptr, f_ptr):
    o = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    # SCALED: "tile.dot_scaled"({{.*}}) {a_format = "e5m2", b_format = "e2m1", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<16x64xf8E5M2>, tensor<32x16xi8>, tensor<16x16xf32>, tensor<16x2xi8>, tensor<16x2xi8>) -> tensor<16x16xf32>
    x = tl.dot_scaled(tile(e_ptr, 16, 64), tile(u_ptr, 16, 2), "e5m2", tile(u_ptr, 32, 16), tile(u_ptr, 16, 2), "e2m1")
    # SCALED: "tile.dot_scaled"({{.*}}) {a_format = "e4m3", b_format = "bf16", fast_math, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}
    x = tl.dot_scaled(tile(u_ptr, 16, 64), tile(u_ptr, 16, 2), "e4m3", tile(b_ptr, 64, 16), None, "bf16", acc=x, fast_math=True)
    # nvfp4: scales are 8-bit floats, one for 16 elements.
    # SCALED: "tile.dot_scaled"({{.*}} : (tensor<16x32xi8>, tensor<32x16xi8>, tensor<16x16xf32>, tensor<16x4xf8E4M3FN>, tensor<16x4xf8E4M3FN>) -> tensor<16x16xf32>
    n = tile(b_ptr, 16, 4).to(tl.float8e4nv)
    x = tl.dot_scaled(tile(u_ptr, 16, 32), n, "e2m1", tile(u_ptr, 32, 16), n, "e2m1", x)
    # Two values of neighbouring rows in a byte.
    # SCALED: "tile.dot_scaled"({{.*}}) {a_format = "e2m1", a_pack_m, b_format = "e2m1", b_pack_n, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
    x = tl.dot_scaled(tile(u_ptr, 8, 64), None, "e2m1", tile(u_ptr, 64, 8), None, "e2m1", x, lhs_k_pack=False, rhs_k_pack=False, out_dtype=tl.float32)
    tl.store(f_ptr + o, x)
