# RUN: tile-translate --import-triton --kernel promotion --signature "*fp32" %s | FileCheck %s
# RUN: tile-run %s --device emulator --kernel semantics --grid 1 --check --arg out_ptr=fp32[32]:poison --arg seven=i32:7 --arg big=i32:-1 --print out_ptr:32 | FileCheck %s --check-prefix=VALUES
"""The type of an operation's result for every pair of types, by Triton's rules, and what operators compute."""
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
f16 = tl.float16
bf16 = tl.bfloat16
f32 = tl.float32
f64 = tl.float64
TYPES = (i1, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64)

# Row and column: the operands of +, in the order of TYPES.
SUMS = (
    (i1, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f32, f64),  # i1
    (i8, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f32, f64),  # i8
    (u8, u8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f32, f64),  # u8
    (i16, i16, i16, i16, u16, i32, u32, i64, u64, f16, f32, f32, f64),  # i16
    (u16, u16, u16, u16, u16, i32, u32, i64, u64, f16, f32, f32, f64),  # u16
    (i32, i32, i32, i32, i32, i32, u32, i64, u64, f16, f32, f32, f64),  # i32
    (u32, u32, u32, u32, u32, u32, u32, i64, u64, f16, f32, f32, f64),  # u32
    (i64, i64, i64, i64, i64, i64, i64, i64, u64, f16, f32, f32, f64),  # i64
    (u64, u64, u64, u64, u64, u64, u64, u64, u64, f16, f32, f32, f64),  # u64
    (f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f32, f64),  # f16
    (f32, f32, f32, f32, f32, f32, f32, f32, f32, f16, bf16, f32, f64),  # bf16
    (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64),  # f32
    (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64),  # f64
)
# The same of /, where integers become f32 and half precision is computed in f32.
QUOTIENTS = (
    (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64),  # f16
    (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64),  # bf16
    (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64),  # f32
    (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64),  # f64
)
# A number of the source beside a tile: 1 and 2.5.
WITH_ONE = (i32, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64)
WITH_FLOAT = (f32, f32, f32, f32, f32, f32, f32, f32, f32, f16, bf16, f32, f64)


# CHECK-LABEL: func.func @promotion
# CHECK: "tile.store"
@triton.jit
def promotion(out_ptr):
    for a in tl.static_range(13):
        x = tl.zeros([8], TYPES[a])
        for b in tl.static_range(13):
            y = tl.zeros([8], TYPES[b])
            tl.static_assert((x + y).dtype == SUMS[a][b], f"{x.dtype} + {y.dtype} is {(x + y).dtype}")
            tl.static_assert((x < y).dtype == tl.int1)
            if a >= 9:
                tl.static_assert((x / y).dtype == QUOTIENTS[a - 9][b], f"{x.dtype} / {y.dtype}")
        tl.static_assert((x + 1).dtype == WITH_ONE[a] and (1 + x).dtype == WITH_ONE[a], f"{x.dtype} + 1")
        tl.static_assert((x + 2.5).dtype == WITH_FLOAT[a], f"{x.dtype} + 2.5")
        if a < 9:
            tl.static_assert((x & 1).dtype == WITH_ONE[a], f"{x.dtype} & 1")
            tl.static_assert((x / x).dtype == tl.float32)
        tl.static_assert((x == 1).dtype == tl.int1 and (not x).dtype == tl.int1)
        # A number in a variable is an int32 or fp32 tensor.
        one = 1
        half = 0.5
        tl.static_assert((x + one).dtype == SUMS[a][5], f"{x.dtype} + one")
        tl.static_assert((x * half).dtype == SUMS[a][11], f"{x.dtype} * half")
    big = 0x80000000
    bigger = 0x100000000
    biggest = 0xFFFFFFFFFFFFFFFF
    tl.static_assert(big.dtype == tl.uint32 and bigger.dtype == tl.int64 and biggest.dtype == tl.uint64)
    mask = tl.zeros([8], tl.int1)
    tl.static_assert((mask * mask).dtype == tl.int1 and (mask & (mask | ~mask)).dtype == tl.int1)
    tl.static_assert((mask and x > 0).dtype == tl.int1 and (x[:, None] + x[None, :]).shape == (8, 8))
    tl.store(out_ptr, 1.0)


@triton.jit
def put(out_ptr, index, value):
    tl.store(out_ptr + index, value)


# // and % round towards zero at run time and down at compile time; >> goes by the sign.
# VALUES: out_ptr = -3 -1 -4 1 -3 -1 -1 2.14748365e+09 1 0 49 343 1 8 2.5 4 0 1 1 1 5 2 -1 1 1 2.14748365e+09 -8
@triton.jit
def semantics(out_ptr, seven, big):
    put(out_ptr, 0, -seven // 2)
    put(out_ptr, 1, -seven % 2)
    put(out_ptr, 2, -7 // 2)
    put(out_ptr, 3, -7 % 2)
    minus = -7
    put(out_ptr, 4, minus // 2)
    put(out_ptr, 5, minus % 2)
    put(out_ptr, 6, big >> 1)
    put(out_ptr, 7, big.to(tl.uint32) >> 1)
    put(out_ptr, 8, big < seven)
    put(out_ptr, 9, big.to(tl.uint32) < seven.to(tl.uint32))
    put(out_ptr, 10, seven**2)
    put(out_ptr, 11, seven**3)
    put(out_ptr, 12, seven**0)
    put(out_ptr, 13, 2**3)
    put(out_ptr, 14, 6.25**0.5)
    x = seven.to(tl.float32)
    put(out_ptr, 15, (x - 5.0) ** 2.0)
    put(out_ptr, 16, seven > 10 and big < 0)
    put(out_ptr, 17, seven > 10 or big < 0)
    put(out_ptr, 18, 0 < seven < 10 and 3)
    put(out_ptr, 19, not seven == 8)
    wrapped = 65536
    put(out_ptr, 20, wrapped * wrapped + 5)
    put(out_ptr, 21, (seven > 3) + (seven > 4).to(tl.int32))
    put(out_ptr, 22, ~(seven - 7))
    put(out_ptr, 23, (0xFFFFFFFFFFFFFFFF - 0xFFFFFFFFFFFFFFFE))
    put(out_ptr, 24, (seven ^ 6) & 3 | 0)
    sign = 1 << 31  # uint32, of which -1 is none
    tl.static_assert((~sign).dtype == tl.uint32)
    put(out_ptr, 25, ~sign)
    number = 7
    put(out_ptr, 26, ~number)
