# RUN: tile-translate --import-triton --kernel pairs --signature "*fp32" %s | FileCheck %s
# RUN: tile-translate --import-triton --kernel numbers --signature "*fp32" %s | FileCheck %s
# RUN: tile-translate --import-triton --kernel shifts --signature "*i8, *u8" %s | FileCheck %s --check-prefix=SHIFTS
# RUN: tile-run %s --device emulator --kernel shifted --grid 1 --check --arg out_ptr=i32[16]:poison --arg minus=i32:-8 --print out_ptr:10 | FileCheck %s --check-prefix=VALUES
# RUN: tile-run %s --device emulator --kernel variables --grid 1 --check --arg out_ptr=fp32[24]:poison --arg n=i32:1 --print out_ptr:20 | FileCheck %s --check-prefix=VARIABLES
"""The type of every operator's result for every pair of types, and beside numbers of the source."""
import triton
import triton.language as tl

i1 = tl.int1
i8 = tl.int8
u8 = tl.uint8
i16 = tl.int16
u16 = tl.uint16
i32 = tl.int32
u32 = tl.uint32
i64 = tl.int64
u64 = tl.uint64
e4 = tl.float8e4nv
e5 = tl.float8e5
f16 = tl.float16
bf16 = tl.bfloat16
f32 = tl.float32
f64 = tl.float64
no = None  # refused
INTEGERS = (i1, i8, u8, i16, u16, i32, u32, i64, u64)
FLOATS = (e4, e5, f16, bf16, f32, f64)

# Of two integers: the wider one; of equal ones the one without a sign.
OF_INTEGERS = (
    (i1, i8, u8, i16, u16, i32, u32, i64, u64),  # i1
    (i8, i8, u8, i16, u16, i32, u32, i64, u64),  # i8
    (u8, u8, u8, i16, u16, i32, u32, i64, u64),  # u8
    (i16, i16, i16, i16, u16, i32, u32, i64, u64),  # i16
    (u16, u16, u16, u16, u16, i32, u32, i64, u64),  # u16
    (i32, i32, i32, i32, i32, i32, u32, i64, u64),  # i32
    (u32, u32, u32, u32, u32, u32, u32, i64, u64),  # u32
    (i64, i64, i64, i64, i64, i64, i64, i64, u64),  # i64
    (u64, u64, u64, u64, u64, u64, u64, u64, u64),  # u64
)
# Of two floats.
OF_FLOATS = (
    (e4, f16, f16, f32, f32, f64),  # e4
    (f16, e5, f16, f32, f32, f64),  # e5
    (f16, f16, f16, f16, f32, f64),  # f16
    (f32, f32, f16, bf16, f32, f64),  # bf16
    (f32, f32, f32, f32, f32, f64),  # f32
    (f64, f64, f64, f64, f64, f64),  # f64
)
# Of an integer and a float, and of two integers with /.
WITH_INTEGER = (no, no, f16, f32, f32, f64)
# / % of floats, with a float or an integer, are computed in at least fp32.
DIVIDED = (f32, f32, f32, f32, f32, f64)

# Numbers beside each of INTEGERS, then of FLOATS.
WITH_TRUE = INTEGERS + FLOATS
WITH_THREE = (i32, i8, u8, i16, u16, i32, u32, i64, u64) + FLOATS
WITH_HALF = (f32,) * 9 + FLOATS
# What fp32 cannot hold is an fp64.
WITH_HUGE = (f64,) * 9 + FLOATS


# CHECK-LABEL: func.func @{{pairs|numbers}}
# CHECK: "tile.store"
@triton.jit
def arithmetic(x, y, wanted: tl.constexpr):
    tl.static_assert((x + y).dtype == wanted, f"{x.dtype} + {y.dtype}: {(x + y).dtype}")
    tl.static_assert((x - y).dtype == wanted and (x * y).dtype == wanted)
    tl.static_assert(tl.minimum(x, y).dtype == wanted, f"minimum({x.dtype}, {y.dtype})")
    tl.static_assert(tl.maximum(x, y).dtype == wanted, f"maximum({x.dtype}, {y.dtype})")
    tl.static_assert(tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL).dtype == wanted)
    tl.static_assert(tl.clamp(x, y, x).dtype == wanted, f"clamp({x.dtype}, {y.dtype})")
    tl.static_assert(tl.where(x > y, x, y).dtype == wanted, f"where({x.dtype}, {y.dtype})")
    tl.static_assert((x < y).dtype == i1 and (x <= y).dtype == i1 and (x > y).dtype == i1)
    tl.static_assert((x >= y).dtype == i1 and (x == y).dtype == i1 and (x != y).dtype == i1)


