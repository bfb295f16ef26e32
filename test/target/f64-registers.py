# ptxas takes no instruction of f64 with 16 rows where a thread has fewer than 64 registers ("cannot be compiled with specified register target constraints").

# What the product by warp groups does with says nothing about the other one: nothing is promised to ptxas.
# DEFINE: %{both} = tile-translate --kernel both --num-stages 2 --signature '*fp64:16, *fp64:16, *fp64:16, *fp16:16, *fp16:16, *fp16:16, i32' %s
# RUN: %{both} --target sm_90a --tile-to-ptx -o - | FileCheck %s --check-prefix=BOTH
# RUN: %if ptxas %{ %{both} --target sm_90a --tile-to-cubin -o %t.cubin %}
# BOTH-NOT: minnctapersm
# BOTH: mma.sync.aligned.m16n8k16.row.col.f64
# BOTH-NOT: minnctapersm
# BOTH: wgmma.mma_async

# Where the kernel asks for fewer, the instruction is the one with 8.
# DEFINE: %{capped} = tile-translate --kernel capped --signature '*fp64:16, *fp64:16, *fp64:16' %s
# RUN: %{capped} --target sm_90a --config 0 --tile-to-ptx -o - | FileCheck %s --check-prefix=FEW
# RUN: %{capped} --target sm_90a --config 1 --tile-to-ptx -o - | FileCheck %s --check-prefix=ENOUGH
# RUN: %if ptxas %{ %{capped} --target sm_90a --config 0 --tile-to-cubin -o %t.cubin %}
# RUN: %if ptxas %{ %{capped} --target sm_90a --config 1 --tile-to-cubin -o %t.cubin %}
# FEW: .maxnreg 56
# FEW: mma.sync.aligned.m8n8k4.row.col.f64
# ENOUGH: .maxnreg 64
# ENOUGH: mma.sync.aligned.m16n8k16.row.col.f64
# RUN: tile-run %s --kernel capped --target sm_90a --config 0 --grid 1 --check --signature '*fp64:16, *fp64:16, *fp64:16' --arg a=fp64[1024]:arange --arg b=fp64[1024]:ones --arg c=fp64[256]:poison --print c:1 | FileCheck %s --check-prefix=RESULT
# RESULT: c = 2016
import triton
import triton.language as tl


@triton.jit
def both(a, b, c, x, y, z, n):
    i, k, m = tl.arange(0, 16), tl.arange(0, 64), tl.arange(0, 64)
    doubles, halves = tl.zeros((16, 16), tl.float64), tl.zeros((64, 16), tl.float16)
    for step in range(n):
        doubles = tl.dot(tl.load(a + step * 1024 + i[:, None] * 64 + k[None, :]), tl.load(b + step * 1024 + k[:, None] * 16 + i[None, :]), doubles)
    for step in range(n):
        halves = tl.dot(tl.load(x + step * 1024 + m[:, None] * 16 + i[None, :]), tl.load(y + step * 256 + i[:, None] * 16 + i[None, :]), halves, out_dtype=tl.float16)
    tl.store(c + i[:, None] * 16 + i[None, :], doubles)
    tl.store(z + m[:, None] * 16 + i[None, :], halves)


@triton.autotune(configs=[triton.Config({}, maxnreg=56), triton.Config({}, maxnreg=64)], key=[])
@triton.jit
def capped(a, b, c):
    i, k = tl.arange(0, 16), tl.arange(0, 64)
    tl.store(c + i[:, None] * 16 + i[None, :], tl.dot(tl.load(a + i[:, None] * 64 + k[None, :]), tl.load(b + k[:, None] * 16 + i[None, :]), out_dtype=tl.float64))
