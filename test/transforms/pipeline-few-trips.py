# No more iterations ahead than a loop has. A loop that goes round twice, where three stages are asked for, copies both
# before it begins, if that leaves a multiprocessor its blocks; else one of them.

# RUN: tile-translate --import-triton --kernel wide --signature '*fp16:16, *fp16:16, *fp32:16' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=TWO,ALL
# RUN: tile-translate --import-triton --kernel twice --signature '*fp16:16, *fp16:16, *fp32:16' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=THREE,ALL
# So of one whose end is the smaller of an argument and a constant.
# RUN: tile-translate --import-triton --kernel at_most --signature '*fp16:16, *fp16:16, *fp32:16, i32' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=THREE,ALL
# Not where two are all that is asked for.
# RUN: sed 's/num_stages=3/num_stages=2/' %s >%t.two.py
# RUN: tile-translate --import-triton --kernel twice --signature '*fp16:16, *fp16:16, *fp32:16' %t.two.py \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=TWO,ALL
# Two of one that goes round three times, or as often as an argument says; and no copies where there is one iteration at most.
# RUN: tile-translate --import-triton --kernel thrice --signature '*fp16:16, *fp16:16, *fp32:16' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=THREE,ALL
# RUN: tile-translate --import-triton --kernel any_number --signature '*fp16:16, *fp16:16, *fp32:16, i32' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=THREE,ALL
# RUN: tile-translate --import-triton --kernel once --signature '*fp16:16, *fp16:16, *fp32:16, i32' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=ONE,ALL
# Both operands of two products, of which one waits for the other, where there is one iteration: they are in flight
# together. Where all copies start before the loop, none is started in it.
# RUN: tile-translate --import-triton --kernel chain --signature '*fp16:16, *fp16:16, *fp32:16, i32' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefixes=CHAIN,ALL
# ALL: func.func
# ONE-NOT: tile_gpu.async_copy
# TWO-COUNT-2: tile_gpu.async_copy
# CHAIN-COUNT-2: tile_gpu.async_copy
# THREE-COUNT-4: tile_gpu.async_copy
# TWO-NOT: tile_gpu.async_copy
# CHAIN-NOT: tile_gpu.async_copy
# THREE-NOT: tile_gpu.async_copy
# ALL: scf.for
# TWO: "tile_gpu.async_wait"{{.*}} {pending = 0 : i32}
# CHAIN: "tile_gpu.async_wait"{{.*}} {pending = 0 : i32}
# THREE: "tile_gpu.async_wait"{{.*}} {pending = 1 : i32}
# ALL: tile_gpu.warpgroup_dot
# CHAIN-NOT: tile_gpu.async_copy
# CHAIN: tile_gpu.warpgroup_dot
# CHAIN-NOT: tile_gpu.async_copy
# CHAIN: return

# RUN: tile-translate --import-triton --kernel twice --signature '*fp16:16, *fp16:16, *fp32:16' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=INSIDE
# INSIDE: scf.for
# INSIDE-NOT: tile_gpu.async_copy
# INSIDE: return

# RUN: tile-run %s --kernel twice --device emulator --check --grid 1 --arg a=fp16[64,128]:ones --arg b=fp16[128,64]:ones \
# RUN:   --arg out=fp32[64,64]:poison --print out:2 | FileCheck %s --check-prefix=NUMBERS
# RUN: tile-run %s --kernel at_most --device emulator --check --grid 1 --arg a=fp16[64,128]:ones --arg b=fp16[128,64]:ones \
# RUN:   --arg out=fp32[64,64]:poison --arg n=i32:500 --print out:2 | FileCheck %s --check-prefix=NUMBERS
# RUN: tile-run %s --kernel wide --device emulator --check --grid 1 --arg a=fp16[64,256]:ones --arg b=fp16[256,64]:ones \
# RUN:   --arg out=fp32[64,64]:poison --print out:2 | FileCheck %s --check-prefix=WIDE
# RUN: tile-run %s --kernel chain --device emulator --check --grid 1 --arg a=fp16[64,128]:ones --arg b=fp16[128,64]:ones \
# RUN:   --arg out=fp32[64,64]:poison --arg n=i32:500 --print out:2 | FileCheck %s --check-prefix=CHAINED
# CHAINED: out = 4096 4096 ...
# NUMBERS: out = 128 128 ...
# WIDE: out = 256 256 ...

# Two iterations are too few for the copy engine, three are not.
# RUN: tile-translate --tile-to-ptx --kernel described --signature '*fp16:16, *fp16:16, *fp32:16, 128' %s | FileCheck %s --check-prefix=PLAIN
# RUN: tile-translate --tile-to-ptx --kernel described --signature '*fp16:16, *fp16:16, *fp32:16, 192' %s | FileCheck %s --check-prefix=ENGINE
# PLAIN-NOT: described$tma
# ENGINE: .entry described$tma(
import triton
import triton.language as tl


@triton.jit
def product(a, b, out, END):
    i = tl.arange(0, 64)
    total = tl.zeros((64, 64), tl.float32)
    for k in tl.range(0, END, 64, num_stages=3):
        x = tl.load(a + i[:, None] * 128 + (i + k)[None, :])
        y = tl.load(b + (i + k)[:, None] * 64 + i[None, :])
        total = tl.dot(x, y, total)
    tl.store(out + i[:, None] * 64 + i[None, :], total)


@triton.jit
def once(a, b, out, n):
    product(a, b, out, tl.minimum(n, 64))


@triton.jit
def chain(a, b, out, n):
    i = tl.arange(0, 64)
    total = tl.zeros((64, 64), tl.float32)
    for k in tl.range(0, tl.minimum(n, 64), 64, num_stages=3):
        x = tl.load(a + i[:, None] * 128 + (i + k)[None, :])
        y = tl.load(b + (i + k)[:, None] * 64 + i[None, :])
        total = tl.dot(tl.dot(x, y).to(tl.float16), x, total)
    tl.store(out + i[:, None] * 64 + i[None, :], total)


@triton.jit
def twice(a, b, out):
    product(a, b, out, 128)


@triton.jit
def thrice(a, b, out):
    product(a, b, out, 192)


@triton.jit
def at_most(a, b, out, n):
    product(a, b, out, tl.minimum(n, 128))


@triton.jit
def any_number(a, b, out, n):
    product(a, b, out, n)


@triton.jit
def wide(a, b, out):
    i, j = tl.arange(0, 64), tl.arange(0, 128)
    total = tl.zeros((64, 64), tl.float32)
    for k in tl.range(0, 256, 128, num_stages=3):
        x = tl.load(a + i[:, None] * 256 + (j + k)[None, :])
        y = tl.load(b + (j + k)[:, None] * 64 + i[None, :])
        total = tl.dot(x, y, total)
    tl.store(out + i[:, None] * 64 + i[None, :], total)


@triton.jit
def described(a, b, out, END: tl.constexpr):
    i = tl.arange(0, 64)
    x = tl.make_tensor_descriptor(a, [64, END], [END, 1], [64, 64])
    y = tl.make_tensor_descriptor(b, [END, 64], [64, 1], [64, 64])
    total = tl.zeros((64, 64), tl.float32)
    for k in range(0, END, 64):
        total = tl.dot(x.load([0, k]), y.load([k, 0]), total)
    tl.store(out + i[:, None] * 64 + i[None, :], total)
