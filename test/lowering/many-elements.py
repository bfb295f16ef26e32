# RUN: tile-run %s --device emulator --kernel rows --num-warps 1 --constexpr B=32768 --grid 1 --check --arg x_ptr=fp32[32768]:ones --arg y_ptr=fp32[32768]:poison --arg n=i32:32000 --print y_ptr:4 | FileCheck %s --check-prefix=ROWS
# RUN: tile-run %s --device emulator --kernel transposed --num-warps 1 --grid 1 --check --arg x_ptr=i32[65536]:arange --arg y_ptr=i32[65536]:poison --arg wrong_ptr=i32[1]:poison --print wrong_ptr:1 | FileCheck %s --check-prefix=TRANSPOSED
# RUN: tile-translate --tile-to-ptx --target sm_80 --fewer-warps off --num-warps 1 --kernel rows --signature "*fp32:16, *fp32:16, i32:16, 32768" %s | FileCheck %s --check-prefix=PTX
"""Tiles of which a thread holds 1024 and 2048 elements: more than it has registers, moved to memory and back."""
import triton
import triton.language as tl


# PTX-COUNT-256: ld.global.v4
# ROWS: y_ptr = 3.12500015e-05 3.12500015e-05 3.12500015e-05 3.12500015e-05 ...
@triton.jit
def rows(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + i, e / tl.sum(e, 0), mask=i < n)


# TRANSPOSED: wrong_ptr = 0
@triton.jit
def transposed(x_ptr, y_ptr, wrong_ptr):
    i = tl.arange(0, 256)[:, None]
    j = tl.arange(0, 256)[None, :]
    tl.store(y_ptr + i * 256 + j, tl.load(x_ptr + i * 256 + j).T)
    tl.debug_barrier()
    again = tl.load(y_ptr + i * 256 + j)
    tl.store(wrong_ptr, tl.sum((again != j * 256 + i).to(tl.int32)))
