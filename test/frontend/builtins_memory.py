# RUN: tile-translate --import-triton --kernel options --signature "*fp32:16, *i1, *fp32, i32, 16" %s | FileCheck %s --check-prefix=OPTIONS
# RUN: tile-translate --import-triton --kernel widths --signature "*i8, *fp16, i32" %s | FileCheck %s --check-prefix=WIDTHS
# RUN: tile-translate --import-triton --kernel options --signature "*fp32:16, *i1, *fp32, i32, 16" %s | tile-opt --tile-to-ptx -o /dev/null
# RUN: tile-translate --import-triton --kernel zeros --signature "*fp32, *fp16, *i8, *i64, *fp32, i32" %s -o %t.zeros.mlir
# RUN: FileCheck %s --check-prefix=ZEROS < %t.zeros.mlir
# RUN: tile-run --device emulator %t.zeros.mlir --grid 1 --check --arg f_ptr=fp32[5]:ones --arg h_ptr=fp16[5]:ones --arg b_ptr=i8[5]:ones --arg p_ptr=i64[5]:ones --arg out_ptr=fp32[64]:poison --arg n=i32:5 --print out_ptr:64 | FileCheck %s --check-prefix=EMULATOR
"""Loads and stores with every option that public kernels use. Census items 2 and 3 of section 3; 4 to 9,
58, 62, 82 and 109 of section 5; the values of section 7."""
import triton
import triton.language as tl


