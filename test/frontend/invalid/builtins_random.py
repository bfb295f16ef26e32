# RUN: not tile-translate --import-triton --kernel float_seed --signature "*fp32, fp32" %s 2>&1 | FileCheck %s --check-prefix=SEED
# RUN: not tile-translate --import-triton --kernel rounds --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=ROUNDS
# RUN: not tile-translate --import-triton --kernel many --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not tile-translate --import-triton --kernel narrow --signature "*fp32, i16" %s 2>&1 | FileCheck %s --check-prefix=NARROW
# RUN: not tile-translate --import-triton --kernel mixed --signature "*fp32, i64" %s 2>&1 | FileCheck %s --check-prefix=MIXED
import triton
import triton.language as tl


# SEED: :[[#@LINE+3]]:25: error: tl.rand takes integers, not fp32
@triton.jit
def float_seed(p, seed):
    tl.store(p, tl.rand(seed, 0))


# ROUNDS: :[[#@LINE+3]]:31: error: a compile-time integer is needed, not i32
@triton.jit
def rounds(p, n):
    tl.store(p, tl.rand(0, 1, n_rounds=n))


# MANY: :[[#@LINE+3]]:17: error: n_rounds is 0 to 1000, not 4000
@triton.jit
def many(p, n):
    tl.store(p, tl.rand(0, n, 4000))


# NARROW: :[[#@LINE+3]]:42: error: tl.uint_to_uniform_float takes integers of 32 or 64 bits, not i16
@triton.jit
def narrow(p, n):
    tl.store(p, tl.uint_to_uniform_float(n))


# MIXED: :[[#@LINE+3]]:37: error: tl.philox takes integers of one width, not i32
@triton.jit
def mixed(p, n):
    a, b, c, d = tl.philox(0, n, n, tl.program_id(0), 0)
