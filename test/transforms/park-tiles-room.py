# RUN: tile-translate --import-triton --kernel five_sums --signature '*fp32:16, *fp32:16, *fp32:16, i32, 8192' %s | tile-opt --tile-to-tile-gpu=num-warps=32 -o %t.mlir
# RUN: FileCheck %s --check-prefix=SUMS --input-file %t.mlir
# RUN: tile-opt --tile-gpu-to-llvm %t.mlir -o %t.lowered.mlir

# A tile is parked where all of shared memory has room for it beside what operations take: not too little is counted for those.
import triton
import triton.language as tl


# Seven tiles would have to go, of 32 KiB each: they leave 3072 bytes. The five sums take 1280 at a time, but twice 2048 in a loop (two
# halves, which iterations take turns with).
# SUMS-NOT: tile_gpu.private
@triton.jit
def five_sums(x, w, out, count, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    a = tl.load(w + columns)
    b = tl.load(w + BLOCK + columns)
    c = tl.load(w + 2 * BLOCK + columns)
    d = tl.load(w + 3 * BLOCK + columns)
    e = tl.load(w + 4 * BLOCK + columns)
    first = tl.zeros((BLOCK,), tl.float32)
    second = tl.zeros((BLOCK,), tl.float32)
    third = tl.zeros((BLOCK,), tl.float32)
    fourth = tl.zeros((BLOCK,), tl.float32)
    fifth = tl.zeros((BLOCK,), tl.float32)
    sixth = tl.zeros((BLOCK,), tl.float32)
    for i in range(count):
        row = tl.load(x + i * BLOCK + columns)
        total = tl.sum((row * a).to(tl.float64), axis=0)
        total += tl.sum((row * b).to(tl.float64), axis=0)
        total += tl.sum((row * c).to(tl.float64), axis=0)
        total += tl.sum((row * d).to(tl.float64), axis=0)
        total += tl.sum((row * e).to(tl.float64), axis=0)
        scaled = row * total.to(tl.float32)
        first += scaled
        second += scaled * row
        third += scaled * scaled
        fourth += scaled - 1.0
        fifth += scaled + 2.0
        sixth += tl.maximum(scaled, row)
    tl.store(out + columns, first)
    tl.store(out + BLOCK + columns, second)
    tl.store(out + 2 * BLOCK + columns, third)
    tl.store(out + 3 * BLOCK + columns, fourth)
    tl.store(out + 4 * BLOCK + columns, fifth)
    tl.store(out + 5 * BLOCK + columns, sixth)
