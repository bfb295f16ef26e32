# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0

# flags: --kernel operators --signature "*fp32, i32, *i32"
import triton
import triton.language as tl
@triton.jit
def operators(x_ptr, n, i_ptr):
    t = tl.arange(0, 16)
    a = t @ t # expected-error @:9 {{'@' is not supported in a kernel; use tl.dot}}
    b = n ** n # expected-error @:9 {{i32 ** i32: at run time ** takes a compile-time exponent from 0 to 64; for others use libdevice.pow, tl.exp2 or tl.sqrt}}
    c = (1, 2) - (3,) # expected-error @:9 {{'-' does not work on tuples and strings so}}
    d = (1, 2) < (3, 4) # expected-error @:9 {{a tuple of 2 < a tuple of 2: numbers or tiles are needed}}
    e = "a" + 1 # expected-error @:9 {{the string "a" + the integer 1: numbers or tiles are needed}}
    f = 1 << 64 # expected-error @:9 {{1 << 64 does not fit 64 bits}}
    g = 1 // 0 # expected-error @:9 {{division by zero}}
    r = 0 ** -1 # expected-error @:9 {{division by zero}}
    s = 0.0 ** -1.5 # expected-error @:9 {{division by zero}}
    h = n in (1, 2) # expected-error @:9 {{'in' looks for a compile-time value in a tuple of such values}}
    i = t + 0x100000000 # expected-error @:9 {{Scalar 4294967296 is out of range for type int32; cast the tensor with .to()}}
    j = 18446744073709551616 # expected-error @:9 {{the integer does not fit 64 bits}}
    k = x_ptr * 2 # expected-error @:9 {{*fp32 * the integer 2: a pointer takes part in + and - with integers and in comparisons only}}
    m = {"a": 1} # expected-error @:9 {{is not supported in a kernel; use a tuple, or pass the value as a tl.constexpr}}
    o = -x_ptr # expected-error @:9 {{a pointer takes part in + and - with integers and in comparisons only}}
    p = tl.zeros([8], tl.float32) | 1 # expected-error @:9 {{a tile 8xfp32 | the integer 1: invalid operands of type triton.language.float32 and triton.language.int32; bitwise operators take integers}}
    q = n.to(tl.uint32) // n # expected-error @:9 {{Cannot use /, #, or % on them because they have different signedness; cast one with .to()}}

# -----
# flags: --kernel indices --signature "*fp32, i32"
import triton
import triton.language as tl
@triton.jit
def indices(x_ptr, n):
    t = tl.arange(0, 16)
    a = t[0] # expected-error @:11 {{a tile is indexed with ':' and None only; single elements are reached with tl.gather, or with tl.sum of tl.where}}
    b = t[0:8] # expected-error @:11 {{a tile cannot be sliced; load the part through pointers, or take it apart with tl.reshape and tl.split}}
    c = t[:, :, None] # expected-error @:17 {{the tile has fewer dimensions than the index}}
    d = n[0] # expected-error @:9 {{unsupported tensor index: a scalar is not indexed; load through a pointer instead}}
    e = x_ptr[0] # expected-error @:9 {{unsupported tensor index: a scalar is not indexed; load through a pointer instead}}
    f = tl.zeros([1] * 16, tl.int32)[None] # expected-error @:9 {{a tile has at most 16 dimensions}}
    g = (1, 2)[2] # expected-error @:16 {{index 2 of a tuple of 2}}
    h = (1, 2)[n] # expected-error @:16 {{the index of a tuple is a compile-time integer; this value is known at run time only: make the parameter a tl.constexpr}}
    i = (1, 2)[0, 1] # expected-error @:9 {{a tuple of 2 cannot be indexed so; tiles take ':' and None, tuples one integer or slice}}
    j = (1, 2)[::0] # expected-error @:16 {{the step of a slice is not 0}}
    t[0] = 1 # expected-error @:5 {{an element of a tile or tuple cannot be assigned; use tl.where for tiles, tl.store for memory, and build a new tuple}}
    k, l = (1,) # expected-error @:5 {{2 names for a tuple of 1}}
    m, *o, p = (1,) # expected-error @:5 {{3 names for a tuple of 1}}
    q, r = n # expected-error @:5 {{2 names for i32}}

