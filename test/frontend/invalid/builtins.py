# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Arguments that builtin functions refuse."""

# flags: --signature '*fp32'
# A length that is no power of two.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{tl.arange's length 100 is not a power of two; take the next one and mask}}
    tl.store(p + tl.arange(0, 100), 1.0)

# -----

# flags: --signature '*fp32, i32'
# A run-time length.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:31 {{tl.arange takes compile-time integers; make the size a tl.constexpr}}
    tl.store(p + tl.arange(0, n), 1.0)

# -----

# flags: --signature '*fp32'
# An empty range.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{tl.arange(16, 16) is empty or beyond 32 bits}}
    x = tl.arange(16, 16)

# -----

# flags: --signature '*fp32'
# A range that goes down.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{tl.arange(16, 0) is empty or beyond 32 bits}}
    x = tl.arange(16, 0)

# -----

# flags: --signature '*fp32'
# A range of floats.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:19 {{tl.arange takes compile-time integers; make the size a tl.constexpr}}
    x = tl.arange(0.0, 16.0)

# -----

# flags: --signature '*fp32'
# A range with one bound.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{tl.arange: the argument 'end' is missing}}
    x = tl.arange(16)

# -----

# flags: --signature '*fp32'
# A range that is too long.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{a tile has at most 1048576 elements}}
    x = tl.arange(0, 4194304)

# -----

# flags: --signature '*fp32, i32'
# A run-time shape.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:18 {{a shape is made of compile-time integers; make the size a tl.constexpr}}
    x = tl.zeros([n], tl.float32)

# -----

# flags: --signature '*fp32'
# A shape of a size that is no power of two.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{the size 3 is not a power of two; take the next one and mask}}
    x = tl.zeros([3, 16], tl.float32)

# -----

# flags: --signature '*fp32'
# A shape that is too large.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{a tile has at most 1048576 elements}}
    x = tl.zeros([1024, 4096], tl.float32)

# -----

# flags: --signature '*fp32'
# A size of zero.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{the size 0 is not a power of two; take the next one and mask}}
    x = tl.zeros([0], tl.float32)

# -----

# flags: --signature '*fp32'
# A negative size.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{the size -16 is not a power of two; take the next one and mask}}
    x = tl.zeros([-16], tl.float32)

# -----

# flags: --signature '*fp32'
# A shape that is a number of another kind.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{a shape is made of compile-time integers}}
    x = tl.zeros([16.0], tl.float32)

# -----

# flags: --signature '*fp32'
# Zeros without a shape.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{tl.zeros: the argument 'shape' is missing}}
    x = tl.zeros()

# -----

# flags: --signature '*fp32'
# A type that is none.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:24 {{a type such as tl.float32 is needed, not the integer 32}}
    x = tl.zeros([16], 32)

# -----

# flags: --signature '*fp32'
# Full without a type.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{tl.full: the argument 'value' is missing}}
    x = tl.full([16])

# -----

# flags: --signature '*fp32'
# An axis of the grid that is not there.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:31 {{program_id axis must be 0, 1, or 2 but got 3}}
    tl.store(p, tl.program_id(3))

# -----

# flags: --signature '*fp32, i32'
# A run-time axis of the grid.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:31 {{program_id axis must be 0, 1, or 2 but got i32}}
    tl.store(p, tl.program_id(n))

# -----

# flags: --signature '*fp32'
# An axis of the grid as text.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:31 {{program_id axis must be 0, 1, or 2 but got the string "x"}}
    tl.store(p, tl.program_id("x"))

# -----

# flags: --signature '*fp32'
# A keyword misspelt.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:28 {{tl.load has no parameter 'maks'; did you mean 'mask'?}}
    tl.store(p, tl.load(p, maks=True))

# -----

# flags: --signature '*fp32'
# A cache modifier that is none.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:20 {{"", ".ca", ".cg", ".cs" or ".cv" is needed, not the string ".xx"}}
    x = tl.load(p, cache_modifier=".xx")

# -----

# flags: --signature '*fp32'
# A store's cache modifier for a load.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:20 {{"", ".ca", ".cg", ".cs" or ".cv" is needed, not the string ".wb"}}
    x = tl.load(p, cache_modifier=".wb")

# -----

# flags: --signature '*fp32'
# An eviction policy that is none.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:20 {{"", "evict_normal", "evict_first" or "evict_last" is needed, not the string "evict_never"}}
    x = tl.load(p, eviction_policy="evict_never")

# -----

# flags: --signature '*fp32, i1'
# A run-time flag.
import triton, triton.language as tl
@triton.jit
def k(p, b):
    # expected-error @+1:20 {{True or False is needed, not i1}}
    x = tl.load(p, volatile=b)

# -----

# flags: --signature '*fp32'
# A store without a value.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{tl.store: the argument 'value' is missing}}
    tl.store(p)

# -----

# flags: --signature '*fp32'
# A condition that is no condition.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{a condition (a Boolean, a number or a tile of them) is needed, not the string "a"}}
    x = tl.where("a", 1.0, 2.0)