@triton.jit
def options(x_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    m = offs < n
    # A cache modifier goes before an eviction policy: the hardware takes one of them.
    # OPTIONS: %[[MINUS:.*]] = arith.constant -1.000000e+00 : f32
    # OPTIONS: "tile.load"({{.*}}) {cache = "cg", operandSegmentSizes = array<i32: 1, 1, 1>}
    a = tl.load(x_ptr + offs, mask=m, other=-1, cache_modifier=".cg", eviction_policy="evict_last")
    # Without `other`, what is masked off is zero.
    # OPTIONS: %[[NOUGHT:.*]] = arith.constant 0.000000e+00 : f32
    # OPTIONS: %[[REST:.*]] = "tile.splat"(%[[NOUGHT]])
    # OPTIONS: "tile.load"({{.*}}, %[[REST]]) {evict = "evict_first", operandSegmentSizes = array<i32: 1, 1, 1>}
    b = tl.load(x_ptr + offs, m, None, eviction_policy="evict_first", volatile=False)
    # A mask that is True at compile time is none.
    # OPTIONS: "tile.load"({{.*}}) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile}
    c = tl.load(x_ptr + offs, mask=True, other=0.0, volatile=True, cache_modifier=".cv")
    # OPTIONS: "tile.load"({{.*}}) {evict = "evict_last", operandSegmentSizes = array<i32: 1, 1, 1>}
    d = tl.load(x_ptr + offs, m, float("-inf"), cache_modifier=None, eviction_policy="evict_last")
    # A byte holds a truth value.
    # OPTIONS: "tile.bitcast"({{.*}}) : (tensor<16x!tile.ptr<i1>>) -> tensor<16x!tile.ptr<i8>>
    # OPTIONS: "tile.load"({{.*}} -> tensor<16xi8>
    # OPTIONS: arith.cmpi ne, {{.*}} : tensor<16xi8>
    f = tl.load(b_ptr + offs, mask=m, other=False)
    # The mask broadcasts the pointer.
    # OPTIONS: "tile.broadcast"({{.*}}) : (tensor<16x1x!tile.ptr<f32>>) -> tensor<16x16x!tile.ptr<f32>>
    # OPTIONS: "tile.load"({{.*}} -> tensor<16x16xf32>
    g = tl.load(x_ptr + offs[:, None], mask=m[None, :] & m[:, None], other=1 << 4)
    # One element under a scalar mask.
    # OPTIONS: "tile.load"(%arg0, {{.*}}) {{.*}} : (!tile.ptr<f32>, i1, f32) -> f32
    s = tl.load(x_ptr, mask=n > 3, other=2)
    # OPTIONS: "tile.store"({{.*}}) {cache = "wt"}
    tl.store(out_ptr + offs, a + b + c + d + s, mask=m, cache_modifier=".wt")
    # OPTIONS: "tile.store"({{.*}}) {evict = "evict_first"} : (tensor<16x!tile.ptr<i8>>
    tl.store(b_ptr + offs, f, mask=m, eviction_policy="evict_first")
    # The default modifier gives way.
    # OPTIONS: "tile.store"({{.*}}) {evict = "evict_last"}
    tl.store(out_ptr + offs[:, None] + offs[None, :] * 16, g, cache_modifier=".wb", eviction_policy="evict_last")
    # OPTIONS: "tile.store"({{.*}}) {cache = "cs"}
    tl.store(out_ptr, s, cache_modifier=".cs", eviction_policy="")


@triton.jit
def widths(a_ptr, b_ptr, n):
    offs = tl.arange(0, 8)
    # Numbers that do not fit wrap, as values stored to memory do.
    # WIDTHS: arith.constant 300 : i32
    # WIDTHS: arith.trunci {{.*}} : i32 to i8
    tl.store(a_ptr + offs, 300)
    # WIDTHS: arith.sitofp {{.*}} : tensor<8xi32> to tensor<8xf16>
    tl.store(b_ptr + offs, offs)
    # WIDTHS: arith.constant -1 : i8
    x = tl.load(a_ptr + offs, offs < n, -1)
    # WIDTHS: arith.trunci {{.*}} : i32 to i8
    y = tl.load(a_ptr + offs, offs < n, n)
    tl.store(b_ptr + offs, x + y)


@triton.jit
def zeros(f_ptr, h_ptr, b_ptr, p_ptr, out_ptr, n):
    """Masked-off elements of every type are zero, whatever the emulator's memory is filled with."""
    offs = tl.arange(0, 8)
    m = offs < n
    # ZEROS-COUNT-7: "tile.load"({{.*}}array<i32: 1, 1, 1>
    tl.store(out_ptr + offs, tl.load(f_ptr + offs, m))
    tl.store(out_ptr + 8 + offs, tl.load(h_ptr + offs, mask=m, other=None))
    tl.store(out_ptr + 16 + offs, tl.load(b_ptr + offs, mask=m))
    tl.store(out_ptr + 24 + offs, tl.load(b_ptr.to(tl.pointer_type(tl.int1)) + offs, mask=m))
    tl.store(out_ptr + 32 + offs, tl.load(b_ptr.to(tl.pointer_type(tl.float8e4nv)) + offs, mask=m).to(tl.float32) == 0)
    # Null pointers, in one element under a scalar mask too.
    null = tl.load((p_ptr + offs).to(tl.pointer_type(tl.pointer_type(tl.float32))), mask=m)
    tl.store(out_ptr + 40 + offs, null.to(tl.int64) == 0)
    tl.store(out_ptr + 48, tl.load(f_ptr + n, mask=n > 5))
    # A block pointer without padding_option.
    block = tl.make_block_ptr(f_ptr, (n,), (1,), (3,), (8,), (0,))
    # ZEROS: "tile.load"({{.*}}array<i32: 1, 1, 1>
    tl.store(out_ptr + 56 + offs, tl.load(block, boundary_check=(0,)))
    # Without a mask there is nothing to fill in.
    # ZEROS: "tile.load"({{.*}}array<i32: 1, 0, 0>
    tl.store(out_ptr + 49, tl.load(f_ptr + 1, mask=True))
    # ZEROS: "tile.load"({{.*}}array<i32: 1, 0, 0>
    tl.store(out_ptr + 50, tl.load(tl.make_block_ptr(f_ptr, (n,), (1,), (0,), (1,), (0,))).sum())
    tl.store(out_ptr + 51 + offs, 7.0, mask=offs < 5)


# EMULATOR: out_ptr = 1 1 1 1 1 0 0 0 1 1 1 1 1 0 0 0 1 1 1 1 1 0 0 0 1 1 1 1 1 0 0 0
# EMULATOR-SAME: 0 0 0 0 0 1 1 1 0 0 0 0 0 1 1 1 0 1 1 7 7 7 7 7 1 1 0 0 0 0 0 0{{$}}