@triton.jit
def bits(x, y, wanted: tl.constexpr):
    tl.static_assert((x & y).dtype == wanted, f"{x.dtype} & {y.dtype}: {(x & y).dtype}")
    tl.static_assert((x | y).dtype == wanted and (x ^ y).dtype == wanted)
    tl.static_assert((x << y).dtype == wanted and (x >> y).dtype == wanted)


@triton.jit
def pairs(out_ptr):
    for a in tl.static_range(9):
        x = tl.zeros([8], INTEGERS[a])
        tl.static_assert((-x).dtype == x.dtype and (~x).dtype == x.dtype and (not x).dtype == i1)
        tl.static_assert(tl.abs(x).dtype == x.dtype)
        for b in tl.static_range(9):
            y = tl.zeros([8], INTEGERS[b])
            arithmetic(x, y, OF_INTEGERS[a][b])
            bits(x, y, OF_INTEGERS[a][b])
            if (a in (0, 2, 4, 6, 8)) == (b in (0, 2, 4, 6, 8)):
                tl.static_assert((x // y).dtype == OF_INTEGERS[a][b] and (x % y).dtype == OF_INTEGERS[a][b])
                tl.static_assert((x / y).dtype == f32)
        for b in tl.static_range(6):
            y = tl.zeros([8], FLOATS[b])
            tl.static_assert((x / y).dtype == DIVIDED[b] and (y % x).dtype == DIVIDED[b], f"{x.dtype} / {y.dtype}")
            tl.static_assert(tl.fdiv(x, y).dtype == DIVIDED[b], f"fdiv({x.dtype}, {y.dtype})")
            if b >= 2:
                arithmetic(x, y, WITH_INTEGER[b])
                arithmetic(y, x, WITH_INTEGER[b])
                tl.static_assert(tl.fma(x, y, x).dtype == WITH_INTEGER[b])
    for a in tl.static_range(6):
        x = tl.zeros([8], FLOATS[a])
        tl.static_assert((-x).dtype == x.dtype and tl.abs(x).dtype == x.dtype)
        for b in tl.static_range(6):
            y = tl.zeros([8], FLOATS[b])
            arithmetic(x, y, OF_FLOATS[a][b])
            divided: tl.constexpr = f64 if a == 5 or b == 5 else f32
            tl.static_assert((x / y).dtype == divided and (x % y).dtype == divided, f"{x.dtype} / {y.dtype}")
            tl.static_assert(tl.fdiv(x, y).dtype == divided, f"fdiv({x.dtype}, {y.dtype})")
            if a >= 2 and b >= 2:
                tl.static_assert(tl.fma(x, y, 1.0).dtype == OF_FLOATS[a][b])
    tl.store(out_ptr, 1.0)


@triton.jit
def with_number(x, n: tl.constexpr, wanted: tl.constexpr):
    arithmetic(x, n, wanted)
    arithmetic(n, x, wanted)


@triton.jit
def numbers(out_ptr):
    for a in tl.static_range(15):
        x = tl.zeros([8], (INTEGERS + FLOATS)[a])
        with_number(x, True, WITH_TRUE[a])
        with_number(x, 3, WITH_THREE[a])
        with_number(x, 2.5, WITH_HALF[a])
        with_number(x, 1e39, WITH_HUGE[a])
        with_number(x, 1e-40, WITH_HUGE[a])
        if a < 9:
            bits(x, 3, WITH_THREE[a])
            bits(3, x, WITH_THREE[a])
            bits(x, True, WITH_TRUE[a])
            x &= 1
            x |= 2
            x ^= 3
            x <<= 1
            x >>= 1
            tl.static_assert(x.dtype == WITH_THREE[a], f"augmented: {x.dtype}")
        else:
            tl.static_assert((x / 3).dtype == DIVIDED[a - 9] and (2.5 % x).dtype == DIVIDED[a - 9])
    # What the tile's type cannot hold keeps its own type beside these operators.
    small = tl.zeros([8], i8)
    tl.static_assert((small & 200).dtype == i32 and tl.minimum(small, 70000).dtype == i32)
    tl.static_assert((tl.zeros([8], i32) ^ 0x9E3779B9).dtype == u32 and (tl.zeros([8], u8) & -2).dtype == i32)
    # Of numbers alone: their own types.
    flags = tl.zeros([8], i1)
    tl.static_assert(tl.where(flags, 1, 2).dtype == i32 and tl.where(flags, True, 5).dtype == i32)
    tl.static_assert(tl.where(flags, 1, 2.5).dtype == f32 and tl.where(flags, 1e39, 0).dtype == f64)
    # Scans and sums: bf16 stays, small integers go on in 32 bits.
    tl.static_assert(tl.cumsum(tl.zeros([8], bf16)).dtype == bf16 and tl.cumprod(tl.zeros([8], bf16)).dtype == bf16)
    tl.static_assert(tl.cumsum(small).dtype == i32 and tl.cumprod(tl.zeros([8], u8)).dtype == u32)
    tl.static_assert(tl.cumprod(small, dtype=tl.int64).dtype == i64)
    tl.static_assert(tl.max(tl.zeros([8], bf16), 0).dtype == f32)
    tl.static_assert(tl.max(tl.zeros([8], bf16), 0, return_indices=True)[0].dtype == bf16)
    tl.store(out_ptr, 1.0)


# What comes in from the left is the sign of what is shifted; the type is the common one. A number that is shifted
# goes by the other operand.
# SHIFTS-LABEL: func.func @shifts
# SHIFTS: arith.shrsi {{.*}} : tensor<8xi8>
# SHIFTS: arith.extsi {{.*}} : tensor<8xi8> to tensor<8xi32>
# SHIFTS: arith.shrsi {{.*}} : tensor<8xi32>
# SHIFTS: arith.shrui {{.*}} : tensor<8xi8>
# SHIFTS: arith.shrui {{.*}} : tensor<8xi8>
# SHIFTS: arith.shrsi {{.*}} : tensor<8xi8>
@triton.jit
def shifts(x_ptr, y_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
    tl.store(x_ptr + i, x >> y)
    tl.store(x_ptr + i, x >> y.to(tl.uint32))
    tl.store(x_ptr + i, y >> x)
    tl.store(x_ptr + i, 7 >> y)
    tl.store(x_ptr + i, 7 >> x)


# VALUES: out_ptr = -4 2147483644 -4 2147483644 -4 252 1 -8 127 -3
@triton.jit
def shifted(out_ptr, minus):
    one = minus + 9
    tl.store(out_ptr, minus >> one.to(tl.uint32))
    tl.store(out_ptr + 1, minus.to(tl.uint32) >> one)
    tl.store(out_ptr + 2, minus >> 1)
    tl.store(out_ptr + 3, minus.to(tl.uint32) >> one.to(tl.uint32))
    tl.store(out_ptr + 4, minus >> one.to(tl.uint64))
    tl.store(out_ptr + 5, minus.to(tl.int8) >> one.to(tl.uint8))
    tl.store(out_ptr + 6, (minus.to(tl.int8) >> 7) & 1)
    tl.store(out_ptr + 7, minus.to(tl.int8) & 127 ^ -128 | -128)
    tl.store(out_ptr + 8, tl.minimum(minus.to(tl.uint8), 127))
    tl.store(out_ptr + 9, tl.clamp(minus.to(tl.int8), -3, 100))


# A variable with a number is a tensor of run time, also where the compiler does the sum: each pair is one number.
# VARIABLES: out_ptr = -1.5 -1.5 16777216 16777216 1 1 0 0 2.65443584e+09 2.65443584e+09 0.699999988 0.699999988 65535 1 1 1 -1 -1 0 0
@triton.jit
def variables(out_ptr, n):
    half = -7.5
    tl.store(out_ptr, half % 2)
    tl.store(out_ptr + 1, half * n % 2)
    large = 16777217
    tl.store(out_ptr + 2, large / 1)
    tl.store(out_ptr + 3, large * n / 1)
    tenth = 0.1
    third = tenth * 3
    tl.store(out_ptr + 4, third == 0.1 * 3)
    tl.store(out_ptr + 5, tenth * n * 3 == 0.1 * 3)
    minus = -1
    high = 0x80000000
    tl.store(out_ptr + 6, minus < high)
    tl.store(out_ptr + 7, minus * n < high)
    zero = 0
    tl.store(out_ptr + 8, zero ^ 0x9E3779B0)
    tl.store(out_ptr + 9, zero * n ^ 0x9E3779B0)
    tl.store(out_ptr + 10, tenth * 7)
    tl.store(out_ptr + 11, tenth * n * 7)
    # int32 becomes uint16 as a tensor does, a number of the source would be refused.
    tl.store(out_ptr + 12, tl.maximum(n.to(tl.uint16), minus.to(tl.uint16)))
    tl.store(out_ptr + 13, n.to(tl.uint32) + minus == 0)
    # A comparison of a variable is a mask, of which ~ and - are masks.
    tl.store(out_ptr + 14, 1 <= (~(minus >= 0)).to(tl.int32))
    tl.store(out_ptr + 15, 1 <= (~(minus * n >= 0)).to(tl.int32))
    less = minus < 0
    tl.store(out_ptr + 16, (-less).to(tl.int8, bitcast=False) * -1)
    tl.store(out_ptr + 17, (-(minus * n < 0)).to(tl.int8) * -1)
    tl.store(out_ptr + 18, (less + less).to(tl.int32))
    tl.store(out_ptr + 19, ((minus * n < 0) + less).to(tl.int32))
