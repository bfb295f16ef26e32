# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
# flags: --signature '*kfp32, *fp32, i1'
import triton, triton.language as tl

@triton.jit
def k(x, out, c):
    # expected-error @+1:14 {{Cannot store to a constant pointer, *kfp32: its parameter is a tl.const, or *k in the signature}}
    tl.store(x, 1.0)

# -----
# flags: --signature '*fp32, *fp32, i1'
import triton, triton.language as tl

@triton.jit
def k(x: tl.const, out, c):
    p = x + tl.arange(0, 16)
    # expected-error @+1:19 {{Cannot store to a constant pointer, *kfp32}}
    tl.atomic_add(p, 1.0)
    tl.atomic_cas(x.to(tl.pointer_type(tl.int32)), 0, 1)
    # expected-error @+1:19 {{Cannot store to a constant pointer}}
    tl.atomic_cas(x, 0.0, 1.0)

# -----
# flags: --signature '*kfp32:16, *fp32, i1'
import triton, triton.language as tl

@triton.jit
def k(x, out, c):
    d = tl.make_tensor_descriptor(x, [64], [1], [16])
    # expected-error @+1:18 {{Cannot store to a constant pointer}}
    d.store([0], d.load([0]))

# -----
# flags: --signature '*kfp32, *fp32, i1'
import triton, triton.language as tl

@triton.jit
def k(x, out, c):
    # expected-error @+1:10 {{Ternary expression with dynamic condition has inconsistent types: *kfp32 and *fp32; give both one type, with .to()}}
    p = (x if c else out)

# -----
# flags: --signature '*kfp32, *fp32, i1'
import triton, triton.language as tl

@triton.jit
def k(x, out, c):
    if c:
        p = x # expected-note @:9 {{the other value}}
    else:
        p = out # expected-error @:9 {{Mismatched type for p: after a run-time 'if' it is *kfp32 in one branch and *fp32 in the other}}
    tl.store(p, 1.0)

# -----
# flags: --kernel k --signature '*kfp32, *fp32, i1'
import triton, triton.language as tl

@triton.jit
def choose(x, out, c):
    if c:
        return x # expected-note @:9 {{the other return}}
    return out # expected-error @:5 {{Return type mismatch: 'choose' returns *fp32 here and *kfp32 elsewhere, as a run-time 'if' decides}}

@triton.jit
def k(x, out, c):
    p = choose(x, out, c) # expected-note @:9 {{in 'choose', called from here}}
    tl.store(p, 1.0)
