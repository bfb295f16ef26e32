"""Names that depend on conditions, which are evaluated as host code: the environment is empty."""
import os
import torch
import triton
import triton.language as tl

FAST = os.environ.get("FAST", "0") == "1"
IS_HOPPER = torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 9
LIMIT = 16
LIMIT += 16
STEPS = [2 ** i for i in range(3)]
STEPS.append(8)

if FAST:
    exp = tl.exp2
elif IS_HOPPER:
    exp = tl.exp
else:
    exp = tl.log

log = tl.log2 if FAST else tl.log

try:
    from .missing import rsqrt
except ImportError:
    rsqrt = tl.rsqrt

try:
    from .deep.all import deepest
    HAS_DEEP = True
except ImportError:
    HAS_DEEP = False

if not hasattr(tl, "no_such_function"):

    @triton.jit
    def replaced(x):
        return x + 7

else:
    replaced = tl.no_such_function


def pick(n):
    table = {1: 10, 2: 20}
    return table[n]


PICKED = pick(2)
