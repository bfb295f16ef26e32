import triton
import triton.language as tl


@triton.jit
def softmax(out, x, stride, width, rows, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + columns, mask=columns < width, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + columns, e / tl.sum(e, axis=0), mask=columns < width)
