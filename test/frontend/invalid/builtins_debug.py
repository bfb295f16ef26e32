# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{text that is known at compile time, before the values, is needed, not fp32}}
    tl.device_print(tl.load(p), "x")

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a number or a tile (text comes first: "x = ", x) is needed, not the string "b"}}
    print("a", "b")

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a message that is known at compile time is needed, not fp32}}
    tl.device_assert(tl.load(p) > 0, tl.load(p))

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{dimension 0 is 4 on one side and 8 on the other}}
    tl.device_assert(tl.arange(0, 4) > 0, mask=tl.arange(0, 8) > 0)

# -----
# flags: --signature "*fp32" --kernel kernel
import triton
import triton.language as tl

@triton.jit
def prints(a, b):
    print("a", a)
    return a + b

@triton.jit
def kernel(p):
    # expected-error@+1 {{the combiner reads or writes memory; it computes with its arguments only}}
    tl.store(p, tl.reduce(tl.arange(0, 16), 0, prints))

# -----
# flags: --signature "*fp32, 24"
import triton
import triton.language as tl

@triton.jit
def kernel(p, N: tl.constexpr):
    # expected-error@+1 {{static assertion failed: N is not 32}}
    tl.static_assert(N == 32, "N is not 32")

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{text that is known at compile time is needed, not the integer 3}}
    tl.inline_asm_elementwise(3, "=r", [], dtype=tl.int32, is_pure=True, pack=1)

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{assembly gives one to 8 tiles, not 0; give one that is not used}}
    tl.inline_asm_elementwise("nop;", "", [], dtype=(), is_pure=False, pack=1)

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{pack is 1, 2, 4, 8 or 16 and at most the number of elements (4), not 8}}
    tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tl.arange(0, 4)], dtype=tl.int32, is_pure=True, pack=8)

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{constraints name 1 outputs and 1 inputs; results and operands take 1 and 2 registers}}
    tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tl.arange(0, 4), 3], dtype=tl.int32, is_pure=True, pack=1)

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a compile-time number, "inf" or "nan" (of a tile use .to(tl.float32)) is needed, not the string "many"}}
    x = float("many")

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a compile-time number (of a tile use .to(tl.int32)) is needed, not fp32}}
    x = int(tl.load(p))

# -----
# flags: --signature "*fp32"
import math
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{math.sqrt of -1 is not defined}}
    x = math.sqrt(-1)

# -----
# flags: --signature "*fp32"
import math
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a compile-time number (of a tile use tl.log2) is needed, not fp32}}
    x = math.log2(tl.load(p))

# -----
# flags: --signature "*fp32"
import math
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a compile-time number (of a tile use libdevice.tanh) is needed, not fp32}}
    x = math.tanh(tl.load(p))

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{integers have 1, 8, 16, 32 or 64 bits, not 24}}
    x = tl.get_int_dtype(24, signed=True)

# -----
# flags: --signature "*fp32"
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a positive number is needed, not 0}}
    x = tl._log2(0)

# -----
# flags: --signature "*fp32"
import torch
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{a floating-point type is needed, not the type i32}}
    tl.store(p, torch.finfo(tl.int32).max)

# -----
# flags: --signature "*fp32"
import torch
import triton
import triton.language as tl

@triton.jit
def kernel(p):
    # expected-error@+1 {{'torch.finfo.fp32.largest' is not supported}}
    tl.store(p, torch.finfo(tl.float32).largest)
