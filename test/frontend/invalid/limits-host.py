# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0

# The same of host code that decorators call.

# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

def nested():
    rows = [1]
    for i in range(8):
        rows = [rows] * 256 # 2^64 elements
    return rows

# expected-error@+1 {{'X' becomes a list, which is no compile-time value; give --constexpr X=VALUE}}
@triton.heuristics({"X": lambda args: nested()})
@triton.jit
def k(p, X: tl.constexpr):
    pass

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

def doubled():
    text = "0123456789abcdef"
    for i in range(64):
        # expected-error@+1 {{the heuristic of 'X' is computed at run time: a string grows beyond 65536 bytes; give --constexpr X=VALUE}}
        text = text + text
    return text

@triton.heuristics({"X": lambda args: doubled()})
@triton.jit
def k(p, X: tl.constexpr):
    pass

# -----
# flags: --signature "*fp32" --kernel k
import triton
import triton.language as tl

def rows():
    kept = []
    while True:
        # expected-error@+1 {{the heuristic of 'X' is computed at run time: it takes more than 2000000 steps; give --constexpr X=VALUE}}
        kept = [kept, [1] * 1000]

@triton.heuristics({"X": lambda args: rows()})
@triton.jit
def k(p, X: tl.constexpr):
    pass
