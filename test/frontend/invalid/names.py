# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Names that are not there, or not for kernels."""

# flags: --signature '*fp32'
# A name that nothing defines.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'y' is not defined}}
    tl.store(p, y)

# -----

# flags: --signature '*fp32'
# A slip of the pen in a local name.
import triton, triton.language as tl
@triton.jit
def k(p):
    offsets = tl.arange(0, 16)
    # expected-error @+1:18 {{'ofsets' is not defined; did you mean 'offsets'?}}
    tl.store(p + ofsets, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A slip of the pen in a parameter.
import triton, triton.language as tl
@triton.jit
def k(out_ptr, n):
    # expected-error @+1:14 {{'outptr' is not defined; did you mean 'out_ptr'?}}
    tl.store(outptr, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A name that only one branch defines.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n > 0:
        # expected-note @+1:9 {{assigned here}}
        x = 1.0
    # expected-error @+1:17 {{'x' has a value only if one branch of a run-time 'if' was taken; assign it before the 'if', or in both branches}}
    tl.store(p, x)

# -----

# flags: --signature '*fp32, i32'
# A name that only a loop defines.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-note @+1:5 {{the loop}}
    for i in range(n):
        x = 1.0
    # expected-error @+1:17 {{'x' is first assigned inside a run-time loop, which may run no time; give it a value before the loop}}
    tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A name used above its definition.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'x' is not defined}}
    tl.store(p, x)
    x = 1.0

# -----

# flags: --signature '*fp32, False'
# A name that only a compile-time branch defines, which is not taken.
import triton, triton.language as tl
@triton.jit
def k(p, FLAG: tl.constexpr):
    if FLAG:
        x = 1.0
    # expected-error @+1:17 {{'x' is not defined}}
    tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A function that the language does not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:20 {{'triton.language.softplus' is not supported}}
    tl.store(p, tl.softplus(1.0))

# -----

# flags: --signature '*fp32'
# A slip of the pen in a builtin.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:21 {{'triton.language.arrange' is not supported; did you mean 'arange'?}}
    tl.store(p + tl.arrange(0, 16), 1.0)

# -----

# flags: --signature '*fp32'
# A builtin without its module.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:18 {{'arange' is not defined; did you mean 'tl.arange'?}}
    tl.store(p + arange(0, 16), 1.0)

# -----

# flags: --signature '*fp32'
# A method that values do not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:28 {{fp32 has no method 'double'}}
    tl.store(p, tl.load(p).double())

# -----

# flags: --signature '*fp32'
# An attribute that values do not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:28 {{fp32 has no attribute 'size'}}
    tl.store(p, tl.load(p).size)

# -----

# flags: --signature '*fp32'
# A function of Python that kernels do not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{'sorted' is not defined}}
    x = sorted([1, 2])

# -----

# flags: --signature '*fp32'
# A function of torch.
import triton, triton.language as tl
# expected-note @+1:8 {{bound here}}
import torch

@triton.jit
def k(p):
    # expected-error @+1:17 {{'torch' is a module of Python that a kernel cannot use; pass what you need of it as a tl.constexpr}}
    tl.store(p, torch.rand(1))

# -----

# flags: --signature '*fp32'
# A function of numpy.
import triton, triton.language as tl
# expected-note @+1:8 {{bound here}}
import numpy as np

@triton.jit
def k(p):
    # expected-error @+1:17 {{'np' is a module of Python that a kernel cannot use; pass what you need of it as a tl.constexpr}}
    tl.store(p, np.exp(1.0))

# -----

# flags: --signature '*fp32'
# A global that is no compile-time value.
import triton, triton.language as tl
# expected-note @+1:8 {{bound here}}
import os
# expected-error @+1:9 {{'os' is a module of Python that a kernel cannot use; pass what you need of it as a tl.constexpr}}
WIDTH = os.cpu_count()

@triton.jit
def k(p):
    # expected-note @+1:17 {{the value of 'WIDTH' is needed here}}
    tl.store(p, WIDTH)

# -----

# flags: --signature '*fp32'
# A type that the language does not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:27 {{'triton.language.float8' is not supported; did you mean 'float'?}}
    x = tl.zeros([16], tl.float8)

# -----

# flags: --signature '*fp32'
# A module of the language used as a value.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{a number or a tile is needed here, not the module triton.language.math}}
    tl.store(p, tl.math)

# -----

# flags: --signature '*fp32'
# The kernel's own name as a value.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{a number or a tile is needed here, not a function}}
    tl.store(p, k)

# -----

# flags: --signature '*fp32'
# A builtin as a value.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{a number or a tile is needed here, not a builtin function}}
    tl.store(p, tl.exp)

# -----

# flags: --signature '*fp32'
# self, in a kernel inside a class.
import triton, triton.language as tl
class Model:
    @triton.jit
    def k(p):
        # expected-error @+1:21 {{'self' is not defined}}
        tl.store(p, self.scale)
