# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Control flow that cannot be compiled."""

# flags: --signature '*fp32, i32'
# A variable changes its type in a loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    total = 0
    for i in range(n):
        # expected-error @+1:9 {{in a loop, 'total' goes from i32 to fp32; keep one type, with .to() or a typed start value}}
        total += 0.5
    tl.store(p, total)

# -----

# flags: --signature '*fp32, i32'
# A variable changes its shape in a loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    x = 0.0
    for i in range(n):
        # expected-error @+1:9 {{in a loop, 'x' goes from fp32 to a tile 16xfp32; keep one type, with .to() or a typed start value}}
        x = x + tl.zeros([16], tl.float32)
    tl.store(p + tl.arange(0, 16), x)

# -----

# flags: --signature '*fp32, i32'
# A variable changes its type in a while loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    x = tl.load(p)
    while n > 0:
        # expected-error @+1:9 {{in a loop, 'x' goes from fp32 to fp16; keep one type, with .to() or a typed start value}}
        x = x.to(tl.float16)
        n -= 1

# -----

# flags: --signature '*fp32, i32'
# A variable becomes a pointer in a loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    x = 1
    for i in range(n):
        # expected-error @+1:9 {{in a loop, 'x' goes from i32 to *fp32; keep one type, with .to() or a typed start value}}
        x = p

# -----

# flags: --signature '*fp32, i32'
# A variable is None before a loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    x = None
    for i in range(n):
        # expected-error @+1:9 {{in a loop, 'x' goes from None to the number 1.0; keep one type, with .to() or a typed start value}}
        x = 1.0
    tl.store(p, x)

# -----

# flags: --signature '*fp32, i32'
# A string changes in a run-time loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    s = "a"
    for i in range(n):
        # expected-error @+1:9 {{in a loop, 's' goes from the string "a" to the string "b"; keep one type, with .to() or a typed start value}}
        s = "b"

# -----

# flags: --signature '*fp32, i32'
# A tuple changes its length in a loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{its value before the loop}}
    t = (1, 2)
    for i in range(n):
        # expected-error @+1:9 {{in a loop, 't' goes from a tuple of 2 to a tuple of 3; keep one type, with .to() or a typed start value}}
        t = (1, 2, 3)

# -----

# flags: --signature '*fp32, i32'
# The branches of a run-time if give different types.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n > 0:
        # expected-note @+1:9 {{the other value}}
        x = 1.0
    else:
        # expected-error @+1:9 {{Mismatched type for x: after a run-time 'if' it is the number 1.0 in one branch and a tile 16xi32 in the other; give both one type, or make the condition a tl.constexpr}}
        x = tl.arange(0, 16)
    tl.store(p, x)

# -----

# flags: --signature '*fp32, i32'
# The branches of a run-time if give different strings.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n > 0:
        # expected-note @+1:9 {{the other value}}
        s = "a"
    else:
        # expected-error @+1:9 {{Mismatched type for s: after a run-time 'if' it is the string "a" in one branch and the string "b" in the other; give both one type, or make the condition a tl.constexpr}}
        s = "b"
    if s == "a":
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# The arms of a conditional expression have different shapes.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:9 {{Ternary expression with dynamic condition has inconsistent types: a tile 16xi32 and a tile 32xi32; give both one type, with .to()}}
    x = tl.arange(0, 16) if n > 0 else tl.arange(0, 32)

# -----

# flags: --signature '*fp32'
# A condition that is a tile.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:8 {{a condition is a scalar, not a tile; choose elements with tl.where, or reduce the tile to a scalar first}}
    if tl.arange(0, 16) < 3:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A loop condition that is a tile.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = tl.arange(0, 16)
    # expected-error @+1:11 {{a condition is a scalar, not a tile; choose elements with tl.where, or reduce the tile to a scalar first}}
    while x < 3:
        x += 1

# -----

