# RUN: tile-run %s --device emulator --kernel python --grid 1 --check --arg out_ptr=fp32[32]:poison --print out_ptr:32 | FileCheck %s --check-prefix=PYTHON
# RUN: tile-run %s --device emulator --kernel functions --grid 1 --check --arg out_ptr=fp32[16]:poison --print out_ptr:16 | FileCheck %s --check-prefix=FUNCTIONS
# RUN: tile-translate --import-triton --kernel messages --signature "*fp32, 2" --verify-diagnostics %s | count 0
"""What is known at compile time: Python's values, the file's constants, functions of the host."""
import math
import torch
import triton
import triton.language as tl
from triton.language import core

SIZE = tl.constexpr(4)
WIDTH: tl.constexpr = tl.constexpr(SIZE * 2)
TABLE = (1, 2.5, tl.float16)
NAMES = ["silu", "relu"]
HALF = torch.float16
LARGEST = torch.finfo(torch.float16).max
EULER: core.constexpr = math.e
ALIAS = tl.float32
FLAG = tl.constexpr(torch.version.hip is not None)

try:
    from nowhere import missing as POWER
except ImportError:
    POWER = 3


class Config:
    BLOCK = 16
    depth: int = 3

    @staticmethod
    @triton.jit
    def double(x):
        return x * 2


@triton.jit
def put(out_ptr, index, value):
    tl.store(out_ptr + index, value)


# Lists and tuples are one thing: indexing, slices, +, *, unpacking, comprehensions.
# PYTHON: out_ptr = 4 8 2.5 7 3 2 -4 1 6 5 1 2 65504 271 16 27 1 0 1 1 1 1 1 1 1 1 1 1 10 2 3 1
@triton.jit
def python(out_ptr, SHIFT: "tl.constexpr" = -7):
    put(out_ptr, 0, SIZE)
    put(out_ptr, 1, WIDTH)
    put(out_ptr, 2, TABLE[1])
    shape = [1, 2] + list((4,))
    put(out_ptr, 3, sum(shape))
    first, *rest = (3, 1, 2)
    put(out_ptr, 4, first)
    put(out_ptr, 5, len(rest))
    put(out_ptr, 6, SHIFT // 2)  # Python's
    numbers = [i * i for i in range(5) if i % 2 == 0]
    put(out_ptr, 7, numbers[-1] // 16)
    put(out_ptr, 8, sum((1, 2, 3, 4, 5)[::2][1:]) - 2)
    put(out_ptr, 9, max(x + y for x, y in zip((1, 2), (3, 3))))
    put(out_ptr, 10, "relu" in NAMES and "re" in "relu")
    put(out_ptr, 11, (1, 2) + (3,) == (1, 2, 3) and len([0] * 2))
    put(out_ptr, 12, LARGEST)
    put(out_ptr, 13, int(EULER * 100) - 0)
    put(out_ptr, 14, Config.BLOCK)
    put(out_ptr, 15, POWER**Config.depth)
    put(out_ptr, 16, HALF == tl.float16)
    put(out_ptr, 17, FLAG)
    put(out_ptr, 18, ALIAS is tl.float32 and TABLE[2] in (tl.float16, tl.bfloat16))
    put(out_ptr, 19, f"{SIZE}:{EULER:.2f}:{tl.float32}" == "4:2.72:fp32")
    put(out_ptr, 20, math.ceil(math.log2(SIZE) / 2) == 1 and math.sqrt(16) == 4.0)
    put(out_ptr, 21, float("1.5e2") == 150 and float("-inf") < 0)
    put(out_ptr, 22, isinstance(SIZE, int) and isinstance(shape, (list, tuple)))
    x = tl.zeros([4, 8], tl.float32)
    put(out_ptr, 23, x.shape[1] == 8 and x.shape == (4, 8) and x.numel == 32 and len(x.shape) == 2)
    put(out_ptr, 24, x.dtype.is_fp32() and not x.type.is_ptr() and x.type.is_block())
    put(out_ptr, 25, x.type.get_block_shapes()[0] == 4 and x.type.element_ty.primitive_bitwidth == 32)
    put(out_ptr, 26, out_ptr.dtype.is_ptr() and out_ptr.dtype.element_ty.is_floating())
    put(out_ptr, 27, tl.int8.int_bitwidth == 8 and tl.uint16.itemsize == 2 and tl.int32.name == "int32")
    put(out_ptr, 28, tl.constexpr(SIZE + 6).value)
    put(out_ptr, 29, 0x8000000000000000 // 0x4000000000000000)
    total: tl.constexpr = 1 + 2
    put(out_ptr, 30, total if total > 2 else None)
    put(out_ptr, 31, tl.float32(x.T.shape[0] == 8))
    tl.static_assert(tl.dtype("fp16") == tl.float16 and tl.float16.is_fp16())
    mask = (x > 0).logical_and(x < 1).logical_or(x == 2)
    tl.static_assert(mask.dtype == tl.int1 and mask.shape == (4, 8))
    size: tl.constexpr = tl.program_id(0) + 1  # run time, as Triton lets it be
    tl.static_assert(size.dtype == tl.int32)


def one_zeros(count):
    return [1] + [0] * (count - 1)


def largest_power(limit):
    """The largest power of two that is at most the limit."""
    power = 1
    while power * 2 <= limit:
        power *= 2
    for candidate in range(64, 0, -1):
        if candidate == power:
            return candidate
    return 0


@triton.constexpr_function
def accumulator(dtype):
    if dtype.is_fp16():
        return tl.float32
    return dtype


@triton.jit
def twice(x):
    return x * 2


@triton.jit
def apply(function, x, *more, ACT: tl.constexpr = None):
    y = function(x)
    for value in more:
        y += value
    return ACT(y) if ACT is not None else y


same = twice


# FUNCTIONS: out_ptr = 1 32 4 6 16 14 2 5 9
@triton.jit
def functions(out_ptr):
    put(out_ptr, 0, one_zeros(3)[0])
    put(out_ptr, 1, largest_power(63))
    put(out_ptr, 2, tl.zeros([2], accumulator(tl.float16)).dtype.itemsize)
    chosen = twice if SIZE == 4 else put
    put(out_ptr, 3, chosen(3))
    scale = 4
    quadruple = lambda x: x * scale
    put(out_ptr, 4, quadruple(4))
    put(out_ptr, 5, apply(same, 2, 1, 2, ACT=twice))
    put(out_ptr, 6, Config.double(1))
    arguments = (2, 3)
    put(out_ptr, 7, apply(lambda x: x, *arguments))
    max = 9  # a name of one's own
    put(index=8, value=max, out_ptr=out_ptr)


@triton.jit
def messages(x_ptr, N: tl.constexpr):
    assert N == 2, "not shown"
    assert N > 2, f"N is {N}" # expected-error @:5 {{assertion failed: N is 2}}
    if N == 2:
        raise NotImplementedError(f"no kernel for {N}") # expected-error @:9 {{the kernel raises NotImplementedError: no kernel for 2}}
