# RUN: tile-translate --import-triton --kernel declared --signature "*fp32, 3" %s | FileCheck %s --check-prefix=DECLARED
# RUN: tile-translate --import-triton --kernel types --signature "*i32, (*i32, 3), 10, tl.int32" %s | FileCheck %s --check-prefix=TYPES
# RUN: tile-run %s --device emulator --kernel spread --constexpr MODE=tl.PropagateNan.ALL --grid 1 --arg p=fp32[2]:ones --print p:2 | FileCheck %s --check-prefix=SPREAD
# RUN: tile-run %s --device emulator --kernel unsigned --grid 1 --arg p=u32[5]:arange --print p:4 | FileCheck %s --check-prefix=UNSIGNED
# RUN: tile-run %s --device emulator --kernel batches --grid 1 --arg p=fp32[4096]:ones --print p:2 | FileCheck %s --check-prefix=BATCHES
"""Compile-time values: annotated ahead of their assignment, their types, enumerations; numbers in variables."""
import triton
import triton.language as tl


@triton.constexpr_function
def ten():
    return 10


# DECLARED: @declared
@triton.jit
def declared(p, N: tl.constexpr):
    x: tl.constexpr
    y: tl.constexpr
    a: tl.constexpr
    b: tl.constexpr
    w = 0
    w, x = 0, 0
    tl.static_assert(w.dtype == tl.int32 and not isinstance(w, tl.constexpr))
    tl.static_assert(isinstance(x, tl.constexpr) and x.type == tl.constexpr_type(0))
    if (y := ten()) != 10:
        tl.static_assert(False)
    tl.static_assert(isinstance(y.type, tl.constexpr_type))
    (a, c), z = ((0, 1), (2, 3)), 4
    tl.static_assert(a == (0, 1) and isinstance(z, tl.tensor))
    tl.static_assert(a.type == (0, 1).type and c[0] == 2)
    x = N + 1
    tl.static_assert(x == 4 and isinstance(x, tl.constexpr))
    b = tl.program_id(0)
    tl.store(p + tl.arange(0, x), b)


# TYPES: @types
@triton.jit
def types(p, values, LITERAL: tl.constexpr, TYPE: tl.constexpr):
    same: tl.constexpr = 10
    variable = LITERAL
    tl.static_assert(LITERAL.type == (10).type and same.type == LITERAL.type)
    tl.static_assert(LITERAL.type == tl.constexpr_type(10) and variable.type == TYPE)
    tl.static_assert(tl.constexpr(2.5).type == tl.constexpr_type(2.5) and tl.constexpr(3).dtype == tl.int32)
    tl.static_assert(values[1].type == tl.constexpr_type(3) and values[0].type == tl.pointer_type(tl.int32))
    tl.static_assert(values.type == (tl.pointer_type(tl.int32), tl.constexpr_type(3)))
    tl.static_assert(tl.pi32_t == tl.pointer_type(tl.int32))
    tl.store(p, tl.load(values[0]) + values[1])


# SPREAD: p = {{-?}}nan 1
@triton.jit
def clamp(x, MODE: tl.constexpr):
    return tl.clamp(x, 0.0, 1.0, propagate_nan=MODE)


@triton.jit
def spread(p, MODE: tl.constexpr):
    x = tl.load(p) / 0.0 * 0.0
    tl.static_assert(getattr(tl.PropagateNan, "ALL") == MODE)
    tl.store(p, clamp(x, MODE))
    tl.store(p + 1, tl.maximum(x, 1.0, propagate_nan=tl.PropagateNan.NONE))


# A variable holds an int32, also when it is known: it wraps beside an unsigned tile. The number of
# iterations is where nothing is stored: else some threads would take a number that others have left.
# UNSIGNED: p = 4294967276 4294967277 4294967278 4294967279
@triton.jit
def unsigned(p):
    x = tl.load(p + tl.arange(0, 4))
    n = 3
    x += -n
    x = x + -n * 2
    n -= 5
    x += n
    for _ in range(tl.load(p + 4)):
        x += n
    n = -1
    x += n
    tl.store(p + tl.arange(0, 4), x)


# A product of six dimensions.
# BATCHES: p = 16 16
@triton.jit
def batches(p):
    i = tl.arange(0, 4096).reshape(2, 2, 2, 2, 16, 16)
    x = tl.load(p + i)
    tl.store(p + i, tl.dot(x, x))
