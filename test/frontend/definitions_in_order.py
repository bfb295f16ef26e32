# Of several definitions of a function of the host the one counts that has been reached where it is
# called, in one statement with the call, too; one below has not happened yet.
# RUN: tile-translate --list-configs %s | FileCheck %s
# CHECK: num_warps=8
import triton
import triton.language as tl


def warps():
    return 4


if 1 < 2:
    def warps():
        return 8
    WARPS = warps()

    def warps():
        return 2


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, num_warps=WARPS)], key=[])
@triton.jit
def ordered_kernel(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), 1.0)