# flags: --signature '*fp32'
# A conditional expression on a tile.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = tl.arange(0, 16)
    # expected-error @+1:14 {{a condition is a scalar, not a tile; choose elements with tl.where, or reduce the tile to a scalar first}}
    y = x if x > 3 else 3

# -----

# flags: --signature '*fp32'
# A loop over a tile.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:14 {{a kernel loops over range, tl.range, tl.static_range, or a tuple}}
    for x in tl.arange(0, 16):
        tl.store(p, x)

# -----

# flags: --signature '*fp32, i32'
# A loop over a number.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{a kernel loops over range, tl.range, tl.static_range, or a tuple}}
    for i in n:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A range of floats.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:14 {{range takes scalar integers, not the number 0.0}}
    for i in range(0.0, 1.0):
        tl.store(p, i)

# -----

# flags: --signature '*fp32, i32'
# A range with a step of zero.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{the step of a range is not 0}}
    for i in range(0, n, 0):
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A range without bounds.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:14 {{range needs an end}}
    for i in range():
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A range with four bounds.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:29 {{range takes at most three arguments}}
    for i in range(1, 2, 3, 4):
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A static range with a run-time bound.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{tl.static_range takes compile-time integers; use range, or make the bound a tl.constexpr}}
    for i in tl.static_range(n):
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A static range that would fill the memory.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:14 {{tl.static_range unrolls at most 4096 iterations; use range}}
    for i in tl.static_range(1000000000):
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A run-time number of stages.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:29 {{num_stages takes a compile-time integer}}
    for i in tl.range(0, n, num_stages=n):
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A compile-time loop that does not end.
import triton, triton.language as tl
@triton.jit
def k(p):
    n: tl.constexpr = 3
    # expected-error @+1:11 {{the condition never changes in the loop: it runs for ever; let the body change a variable of the condition}}
    while n > 0:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A loop's target that does not fit.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:9 {{a run-time loop has one variable}}
    for i, j in range(n):
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# Too many values to unpack, where Python computes.
import triton, triton.language as tl
@triton.constexpr_function
def f():
    # expected-error @+1:5 {{2 names for a tuple of 3}}
    a, b = 1, 2, 3
    return a
@triton.jit
def k(p):
    tl.store(p, f()) # expected-note @:17 {{in 'f', called from here}}

# -----

# flags: --signature '*fp32'
# Too many values for a list, which Triton does not unpack.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{2 names for a tuple of 3}}
    [a, b] = 1, 2, 3
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# Too few values to unpack.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{3 names for a tuple of 2}}
    a, b, c = 1, 2

# -----

# flags: --signature '*fp32, i32'
# A number unpacked.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:5 {{2 names for i32}}
    a, b = n

# -----

# flags: --signature '*fp32, i32'
# An attribute or element as a loop's target.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:9 {{a run-time loop has one variable}}
    for p.x in range(n):
        pass

# -----

# flags: --kernel k --signature '*fp32, i32'
# A return of different types.
import triton, triton.language as tl
@triton.jit
def f(n):
    if n > 0:
        # expected-note @+1:9 {{the other return}}
        return 1.0
    # expected-error @+1:5 {{Return type mismatch: 'f' returns a tile 16xi32 here and the number 1.0 elsewhere, as a run-time 'if' decides; return one type}}
    return tl.arange(0, 16)

@triton.jit
def k(p, n):
    # expected-note @+1:17 {{in 'f', called from here}}
    tl.store(p, f(n))

# -----

# flags: --signature '*fp32, i32'
# What a loop runs over is chosen at compile time.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:29 {{what a loop runs over is chosen at compile time; this condition is known at run time only}}
    for i in range(0, 2) if n > 3 else range(0, 4):
        pass

# -----

