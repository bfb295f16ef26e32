import triton.language as tl

ROWS = tl.constexpr(4)
