# RUN: tile-translate --import-triton --kernel sums --signature "*fp32, *i8, *bf16, *i1" %s | FileCheck %s --check-prefix=SUMS
# RUN: tile-translate --import-triton --kernel extrema --signature "*fp32, *bf16, *u8, *u32" %s | FileCheck %s --check-prefix=EXTREMA
# RUN: tile-translate --import-triton --kernel indices --signature "*fp32, *bf16" %s | FileCheck %s --check-prefix=INDICES
# RUN: tile-translate --import-triton --kernel functions --signature "*fp32" %s | FileCheck %s --check-prefix=FUNCTIONS
# RUN: tile-translate --import-triton --kernel softmaxes --signature "*fp32, *fp16" %s | FileCheck %s --check-prefix=SOFTMAX
# RUN: tile-run %s --device emulator --kernel runs --grid 1 --check --arg x_ptr=fp32[32]:arange --arg out_ptr=fp32[32]:poison --print out_ptr:32 | FileCheck %s --check-prefix=RUNS
"""Reductions become tile.reduce, with the combination as a region of scalars. Census 5: sum 6, max 29, min 70,
argmax 84, jit function as a value 87, reduce 88, sum(keep_dims) 95, max(keep_dims) 96, softmax 107,
max(return_indices) 108, reduce of a tuple 136; section 6: dtype, return_indices_tie_break_left, tie_break_left,
reduce_or, xor_sum, ieee_rounding; section 9: x.sum()."""
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, n_ptr, b_ptr, m_ptr):
    i = tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]
    x = tl.load(x_ptr + i)
    n = tl.load(n_ptr + i)
    # SUMS: [[X:%.*]] = "tile.load"{{.*}} -> tensor<4x8xf32>
    # SUMS: "tile.reduce"([[X]])
    # SUMS-NEXT: ^bb0([[A:%.*]]: f32, [[B:%.*]]: f32):
    # SUMS-NEXT: [[C:%.*]] = arith.addf [[A]], [[B]] : f32
    # SUMS-NEXT: gpu.yield [[C]] : f32
    # SUMS-NEXT: {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x8xf32>) -> tensor<4xf32>
    rows = tl.sum(x, axis=-1)
    # All axes: the tile is flattened, in any order.
    # SUMS: [[FLAT:%.*]] = "tile.reshape"([[X]]) {reorder} : (tensor<4x8xf32>) -> tensor<32xf32>
    # SUMS: "tile.reduce"([[FLAT]])
    # SUMS: : (tensor<32xf32>) -> f32
    every = x.sum()
    # keep_dims puts the axis back; of all axes, each with size 1.
    # SUMS: [[SUM:%.*]] = "tile.reduce"([[X]])
    # SUMS: "tile.expand_dims"([[SUM]]) {axis = 0 : i32} : (tensor<8xf32>) -> tensor<1x8xf32>
    kept = tl.sum(x, 0, keep_dims=True)
    # SUMS: "tile.splat"{{.*}} : (f32) -> tensor<1x1xf32>
    one = tl.sum(x, keep_dims=True)
    tl.store(x_ptr + i, rows[:, None] + every + kept + one)
    # Small integers are added up in 32 bits, masks without a sign; dtype says otherwise.
    # SUMS: arith.extsi {{.*}} : tensor<4x8xi8> to tensor<4x8xi32>
    # SUMS: (tensor<4x8xi32>) -> tensor<8xi32>
    # SUMS: arith.sitofp {{.*}} : tensor<4x8xi8> to tensor<4x8xf32>
    # SUMS: (tensor<4x8xf32>) -> tensor<8xf32>
    tl.store(x_ptr + tl.arange(0, 8), tl.sum(n, 0) + tl.sum(n, 0, dtype=tl.float32))
    # SUMS: arith.extui {{.*}} : tensor<4x8xi1> to tensor<4x8xi32>
    tl.store(x_ptr, tl.sum(n > 0))
    # bf16 stays, as in Triton.
    # SUMS: arith.addf {{.*}} : bf16
    tl.store(b_ptr, tl.sum(tl.load(b_ptr + i)))
    # A scalar is its own sum.
    # SUMS-NOT: tile.reduce
    # SUMS: return
    tl.store(x_ptr, tl.sum(every))


