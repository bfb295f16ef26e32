# RUN: tile-translate --import-triton --kernel floats --signature "*fp32, *fp8e4nv, *fp8e5, *fp8e5, *fp8e4b15" %s | FileCheck %s --check-prefix=FLOATS
# RUN: tile-translate --import-triton --kernel mixes --signature "*fp8e4nv, *fp8e5, *fp32" %s | FileCheck %s --check-prefix=MIXES
# RUN: tile-translate --import-triton --kernel pointers --signature "*fp32, i64" %s | FileCheck %s --check-prefix=POINTERS
# RUN: tile-translate --import-triton --kernel e4b15 --signature "*fp32:16, *u8:16, *fp32:16" %s -o %t.mlir
# RUN: tile-run --device emulator %t.mlir --grid 1 --check --arg x_ptr=fp32[16]:arange --arg bits_ptr=u8[16]:poison --arg back_ptr=fp32[16]:poison --print bits_ptr:16 --print back_ptr:16 | FileCheck %s --check-prefix=EMULATOR
# RUN: tile-run %s --device emulator --kernel conversions --grid 1 --check --arg n_ptr=i32[1]:16842753 --arg w_ptr=i64[1]:-300 --arg out_ptr=fp32[24]:poison --print out_ptr:24 | FileCheck %s --check-prefix=VALUES
"""Casts, 8-bit floats and bitcasts. Census items 5 and 30 of section 3; 65, 69, 90, 110, 114 and 128 of
section 5."""
import triton
import triton.language as tl


@triton.jit
def floats(x_ptr, a_ptr, b_ptr, d_ptr, e_ptr):
    x = tl.load(x_ptr + tl.arange(0, 8))
    # FLOATS: "tile.to_fp8"({{.*}}) : (tensor<8xf32>) -> tensor<8xf8E4M3FN>
    a = x.to(tl.float8e4nv)
    # FLOATS: "tile.to_fp8"({{.*}}) : (tensor<8xf32>) -> tensor<8xf8E5M2>
    b = x.to(tl.float8e5, fp_downcast_rounding="rtne")
    # FLOATS: "tile.to_fp8"({{.*}}) {roundingmode = 3 : i32} : (tensor<8xf32>) -> tensor<8xf8E5M2>
    d = x.cast(dtype=tl.float8e5, fp_downcast_rounding="rtz")
    tl.store(a_ptr + tl.arange(0, 8), a)
    tl.store(b_ptr + tl.arange(0, 8), b)
    tl.store(d_ptr + tl.arange(0, 8), d)
    # FLOATS: arith.truncf {{.*}} toward_zero : tensor<8xf32> to tensor<8xf16>
    h = x.to(tl.float16, fp_downcast_rounding="rtz")
    # e4b15 is carried as i8.
    # FLOATS: arith.bitcast {{.*}} : tensor<8xf16> to tensor<8xi16>
    # FLOATS: arith.trunci {{.*}} : tensor<8xi16> to tensor<8xi8>
    # FLOATS: "tile.store"({{.*}}) : (tensor<8x!tile.ptr<i8>>, tensor<8xi8>)
    tl.store(e_ptr + tl.arange(0, 8), h.to(tl.float8e4b15))


@triton.jit
def mixes(a_ptr, b_ptr, out_ptr):
    o = tl.arange(0, 8)
    a = tl.load(a_ptr + o)
    b = tl.load(b_ptr + o)
    # Different 8-bit floats meet in fp16.
    # MIXES: arith.extf {{.*}} : tensor<8xf8E4M3FN> to tensor<8xf16>
    # MIXES: arith.extf {{.*}} : tensor<8xf8E5M2> to tensor<8xf16>
    # MIXES: arith.addf {{.*}} : tensor<8xf16>
    x = a + b
    # Equal ones keep their type, computed in fp32.
    # MIXES: arith.mulf {{.*}} : tensor<8xf32>
    # MIXES: "tile.to_fp8"({{.*}}) : (tensor<8xf32>) -> tensor<8xf8E4M3FN>
    y = a * a
    # MIXES: arith.negf {{.*}} : tensor<8xf32>
    z = -y
    # MIXES: arith.bitcast {{.*}} : tensor<8xf8E4M3FN> to tensor<8xi8>
    w = z.to(tl.uint8, bitcast=True)
    # MIXES: arith.bitcast {{.*}} : tensor<8xi8> to tensor<8xf8E5M2>
    w = w.to(tl.float8e5, bitcast=True)
    # MIXES: arith.fptosi {{.*}} : tensor<8xf8E5M2> to tensor<8xi32>
    i = w.to(tl.int32)
    # MIXES: arith.sitofp {{.*}} : tensor<8xi32> to tensor<8xf32>
    # MIXES: "tile.to_fp8"({{.*}}) : (tensor<8xf32>) -> tensor<8xf8E5M2>
    # MIXES: arith.cmpf ogt, {{.*}} : tensor<8xf32>
    m = i.to(tl.float8e5) > w
    # One type alone, numbers wrap.
    # MIXES: arith.trunci {{.*}} : i32 to i8
    n = tl.cast(513, tl.int8)
    tl.store(out_ptr + o, tl.where(m, x, 1.0) + n)


