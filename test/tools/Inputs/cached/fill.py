import triton
import triton.language as tl
from pkg.sizes import SIZE
if which():
    VALUE = 2.0
else:
    VALUE = 4.0


@triton.jit
def fill(p):
    tl.store(p + tl.arange(0, SIZE), VALUE)
