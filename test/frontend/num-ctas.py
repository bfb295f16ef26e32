# A program that several blocks of a cluster are asked for is done by one: the grid counts programs, and the results are the same.
# RUN: tile-run %s --kernel total --config 0 --device emulator --check --grid 4 --arg x=fp32[256]:arange --arg out=fp32[4]:poison --print out:4 | FileCheck %s
# RUN: tile-run %s --kernel total --config 1 --device emulator --check --grid 4 --arg x=fp32[256]:arange --arg out=fp32[4]:poison --print out:4 | FileCheck %s
# CHECK: out = 2016 6112 10208 14304
# RUN: tile-translate --tile-to-ptx --kernel total --config 0 --signature '*fp32:16, *fp32:16' %s -o %t.one
# RUN: tile-translate --tile-to-ptx --kernel total --config 1 --signature '*fp32:16, *fp32:16' %s -o %t.four
# RUN: tile-image extract --code-only %t.one -o %t.one.code && tile-image extract --code-only %t.four -o %t.four.code
# RUN: cmp %t.one.code %t.four.code

# Heuristics see the number.
# RUN: tile-translate --import-triton --kernel seen --signature '*fp32' --config 0 %s | FileCheck %s --check-prefix=SEEN
# SEEN: 4.000000e+00 : f32
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 64}, num_ctas=4)], key=[])
@triton.jit
def total(x, out, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(out + pid, tl.sum(tl.load(x + pid * BLOCK + tl.arange(0, BLOCK)), 0))


@triton.autotune(configs=[triton.Config({}, num_ctas=4)], key=[])
@triton.heuristics({"CTAS": lambda args: args["num_ctas"]})
@triton.jit
def seen(out, CTAS: tl.constexpr):
    tl.store(out, CTAS)