# -----

# flags: --signature '*fp32'
# A choice between tiles of different lengths.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    x = tl.where(tl.arange(0, 16) < 3, tl.zeros([32], tl.float32), 0.0)

# -----

# flags: --signature '*fp32, i32'
# The exponential of an integer.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:24 {{tl.exp takes floating-point numbers (cast with .to(tl.float32)), not i32}}
    tl.store(p, tl.exp(n))

# -----

# flags: --signature '*fp32, i32'
# The square root of an integer.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:25 {{tl.sqrt takes floating-point numbers (cast with .to(tl.float32)), not i32}}
    tl.store(p, tl.sqrt(n))

# -----

# flags: --signature '*fp32'
# The absolute value of a pointer.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:16 {{tl.abs takes numbers and tiles of numbers, not *fp32}}
    x = tl.abs(p)

# -----

# flags: --signature '*fp32'
# The maximum of a pointer and a number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{*fp32 maximum the integer 3: a pointer takes part in + and - with integers and in comparisons only}}
    x = tl.maximum(p, 3)

# -----

# flags: --signature '*fp32, fp32'
# A division of floats by cdiv.
import triton, triton.language as tl
@triton.jit
def k(p, x):
    # expected-error @+1:9 {{fp32 // the integer 2: // takes integers; use / on floats}}
    y = tl.cdiv(x, 2)

# -----

# flags: --signature '*fp32'
# A new axis that is too far.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:42 {{invalid axis 3; it is -2 to 1}}
    x = tl.expand_dims(tl.arange(0, 16), 3)

# -----

# flags: --signature '*fp32'
# A broadcast that cannot be.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    x = tl.broadcast_to(tl.arange(0, 16), [32])

# -----

# flags: --signature '*fp32'
# A conversion to no type.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:23 {{a type such as tl.float32 is needed, not the integer 16}}
    x = tl.load(p).to(16)

# -----

# flags: --signature '*fp32'
# A conversion to a type's name.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:23 {{a type such as tl.float32 is needed, not the string "float16"}}
    x = tl.load(p).to("float16")

# -----

# flags: --signature '*fp32'
# A conversion of a pointer to a float.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{pointers are cast to pointers and to 64-bit integers only}}
    x = p.to(tl.float32)

# -----

# flags: --signature '*fp32'
# A reinterpretation in another size.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{a bitcast keeps the number of bits: 32 and 16}}
    x = tl.load(p).to(tl.int16, bitcast=True)

# -----

# flags: --signature '*fp32'
# A rounding that is none.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:35 {{"rtne" or "rtz" is needed, not the string "up"}}
    x = tl.load(p).to(tl.float16, fp_downcast_rounding="up")

# -----

# flags: --signature '*fp32, 3'
# An assertion that fails, with its message.
import triton, triton.language as tl
@triton.jit
def k(p, N: tl.constexpr):
    # expected-error @+1:5 {{static assertion failed: N must be four}}
    tl.static_assert(N == 4, "N must be four")

# -----

# flags: --signature '*fp32, 3'
# An assertion that fails, without a message.
import triton, triton.language as tl
@triton.jit
def k(p, N: tl.constexpr):
    # expected-error @+1:5 {{static assertion failed}}
    tl.static_assert(N % 2 == 0)

# -----

# flags: --signature '*fp32, i32'
# A static assertion of a run-time value.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:22 {{tl.static_assert takes a compile-time condition}}
    tl.static_assert(n > 3)

# -----

# flags: --signature '*fp32, i32'
# A hint that is no number.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:27 {{a hint is made of compile-time integers; make the size a tl.constexpr}}
    n = tl.multiple_of(n, n)

# -----

# flags: --signature '*fp32'
# A hint with the wrong number of dimensions.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:42 {{one number a dimension: 1, not 2}}
    x = tl.multiple_of(tl.arange(0, 16), (16, 16))

# -----

# flags: --signature '*fp32'
# float of a text that is no number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:23 {{a compile-time number, "inf" or "nan" (of a tile use .to(tl.float32)) is needed, not the string "infinite"}}
    tl.store(p, float("infinite"))

# -----

# flags: --signature '*fp32'
# An int of a tile.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:13 {{a compile-time number (of a tile use .to(tl.int32)) is needed, not a tile 16xi32}}
    x = int(tl.arange(0, 16))

# -----

# flags: --signature '*i32'
# An immediate is a number of the text.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = tl.load(p)
    # expected-error @+1:76 {{an integer that is known at compile time, for the constraint 'n', is needed, not i32}}
    tl.store(p, tl.inline_asm_elementwise("add.u32 $0, $1, $2;", "=r,r,n", [x, x], tl.int32, True, 1))

# -----

# flags: --signature '*i32'
# A module that is not there.
import importlib
import triton, triton.language as tl
libdevice = importlib.import_module("triton.language.nowhere")
@triton.jit
def k(p):
    tl.store(p, libdevice.rsqrt(1.0))
