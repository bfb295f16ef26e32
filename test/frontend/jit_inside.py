# RUN: tile-translate --import-triton --kernel "make.doubled" --signature "*fp32" %s | FileCheck %s --check-prefix=FUNCTION
# RUN: tile-translate --import-triton --kernel "Kernels.negated" --signature "*fp32" %s | FileCheck %s --check-prefix=CLASS
# RUN: not tile-translate --import-triton --kernel nothing --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=ALL
"""Kernels that triton.jit(f) makes in a function or a class that has none under a decorator."""
import triton
import triton.language as tl


# ALL: there is make.doubled, Kernels.negated
def make(options):

    def plain(p):
        tl.store(p, tl.load(p) * 2)

    # FUNCTION: func.func @doubled
    # FUNCTION: arith.mulf
    doubled = triton.jit(plain)
    return doubled


class Kernels:

    def plain(p):
        tl.store(p, -tl.load(p))

    # CLASS: func.func @negated
    # CLASS: arith.negf
    negated = triton.jit(do_not_specialize=["p"])(plain)
