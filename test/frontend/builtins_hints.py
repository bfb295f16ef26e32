# RUN: tile-translate --import-triton --kernel hints --signature "*fp32, *fp32, i32, i32" %s | FileCheck %s
# RUN: tile-translate --import-triton --kernel told --signature "*fp32, *fp32, i32" %s -o %t.told.mlir
# RUN: tile-translate --tile-to-ptx %t.told.mlir | FileCheck %s --check-prefix=WIDE
# RUN: tile-translate --import-triton --kernel untold --signature "*fp32, *fp32, i32" %s -o %t.untold.mlir
# RUN: tile-translate --tile-to-ptx %t.untold.mlir | FileCheck %s --check-prefix=NARROW
"""Hints, and that accesses become wider by them. Census items 31, 35, 42 and 111 of section 3."""
import triton
import triton.language as tl


# The parameters' own attributes.
# CHECK: %arg0: !tile.ptr<f32> {tile.divisibility = 64 : i32, tile.name = "x_ptr"}
# CHECK-SAME: %arg3: i32 {tile.divisibility = 8 : i32, tile.name = "stride"}
@triton.jit
def hints(x_ptr, y_ptr, n, stride):
    tl.multiple_of(stride, 8)
    x_ptr = tl.multiple_of(x_ptr, 64)
    # CHECK: arith.muli {{.*}} {tile.divisibility = 32 : i32}
    o = tl.multiple_of(tl.program_id(0) * n, 32)
    # CHECK: arith.remsi {{.*}} {tile.contiguity = 4 : i32, tile.divisibility = 4 : i32}
    r = tl.max_contiguous(tl.multiple_of((o + tl.arange(0, 16)) % n, 4), 4)
    # CHECK: "tile.addptr"({{.*}}) {tile.contiguity = [1 : i32, 4 : i32], tile.divisibility = [1 : i32, 16 : i32]}
    p = x_ptr + r[None, :] + stride * tl.arange(0, 4)[:, None]
    p = tl.multiple_of(p, (1, 16))
    p = tl.max_contiguous(p, (1, 4))
    # CHECK: arith.divsi {{.*}} {tile.constancy = 8 : i32}
    g = tl.max_constancy(r // n, 8)
    # Comparisons between compile-time values vanish, others stay.
    # CHECK: arith.cmpi sgt, %arg2
    # CHECK-NEXT: "tile.assume"
    tl.assume(n > 0)
    tl.assume(True)
    total = tl.zeros((4, 16), tl.float64)
    # CHECK: scf.for %[[I:[a-z0-9]+]] =
    for i in range(0, n, 16):
        # CHECK: %[[REST:.*]] = arith.remsi %[[I]],
        # CHECK: arith.cmpi eq, %[[REST]],
        # CHECK: "tile.assume"
        tl.multiple_of(i, 16)
        # What is defined outside keeps what is known of it there.
        # CHECK: arith.addi %arg2, {{.*}} {tile.divisibility = 4 : i32} : i32
        m = tl.multiple_of(n, 4)
        # CHECK: "tile.addptr"({{.*}}) {tile.divisibility = [4 : i32, 4 : i32]}
        q = tl.multiple_of(p, (4, 4)) + m
        total += tl.load(q + i).to(tl.float64)
    tl.store(p, total + g)


@triton.jit
def told(x_ptr, y_ptr, n):
    x_ptr = tl.multiple_of(x_ptr, 16)
    tl.multiple_of(y_ptr, 16)
    o = tl.arange(0, 512)
    for i in range(0, n):
        # WIDE: ld.global.v4.b32
        # WIDE: st.global.v4.b32
        # NARROW-NOT: ld.global.v
        j = i * n
        tl.assume(j % 4 == 0)
        tl.store(y_ptr + j + o, tl.load(x_ptr + j + o) + 1.0)


@triton.jit
def untold(x_ptr, y_ptr, n):
    o = tl.arange(0, 512)
    for i in range(0, n):
        j = i * n
        tl.store(y_ptr + j + o, tl.load(x_ptr + j + o) + 1.0)


# A statement about a tile that the loop moves: the rest of the loop's body knows, whatever name it has there.
# RUN: tile-translate --import-triton --kernel carried --signature "*i64, *fp32, i32" %s -o %t.carried.mlir
# RUN: FileCheck %s --check-prefix=CARRIED --input-file %t.carried.mlir
# RUN: tile-translate --tile-to-ptx %t.carried.mlir | FileCheck %s --check-prefix=CARRIED-WIDE
# CARRIED-WIDE: ld.global.v4.b32
@triton.jit
def carried(a_ptrs, y_ptr, n):
    o = tl.arange(0, 512)
    p = tl.load(a_ptrs).to(tl.pointer_type(tl.float32)) + o
    total = tl.zeros((512,), tl.float32)
    # CARRIED: scf.for {{.*}}iter_args(
    for i in range(n):
        q = p
        # CARRIED: %[[P:.*]] = "tile.addptr"({{.*}}) {tile.divisibility = 16 : i32}
        tl.multiple_of(p, 16)
        # CARRIED: "tile.load"(%[[P]])
        total += tl.load(q)
        # CARRIED: "tile.addptr"(%[[P]],
        p += 512
    # CARRIED: }
    # CARRIED-NOT: tile.divisibility
    tl.store(y_ptr + o, total)


# Where x is expected to be zero is said to a reader, and in Triton to debug builds: the value is x.
# RUN: tile-translate --import-triton --kernel expected --signature "*fp32, *fp32" %s | FileCheck %s --check-prefix=EXPECTED
# EXPECTED: %[[X:.*]] = "tile.load"
# EXPECTED-NOT: tile.assert
# EXPECTED: "tile.store"(%{{.*}}, %[[X]])
@triton.jit
def expected(x_ptr, y_ptr):
    o = tl.arange(0, 16)
    tl.store(y_ptr + o, tl.expect_zero(tl.load(x_ptr + o), o < 8))