# -----
# flags: --kernel attributes --signature "*fp32, i32"
import triton
import triton.language as tl
class Config:
    SIZE = 4
@triton.jit
def attributes(x_ptr, n):
    t = tl.arange(0, 16)
    a = t.size # expected-error @:11 {{a tile 16xi32 has no attribute 'size'}}
    b = t.dtype.element_ty # expected-error @:17 {{the type i32 has no attribute 'element_ty'}}
    c = t.dtype.is_float16() # expected-error @:17 {{the type i32 has no method 'is_float16'; did you mean}}
    d = t.dtype.is_fp16(1) # expected-error @:25 {{'is_fp16' of a type takes no argument}}
    e = t.T # expected-error @:11 {{.T takes a tile of two dimensions; for others use tl.permute}}
    f = Config.SIZES # expected-error @:16 {{the class 'Config' has no attribute 'SIZES'}}
    g = (1, 2).shape # expected-error @:16 {{a tuple of 2 has no attribute 'shape'}}
    h = tl.float32(1, 2) # expected-error @:9 {{a type is called with one value, which it converts}}
    i = n(3) # expected-error @:9 {{i32 cannot be called}}

# -----
# flags: --kernel names --signature "*fp32, i32"
import os
import triton
import triton.language as tl
from elsewhere import borrowed # expected-note @:23 {{bound here}}
for COUNT in range(3): # expected-note @:5 {{bound here}}
    pass
def host(x):
    return x
@triton.jit
def needs(a, b: tl.constexpr, c=3): # expected-note @:14 {{the parameter}}
    # expected-note @-1:11 {{the parameters}}
    return a
@triton.jit
def names(x_ptr, number):
    a = numbr # expected-error @:9 {{'numbr' is not defined; did you mean 'number'?}}
    b = borrowed(1) # expected-error @:9 {{'borrowed' comes from 'elsewhere', which is not beside the kernel's file; name the folder in which it lies with -I DIR}}
    c = COUNT # expected-error @:9 {{'COUNT' has no value that a kernel can use; pass it as a tl.constexpr}}
    d = host(number) # expected-error @:14 {{'host' is host code, which takes compile-time values; decorate it with triton.jit to call it with run-time ones}}
    e = needs(1) # expected-error @:9 {{'needs' takes 3 arguments; it is called with 1: 'b' is missing}}
    f = needs(1, 2, 3, 4) # expected-error @:24 {{'needs' takes 3 arguments; it is called with 4}}
    g = needs(1, a=2) # expected-error @:18 {{the argument 'a' is given twice}}
    h = needs(1, d=2) # expected-error @:18 {{'needs' has no parameter 'd'}}
    i = f"{number}" # expected-error @:12 {{an f-string in a kernel takes compile-time values; this one is known at run time: print it with tl.device_print}}
    j = f"{3:>8}" # expected-error @:11 {{the format '>8' is not supported in a kernel's f-string}}
    l = tl.constexpr(number) # expected-error @:22 {{a tl.constexpr needs a compile-time value; this one is known at run time}}
    m = [x for x in number] # expected-error @:21 {{a comprehension in a kernel runs over a tuple or a range of compile-time numbers}}
    o = lambda x: x + undefined # expected-error @:23 {{'undefined' is not defined}}
    p = o(1) # expected-note @:9 {{in 'lambda', called from here}}
    def inner(): # expected-error @:5 {{a kernel defines no nested function; define 'inner' at the top of the file, with @triton.jit}}
        pass

# -----
# flags: --kernel globals --signature "*fp32"
import os # expected-note @:8 {{bound here}}
import triton
import triton.language as tl
LOOP = LOOP + 1 # expected-error @:8 {{the value of 'LOOP' depends on itself}}
TEXT = os.environ["X"] # expected-error @:8 {{'os' is a module of Python that a kernel cannot use; pass what you need of it as a tl.constexpr}}
@triton.jit
def globals(x_ptr):
    a = LOOP # expected-note @:9 {{the value of 'LOOP' is needed here}}
    b = TEXT # expected-note @:9 {{the value of 'TEXT' is needed here}}
