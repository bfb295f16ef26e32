import triton.language as tl; SIZE = tl.constexpr(64)
