# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Values that do not fit together."""

# flags: --signature '*fp32'
# Two lengths.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:36 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    tl.store(p + tl.arange(0, 16), tl.arange(0, 16) + tl.arange(0, 32))

# -----

# flags: --signature '*fp32'
# Two shapes of rank two.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{dimension 1 is 32 on one side and 64 on the other; they are equal or one is 1}}
    x = tl.zeros([16, 32], tl.float32) + tl.zeros([16, 64], tl.float32)

# -----

# flags: --signature '*fp32'
# A column and a row that were not widened.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    m = tl.arange(0, 16)[:, None] + tl.arange(0, 32)[:, None]

# -----

# flags: --signature '*fp32'
# A float added to a pointer.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{*fp32 + fp32: a pointer moves by integers}}
    x = tl.load(p + 1.5)

# -----

# flags: --signature '*fp32, *fp32'
# Two pointers added.
import triton, triton.language as tl
@triton.jit
def k(p, q):
    # expected-error @+1:9 {{*fp32 + *fp32: a pointer takes part in + and - with integers and in comparisons only}}
    x = p + q

# -----

# flags: --signature '*fp32'
# A pointer multiplied.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{*fp32 * the integer 2: a pointer takes part in + and - with integers and in comparisons only}}
    x = p * 2

# -----

# flags: --signature '*fp32'
# A pointer negated.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{the integer 0 - *fp32: a pointer takes part in + and - with integers and in comparisons only}}
    x = -p

# -----

# flags: --signature '*fp32, fp32'
# A float in a bitwise operation.
import triton, triton.language as tl
@triton.jit
def k(p, x):
    # expected-error @+1:9 {{fp32 & the integer 3: invalid operands of type triton.language.float32 and triton.language.int32; bitwise operators take integers}}
    y = x & 3

# -----

# flags: --signature '*fp32, fp32'
# A float shifted.
import triton, triton.language as tl
@triton.jit
def k(p, x):
    # expected-error @+1:9 {{fp32 << the integer 1: invalid operands of type triton.language.float32 and triton.language.int32; bitwise operators take integers}}
    y = x << 1

# -----

# flags: --signature '*fp32, fp32'
# A float inverted.
import triton, triton.language as tl
@triton.jit
def k(p, x):
    # expected-error @+1:9 {{'~' takes integers}}
    y = ~x

# -----

# flags: --signature '*fp32, None'
# None in a sum.
import triton, triton.language as tl
@triton.jit
def k(p, x):
    # expected-error @+1:9 {{None + the integer 1: numbers or tiles are needed}}
    y = x + 1

# -----

# flags: --signature '*fp32'
# None where a number is needed.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{a number or a tile is needed here, not None}}
    tl.store(p, None)

# -----

# flags: --signature '*fp32, "abc"'
# A string in a sum.
import triton, triton.language as tl
@triton.jit
def k(p, TEXT: tl.constexpr):
    # expected-error @+1:9 {{the string "abc" + the integer 1: numbers or tiles are needed}}
    y = TEXT + 1

# -----

# flags: --signature '*fp32'
# A tuple in a sum with a number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{'+' does not work on tuples and strings so}}
    y = (1, 2) + 1

# -----

# flags: --signature '*fp32'
# A store of a tuple.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{a number or a tile is needed here, not a tuple of 2}}
    tl.store(p, (1.0, 2.0))

# -----

# flags: --signature '*fp32, i32'
# A load of a number.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:17 {{a pointer, a tile of pointers or a block pointer is needed, not i32}}
    x = tl.load(n)

# -----

# flags: --signature '*fp32, None'
# A load of an absent pointer.
import triton, triton.language as tl
@triton.jit
def k(p, q):
    # expected-error @+1:17 {{a pointer, a tile of pointers or a block pointer is needed, not None}}
    x = tl.load(q)

# -----

# flags: --signature '*fp32, i32'
# A store to a number.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{a pointer, a tile of pointers or a block pointer is needed, not i32}}
    tl.store(n, 1.0)

# -----

# flags: --signature '*fp32'
# A store to a tile of numbers.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:14 {{a pointer, a tile of pointers or a block pointer is needed, not a tile 16xi32}}
    tl.store(tl.arange(0, 16), 1.0)

# -----

# flags: --signature '*fp32'
# A value that is longer than the addresses.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:36 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    tl.store(p + tl.arange(0, 16), tl.zeros([32], tl.float32))

# -----

# flags: --signature '*fp32'
# A tile stored through one pointer.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{the value is a tile, the pointer is not; add a tile of offsets to the pointer}}
    tl.store(p, tl.zeros([32], tl.float32))

# -----

# flags: --signature '*fp32'
# A mask that is longer than the addresses.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:39 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    x = tl.load(p + tl.arange(0, 16), mask=tl.arange(0, 32) < 3)

# -----

# flags: --signature '*fp32'
# A tile for the mask of one pointer.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:20 {{the mask is a tile, the pointer is not; add a tile of offsets to the pointer}}
    x = tl.load(p, mask=tl.arange(0, 32) < 3)

# -----

# flags: --signature '*fp32'
# A default for a load without a mask.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:20 {{`other` needs a mask}}
    x = tl.load(p, other=0.0)

# -----

# flags: --signature '*fp32'
# A default of another length.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:66 {{dimension 0 is 8 on one side and 16 on the other; they are equal or one is 1}}
    x = tl.load(p + tl.arange(0, 16), mask=tl.arange(0, 16) < 3, other=tl.zeros([8], tl.float32))

