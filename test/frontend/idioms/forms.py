# Further forms: parameters bound again, methods of scalars, zero-rank blocks, locks, shadowed names.
# RUN: %import --kernel rebound --signature "*fp16, *fp16, i32, 32" %s | FileCheck %s --check-prefix=REBOUND
# RUN: %import --kernel bare_names --signature "*i32, i1, None, True, 0" %s | FileCheck %s --check-prefix=BARE
# RUN: %import --kernel zero_rank --signature "*fp32, 16" %s | FileCheck %s --check-prefix=RANK
# RUN: %import --kernel backwards --signature "*fp32, i32, 64" %s | FileCheck %s --check-prefix=BACKWARDS
# RUN: %import --kernel locks --signature "*i32, *fp32" %s | FileCheck %s --check-prefix=LOCKS
# RUN: %import --kernel shadows --signature "*fp32, 16" %s | FileCheck %s --check-prefix=SHADOWS
# RUN: %import --kernel constructors --signature "*fp32, i32, tl.float16" %s | FileCheck %s --check-prefix=CONSTRUCTORS
"""What a census lists under further forms."""
import triton
import triton.language as tl


@triton.jit
def rebound(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    # a parameter becomes a block of pointers, a number becomes another type
    pid = tl.program_id(0)
    x_ptr += pid * n
    x_ptr = x_ptr + tl.arange(0, BLOCK)
    y_ptr = y_ptr.to(tl.pointer_type(tl.float16)) + tl.arange(0, BLOCK)
    n = n.to(tl.int64)
    n = tl.minimum(n, BLOCK)
    x = tl.load(x_ptr, mask=tl.arange(0, BLOCK) < n)
    x = x.to(tl.float32)
    x = tl.where(tl.arange(0, BLOCK) < n, x, float("nan"))
    tl.store(y_ptr, x)


# REBOUND: "tile.load"{{.*}}array<i32: 1, 1, 1>
# REBOUND: arith.extf
# REBOUND: arith.truncf


@triton.jit
def bare_names(p, flag, missing, ON: tl.constexpr, ZERO: tl.constexpr):
    if ON:
        tl.store(p, 1)
    if ZERO:
        tl.store(missing, 1)
    if missing:
        tl.store(missing, 2)
    if flag:
        tl.store(p + 1, 2)
    loaded = tl.load(p + 2)
    if loaded:
        tl.store(p + 3, 3)
    if not loaded:
        tl.store(p + 4, 4)


# BARE-COUNT-3: scf.if
# BARE-NOT: scf.if


@triton.jit
def zero_rank(p, BLOCK: tl.constexpr):
    total = tl.zeros((), dtype=tl.float32)
    best = tl.full([], float("-inf"), tl.float32)
    for i in range(4):
        x = tl.load(p + i * BLOCK + tl.arange(0, BLOCK))
        total += tl.sum(x)
        best = tl.maximum(best, tl.max(x))
    tl.store(p, total + best)


# RANK: scf.for {{.*}} -> ({{(tensor<f32>|f32)}}, {{(tensor<f32>|f32)}})


@triton.jit
def backwards(p, n, BLOCK: tl.constexpr):
    acc = tl.zeros([BLOCK], tl.float32)
    for start in range(((n - 1) // BLOCK) * BLOCK, -1, -BLOCK):
        start = tl.multiple_of(start, BLOCK)
        acc += tl.load(p + start + tl.arange(0, BLOCK), mask=start + tl.arange(0, BLOCK) < n, other=0)
    for i in range(BLOCK, 0, -1):
        acc += i
    tl.store(p + tl.arange(0, BLOCK), acc)


# BACKWARDS: scf.for
# BACKWARDS: scf.for


@triton.jit
def locks(lock, p):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(p, tl.load(p) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


# LOCKS: scf.while
# LOCKS: "tile.atomic_rmw"{{.*}}kind = "xchg"


@triton.jit
def shadows(p, N: tl.constexpr):
    x = tl.load(p + tl.arange(0, N))
    max = tl.max(x, 0)
    min = tl.min(x, 0)
    sum = tl.sum(x, 0)
    abs = tl.abs(x)
    range_ = max - min
    tl.store(p + tl.arange(0, N), abs / sum * range_)


# SHADOWS-COUNT-3: "tile.reduce"


@triton.jit
def constructors(p, n, DTYPE: tl.constexpr):
    three: tl.constexpr = tl.constexpr(3)
    x = tl.cast(n, DTYPE)
    y = n.to(DTYPE, fp_downcast_rounding=None) if DTYPE == tl.float32 else n.to(DTYPE)
    bits: tl.constexpr = DTYPE.primitive_bitwidth
    tl.store(p, (x + y).to(p.dtype.element_ty) * three + bits)
    tl.store(p + 1, n.to(tl.float32, bitcast=True))
    tl.store(p + 2, tl.load(p.to(tl.pointer_type(tl.int32))).to(tl.float32))


# CONSTRUCTORS: arith.sitofp {{.*}} : i32 to f16
# CONSTRUCTORS: "tile.store"
