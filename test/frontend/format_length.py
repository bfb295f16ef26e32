# The length of what format() makes is bounded where it is made, and counted once, however many
# fields there are.
# RUN: tile-translate --list-configs %s --kernel many_kernel | FileCheck %s --check-prefix=MANY
# RUN: not tile-translate --tile-to-ptx --signature '*fp32' --kernel long_kernel %s 2>&1 | FileCheck %s --check-prefix=LONG
# MANY: num_warps=4
# LONG: format_length.py:11:8: error: a string of more than 65536 bytes at compile time
import triton
import triton.language as tl

MANY = ("{}" * 900).format(*[123456789] * 900)
LONG = ("{0}" + "b" * 65530).format("a" * 65536)


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, num_warps=len(MANY) // 2025)], key=[])
@triton.jit
def many_kernel(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), 1.0)


@triton.jit
def long_kernel(out):
    tl.static_print(LONG)
    tl.store(out, 1.0)
