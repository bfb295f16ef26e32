# RUN: tile-translate --import-triton --kernel prints --signature "*fp32, *u8, i32" %s | FileCheck %s --check-prefix=PRINTS
# RUN: tile-translate --import-triton --kernel asserts --signature "*fp32, i32" %s | FileCheck %s --check-prefix=ASSERTS
# RUN: tile-translate --import-triton --kernel static --signature "*fp32, 64, \"silu\"" %s 2>&1 | FileCheck %s --check-prefix=STATIC
# RUN: tile-run %s --device emulator --kernel speaks --constexpr LIMIT=10 --grid 1 --arg x_ptr=fp32[4]:arange --arg u_ptr=u8[4]:arange --print x_ptr:4 | sort | uniq -c | FileCheck %s --check-prefix=SPEAKS
# RUN: tile-run %s --device emulator --kernel without_text --num-warps 8 --grid 1 --arg n=i32:5 | sort | uniq -c | FileCheck %s --check-prefix=WITHOUT
# RUN: tile-run %s --device emulator --kernel many_indices --grid 1 --arg x_ptr=fp64[4]:arange | FileCheck %s --check-prefix=INDICES
# RUN: not tile-run %s --device emulator --kernel speaks --constexpr LIMIT=2 --grid 1 --arg x_ptr=fp32[4]:arange --arg u_ptr=u8[4]:arange 2>&1 | FileCheck %s --check-prefix=STOPS
"""Printing and assertions. Census 5: static_assert 77, device_assert 100, assert 121, print 120, static_print 150."""
import triton
import triton.language as tl


@triton.jit
def prints(x_ptr, u_ptr, n):
    i = tl.arange(0, 4)
    x = tl.load(x_ptr + i)
    u = tl.load(u_ptr + i)
    # PRINTS: "tile.print"(%{{.*}}, %{{.*}}) {first_operand = 0 : i32, hex = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, prefix = " x and n: "} : (tensor<4xf32>, i32) -> ()
    tl.device_print("x and n: ", x, n)
    # PRINTS: "tile.print"{{.*}} prefix = " u: ", unsigned_operands = 1 : i32} : (tensor<4xi8>) -> ()
    # PRINTS: prefix = " u: "
    # PRINTS: prefix = " u: "
    # PRINTS: prefix = " u: : "
    # PRINTS: prefix = ": "
    tl.device_print("u", u)
    tl.device_print("u:", u)
    tl.device_print("u ", u)
    tl.device_print("u: : ", u)
    tl.device_print(" ", u)
    # PRINTS: "tile.print"(%{{.*}}, %{{.*}}) {first_operand = 0 : i32, hex = true, {{.*}} prefix = " bits: ", unsigned_operands = 1 : i32} : (tensor<4xi8>, i32) -> ()
    tl.device_print("bits", u, 3, hex=True)
    # PRINTS: "tile.print"() {{.*}} prefix = " here"
    print("here")
    # PRINTS: "tile.print"({{.*}} prefix = " p: "} : (!tile.ptr<f32>) -> ()
    print("p", x_ptr)
    # More than eight values make two of them.
    # PRINTS: {first_operand = 0 : i32, {{.*}} prefix = " many: "{{.*}} : (i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    # PRINTS: {first_operand = 8 : i32, {{.*}} prefix = " many: "{{.*}} : (i32) -> ()
    print("many", n, n, n, n, n, n, n, n, n)
    tl.store(x_ptr + i, x)


@triton.jit
def inner(x):
    tl.device_assert(x > 0, "positive")
    return x


