import triton
import triton.language as tl


@triton.jit
def scale(x, bias, n, stride, flags, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i * stride, mask=i < n)
    if bias is not None:
        v += tl.load(bias)
    tl.store(x + i * stride, v + flags, mask=i < n)
