"""The product of docs/copy-engine.md, in plain pointers and with descriptors."""
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    rows = (row + tl.arange(0, BM)) % M
    columns = column + tl.arange(0, BN)
    steps = tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * K + steps[None, :]
    b_ptrs = b_ptr + steps[:, None] * N + columns[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=steps[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=(steps[:, None] < K - k * BK) & (columns[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * N
    rows = row + tl.arange(0, BM)
    c_ptrs = c_ptr + rows[:, None] * N + columns[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def described(a_ptr, b_ptr, c_ptr, M, N, K,
              BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([row, k]), b.load([k, column]), acc)
    c.store([row, column], acc.to(tl.float16))


# The commands of docs/copy-engine.md: each prefix finds its lines in what a tool prints, and in the page.
# REQUIRES: x86-64
# DEFINE: %{signature} = --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:8, i32:8, 128, 256, 64"
# DEFINE: %{page} = FileCheck %s --input-file=%source/docs/copy-engine.md
# UNSUPPORTED: short
# RUN: rm -rf %t && mkdir %t
# The kernels of the page are these.
# RUN: sed -n '/^def product/,/tl.store/p' %s > %t/kernel
# RUN: sed -n '/^def product/,/tl.store/p' %source/docs/copy-engine.md | cmp - %t/kernel
# RUN: sed -n '/^    a = tl.make/,/c.store/p' %s > %t/kernel
# RUN: sed -n '/^    a = tl.make/,/c.store/p' %source/docs/copy-engine.md | cmp - %t/kernel

# Boxes.
# RUN: tile-translate --import-triton --kernel product --num-stages 3 %{signature} %s -o %t/product.mlir
# RUN: cd %t && tile-opt --tile-inline --canonicalize --cse --tile-cleanup product.mlir | FileCheck %s --check-prefix=POINTERS
# RUN: %{page} --check-prefix=POINTERS
# POINTERS: arith.remsi {{.*}} : tensor<128xi32>
# POINTERS: "tile.addptr"
# POINTERS: scf.for {{.*}} iter_args(%arg7 = %cst, %arg8 = %{{[0-9]+}}, %arg9 = %{{[0-9]+}})
# POINTERS: "tile.load"(%arg8, %{{[0-9]+}}, %cst_0)
# POINTERS: "tile.load"(%arg9, %{{[0-9]+}}, %cst_1)
# POINTERS: "tile.dot"
# POINTERS: "tile.addptr"(%arg8, %cst_2)
# RUN: cd %t && tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-find-descriptors=remarks=true product.mlir -o found.mlir 2> found.txt
# RUN: FileCheck %s --check-prefix=FOUND --input-file=%t/found.mlir
# RUN: %{page} --check-prefix=FOUND
# FOUND: arith.extsi %arg3 : i32 to i64
# FOUND: arith.extsi %arg5 : i32 to i64
# FOUND: "tile.make_descriptor"(%arg0, {{.*}}tile.narrow_dims = array<i32: 0>}{{.*}} -> !tile.descriptor<tensor<128x64xf16>>
# FOUND: "tile.descriptor_load"{{.*}} -> tensor<128x64xf16>
# FOUND: "tile.descriptor_load"{{.*}} -> tensor<64x256xf16>
# FOUND: "tile.dot"
# RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/found.txt
# RUN: %{page} --check-prefix=REMARK
# REMARK: product.mlir:54:13: remark: a box of a tensor: dimension 0 ends where its index is wrapped, and what lies after that is not stored; dimension 1 ends at its mask
# REMARK: product.mlir:69:13: remark: a box of a tensor: dimension 0 ends at its mask; dimension 1 ends at its mask
# Without the rows' bound in the store's mask.
# RUN: sed 's/mask=(rows\[:, None\] < M) & (columns\[None, :\] < N))/mask=columns[None, :] < N)/' %s > %t/stored.py
# RUN: tile-translate --import-triton --kernel product %{signature} %t/stored.py | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-find-descriptors=remarks=true --verify-only - 2>&1 | FileCheck %s --check-prefix=STORED
# RUN: %{page} --check-prefix=STORED
# STORED: remark: not a box of a tensor: what lies after the end is wrapped, and stored without that bound

# Tensor maps as parameters.
# RUN: cd %t && tile-opt --tile-to-tile-gpu=num-warps=8 --mlir-print-ir-after tile-find-store-boxes --verify-only product.mlir 2>&1 | FileCheck %s --check-prefix=VERSION
# RUN: %{page} --check-prefix=VERSION
# VERSION: func.func @product$tma({{.*}}%arg6: !tile.descriptor<tensor<128x64xf16>> {tile_gpu.tensor_map = {base = 0 : i32, narrow = array<i32: 1>, sizes = [array<i64: 1, 5>, array<i64: 1, 3>], strides = [array<i64: 2, 5>], type = f16}}
# VERSION: "tile.descriptor_load"(%arg6,
# VERSION: "tile_gpu.store_box"(%arg8, {{.*}}{tile_gpu.box = 0 : i32}
# VERSION: "tile.store"({{.*}}{tile_gpu.box = 0 : i32}
# VERSION: func.func @product(
# RUN: tile-translate --tile-to-ptx --num-warps 8 --kernel product %{signature} %s -o %t/product.ptx
# RUN: FileCheck %s --check-prefix=METADATA --input-file=%t/product.ptx
# RUN: %{page} --check-prefix=METADATA
# The kernel with descriptors has the same maps.
# RUN: tile-translate --tile-to-ptx --num-warps 8 --kernel described %{signature} %s | sed 's/described/product/' | FileCheck %s --check-prefix=METADATA
# METADATA: tile.version section=0 symbol=product$tma$pairs warps=8 threads=384 shared=180484 programs=1 resident=1 part=131072 cluster=2
# METADATA: tile.condition kind=split-rows value=128
# METADATA: tile.map base=0 type=f16 sizes=1*5,1*3 strides=2*5 box=64,64 swizzle=128 narrow={{[02]}} outside=zero
# METADATA: tile.version section=0 symbol=product$tma warps=8 threads=384 shared=180484 programs=1 resident=1 part=131072
# METADATA: tile.map base=0 type=f16 sizes=1*5,1*3 strides=2*5 box=64,128 swizzle=128 narrow={{[02]}} outside=zero
# METADATA: tile.map base=1 type=f16 sizes=1*4,1*5 strides=2*4 box=64,64 swizzle=128 narrow={{[02]}} outside=zero
# METADATA: tile.map base=2 type=f16 sizes=1*4,1*3 strides=2*4 box=64,16 swizzle=128 narrow={{[02]}} outside=none
# METADATA: tile.version section=0 symbol=product warps=8 threads=256 shared=196608 programs=1
# RUN: tile-translate --tile-to-c --num-warps 8 --kernel product %{signature} --grid 'cdiv(M, BM), cdiv(N, BN)' -o %t/c %s
# RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/c.h
# RUN: %{page} --check-prefix=HEADER
# HEADER: Of these versions the first is taken that the device runs and the launch fits:
# HEADER-NEXT: 1. PTX for sm_90a (compute capability 9.0 alone): 384 threads, 180484 bytes of shared memory, up to 1 block for each multiprocessor, which take programs in turn, in clusters of 2
# HEADER-NEXT: where a row stride of a tensor map no multiple of 128 bytes, tensor maps can be made
# HEADER: 2. PTX for sm_90a (compute capability 9.0 alone): 384 threads, 180484 bytes of shared memory, up to 1 block for each multiprocessor, which take programs in turn
# HEADER-NEXT: where tensor maps can be made
# HEADER: 3. PTX for sm_90a (compute capability 9.0 alone): 256 threads, 196608 bytes of shared memory

# The schedule.
# RUN: cd %t && env TILE_SKIP_PASSES=tile-gpu-split-tail,tile-gpu-assign-roles,tile-gpu-bulk-stores tile-opt --tile-to-tile-gpu=num-warps=8 --mlir-print-ir-before tile-gpu-pipeline --mlir-print-ir-after tile-gpu-pipeline --verify-only product.mlir 2> both.mlir
# RUN: cd %t && sed '/IR Dump After/,$d' both.mlir > ready.mlir && sed -n '/IR Dump After/,$p' both.mlir > stages.mlir
# RUN: FileCheck %s --check-prefix=READY --input-file=%t/ready.mlir
# RUN: %{page} --check-prefix=READY
# READY: "tile.descriptor_load"(%arg6, %15, %{{[0-9]+}})
# READY: "tile.descriptor_load"(%arg7, %{{[0-9]+}}, %16)
# READY: "tile_gpu.alloc"(%{{[0-9]+}}){{.*}} -> memref<128x64xf16, #tile_gpu.nvmma<{{.*}}swizzle = 128
# READY: "tile_gpu.alloc"(%{{[0-9]+}}){{.*}} -> memref<64x256xf16, #tile_gpu.nvmma<{{.*}}swizzle = 128
# READY: "tile_gpu.warpgroup_dot"(
# READY: "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 0 : i32
# RUN: cd %t && tile-opt --tile-gpu-print-schedule --verify-only ready.mlir 2>&1 | FileCheck %s --check-prefix=SCHEDULE
# RUN: %{page} --check-prefix=SCHEDULE
# SCHEDULE: ready.mlir:32:13: remark: stage 0, 3 ahead by bulk copy: 4 buffers of 16384 bytes; read in stage 3, after a wait at the mbarrier of the buffer
# SCHEDULE: ready.mlir:33:13: remark: stage 0, 3 ahead by bulk copy: 4 buffers of 32768 bytes; read in stage 3, after a wait at the mbarrier of the buffer
# SCHEDULE: ready.mlir:117:13: remark: stage 0, 2 ahead by asynchronous copy: 4 buffers of 16384 bytes; read in stage 2, after a wait that leaves 1 in flight
# SCHEDULE: ready.mlir:122:13: remark: stage 0, 2 ahead by asynchronous copy: 4 buffers of 32768 bytes; read in stage 2, after a wait that leaves 1 in flight
# RUN: FileCheck %s --check-prefix=STAGES --input-file=%t/stages.mlir
# RUN: %{page} --check-prefix=STAGES
# STAGES: memref<4x128x64xf16
# STAGES: memref<4x64x256xf16
# STAGES: "tile_gpu.mbarrier_init"({{.*}}) {arrivals = 1 : i32}
# STAGES: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 49152 : i32}
# STAGES: scf.for %arg8 = {{.*}} iter_args(%arg9 = %cst, %arg10 = %c0_i32{{[_0-9]*}}, %arg11 = %c0_i32{{[_0-9]*}}, %arg12 = %c3_i32{{[_0-9]*}})
# STAGES: "tile_gpu.mbarrier_wait"({{.*}}, %arg11)
# STAGES: "tile_gpu.warpgroup_dot"(
# STAGES: "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 1 : i32
# STAGES: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 49152 : i32}
# STAGES: "tile_gpu.bulk_load"(%arg6,
# STAGES: "tile_gpu.bulk_load"(%arg7,
# STAGES: scf.yield
# STAGES: "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 0 : i32
# STAGES: "tile_gpu.mbarrier_inval"(

# Roles.
# RUN: tile-translate --import-triton --kernel product --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:8, i32:8, 64, 64, 64" %s -o %t/small.mlir
# RUN: tile-opt --tile-to-tile-gpu --mlir-print-ir-before tile-gpu-assign-roles --verify-only %t/small.mlir 2>&1 | tile-opt --tile-gpu-assign-roles=remarks=true --verify-only - 2>&1 | FileCheck %s --check-prefix=SMALL
# RUN: %{page} --check-prefix=SMALL
# SMALL: remark: no roles for its bulk copies: a multiprocessor holds several blocks, one of which copies while another computes
# RUN: cd %t && env TILE_SKIP_PASSES=tile-gpu-split-tail tile-opt --tile-to-tile-gpu=num-warps=8 --mlir-print-ir-after tile-gpu-warp-specialize --verify-only product.mlir 2>&1 | FileCheck %s --check-prefix=ROLES
# RUN: %{page} --check-prefix=ROLES
# ROLES: func.func @product$tma({{.*}}tile_gpu.producer_warps = 4 : i32, tile_gpu.resident_blocks = 1 : i32, tile_gpu.ring_stages = 3 : i32
# ROLES: "tile_gpu.mbarrier_init"(%3) {arrivals = 1 : i32}
# ROLES: "tile_gpu.mbarrier_init"(%4) {arrivals = 8 : i32}
# ROLES-NEXT: "tile_gpu.barrier"()
# ROLES-NEXT: "tile_gpu.in_producer"()
# ROLES-NEXT: scf.if
# ROLES: scf.for
# ROLES: scf.for
# ROLES: "tile_gpu.mbarrier_wait"
# ROLES: "tile_gpu.mbarrier_expect"{{.*}}{bytes = 49152 : i32}
# ROLES: "tile_gpu.bulk_load"(%arg6,
# ROLES: "tile_gpu.bulk_load"(%arg7,
# ROLES: } else {
# ROLES: "tile_gpu.mbarrier_wait"({{.*}}, %arg20)
# ROLES: "tile_gpu.warpgroup_dot"(
# ROLES: "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 1 : i32
# ROLES: "tile_gpu.mbarrier_arrive"
# ROLES: "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 0 : i32
# ROLES: "tile_gpu.mbarrier_arrive"
# ROLES: "tile_gpu.bulk_store"(%arg8,
# ROLES: "tile_gpu.bulk_store_wait"(%0)
# RUN: FileCheck %s --check-prefix=REGISTERS --input-file=%t/product.ptx
# RUN: %{page} --check-prefix=REGISTERS
# REGISTERS: setmaxnreg.dec.sync.aligned.u32 	24;
# REGISTERS: setmaxnreg.inc.sync.aligned.u32 	240;
# RUN: FileCheck %s --check-prefix=MULTICAST --input-file=%t/product.ptx
# RUN: %{page} --check-prefix=MULTICAST
# MULTICAST: .multicast::cluster
# RUN: cd %t && tile-opt --tile-to-tile-gpu=num-warps=8 --mlir-print-ir-after tile-gpu-split-tail --verify-only product.mlir 2>&1 | FileCheck %s --check-prefix=TAIL
# RUN: %{page} --check-prefix=TAIL
# TAIL: tile_gpu.store_part
# TAIL: tile_gpu.add_part

# The emulator, with and without mutants.
# RUN: tile-run %s --kernel product %{signature} --num-warps 8 --grid 3 --device emulator --check --print c_ptr:2 --arg M=i32:264 --arg N=i32:256 --arg K=i32:200 --arg a_ptr=fp16[264,200]:ones --arg b_ptr=fp16[200,256]:ones --arg c_ptr=fp16[264,256]:poison | FileCheck %s --check-prefix=RESULT
# RUN: %{page} --check-prefix=RESULT
# RUN: tile-run %s --kernel described %{signature} --num-warps 8 --grid 3 --device emulator --check --print c_ptr:2 --arg M=i32:264 --arg N=i32:256 --arg K=i32:200 --arg a_ptr=fp16[264,200]:ones --arg b_ptr=fp16[200,256]:ones --arg c_ptr=fp16[264,256]:poison | FileCheck %s --check-prefix=RESULT
# RESULT: c_ptr = 200 200 ...
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail %build/test/mutate %s --kernel product %{signature} --num-warps 8 --pairs off --grid 3 --seeds 2 --arg a_ptr=fp16[264,200]:rand --arg b_ptr=fp16[200,256]:rand --arg c_ptr=fp16[264,256]:poison --arg M=i32:264 --arg N=i32:256 --arg K=i32:200 -v | FileCheck %s --check-prefix=MUTANT
# RUN: %{page} --check-prefix=MUTANT
# MUTANT-DAG: killed: other parity tile_ptx.mbarrier_wait at copy-engine-page.py:17:13: access of data in flight at {{.*}}copy-engine-page.py:19:15, thread {{[0-9]+}} of block {{.*}} loads byte {{[0-9]+}} of shared memory, which the copy started at {{.*}}copy-engine-page.py:17:13, thread 256 of block {{.*}} still writes; no wait for its barrier has come before
# MUTANT-DAG: killed: more tile_ptx.mbarrier_expect_tx at copy-engine-page.py:17:13: deadlock at {{.*}}copy-engine-page.py:17:13, thread 0 of block {{.*}}: 256 threads wait for the end of a phase of parity 0 of the barrier at byte {{[0-9]+}} of shared memory, made at {{.*}}copy-engine-page.py:18:13; it lacks 0 arrivals and 16 bytes, and nothing that could end it is left
# MUTANT-DAG: killed: without tile_ptx.fence_async_shared at copy-engine-page.py:24:5: missing proxy fence at {{.*}}copy-engine-page.py:24:5, thread {{[0-9]+}} of block {{.*}}: the bulk store reads byte {{[0-9]+}} of shared memory, which was stored to at {{.*}}copy-engine-page.py:24:5, {{.*}}, with no fence_async_shared between
# MUTANT: product$tma: 64 mutants, 64 killed, 0 survived

# The switches: what each leaves of the versions.
# DEFINE: %{flags} =
# DEFINE: %{versions} = tile-translate --tile-to-ptx --num-warps 8 --kernel product %{signature} %{flags} %s | grep -E "tile.(version|map)"
# RUN: env TILE_SKIP_PASSES=tile-gpu-assign-roles %{versions} | FileCheck %s --check-prefix=NO-ROLES --implicit-check-not=resident
# NO-ROLES: symbol=product$tma warps=8 threads=256
# RUN: env TILE_SKIP_PASSES=tile-gpu-bulk-stores %{versions} | FileCheck %s --check-prefix=NO-STORES --implicit-check-not=outside=none
# NO-STORES: symbol=product$tma warps=8 threads=384
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail %{versions} | FileCheck %s --check-prefix=NO-TAIL --implicit-check-not=part=
# NO-TAIL: symbol=product$tma warps=8 threads=384 {{.*}} resident=1
# REDEFINE: %{flags} = --pairs=off
# RUN: %{versions} | FileCheck %s --check-prefix=NO-PAIRS --implicit-check-not=cluster
# NO-PAIRS: symbol=product$tma warps=8 threads=384
# REDEFINE: %{flags} = --pairs=on
# RUN: %{versions} | FileCheck %s --check-prefix=ALL-PAIRS --implicit-check-not=pairs
# ALL-PAIRS: symbol=product$tma {{.*}} cluster=2
# REDEFINE: %{flags} = --tensor-maps=off
# RUN: %{versions} | FileCheck %s --check-prefix=PLAIN --implicit-check-not=tma
# REDEFINE: %{flags} = --num-stages 1
# RUN: %{versions} | FileCheck %s --check-prefix=PLAIN --implicit-check-not=tma
# PLAIN: symbol=product warps=8 threads=256
# RUN: tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true --verify-only %t/product.mlir 2>&1 | FileCheck %s --check-prefix=BOX
# BOX: remark: stores a box of a tensor
