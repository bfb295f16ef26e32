import triton.language as tl

FACTOR: tl.constexpr = tl.constexpr(2)
