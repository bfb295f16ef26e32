import triton
import triton.language as tl


@triton.jit
def softmax_kernel(out_ptr, in_ptr, width, BLOCK: tl.constexpr):
    """Each program normalises one row."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    x = tl.load(in_ptr + row * width + columns, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * width + columns, e / tl.sum(e, axis=0), mask=inside)
