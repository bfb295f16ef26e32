# Programs of the last wave that blocks share (tile-gpu-split-tail), where a loop has two sums, blocks that are copied before it, and
# adds to memory in each iteration: each block of a program copies these blocks, its iterations add what they would, and the last one
# puts both sums together. The numbers are whole ones, so that the order of terms does not matter: equal to the bit, and nothing is
# noticed on the way.
# RUN: tile-run %s --kernel fill --grid 640 --signature "*fp16:16" --arg out=fp16[5,64,128]:0 --save out=%t.x.npy
# RUN: tile-run %s --kernel fill --grid 8192 --signature "*fp16:16" --arg out=fp16[4096,128]:0 --save out=%t.a.npy
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel sums --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-run %s --kernel sums --check --multiprocessors 4 --grid 5 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32:16" --arg x=%t.x.npy --arg a=%t.a.npy --arg out=fp32[640,128]:poison --arg other=fp32[640,128]:poison --arg total=fp32[4096,128]:0 --arg n=i32:4096 --save out=%t.out.npy --save other=%t.other.npy --save total=%t.total.npy
# RUN: tile-run %s --kernel sums --tensor-maps off --grid 5 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32:16" --arg x=%t.x.npy --arg a=%t.a.npy --arg out=fp32[640,128]:poison --arg other=fp32[640,128]:poison --arg total=fp32[4096,128]:0 --arg n=i32:4096 --save out=%t.out2.npy --save other=%t.other2.npy --save total=%t.total2.npy
# RUN: cmp %t.out.npy %t.out2.npy
# RUN: cmp %t.other.npy %t.other2.npy
# RUN: cmp %t.total.npy %t.total2.npy
# What threads add up by atomic operations may be read on the way, as here: not shared.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel counted --signature "*fp16:16, *fp16:16, *fp32:16, *i32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=COUNTED
# COUNTED-LABEL: func.func @counted$tma(
# COUNTED-NOT: part_bytes
# COUNTED-SAME: resident_blocks
# COUNTED-NOT: part_bytes
import triton
import triton.language as tl


# CHECK-LABEL: func.func @sums$tma(
# CHECK-SAME: tile_gpu.part_bytes = 131072
# CHECK: "tile_gpu.in_producer"
# CHECK: } else {
# CHECK: "tile_gpu.bulk_store"{{.*}}kind = "add"
# Both sums of a part, and then its flag.
# CHECK: "tile_gpu.store_part"(%{{.*}}) : (tensor<128x128xf32
# CHECK: "tile_gpu.store_part"(%{{.*}}) : (tensor<128x128xf32
# CHECK: "tile.atomic_rmw"{{.*}}xchg
# CHECK: scf.while
# CHECK: "tile_gpu.add_part"
# CHECK: "tile_gpu.add_part"
# CHECK-LABEL: func.func @sums(


@triton.jit
def fill(out):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(out + i, (i * 7919 % 11 % 5 - 2).to(tl.float16))


@triton.jit
def sums(x, a, out, other, total, n):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, 128)
    first = tl.load(x + (tl.program_id(0) * 32 + tl.arange(0, 128))[:, None] * 128 + columns[None, :])
    acc = tl.zeros((128, 128), dtype=tl.float32)
    more = tl.zeros((128, 128), dtype=tl.float32)
    for k in range(0, n, 64):
        at = (k + tl.arange(0, 64))[:, None] * 128 + columns[None, :]
        t = tl.load(a + at)
        s = tl.dot(first, t.T).to(tl.float16)
        acc = tl.dot(s, t, acc)
        more = tl.dot(s - 1, t, more)
        tl.atomic_add(total + at, tl.dot(s.T, first), sem="relaxed")
    place = rows[:, None] * 128 + columns[None, :]
    tl.store(out + place, acc)
    tl.store(other + place, more)


@triton.jit
def counted(x, a, out, seen, n):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, 256)
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, n, 64):
        t = tl.load(a + (k + tl.arange(0, 64))[:, None] * 256 + columns[None, :])
        acc = tl.dot(tl.load(x + rows[:, None] * n + (k + tl.arange(0, 64))[None, :]), t, acc)
        tl.atomic_add(seen, k, sem="relaxed")
    tl.store(out + rows[:, None] * 256 + columns[None, :], acc + tl.load(seen))