@triton.jit
def extrema(x_ptr, b_ptr, u_ptr, v_ptr):
    i = tl.arange(0, 8)
    # NaN loses.
    # EXTREMA: arith.maxnumf {{.*}} : f32
    tl.store(x_ptr, tl.max(tl.load(x_ptr + i), axis=0))
    # EXTREMA: arith.extf {{.*}} : tensor<8xbf16> to tensor<8xf32>
    # EXTREMA: arith.minnumf {{.*}} : f32
    tl.store(b_ptr, tl.min(tl.load(b_ptr + i)))
    # Numbers of less than 32 bits go on as int32, wider ones keep their sign.
    # EXTREMA: arith.extui {{.*}} : tensor<8xi8> to tensor<8xi32>
    # EXTREMA: arith.maxsi {{.*}} : i32
    tl.store(u_ptr, tl.max(tl.load(u_ptr + i), 0))
    # EXTREMA: arith.minui {{.*}} : i32
    v = tl.load(v_ptr + i)
    tl.store(v_ptr, v.min(0))
    # EXTREMA: arith.xori {{.*}} : i32
    # EXTREMA: arith.ori {{.*}} : i32
    # EXTREMA: "tile.splat"{{.*}} : (i32) -> tensor<1xi32>
    tl.store(v_ptr + tl.arange(0, 1), tl.xor_sum(v, 0) + tl.reduce_or(v, axis=0, keep_dims=True))


@triton.jit
def indices(x_ptr, b_ptr):
    i = tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]
    x = tl.load(x_ptr + i)
    b = tl.load(b_ptr + i)
    # The index travels along; of equal elements the left one wins.
    # INDICES-COUNT-2: "tile.load"
    # INDICES: [[RANGE:%.*]] = "tile.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32>
    # INDICES: [[ROW:%.*]] = "tile.expand_dims"([[RANGE]]) {axis = 0 : i32}
    # INDICES: [[INDEX:%.*]] = "tile.broadcast"([[ROW]]) : (tensor<1x8xi32>) -> tensor<4x8xi32>
    # INDICES: "tile.reduce"(%{{.*}}, [[INDEX]])
    # INDICES-NEXT: ^bb0([[A:%.*]]: f32, [[I:%.*]]: i32, [[B:%.*]]: f32, [[J:%.*]]: i32):
    # INDICES: arith.cmpf ogt, [[A]], [[B]]
    # INDICES: arith.cmpf oeq, [[A]], [[B]]
    # INDICES: arith.cmpi slt, [[I]], [[J]]
    # INDICES: (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    value, index = tl.max(x, 1, return_indices=True)
    # INDICES: arith.cmpf olt, {{.*}} : bf16
    # INDICES-NOT: arith.cmpf oeq
    # INDICES: gpu.yield
    # INDICES: -> (tensor<8xbf16>, tensor<8xi32>)
    least, at = tl.min(b, axis=0, return_indices=True, return_indices_tie_break_left=False)
    # INDICES: arith.cmpf ogt
    # INDICES: arith.cmpf olt
    best = tl.argmax(x, axis=1, keep_dims=True) + tl.argmin(x, 1, tie_break_left=False)[:, None]
    tl.store(x_ptr + i, value[:, None] + index[:, None] + least + at + best)
    # Of all elements: counted in row-major order.
    # INDICES: "tile.reshape"(%{{[0-9]*}}) : (tensor<4x8xf32>) -> tensor<32xf32>
    tl.store(x_ptr, tl.argmax(x, None))


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def welford(mean_a, count_a, mean_b, count_b):
    count = count_a + count_b
    weight = tl.where(count == 0, 0.0, count_b / count)
    return mean_a + (mean_b - mean_a) * weight, count


