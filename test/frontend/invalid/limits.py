# RUN: env TRITON_ALLOW_NON_CONSTEXPR_GLOBALS=1 tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0

# What compile-time values may take: each of these would fill the memory, or take for ever.

# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    s: tl.constexpr = "0123456789abcdef"
    for i in tl.static_range(64):
        # expected-error@+1 {{a string of more than 65536 bytes at compile time}}
        s: tl.constexpr = s + s

# -----
# Constants of the file are evaluated where they are used.
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

# expected-error@+1 {{a string of more than 65536 bytes at compile time}}
A = "0123456789abcdef" * 4096 * 4096
# expected-note@+1 {{the value of 'A' is needed here}}
B = A + A

@triton.jit
def k(p):
    # expected-note@+1 {{the value of 'B' is needed here}}
    x: tl.constexpr = B

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    # expected-error@+1 {{a string of more than 65536 bytes at compile time}}
    x: tl.constexpr = 9223372036854775807 * "ab"

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    s: tl.constexpr = "0123456789abcdef"
    for i in tl.static_range(64):
        # expected-error@+1 {{a string of more than 65536 bytes at compile time}}
        s: tl.constexpr = f"{s}{s}"

# -----
# A tuple that shares its parts: 2^64 of them.
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    t: tl.constexpr = (1, 2)
    for i in tl.static_range(64):
        # expected-error@+1 {{a tuple of more than 16384 parts, with those of the tuples in it}}
        t: tl.constexpr = (t, t)

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    t: tl.constexpr = ()
    for i in tl.static_range(4096):
        # expected-error@+1 {{tuples are nested more than 32 deep}}
        t: tl.constexpr = (t,)

# -----
# The text of a tuple of long texts.
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    # expected-error@+1 {{a string of more than 65536 bytes at compile time}}
    s: tl.constexpr = str(("x" * 65536,) * 4096)

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    # expected-error@+1 {{a string of more than 65536 bytes at compile time}}
    tl.static_print(("x" * 65536,) * 4096)

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    # expected-error@+1 {{a tuple of more than 4096 items}}
    for x in [0] * 9223372036854775807:
        pass

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    # expected-error@+1 {{a tuple of more than 4096 items}}
    x: tl.constexpr = len(range(1000000000000))

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    # expected-error@+1 {{1000000 << 60 does not fit 64 bits}}
    x: tl.constexpr = 1000000 << 60

# -----
# All values together: each is small enough.
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    for i in tl.static_range(4096):
        # expected-error@+1 {{the kernel's compile-time values take more than 512 MiB}}
        t: tl.constexpr = (i,) * 4096 + ()

# -----
# Comparing them.
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

@triton.jit
def k(p):
    for i in tl.static_range(4096):
        for j in tl.static_range(4096):
            # expected-error@+1 {{compile-time evaluation takes more than 100000000 steps; compute less, or pass the result as a tl.constexpr}}
            x: tl.constexpr = "ab" * 100 in "a" * 65536

# -----
# A loop and a recursion of the host that never end.
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

def forever():
    while True:
        # expected-error@+1 {{the kernel has more than 200000 statements once loops are unrolled and calls inlined; use run-time loops}}
        pass

@triton.jit
def k(p):
    # expected-note@+1 {{in 'forever', called from here}}
    x: tl.constexpr = forever()

