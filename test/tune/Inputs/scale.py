import triton
import triton.language as tl


# One of the last is the fastest; one does not compile, one is wrong.
@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 512, "FACTOR": 2}, num_warps=4),
        triton.Config({"BLOCK": 256, "FACTOR": 2}, num_warps=4),
        triton.Config({"BLOCK": 48, "FACTOR": 2}, num_warps=1),
        triton.Config({"BLOCK": 512, "FACTOR": 3}, num_warps=4),
        triton.Config({"BLOCK": 32, "FACTOR": 2}, num_warps=1),
        triton.Config({"BLOCK": 16, "FACTOR": 2}, num_warps=1),
        triton.Config({"BLOCK": 64, "FACTOR": 2}, num_warps=2),
    ],
    key=["n"],
)
@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr, FACTOR: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * FACTOR, mask=i < n)