# -----

# flags: --signature '*fp32'
# A division by zero that is known.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{division by zero}}
    tl.store(p, 1 // 0)

# -----

# flags: --signature '*fp32, 0'
# A remainder by zero that is known.
import triton, triton.language as tl
@triton.jit
def k(p, N: tl.constexpr):
    # expected-error @+1:17 {{division by zero}}
    tl.store(p, 5 % N)

# -----

# flags: --signature '*fp32'
# A shift by a negative number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{a shift by a negative number}}
    tl.store(p, 1 << -1)

# -----

# flags: --signature '*fp32'
# A shift that is far too wide.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{1 << 1000 does not fit 64 bits}}
    tl.store(p, 1 << 1000)

# -----

# flags: --signature '*fp32'
# A power that is far too large.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{10 ** 100 does not fit 64 bits}}
    tl.store(p, 10 ** 100)

# -----

# flags: --signature '*fp32, i32'
# A constant too large for the other operand.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:13 {{the integer does not fit 64 bits}}
    x = n + 0x10000000000000000

# -----

# flags: --signature '*fp32'
# A comparison of a pointer with a number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{*fp32 < the integer 3: a pointer takes part in + and - with integers and in comparisons only}}
    x = p < 3

# -----

# flags: --signature '*fp32, i32'
# Membership in a run-time value.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:8 {{'in' looks for a compile-time value in a tuple of such values}}
    if 3 in n:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# An index into a run-time number.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:9 {{unsupported tensor index: a scalar is not indexed; load through a pointer instead}}
    x = n[0]

# -----

# flags: --signature '*fp32'
# A tile indexed by a number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:26 {{a tile is indexed with ':' and None only; single elements are reached with tl.gather, or with tl.sum of tl.where}}
    x = tl.arange(0, 16)[3]

# -----

# flags: --signature '*fp32'
# A tile indexed by a tile.
import triton, triton.language as tl
@triton.jit
def k(p):
    i = tl.arange(0, 16)
    # expected-error @+1:11 {{a tile is indexed with ':' and None only; single elements are reached with tl.gather, or with tl.sum of tl.where}}
    x = i[i]

# -----

# flags: --signature '*fp32'
# A slice with bounds.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:26 {{a tile cannot be sliced; load the part through pointers, or take it apart with tl.reshape and tl.split}}
    x = tl.arange(0, 16)[0:8]

# -----

# flags: --signature '*fp32'
# A pointer indexed.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{unsupported tensor index: a scalar is not indexed; load through a pointer instead}}
    x = p[0]

# -----

# flags: --signature '*fp32'
# Too many dimensions in an index.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:42 {{the tile has fewer dimensions than the index}}
    x = tl.zeros([16], tl.float32)[:, :, None]

# -----

# flags: --signature '*fp32'
# An element assigned to.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = tl.zeros([16], tl.float32)
    # expected-error @+1:5 {{an element of a tile or tuple cannot be assigned; use tl.where for tiles, tl.store for memory, and build a new tuple}}
    x[0] = 1.0

# -----

# flags: --signature '*fp32'
# A tuple's index out of range.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:16 {{index 2 of a tuple of 2}}
    x = (1, 2)[2]

# -----

# flags: --signature '*fp32, i32'
# A tuple indexed at run time.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:16 {{the index of a tuple is a compile-time integer; this value is known at run time only: make the parameter a tl.constexpr}}
    x = (1, 2)[n]

# -----

# flags: --signature '*fp32'
# An attribute assigned to.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{a kernel assigns to names and tuples of names, and a method to fields of its object; use tl.store to write memory}}
    p.dtype = tl.float16

# -----

# flags: --signature '*fp32'
# Rank seventeen.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{a tile has at most 16 dimensions}}
    x = tl.zeros([1] * 17, tl.float32)

# -----

# flags: --signature '*i32, i32, u32'
# A signed and an unsigned number divided.
import triton, triton.language as tl
@triton.jit
def k(p, a, b):
    # expected-error @+1:17 {{i32 // u32: Cannot use /, #, or % on them because they have different signedness; cast one with .to()}}
    tl.store(p, a // b)

# -----

# flags: --kernel k --signature '*fp32'
# An object's field is assigned in its own methods only; a field that is not there; a method that is not there.
import triton, triton.language as tl

@triton.aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor

    @triton.jit
    def wrong(self):
        self.third = 1 # expected-error @:14 {{'Pair' has no field 'third'}}
        return self

@triton.jit
def k(p):
    pair = Pair(1, 2)
    # expected-error @+1:5 {{a kernel assigns to names and tuples of names, and a method to fields of its object}}
    pair.first = 2
    Pair(1, 2).wrong() # expected-note @:5 {{in 'wrong', called from here}}
    # expected-error @+1:10 {{the class 'Pair' has no method 'nothing'}}
    Pair.nothing(1)
    # expected-error @+1:17 {{'Pair' needs a value for its field 'second'}}
    tl.store(p, Pair(1).first)
    # expected-error @+1:9 {{'Pair' has no field 'third'}}
    q = tl.aggregate_replace(Pair(1, 2), third=3)
    # expected-error @+1:30 {{an object of a class under triton.aggregate is needed, not the integer 42}}
    q = tl.aggregate_replace(42, first=1)
    # expected-error @+1:23 {{a list of types is needed, not the integer 1}}
    q = tl.tuple_type(1)
