# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32, 1024' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=ROWS
# RUN: tile-translate --tile-to-ptx --kernel rows --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32, 1024' %s | FileCheck %s --check-prefix=PTX
# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32, 1024' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-to-llvm | FileCheck %s --check-prefix=LLVM
# RUN: tile-translate --tile-to-ptx --kernel rows --signature '*fp16, *fp16, *fp16, i32, i32, i32, 1024' %s | FileCheck %s --check-prefix=NARROW
# RUN: tile-run %s --device emulator --kernel rows --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32, 1024' --grid 2 --check --seed 3 --arg x=fp16[10240]:2 --arg w=fp16[1024]:3 --arg out=fp16[10240]:poison --arg stride=i32:1024 --arg n=i32:992 --arg each=i32:5 --print out:4 | FileCheck %s --check-prefix=OUT
# RUN: tile-translate --import-triton --kernel induction --signature '*fp32:16, *fp32:16, i32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=INDUCTION
# RUN: tile-translate --import-triton --kernel others --signature '*fp32:16, *i32:16, *fp32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=OTHERS
# RUN: tile-translate --import-triton --kernel sums --signature '*fp32:16, *fp32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=SUMS
# RUN: tile-translate --import-triton --kernel partial --signature '*bf16:16, *fp32:16, i32:16' %s | env TILE_SKIP_PASSES=tile-gpu-prefetch-rows tile-opt --tile-to-tile-gpu=num-warps=4 -o %t.ahead.mlir
# RUN: tile-opt --tile-gpu-prefetch-rows %t.ahead.mlir | FileCheck %s --check-prefix=AHEAD
# RUN: tile-translate --import-triton --kernel programs --signature '*fp32:16, *fp32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=8 | FileCheck %s --check-prefix=LITTLE
# RUN: tile-translate --import-triton --kernel programs --signature '*fp32:16, *fp32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=MUCH

# The pass by itself, on what the others have left.
# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32, 1024' %s | env TILE_SKIP_PASSES=tile-gpu-prefetch-rows tile-opt --tile-to-tile-gpu=num-warps=4 -o %t.before.mlir
# RUN: not grep tile_gpu.prefetch %t.before.mlir
# RUN: tile-opt --tile-gpu-prefetch-rows %t.before.mlir | FileCheck %s --check-prefix=ROWS
# RUN: tile-opt --tile-gpu-prefetch-rows=least=4096 %t.before.mlir | not grep tile_gpu.prefetch

# Prefetches of the next iteration's rows (lib/transforms/prefetch_rows.c).
import triton
import triton.language as tl


# The next row, with the mask of this one, if there is a next row; after the load of this one, before the sum. What is
# loaded from the same place each time is not asked for.
# ROWS: scf.for %[[I:.*]] = %{{.*}} to %[[END:.*]] step %[[STEP:[^ ]*]] iter_args
# ROWS: "tile.load"(%[[HERE:[^,]*]], %[[MASK:[^,]*]], %
# ROWS: %[[LEFT:.*]] = arith.subi %[[END]], %[[I]]
# ROWS: %[[NEXT:.*]] = arith.cmpi ugt, %[[LEFT]], %[[STEP]]
# ROWS: %[[STRIDE:.*]] = "tile.splat"(%arg3)
# ROWS: %[[POINTERS:.*]] = "tile.addptr"(%[[HERE]], %[[STRIDE]])
# ROWS: %[[ALL:.*]] = "tile.splat"(%[[NEXT]])
# ROWS: %[[WHERE:.*]] = arith.andi %[[MASK]], %[[ALL]]
# ROWS: "tile_gpu.prefetch"(%[[POINTERS]], %[[WHERE]])
# ROWS-NOT: tile_gpu.prefetch
# ROWS: tile.reduce
# ROWS: scf.yield
# PTX: prefetch.global.L2 [
# PTX-NOT: prefetch
# NARROW-NOT: prefetch
# LLVM: %[[BASE:.*]] = llvm.intr.strip.invariant.group
# LLVM: %[[NEXT:.*]] = llvm.getelementptr %[[BASE]]
# LLVM: tile_ptx.prefetch
# OUT: out = 11904 11904 11904 11904
@triton.jit
def rows(x, w, out, stride, n, each, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x += tl.program_id(0) * each * stride
    out += tl.program_id(0) * each * stride
    for _ in range(each):
        row = tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
        weight = tl.load(w + columns, mask=mask, other=0.0).to(tl.float32)
        total = tl.sum(row, axis=0)
        tl.store(out + columns, total * row * weight, mask=mask)
        x += stride
        out += stride


# Where no distance is known, the next iteration's address is computed as it will be.
# INDUCTION: scf.for %[[I:[^ ]*]] =
# INDUCTION: tile.load
# INDUCTION: %[[NEXT:.*]] = arith.addi %[[I]], %
# INDUCTION: %[[AT:.*]] = arith.muli %[[NEXT]], %
# INDUCTION: %[[ROW:.*]] = "tile.addptr"(%{{.*}}, %[[AT]])
# INDUCTION: tile_gpu.prefetch
@triton.jit
def induction(x, out, stride, n):
    columns = tl.arange(0, 1024)
    for i in range(tl.program_id(0), n, tl.num_programs(0)):
        tl.store(out + i, tl.sum(tl.load(x + i * stride + columns), axis=0))


# An address that is loaded is not known ahead, and what stands after the sum is not waited for there.
# OTHERS: scf.for
# OTHERS-NOT: tile_gpu.prefetch
# OTHERS: return
@triton.jit
def others(x, index, out, n):
    columns = tl.arange(0, 1024)
    for i in range(n):
        row = tl.load(x + tl.load(index + i) * 1024 + columns)
        tl.store(out + i, tl.sum(row, axis=0))
        tl.store(out + n + i * 1024 + columns, row)


# Loops whose threads do not wait for one another have their loads under way.
# SUMS: scf.for
# SUMS-NOT: tile_gpu.prefetch
# SUMS: return
@triton.jit
def sums(x, out, n):
    columns = tl.arange(0, 1024)
    total = tl.zeros((1024,), tl.float32)
    for i in range(n):
        total += tl.load(x + i * 1024 + columns)
    tl.store(out + columns, total)


# Loaded an iteration ahead into registers: there is no need to ask for it, too.
# AHEAD: tile.reduce
# AHEAD-NOT: tile_gpu.prefetch
@triton.jit
def partial(x_ptr, out_ptr, n):
    at = tl.arange(0, 1024)
    total = 0.0
    for i in range(0, n, 1024):
        total += tl.sum(tl.load(x_ptr + i + at), axis=0)
    tl.store(out_ptr, total)


# But where the loop stores rows, and 16 bytes of a thread are all that is on the way, the row after that is asked for.
# LITTLE: scf.for
# LITTLE: "tile.load"
# LITTLE: tile_gpu.prefetch
# LITTLE: tile.reduce
# LITTLE-NOT: tile_gpu.prefetch
# MUCH: scf.for
# MUCH-NOT: tile_gpu.prefetch
# MUCH: return
@triton.jit
def programs(x, out, n):
    columns = tl.arange(0, 1024)
    for i in tl.range(tl.program_id(0), n, tl.num_programs(0), num_stages=2):
        row = tl.load(x + i * 1024 + columns)
        tl.store(out + i * 1024 + columns, row - tl.max(row, axis=0))
