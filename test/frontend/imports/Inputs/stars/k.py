import os
import triton
import triton.language as tl
from .a import *
from .deep import x0

if os.path.exists("/etc/fast"):
    FACTOR = 2.0
else:
    FACTOR = 4.0

if os.path.exists("/etc/triton"):

    @triton.jit
    def twice(x):
        return x + x

else:

    def twice(x):
        raise RuntimeError("there is no Triton")


@triton.jit
def lost_in_stars(p):
    tl.store(p, somewhere(tl.load(p)))


@triton.jit
def handed_on(p):
    tl.store(p, x0(tl.load(p)))


@triton.jit
def chosen(p):
    tl.store(p, tl.load(p) * FACTOR)


@triton.jit
def stands_in(p):
    tl.store(p, twice(tl.load(p)))
