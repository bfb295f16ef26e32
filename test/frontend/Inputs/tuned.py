import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 16}, num_warps=1), triton.Config({"BLOCK": 32}, num_warps=2)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0, "HAS_Y": lambda args: args["y"] is not None})
@triton.jit
def tuned(x, y, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, HAS_Y: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    if HAS_Y:
        v += tl.load(y + i, mask=i < n, other=0.0)
    if EVEN:
        v += 1000.0
    tl.store(x + i, v, mask=i < n)
