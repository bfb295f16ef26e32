import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": b}) for b in (64, 128, 256)], key=["n", "m"])
@triton.jit
def scale(x, n, m, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.program_id(1)
    v = tl.load(x + row * n + at, mask=at < n)
    tl.store(x + row * n + at, v * 2 + BLOCK, mask=at < n)
