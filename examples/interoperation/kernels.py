import triton
import triton.language as tl


@triton.jit
def axpy_kernel(out_ptr, x_ptr, y_ptr, a, n, BLOCK: tl.constexpr):
    """out = a * x + y"""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + at, mask=inside)
    tl.store(out_ptr + at, a * x + y, mask=inside)


@triton.jit
def softmax_kernel(out_ptr, in_ptr, rows, width, BLOCK: tl.constexpr):
    """As many programs as the device runs at one time share the rows."""
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        x = tl.load(in_ptr + row * width + columns, mask=inside, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * width + columns, e / tl.sum(e, axis=0), mask=inside)