# flags: --signature '*fp32'
# Attributes by name.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:29 {{the type fp32 has no attribute 'nothing'}}
    a = getattr(tl.float32, "nothing")
    # expected-error @+1:20 {{the name of an attribute is a string that is known at compile time}}
    b = hasattr(p, tl.load(p))
    # expected-error @+1:9 {{getattr takes an object and a name, and perhaps a default}}
    d = getattr(p)

# -----

# flags: --signature '*fp32'
# Named tuples.
import triton, triton.language as tl
from typing import NamedTuple
class Pair(NamedTuple):
    a: int
    b: int
@triton.jit
def k(p):
    # expected-error @+1:9 {{'Pair' needs a value for its field 'b'}}
    x = Pair(1)
    # expected-error @+1:20 {{'Pair' has 2 fields}}
    y = Pair(1, 2, 3)
    # expected-error @+1:14 {{'Pair' has 2 fields, and none is 'c'}}
    z = Pair(c=1)
    # expected-error @+1:17 {{the field 'a' is given twice}}
    w = Pair(1, a=2)

# -----

# flags: --signature '*fp32'
# A break outside a loop.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{'break' outside a loop}}
    break

# -----

# flags: --signature '*fp32'
# A continue outside a loop.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{'continue' outside a loop}}
    continue

# -----

# flags: --signature '*fp32, i32'
# An exception raised at run time.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n > 3:
        # expected-error @+1:9 {{the kernel raises ValueError: too many}}
        raise ValueError("too many")

# -----

# flags: --signature '*fp32'
# An exception handled.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{a 'try' statement is not supported in a kernel}}
    try:
        tl.store(p, 1.0)
    except ValueError:
        pass

# -----

# flags: --signature '*fp32'
# A context manager.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{a 'with' statement is not supported in a kernel}}
    with p as q:
        tl.store(q, 1.0)

# -----

# flags: --signature '*fp32'
# A function inside a kernel.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{a kernel defines no nested function; define 'f' at the top of the file, with @triton.jit}}
    def f(x):
        return x + 1
    tl.store(p, f(1.0))

# -----

# flags: --signature '*fp32'
# A class inside a kernel.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{a class is not supported in a kernel}}
    class C:
        pass

# -----

# flags: --signature '*fp32'
# A global statement.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{a 'global' statement is not supported in a kernel}}
    global x
    x = 3

# -----

# flags: --signature '*fp32'
# A deletion.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = 1.0
    # expected-error @+1:5 {{a 'del' statement is not supported in a kernel}}
    del x

# -----

# flags: --signature '*fp32'
# A generator.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{'yield' is not supported in a kernel}}
    yield 1.0

# -----

# flags: --signature '*fp32, i32'
# A comprehension over a run-time range.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:27 {{a compile-time integer is needed, not i32}}
    x = [i for i in range(n)]

# -----

# flags: --signature '*fp32'
# A dictionary.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{a dictionary is not supported in a kernel; use a tuple, or pass the value as a tl.constexpr}}
    x = {"a": 1}

# -----

# flags: --signature '*fp32'
# A set.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{a set is not supported in a kernel; use a tuple, or pass the value as a tl.constexpr}}
    x = {1, 2}

# -----

# flags: --signature '*fp32, i32'
# A match statement.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:5 {{a 'match' statement is not supported in a kernel}}
    match n:
        case 1:
            tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, 3'
# An assertion that fails when it is compiled.
import triton, triton.language as tl
@triton.jit
def k(p, N: tl.constexpr):
    # expected-error @+1:5 {{assertion failed: N is four}}
    assert N == 4, "N is four"

# -----

# flags: --signature '*fp32, i32'
# An assignment expression in the condition of a loop, of a name that has no value before it.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1 {{the loop}}
    while (m := n + 1) < 3:
        # expected-error @+1:17 {{'m' is first assigned inside a run-time loop, which may run no time; give it a value before the loop}}
        n = n + m

# -----

# flags: --signature '*fp32'
# A star that unpacks nothing.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{a starred expression is not supported in a kernel}}
    x = *p