@triton.jit
def any_of(x, combine: tl.constexpr):
    return tl.reduce(x, 0, combine)


@triton.jit
def functions(x_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    # FUNCTIONS: "tile.reduce"
    # FUNCTIONS: arith.addf {{.*}} : f32
    a = tl.reduce(x, axis=0, combine_fn=add)
    # FUNCTIONS: "tile.reduce"(%{{[^,]*}}, %{{[^,]*}}) ({
    # FUNCTIONS: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
    # FUNCTIONS: arith.select
    # FUNCTIONS: gpu.yield %{{.*}}, %{{.*}} : f32, f32
    # FUNCTIONS: {{.*}} operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>
    mean, count = tl.reduce((x, x * 0 + 1), 0, welford)
    # A builtin combines as well, and a function that came as an argument.
    # FUNCTIONS: arith.minnumf
    # FUNCTIONS: arith.mulf {{.*}} : f32
    b = tl.reduce(x, 0, tl.minimum) + any_of(x, tl.mul) + x.reduce(0, add)
    tl.store(x_ptr, a + mean + count + b)
# FUNCTIONS: return


@triton.jit
def softmaxes(x_ptr, h_ptr):
    i = tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]
    x = tl.load(x_ptr + i)
    # SOFTMAX: arith.maxnumf
    # SOFTMAX: [[Z:%.*]] = arith.subf
    # SOFTMAX: [[E:%.*]] = math.exp [[Z]]
    # SOFTMAX: "tile.reduce"([[E]])
    # SOFTMAX: {axis = 1 : i32
    # SOFTMAX: arith.divf [[E]], %{{.*}} fastmath<arcp> : tensor<4x8xf32>
    tl.store(x_ptr + i, tl.softmax(x, dim=1))
    # The first axis unless dim says otherwise; half precision in f32.
    # SOFTMAX: arith.extf {{.*}} : tensor<4x8xf16> to tensor<4x8xf32>
    # SOFTMAX: {axis = 0 : i32
    # SOFTMAX: arith.divf %{{[^ ]*}}, %{{[^ ]*}} : tensor<4x8xf32>
    # SOFTMAX: arith.truncf {{.*}} : tensor<4x8xf32> to tensor<4x8xf16>
    tl.store(h_ptr + i, tl.softmax(tl.load(h_ptr + i), keep_dims=True, ieee_rounding=True))


@triton.jit
def runs(x_ptr, out_ptr):
    row, column = tl.arange(0, 4), tl.arange(0, 8)
    x = tl.load(x_ptr + row[:, None] * 8 + column[None, :])  # 0, 1, 2, ...
    tl.store(out_ptr + 0, tl.sum(x))
    tl.store(out_ptr + 1, tl.max(x))
    tl.store(out_ptr + 2, tl.argmax(x * -1.0, None) + tl.argmax(x * 0, 1).sum())
    tl.store(out_ptr + 3, tl.xor_sum(x.to(tl.int32) + 64).max() + tl.min(tl.reduce_or(x.to(tl.int32), 1)))
    tl.store(out_ptr + 4 + row, tl.sum(x, 1))
    tl.store(out_ptr + 8 + column, tl.max(x, 0))
    value, index = tl.min((x - 13) * (x - 13), 1, return_indices=True)
    tl.store(out_ptr + 16 + row, value)
    tl.store(out_ptr + 20 + row, index)
    mean, count = tl.reduce((x, x * 0 + 1), 1, welford)
    tl.store(out_ptr + 24 + row, mean * 10 + count)
    total = tl.sum(tl.softmax(x, 1), 1)
    tl.store(out_ptr + 28 + row, tl.abs(total - 1.0) < 1e-6)
    # RUNS: out_ptr = 496 31 0 7 28 92 156 220 24 25 26 27 28 29 30 31 36 0 9 121 7 5 0 0 43 123 203 283 1 1 1 1{{$}}
