# Blocks of two programs next to each other bring one another halves of what both read.
# DEFINE: %{s} = "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32:8, i32:8, 2"
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 4 --kernel grouped --signature %{s} %s -o %t.mlir
# RUN: sed -e 's/^module attributes {/&tile.pairs, /' %t.mlir | env TILE_SKIP_PASSES=tile-gpu-split-tail tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=PAIRS
# RUN: sed -e 's/^module attributes {/&tile.pairs, /' %t.mlir | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=PARTS
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s --check-prefix=OFF
# OFF-NOT: cluster
# Seven by two tiles in groups of two rows: the last row of each column is alone in its group, so that programs 12 and 13 read other
# columns of b; of one row by three, and with rows of tiles, it is a that both read. Of an odd number the last one is alone.
# RUN: tile-run %s --kernel grouped --pairs on --check --grid 14 --num-warps 8 --num-stages 4 --signature %{s} --arg a=fp16[840,328]:rand --arg b=fp16[328,512]:rand --arg c=fp16[840,512]:poison --arg M=i32:840 --arg N=i32:512 --arg K=i32:328 --arg stride=i32:512 --save c=%t.pairs.npy
# RUN: tile-run %s --kernel grouped --tensor-maps off --grid 14 --num-warps 8 --num-stages 4 --signature %{s} --arg a=fp16[840,328]:rand --arg b=fp16[328,512]:rand --arg c=fp16[840,512]:poison --arg M=i32:840 --arg N=i32:512 --arg K=i32:328 --arg stride=i32:512 --save c=%t.single.npy
# RUN: cmp %t.pairs.npy %t.single.npy
# RUN: tile-run %s --kernel grouped --pairs on --check --seed 5 --grid 3 --num-warps 8 --num-stages 4 --signature %{s} --arg a=fp16[128,72]:rand --arg b=fp16[72,768]:rand --arg c=fp16[128,768]:poison --arg M=i32:128 --arg N=i32:768 --arg K=i32:72 --arg stride=i32:768 --save c=%t.pairs.npy
# RUN: tile-run %s --kernel grouped --tensor-maps off --grid 3 --num-warps 8 --num-stages 4 --signature %{s} --arg a=fp16[128,72]:rand --arg b=fp16[72,768]:rand --arg c=fp16[128,768]:poison --arg M=i32:128 --arg N=i32:768 --arg K=i32:72 --arg stride=i32:768 --save c=%t.single.npy
# RUN: cmp %t.pairs.npy %t.single.npy
# One program: its block is alone from the beginning.
# RUN: tile-run %s --kernel grouped --pairs on --check --grid 1 --num-warps 8 --num-stages 4 --signature %{s} --arg a=fp16[128,72]:rand --arg b=fp16[72,256]:rand --arg c=fp16[128,256]:poison --arg M=i32:128 --arg N=i32:256 --arg K=i32:72 --arg stride=i32:256 --save c=%t.pairs.npy
# RUN: tile-run %s --kernel grouped --tensor-maps off --grid 1 --num-warps 8 --num-stages 4 --signature %{s} --arg a=fp16[128,72]:rand --arg b=fp16[72,256]:rand --arg c=fp16[128,256]:poison --arg M=i32:128 --arg N=i32:256 --arg K=i32:72 --arg stride=i32:256 --save c=%t.single.npy
# RUN: cmp %t.pairs.npy %t.single.npy
# Along three axes.
# RUN: tile-run %s --kernel batched --pairs on --check --grid 3,2,3 --num-warps 8 --num-stages 4 --signature "*fp16:16, *fp16:16, *fp16:16, i32:8" --arg a=fp16[3,384,64]:rand --arg b=fp16[3,64,512]:rand --arg c=fp16[3,384,512]:poison --arg K=i32:64 --save c=%t.pairs.npy
# RUN: tile-run %s --kernel batched --tensor-maps off --grid 3,2,3 --num-warps 8 --num-stages 4 --signature "*fp16:16, *fp16:16, *fp16:16, i32:8" --arg a=fp16[3,384,64]:rand --arg b=fp16[3,64,512]:rand --arg c=fp16[3,384,512]:poison --arg K=i32:64 --save c=%t.single.npy
# RUN: cmp %t.pairs.npy %t.single.npy
# The launch knows of the clusters, and the PTX says what they are.
# RUN: tile-translate --tile-to-ptx --pairs on --kernel grouped --num-warps 8 --num-stages 4 --signature %{s} %s | FileCheck %s --check-prefix=PTX
# RUN: tile-translate --tile-to-ptx --pairs off --kernel grouped --num-warps 8 --num-stages 4 --signature %{s} %s | FileCheck %s --check-prefix=SINGLE
# If nothing is said, a version of its own has pairs, for rows that begin inside of cache lines.
# RUN: tile-translate --tile-to-ptx --kernel grouped --num-warps 8 --num-stages 4 --signature %{s} %s | FileCheck %s --check-prefix=OWN
# PTX: .entry grouped$tma(
# PTX: .reqnctapercluster 2, 1, 1
# PTX: // tile.version {{.*}}symbol=grouped$tma {{.*}}resident=1 {{.*}}cluster=2
# PTX: // tile.map {{.*}} box=64,64
# PTX: // tile.version {{.*}}symbol=grouped
# PTX-NOT: cluster=
# SINGLE-NOT: cluster=
# OWN: // tile.version {{.*}}symbol=grouped$tma$pairs {{.*}}cluster=2
# OWN: // tile.condition kind=split-rows value=128
# OWN: // tile.version {{.*}}symbol=grouped$tma warps
# OWN-NOT: cluster=
# Why a kernel has none.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 4 --kernel sums --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:8" %s -o %t.sums.mlir
# RUN: tile-opt --tile-inline --canonicalize --cse --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-contract-dot --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles --tile-gpu-pipeline %t.sums.mlir -o %t.ready.mlir
# RUN: sed -e 's/^module attributes {/&tile.pairs, /' %t.ready.mlir | tile-opt --tile-gpu-pair-blocks=remarks=true - 2>&1 | FileCheck %s --check-prefix=WHY
# WHY: remark: its blocks go alone: several loops copy blocks, or one before the loop is
import triton
import triton.language as tl


