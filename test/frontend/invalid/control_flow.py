# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0

# flags: --kernel one_branch --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def one_branch(x_ptr, n):
    if n > 1:
        value = 1.0 # expected-note @:9 {{assigned here}}
    tl.store(x_ptr, value) # expected-error @:21 {{'value' has a value only if one branch of a run-time 'if' was taken; assign it before the 'if', or in both branches}}

# -----
# flags: --kernel in_loop_only --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def in_loop_only(x_ptr, n):
    for i in range(n): # expected-note @:5 2 {{the loop}}
        value = 1.0
    tl.store(x_ptr, value) # expected-error @:21 {{'value' is first assigned inside a run-time loop, which may run no time; give it a value before the loop}}
    tl.store(x_ptr + i, 1.0) # expected-error @:22 {{'i' is the variable of a run-time loop and has no value after it; copy it to a variable that has one before the loop}}

# -----
# flags: --kernel branch_types --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def branch_types(x_ptr, n):
    if n > 1:
        x = tl.zeros([16], tl.float32) # expected-note @:9 {{the other value}}
    else:
        x = tl.zeros([32], tl.float32) # expected-error @:9 {{Mismatched type for x: after a run-time 'if' it is a tile 16xfp32 in one branch and a tile 32xfp32 in the other; give both one type, or make the condition a tl.constexpr}}
    y = None # expected-note @:5 {{the other value}}
    if n > 1:
        y = 1.0 # expected-error @:9 {{Mismatched type for y: after a run-time 'if' it is the number 1.0 in one branch and None in the other}}

# -----
# flags: --kernel loop_types --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def loop_types(x_ptr, n):
    x = None # expected-note @:5 {{its value before the loop}}
    y = 0 # expected-note @:5 {{its value before the loop}}
    pair = (1, 2) # expected-note @:5 {{its value before the loop}}
    for i in range(n):
        x = tl.zeros([16], tl.float32) # expected-error @:9 {{in a loop, 'x' goes from None to a tile 16xfp32; keep one type, with .to() or a typed start value}}
        y = y + 0.5 # expected-error @:9 {{in a loop, 'y' goes from i32 to fp32; keep one type}}
        pair = (1, 2, 3) # expected-error @:9 {{in a loop, 'pair' goes from a tuple of 2 to a tuple of 3}}

# -----
# flags: --kernel constants --signature "*fp32, i32, 32"
import triton
import triton.language as tl
@triton.jit
def constants(x_ptr, n, BLOCK: tl.constexpr): # expected-note @:25 {{its value before the loop}}
    if n > 1:
        SIZE: tl.constexpr = 16 # expected-note @:9 {{the other value}}
    else:
        SIZE: tl.constexpr = 32 # expected-error @:9 {{'SIZE' is a tl.constexpr: it cannot get different values in the branches of a run-time 'if'; leave the annotation away, or make the condition a tl.constexpr}}
    for i in range(n):
        BLOCK //= 2 # expected-error @:9 {{'BLOCK' is a tl.constexpr: it cannot change in a run-time loop; use tl.static_range, or a plain variable}}

# -----
# flags: --kernel returns --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def two_types(n):
    if n > 1:
        return n # expected-note @:9 {{the other return}}
    return None # expected-error @:5 {{Return type mismatch: 'two_types' returns None here and i32 elsewhere, as a run-time 'if' decides; return one type}}
@triton.jit
def falls_off(n):
    if n > 1:
        if n > 2:
            return n # expected-error @:13 {{'falls_off' returns a value here and nothing elsewhere, as a run-time 'if' decides; return a value at its end too}}
@triton.jit
def returns(x_ptr, n):
    a = two_types(n) # expected-note @:9 {{in 'two_types', called from here}}
    b = falls_off(n) # expected-note @:9 {{in 'falls_off', called from here}}
    for i in range(n):
        if i > 3:
            return # expected-error @:13 {{Cannot have `return` statements inside `while` or `for` statements in triton; let a 'while' condition end the loop and return after it, or unroll with tl.static_range}}

# -----
# flags: --kernel jumps --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def jumps(x_ptr, n):
    for i in range(n):
        if i > 3:
            break # expected-error @:13 {{'break' is not supported in a kernel; make the loop a 'while' whose condition ends it}}
        continue # expected-error @:9 {{'continue' is not supported in a kernel; put the rest of the body under an 'if'}}
    for i in range(n):
        pass
    else: # no place in the tree
        tl.store(x_ptr, 1.0) # expected-error @:9 {{'else' after a loop is not supported in a kernel; write it after the loop}}
    while True: # expected-error @:11 {{the condition never changes in the loop: it runs for ever; let the body change a variable of the condition}}
        tl.store(x_ptr, 1.0)
    x = tl.arange(0, 16)
    if x > 3: # expected-error @:8 {{a condition is a scalar, not a tile; choose elements with tl.where, or reduce the tile to a scalar first}}
        pass
    for i in range(1.5): # expected-error @:14 {{range takes scalar integers, not the number 1.5}}
        pass
    for i in range(0, n, 0): # expected-error @:14 {{the step of a range is not 0}}
        pass
    for i in tl.range(0, n, num_stage=3): # expected-error @:29 {{tl.range has no parameter 'num_stage'; did you mean 'num_stages'?}}
        pass
    for i in tl.static_range(n): # expected-error @:14 {{tl.static_range takes compile-time integers; use range, or make the bound a tl.constexpr}}
        pass
    for i in tl.static_range(5000): # expected-error @:14 {{tl.static_range unrolls at most 4096 iterations; use range}}
        pass
    for i in x_ptr: # expected-error @:14 {{a kernel loops over range, tl.range, tl.static_range, or a tuple}}
        pass

# -----
# flags: --kernel several --signature "*fp32, i32"
import triton
import triton.language as tl
# One failed assignment spoils what depends on it, silently; independent errors are told.
@triton.jit
def several(x_ptr, n):
    a = undefined_one # expected-error @:9 {{'undefined_one' is not defined}}
    b = a + 1
    if n > 1:
        c = undefined_two # expected-error @:13 {{'undefined_two' is not defined}}
        d = 1
    for i in range(n):
        e = undefined_three # expected-error @:13 {{'undefined_three' is not defined}}
        tl.store(x_ptr + e, b)
    tl.store(x_ptr, b + c + e)
    tl.store(x_ptr, undefined_four) # expected-error @:21 {{'undefined_four' is not defined}}

# -----
# flags: --kernel deep --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def deep(x_ptr, n):
    for i in tl.static_range(200):
        if n == i: # expected-error @:12 {{run-time control flow is nested more than 128 deep, counting what follows an 'if' with a return; merge some of the conditions}}
            return

# -----
# flags: --kernel explodes --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def explodes(x_ptr, n):
    for i in tl.static_range(4000):
        for j in tl.static_range(4000):
            pass # expected-error @:13 {{the kernel has more than 200000 statements once loops are unrolled and calls inlined; use run-time loops}}