@triton.jit
def asserts(x_ptr, n):
    i = tl.arange(0, 4)
    x = tl.load(x_ptr + i)
    # ASSERTS: "tile.assert"(%{{.*}}) {file = "{{.*}}builtins_debug.py", function = "inner", line = [[#@LINE-8]] : i32, message = "positive"} : (tensor<4xi1>) -> ()
    x = inner(x)
    # ASSERTS: "tile.assert"(%{{.*}}, %{{.*}}) {{.*}}function = "asserts"{{.*}} message = ""} : (tensor<4xi1>, tensor<4xi1>) -> ()
    tl.device_assert(x < 10, mask=i < n)
    # ASSERTS: arith.cmpi ne
    # ASSERTS: "tile.assert"(%{{.*}}) {{.*}} : (i1) -> ()
    tl.device_assert(n, "n is not 0")
    # Python's assert is the same.
    # ASSERTS: "tile.assert"(%{{.*}}) {{.*}}line = [[#@LINE+1]] : i32, message = "assert n"} : (i1) -> ()
    assert n < 5, "assert n"
    # Nothing to do at run time.
    # ASSERTS-NOT: tile.assert
    tl.device_assert(True, "always")
    tl.static_assert(True, "always")
    tl.store(x_ptr + i, x)


@triton.jit
def static(x_ptr, BLOCK: tl.constexpr, ACT: tl.constexpr):
    # STATIC: builtins_debug.py:[[#@LINE+1]]:5: remark: block 64 silu 0.5 (1, True, None)
    tl.static_print("block", BLOCK, ACT, 0.5, (1, True, None))
    x = tl.load(x_ptr)
    # STATIC: remark: x, fp32[]
    tl.static_print("x", x, sep=", ")
    # STATIC: remark:  int32[constexpr[4], constexpr[1]]
    tl.static_print("", tl.arange(0, 4)[:, None])
    tl.static_assert(BLOCK % 16 == 0, "BLOCK")
    tl.store(x_ptr, x)


@triton.jit
def speaks(x_ptr, u_ptr, LIMIT: tl.constexpr):
    i = tl.arange(0, 4)
    x = tl.load(x_ptr + i)
    u = tl.load(u_ptr + i)
    # SPEAKS-DAG: {{^ *}}1 pid (0, 0, 0) idx (0) u: 255
    # SPEAKS-DAG: {{^ *}}1 pid (0, 0, 0) idx (3) u: 2
    # SPEAKS-DAG: {{^ *}}128 pid (0, 0, 0) idx () n: 7
    # SPEAKS-DAG: {{^ *}}1 pid (0, 0, 0) idx (3): (operand 0) 3.000000
    # SPEAKS-DAG: {{^ *}}1 pid (0, 0, 0) idx ( 7): (operand 1) 18446744073709551609
    # SPEAKS-DAG: {{^ *}}128 pid (0, 0, 0) text
    tl.device_print("u: ", u - 1)
    print("n: ", 7)
    # An index is as wide as its last one, several values are numbered, uint64 has no sign.
    print("", x, (-tl.arange(0, 16)).to(tl.uint64))
    print("text")
    # STOPS: assertion failed: below the limit ({{.*}}builtins_debug.py:[[#@LINE+1]], in speaks)
    tl.device_assert(x < LIMIT, "below the limit", mask=i > 0)
    y = tl.inline_asm_elementwise("add.f32 $0, $1, $1;", "=f,f", [x], tl.float32, True, 1)
    # SPEAKS: x_ptr = 0 2 4 6
    tl.store(x_ptr + i, y)


# An empty text: only the colon is left of it. Scalars and text alone are printed by every thread, as in Triton.
# WITHOUT: {{^ *}}256 pid (0, 0, 0) idx (): (operand 0) 5
# WITHOUT: {{^ *}}256 pid (0, 0, 0) idx (): (operand 1) 0.500000
# WITHOUT: {{^ *}}256 pid (0, 0, 0) idx (): 0
@triton.jit
def without_text(n):
    print("", tl.program_id(0))
    tl.device_print("", n, 0.5)


# The arguments of a line have room for the indices of all dimensions.
# INDICES-DAG: idx (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0): (operand 0) 0.000000
# INDICES-DAG: idx (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1): (operand 0) 3.000000
# INDICES-DAG: idx (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0): (operand 1) 4.000000
@triton.jit
def many_indices(x_ptr):
    x = tl.load(x_ptr + tl.arange(0, 4).reshape([2] + [1] * 14 + [2]))
    tl.device_print("", x, x * 2)
