import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 64, "FACTOR": 2}, num_warps=2),
        triton.Config({"BLOCK": 128, "FACTOR": 2}),
        triton.Config({"BLOCK": 128, "FACTOR": 3}),
        triton.Config({"BLOCK": 100, "FACTOR": 2}),
        triton.Config({"BLOCK": 64, "FACTOR": 2}, num_warps=2),
    ],
    key=["n"],
)
@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr, FACTOR: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * FACTOR, mask=i < n)


@triton.autotune(configs=[triton.Config({}, num_warps=w) for w in (1, 2, 4)], key=["width"])
@triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["width"])})
@triton.jit
def softmax(out, x, rows, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    v = tl.load(x + row * width + columns, mask=inside, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * width + columns, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def plain(out):
    tl.store(out, 1.0)