# The other program's number is its own with another last bit; its place in the grid and where its blocks are is computed of that.
# PAIRS-LABEL: func.func @grouped$tma(
# PAIRS-SAME: box = array<i32: 64, 64>
# PAIRS-SAME: box = array<i32: 64, 64>
# PAIRS-SAME: tile_gpu.cluster_blocks = 2 : i32
# Full: one arrival; empty: those of eight warps of each block.
# PAIRS: "tile_gpu.mbarrier_init"(%{{.*}}) {arrivals = 1 : i32}
# PAIRS: "tile_gpu.mbarrier_init"(%[[EMPTY:.*]]) {arrivals = 16 : i32}
# PAIRS-NEXT: "tile_gpu.cluster_barrier"
# PAIRS: scf.if
# PAIRS: %[[RANK:.*]] = "tile_gpu.cluster_rank"
# PAIRS: %[[OTHER:.*]] = arith.xori %[[RANK]], %c1_i32
# PAIRS: scf.for %[[N:[a-z0-9]*]] = %{{.*}} to %[[PROGRAMS:[a-z0-9]*]] step {{.*}} = %[[OTHER]])
# PAIRS: %[[LATER:.*]] = arith.ori %[[N]], %c1_i32
# PAIRS: %[[EXISTS:.*]] = arith.cmpi slt, %[[LATER]], %[[PROGRAMS]]
# PAIRS: %[[MATE:.*]] = arith.xori %[[N]], %c1_i32
# PAIRS: arith.select %[[EXISTS]], %[[MATE]], %[[N]]
# PAIRS: %[[TARGET:.*]] = arith.select %[[EXISTS]], %{{.*}}, %[[RANK]]
# PAIRS: arith.cmpi ne, %[[TARGET]], %[[RANK]]
# PAIRS: scf.for
# PAIRS: "tile_gpu.mbarrier_expect"(%{{.*}}, %true) {bytes = 49152 : i32}
# PAIRS: "tile_gpu.bulk_load"(%[[A:[a-z0-9]*]], {{.*}}) {multicast, parts = 2 : i32}
# PAIRS: "tile_gpu.bulk_load"(%[[A]], {{.*}}) {parts = 2 : i32}
# PAIRS: "tile_gpu.bulk_load"(%[[B:[a-z0-9]*]], {{.*}}) {multicast, parts = 2 : i32}
# PAIRS: "tile_gpu.bulk_load"(%[[B]], {{.*}}) {parts = 2 : i32}
# PAIRS: scf.yield {{.*}}, %[[TARGET]] :
# PAIRS: } else {
# The warps tell both blocks, or their own twice.
# PAIRS: "tile_gpu.mbarrier_arrive_at"(%[[STAGE:.*]], %{{.*}}, %{{.*}})
# PAIRS-NEXT: "tile_gpu.mbarrier_arrive"(%[[STAGE]], %{{.*}})
# PAIRS: "tile_gpu.mbarrier_arrive_at"
# PAIRS-NEXT: "tile_gpu.mbarrier_arrive"
# PAIRS: "tile_gpu.cluster_barrier"
# PAIRS-NEXT: return
# A part of a program's iterations is another one's only where both begin and end at the same one.
# PARTS-LABEL: func.func @grouped$tma(
# PARTS-SAME: tile_gpu.part_bytes
# PARTS: scf.for
# PARTS: %[[MINE:.*]]:7 = scf.if
# PARTS: %[[THEIRS:.*]]:7 = scf.if
# PARTS: %[[FROM:.*]] = arith.cmpi eq, %[[THEIRS]]#1, %[[MINE]]#1
# PARTS: %[[AND:.*]] = arith.andi %{{.*}}, %[[FROM]]
# PARTS: %[[TO:.*]] = arith.cmpi eq, %[[THEIRS]]#2, %[[MINE]]#2
# PARTS: %[[BOTH:.*]] = arith.andi %[[AND]], %[[TO]]
# PARTS: arith.select %[[BOTH]],
@triton.jit
def grouped(a, b, c, M, N, K, stride, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, 128), tl.cdiv(N, 256)
    first = pid // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    m = (first + pid % (GROUP * columns) % size) * 128
    n = pid % (GROUP * columns) // size * 256
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [128, 64])
    y = tl.make_tensor_descriptor(b, [K, N], [stride, 1], [64, 256])
    z = tl.make_tensor_descriptor(c, [M, N], [stride, 1], [128, 256])
    s = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, K, 64):
        s = tl.dot(x.load([m, k]), y.load([k, n]), s)
    z.store([m, n], s.to(tl.float16))


@triton.jit
def batched(a, b, c, K):
    m, n, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    i = m * 128 + tl.arange(0, 128)
    j = n * 256 + tl.arange(0, 256)
    s = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, K, 64):
        l = k + tl.arange(0, 64)
        x = tl.load(a + z * 384 * K + i[:, None] * K + l[None, :])
        y = tl.load(b + z * K * 512 + l[:, None] * 512 + j[None, :])
        s = tl.dot(x, y, s)
    tl.store(c + z * 384 * 512 + i[:, None] * 512 + j[None, :], s.to(tl.float16))


@triton.jit
def sums(a, b, c, steps, stride):
    m = tl.program_id(0) * 128
    x = tl.make_tensor_descriptor(a, [3840, stride], [stride, 1], [128, 64])
    y = tl.make_tensor_descriptor(b, [3840, 256], [256, 1], [64, 256])
    z = tl.make_tensor_descriptor(c, [3840, 256], [256, 1], [128, 256])
    q = x.load([m, 0])
    s = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, steps):
        s = tl.dot(q, y.load([k * 64, 0]), s)
    z.store([m, 0], s.to(tl.float16))
