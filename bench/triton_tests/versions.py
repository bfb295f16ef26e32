# SPDX-License-Identifier: MIT
"""Functions of the language whose meaning changed between versions of Triton, where the toolkit
follows the newer one.

A case that fails on one of them is wrong until two more runs of it have shown that it is not: with
the function as the newer version defines it, written out, the kernels leave the same bits in
memory; with the function as the older version defines it, the test passes. Each definition is a few
lines over functions that mean the same in both versions."""
import re

import stand_in
from stand_in import Settings

# Triton 3.9 adds and multiplies bf16 in its own type; up to 3.8 it is converted to fp32 before
# (standard.py: the call of _promote_bfloat16_to_float32 in cumsum and cumprod is gone).
SCAN = """
@triton.jit
def {name}_combine(a, b):
    return a {sign} b

@triton.jit
def {name}_newer(x, axis=0, reverse: tl.constexpr = False):
    return tl.associative_scan(x, axis, {name}_combine, reverse)

@triton.jit
def {name}_older(x, axis=0, reverse: tl.constexpr = False):
    if x.dtype == tl.bfloat16:
        x = x.to(tl.float32)
    return tl.associative_scan(x, axis, {name}_combine, reverse)
"""
FUNCTIONS = {"cumsum": SCAN.format(name="cumsum", sign="+"),
             "cumprod": SCAN.format(name="cumprod", sign="*")}
CALLS = re.compile(rf"\btl\.({'|'.join(FUNCTIONS)})\(")


def rewrite(text, which):
    """A kernel's text with the functions above written out as the older or the newer version has
    them."""
    names = sorted(set(CALLS.findall(text)))
    head, found, rest = text.partition(stand_in.source.HEADER)
    return head + found + "".join(FUNCTIONS[n] for n in names) + CALLS.sub(rf"\1_{which}(", rest)


def run_again(item, which):
    """(the error or None, what the kernels left in memory) of the case with its kernels
    rewritten."""
    Settings.rewrite, Settings.memory = (lambda text: rewrite(text, which)) if which else None, []
    try:
        item.runtest()
        return None, Settings.memory
    except Exception as error:
        return error, Settings.memory
    finally:
        Settings.rewrite, Settings.memory = None, None


def differs(item):
    """The names of the functions on which a failed case depends; empty where it is wrong."""
    if not any(CALLS.search(text) for text in Settings.texts):
        return []
    names = sorted({n for text in Settings.texts for n in CALLS.findall(text)})
    error, ours = run_again(item, None)
    same_error, newer = run_again(item, "newer")
    passes, _ = run_again(item, "older")
    same = (error is not None and same_error is not None and passes is None
            and ours and ours == newer)
    return names if same else []
