# RUN: tile-translate --import-triton --kernel five_sums --signature '*fp32:16, *fp32:16, *fp32:16, i32, 8192' %s | tile-opt --tile-to-tile-gpu=num-warps=32 -o %t.mlir
# RUN: FileCheck %s --check-prefix=SUMS --input-file %t.mlir
# RUN: tile-opt --tile-gpu-to-llvm %t.mlir -o %t.lowered.mlir
# RUN: tile-translate --import-triton --kernel nested --signature '*fp16:16, *fp16:16, *fp32:16, i32, i32, 16384' %s | tile-opt --tile-to-tile-gpu=num-warps=32 | FileCheck %s --check-prefix=NESTED
# RUN: tile-run %s --device emulator --kernel nested --signature '*fp16:16, *fp16:16, *fp32:16, i32, i32, 16384' --num-warps 32 --grid 1 --check --seed 3 --arg x=fp16[65536]:1 --arg w=fp16[16384]:2 --arg out=fp32[65536]:poison --arg groups=i32:2 --arg count=i32:2 --print out:49154 | FileCheck %s --check-prefix=OUT
# RUN: %if ptxas %{ tile-translate --tile-to-cubin -v --kernel nested --signature '*fp16:16, *fp16:16, *fp32:16, i32, i32, 16384' --num-warps 32 %s -o %t.cubin 2>&1 | FileCheck %s --check-prefix=LOG %}
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel product --signature '*fp32:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32, i32, 8192, 128, 16, 512' --num-warps 32 %s -o %t.ptx
# RUN: tile-translate --import-triton --kernel two_versions --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' %s | tile-opt --tile-to-tile-gpu=num-warps=16 | FileCheck %s --check-prefix=VERSIONS

# Where there is room for a spilled tile, and before which loop.
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


# The weight comes from outside of both loops: before the outer one it is spilled, else it would be in registers there all the time.
# NESTED: %[[W:.*]] = "tile_gpu.alloc"() {tile_gpu.private}
# NESTED: "tile_gpu.local_store"(%{{.*}}, %[[W]])
# NESTED: scf.for
# NESTED: %[[S:.*]] = "tile_gpu.alloc"() {tile_gpu.private}
# NESTED: "tile_gpu.local_store"(%{{.*}}, %[[S]])
# NESTED: scf.for
# NESTED: "tile_gpu.local_load"(%[[W]])
# NESTED: tile.reduce
# NESTED: "tile_gpu.local_load"(%[[S]])
# NESTED: "tile_gpu.local_store"(%{{.*}}, %[[S]])
# NESTED: scf.yield
# NESTED: "tile_gpu.local_load"(%[[S]])
# NESTED: scf.yield
# LOG: 0 bytes spill stores, 0 bytes spill loads
# OUT: out = 65536 65536 65536 {{.*}} 65536 65536 ...
@triton.jit
def nested(x, w, out, groups, count, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    weight = tl.load(w + columns).to(tl.float32)
    for group in range(groups):
        sums = tl.zeros((BLOCK,), tl.float32)
        squares = tl.zeros((BLOCK,), tl.float32)
        for _ in range(count):
            row = tl.load(x + columns).to(tl.float32)
            total = tl.sum(row * weight, axis=0)
            sums += row * total
            squares += row * row * total
            x += BLOCK
        tl.store(out + 2 * group * BLOCK + columns, sums)
        tl.store(out + (2 * group + 1) * BLOCK + columns, squares)


# The product's operand of 128 KiB lies in shared memory while it changes its layout, so that two spilled weights would be too many.
@triton.jit
def product(x, a, b, w, out, groups, count, BLOCK: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = tl.arange(0, K)
    first = tl.load(w + columns)
    second = tl.load(w + BLOCK + columns)
    third = tl.load(w + 2 * BLOCK + columns)
    for group in range(groups):
        left = tl.load(a + group * M * K + m * K + k[None, :])
        right = tl.load(b + k[:, None] * N + n)
        left += tl.sum(left, axis=1, keep_dims=True)
        tl.store(out + 2 * BLOCK + m * N + n, tl.dot(left, right))
        sums = tl.zeros((BLOCK,), tl.float32)
        squares = tl.zeros((BLOCK,), tl.float32)
        for _ in range(count):
            row = tl.load(x + columns)
            total = tl.sum(row * first, axis=0)
            sums += row * total + second
            squares += row * row * total - third
            x += BLOCK
        tl.store(out + columns, sums)
        tl.store(out + BLOCK + columns, squares)


# Of two loops in the branches of an if one runs: two tiles of 64 KiB are spilled in each.
# VERSIONS: scf.if
# VERSIONS-COUNT-2: tile_gpu.private
# VERSIONS: scf.for
# VERSIONS: else
# VERSIONS-COUNT-2: tile_gpu.private
# VERSIONS: scf.for
@triton.jit
def two_versions(x, w, out, n, stride, count, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    weight = tl.load(w + columns, mask=mask, other=0.0).to(tl.float32)
    sums = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    if n == BLOCK:
        for _ in range(count):
            row = tl.load(x + columns).to(tl.float32)
            scaled = row * weight
            total = tl.sum(scaled, axis=0)
            sums += row * total
            squares += scaled * total
            x += stride
    else:
        for _ in range(count):
            row = tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
            scaled = row * weight
            total = tl.sum(scaled, axis=0)
            sums += row * total
            squares += scaled * total
            x += stride
    tl.store(out + columns, sums, mask=mask)
    tl.store(out + n + columns, squares, mask=mask)