@triton.jit
def pointers(x_ptr, address):
    # POINTERS: "tile.bitcast"(%arg0) : (!tile.ptr<f32>) -> !tile.ptr<i32>
    p = x_ptr.to(tl.pointer_type(tl.int32))
    # POINTERS: "tile.bitcast"
    p = tl.cast(p, tl.pointer_type(tl.float16), bitcast=True)
    # POINTERS: "tile.ptr_to_int"
    i = p.to(tl.int64) + address
    # POINTERS: "tile.int_to_ptr"({{.*}}) : (i64) -> !tile.ptr<f32>
    q = i.to(tl.pointer_type(tl.float32))
    # POINTERS: arith.constant 5 : i32
    # POINTERS: arith.sitofp {{.*}} : i32 to f32
    tl.store(q, tl.to_tensor(5).to(tl.float32))
    # POINTERS: arith.bitcast {{.*}} : i32 to f32
    tl.store(q, tl.full((), 7, tl.int32).to(tl.float32, bitcast=True))


@triton.jit
def e4b15(x_ptr, bits_ptr, back_ptr):
    o = tl.arange(0, 16)
    # 0, 1/8, 2/8, ...: above 1.75 all saturate.
    x = (tl.load(x_ptr + o) * -0.125).to(tl.float8e4b15)
    tl.store(bits_ptr + o, x.to(tl.uint8, bitcast=True))
    tl.store(back_ptr + o, x.to(tl.float32))


# EMULATOR: bits_ptr = 128 224 232 236 240 242 244 246 248 249 250 251 252 253 254 254
# EMULATOR: back_ptr = -0 -0.125 -0.25 -0.375 -0.5 -0.625 -0.75 -0.875 -1 -1.125 -1.25 -1.375 -1.5 -1.625 -1.75 -1.75


# Each conversion that is written rounds: 16842753 = 2^24 + 2^16 + 1 is a tie for bf16 once f32 has rounded it. Integers become
# 8-bit floats and back, directly or through fp32; abs keeps the bits but the sign.
# Extrema of them are computed in fp32.
# VALUES: out_ptr = 16777216 16908288 448 448 -288 -288 -288 -57344 2 -288 320 288 nan 16777216 -288 57344 nan -inf 448 -448 57344 -57344 -57344 57344
@triton.jit
def conversions(n_ptr, w_ptr, out_ptr):
    n = tl.load(n_ptr + tl.arange(0, 1))
    w = tl.load(w_ptr + tl.arange(0, 1))
    i = tl.zeros([1], tl.int32)
    tl.store(out_ptr + i, n.to(tl.float32).to(tl.bfloat16))
    tl.store(out_ptr + i + 1, n.to(tl.bfloat16))
    tl.store(out_ptr + i + 2, n.to(tl.float32).to(tl.float8e4nv))
    tl.store(out_ptr + i + 3, n.to(tl.float8e4nv))
    tl.store(out_ptr + i + 4, w.to(tl.float8e4nv))
    tl.store(out_ptr + i + 5, w.to(tl.float32).to(tl.float8e4nv))
    tl.store(out_ptr + i + 6, w.to(tl.float64).to(tl.float8e4nv))
    tl.store(out_ptr + i + 7, (w * 100000).to(tl.float8e5))
    tl.store(out_ptr + i + 8, (w > 0).to(tl.float8e5) + (w < 0).to(tl.float8e5) * 2)
    tl.store(out_ptr + i + 9, w.to(tl.float8e4nv).to(tl.int64))
    tl.store(out_ptr + i + 10, tl.abs(w.to(tl.float8e5)))
    tl.store(out_ptr + i + 11, abs(w.to(tl.float8e4nv)))
    tl.store(out_ptr + i + 12, tl.abs(tl.full([1], 255, tl.uint8).to(tl.float8e4nv, bitcast=True)))
    tl.store(out_ptr + i + 13, (n.to(tl.int64) << 33).to(tl.float64).to(tl.float32).to(tl.bfloat16).to(tl.float32) / 8589934592.0)
    tl.store(out_ptr + i + 14, tl.full([1], -288, tl.float64).to(tl.float8e4nv))
    tl.store(out_ptr + i + 15, tl.full([1], 70000, tl.int32).to(tl.float8e5))
    nan = tl.full([1], 127, tl.uint8).to(tl.float8e4nv, bitcast=True)
    tl.store(out_ptr + i + 16, tl.maximum(nan, w.to(tl.float8e4nv), propagate_nan=tl.PropagateNan.ALL))
    tl.store(out_ptr + i + 17, (w << 54).to(tl.float16).to(tl.float32))
    large = 535.7  # numbers saturate as what is known at run time only
    tl.store(out_ptr + i + 18, tl.cast(large, tl.float8e4nv))
    tl.store(out_ptr + i + 19, tl.full([1], -1000.0, tl.float8e4nv))
    infinite = tl.full([1], 124, tl.uint8).to(tl.float8e5, bitcast=True)
    tl.store(out_ptr + i + 20, infinite.to(tl.float16).to(tl.float8e5))
    tl.store(out_ptr + i + 21, (-infinite.to(tl.float32)).to(tl.float8e5).to(tl.float32).to(tl.float8e5))
    tl.store(out_ptr + i + 22, tl.full([1], float("-inf"), tl.float32).to(tl.float8e5))
    tl.store(out_ptr + i + 23, tl.full([1], 65535, tl.uint16).to(tl.float16).to(tl.float8e5))
