# RUN: not tile-translate --import-triton --kernel undefined --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=UNDEFINED
# RUN: not tile-translate --import-triton --kernel changes --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=CHANGES
# RUN: not tile-translate --import-triton --kernel shapes --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SHAPES
# RUN: not tile-translate --import-triton --kernel length --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=LENGTH
# RUN: not tile-translate --import-triton --kernel size --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=SIZE
# RUN: not tile-translate --import-triton --kernel misspelt --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=MISSPELT
# RUN: not tile-translate --import-triton --kernel keyword --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=KEYWORD
# RUN: not tile-translate --import-triton --kernel recursive --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=RECURSIVE
# RUN: not tile-translate --import-triton --kernel host_call --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=HOST
# RUN: not tile-translate --import-triton --kernel absent --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=ABSENT
# RUN: not tile-translate --import-triton --kernel undefined --signature "*fp31" %s 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not tile-translate --import-triton --kernel changes --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SHORT
import triton
import triton.language as tl


def on_the_host(x):
    return x


# UNDEFINED: messages.py:[[#@LINE+3]]:21: error: 'y' is not defined
@triton.jit
def undefined(x_ptr):
    tl.store(x_ptr, y)


# CHANGES: messages.py:[[#@LINE+5]]:9: error: in a loop, 'total' goes from i32 to fp32; keep one type
@triton.jit
def changes(x_ptr, n):
    total = 0
    for i in range(n):
        total += 0.5
    tl.store(x_ptr, total)


# SHAPES: messages.py:[[#@LINE+3]]:26: error: dimension 0 is 16 on one side and 32 on the other
@triton.jit
def shapes(x_ptr):
    tl.store(x_ptr + 0, (tl.arange(0, 16) + tl.arange(0, 32)))


# LENGTH: messages.py:[[#@LINE+3]]:22: error: tl.arange's length 100 is not a power of two
@triton.jit
def length(x_ptr):
    tl.store(x_ptr + tl.arange(0, 100), 1.0)


# SIZE: messages.py:[[#@LINE+3]]:35: error: tl.arange takes compile-time integers; make the size a tl.constexpr
@triton.jit
def size(x_ptr, n):
    tl.store(x_ptr + tl.arange(0, n), 1.0)


# MISSPELT: messages.py:[[#@LINE+3]]:25: error: 'triton.language.arrange' is not supported; did you mean 'arange'?
@triton.jit
def misspelt(x_ptr):
    tl.store(x_ptr + tl.arrange(0, 16), 1.0)


# KEYWORD: error: tl.load has no parameter 'maks'; did you mean 'mask'?
@triton.jit
def keyword(x_ptr):
    tl.store(x_ptr, tl.load(x_ptr, maks=True))


# RECURSIVE: messages.py:[[#@LINE+3]]:5: error: 'recursive' calls itself with arguments of the same types; a kernel recurses over shapes and compile-time values only
@triton.jit
def recursive(x_ptr):
    recursive(x_ptr)


# HOST: error: 'on_the_host' is host code, which takes compile-time values; decorate it with triton.jit to call it with run-time ones
@triton.jit
def host_call(x_ptr):
    tl.store(x_ptr, on_the_host(tl.load(x_ptr)))


# ABSENT: error: there is no kernel 'absent'; there is undefined, changes
# TYPE: error: signature, entry 1: '*fp31' is no type
# SHORT: error: kernel 'changes' has 2 parameters; the signature has no entry for 'n'
