# RUN: tile-translate --import-triton --kernel k --signature "*fp32" --verify-diagnostics %s | count 0
# RUN: env TRITON_ALLOW_NON_CONSTEXPR_GLOBALS=1 tile-translate --import-triton --kernel k --signature "*fp32" %s | FileCheck %s
# RUN: env TRITON_ALLOW_NON_CONSTEXPR_GLOBALS=0 not tile-translate --import-triton --kernel k --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=OFF
# RUN: tile-translate --import-triton --kernel fine --signature "*fp32, PLAIN" %s | FileCheck %s --check-prefix=FINE
# CHECK: func.func
# OFF: error: Cannot access global variable PLAIN
# FINE: func.func
"""Globals that no tl.constexpr(...) makes are refused where a kernel uses them, as by Triton; not in defaults, in host code and in signatures."""
import triton
import triton.language as tl

# expected-note @+1:1 {{bound here}}
PLAIN = 3
# expected-note @+1:1 {{bound here}}
ANNOTATED: tl.constexpr = 2.5
# expected-note @+1:1 {{bound here}}
COMPUTED = -PLAIN * 2
# expected-note @+1:1 {{bound here}}
PAIR = (1, PLAIN)
MADE = tl.constexpr(PLAIN)
OF_MADE = MADE + 1
TYPE = tl.float32
NOTHING = None


def host():
    return PLAIN


@triton.jit
def helper(x, n: tl.constexpr = PLAIN):
    return x * n


@triton.jit
def fine(out, n):
    tl.store(out, helper(1.0) + MADE + OF_MADE + n + host() + tl.full((), 1, TYPE), mask=NOTHING)


@triton.jit
def k(out):
    # expected-error @+1:19 {{Cannot access global variable PLAIN from within @jit'ed function}}
    tl.store(out, PLAIN)
    # expected-error @+1:19 {{Cannot access global variable ANNOTATED from within @jit'ed function}}
    tl.store(out, ANNOTATED)
    # expected-error @+1:19 {{Cannot access global variable COMPUTED from within @jit'ed function}}
    tl.store(out, COMPUTED)
    # expected-error @+1:19 {{Cannot access global variable PAIR from within @jit'ed function}}
    tl.store(out, PAIR[0])
