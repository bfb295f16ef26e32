# Overlapped products in e4m3: what this iteration's sums are computed from runs under the next one's scores, as it takes no longer
# than one instruction of the tensor cores (64 sums of a thread, m64n128). Weights are rounded to bytes early, and for values in
# columns lanes exchange them early, by shuffles. Where they do so through memory they wait until nothing is in flight that reads the
# registers of the last ones: ptxas would else let all products wait for each other (C7513).
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel chained --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, False, 128, 128" %s -o %t.rows
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel chained --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, True, 128, 128" %s -o %t.columns
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.rows | FileCheck %s
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.columns | FileCheck %s --check-prefix=COLUMNS
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.columns --tile-gpu-print-conversions -o /dev/null 2>&1 | FileCheck %s --check-prefix=WORDS
# WORDS: remark: conversion: 16 shuffles and 32 selects a thread, of 4 elements each
# RUN: tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-overlap-products %t.rows | FileCheck %s --check-prefix=MARK
# Registers that suffice for the other order alone.
# RUN: tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-overlap-products=registers=172 %t.rows | FileCheck %s --check-prefix=FEW
# In 16 bits there is the rounding as well, 128 numbers for an instruction of 64 cycles: before both starts.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel chained --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, False, 128, 128" %s | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-overlap-products - | FileCheck %s --check-prefix=FEW
# Where nothing but the rounding is in between, too, though 64 numbers would take no longer than m64n128.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel computed --signature "*fp16:16, *fp16:16, *fp32:16, i32:16, 128, 64, 128" %S/overlap-several.py | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-overlap-products - | FileCheck %s --check-prefix=FEW
# The same numbers to the bit.
# RUN: tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, False, 128, 128" --arg q=fp8e4nv[128,128]:rand --arg k=fp8e4nv[384,128]:rand --arg v=fp8e4nv[384,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:384 --print out:16384 > %t.1
# RUN: env TILE_SKIP_PASSES=tile-gpu-overlap-products tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, False, 128, 128" --arg q=fp8e4nv[128,128]:rand --arg k=fp8e4nv[384,128]:rand --arg v=fp8e4nv[384,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:384 --print out:16384 | cmp %t.1 -
# RUN: tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, True, 128, 128" --arg q=fp8e4nv[128,128]:rand --arg k=fp8e4nv[384,128]:rand --arg v=fp8e4nv[128,384]:rand --arg out=fp32[128,128]:poison --arg n=i32:384 --print out:16384 > %t.2
# RUN: env TILE_SKIP_PASSES=tile-gpu-overlap-products tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, True, 128, 128" --arg q=fp8e4nv[128,128]:rand --arg k=fp8e4nv[384,128]:rand --arg v=fp8e4nv[128,384]:rand --arg out=fp32[128,128]:poison --arg n=i32:384 --print out:16384 | cmp %t.2 -
# RUN: %if ptxas %{ tile-translate --tile-to-cubin --num-warps 8 --num-stages 2 --kernel chained --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, False, 128, 128" %s -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --allow-empty %}
# RUN: %if ptxas %{ tile-translate --tile-to-cubin --num-warps 8 --num-stages 2 --kernel chained --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, True, 128, 128" %s -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --allow-empty %}
# Through memory, where a thread has 128 weights.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel chained --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, True, 256, 64" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=MEMORY
# RUN: %if ptxas %{ tile-translate --tile-to-cubin --num-warps 8 --num-stages 2 --kernel chained --signature "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, True, 256, 64" %s -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --allow-empty %}
# PTXAS-NOT: ptxas lets dots wait for each other
import triton
import triton.language as tl


# MARK: tile_gpu.overlaps_products = "under"
# FEW: tile_gpu.overlaps_products = "together"
# CHECK-LABEL: func.func @chained$tma(
# The consumers' first scores.
# CHECK: } else {
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: math.exp2
# CHECK-NOT: tile_gpu.warpgroup_dot"
# CHECK: scf.for
# CHECK-NOT: arith.mulf
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: arith.mulf
# CHECK-NOT: arith.mulf
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: tile_gpu.warpgroup_dot_wait{{.*}}pending = 1
# CHECK: math.exp2
# CHECK: tile_gpu.warpgroup_dot_wait{{.*}}pending = 0
# CHECK: scf.yield
# Behind the loop, a wait for nothing keeps LLVM from computing this one's multiplications there and in the loop in one place.
# CHECK: %[[SUMS:.*]] = "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 0
# CHECK: arith.mulf %[[SUMS]],
# CHECK: tile_gpu.warpgroup_dot"
# CHECK-LABEL: func.func @chained(

# COLUMNS-LABEL: func.func @chained$tma(
# COLUMNS: } else {
# COLUMNS: tile_gpu.warpgroup_dot"
# COLUMNS: scf.for
# COLUMNS: tile_gpu.warpgroup_dot"
# COLUMNS-NOT: tile_gpu.convert_layout{{.*}}dot_operand
# COLUMNS: tile_gpu.warpgroup_dot"
# COLUMNS: tile_gpu.convert_layout{{.*}}dot_operand
# COLUMNS: scf.yield
# COLUMNS-LABEL: func.func @chained(

# MEMORY-LABEL: func.func @chained$tma(
# MEMORY: } else {
# MEMORY: tile_gpu.warpgroup_dot"
# MEMORY: scf.for
# The exchange comes before the product that reads it, with nothing but scores in flight.
# MEMORY: tile_gpu.warpgroup_dot"
# MEMORY-NOT: tile_gpu.warpgroup_dot"
# MEMORY: tile_gpu.convert_layout{{.*}}dot_operand
# MEMORY: tile_gpu.warpgroup_dot"
# MEMORY-NOT: tile_gpu.convert_layout{{.*}}dot_operand
# MEMORY: scf.yield
# MEMORY-LABEL: func.func @chained(
@triton.jit
def chained(q, k, v, out, n, TURNED: tl.constexpr, KEYS: tl.constexpr, SIZE: tl.constexpr):
    rows, cols = tl.arange(0, 128), tl.arange(0, SIZE)
    queries = tl.make_tensor_descriptor(q, [128, SIZE], [SIZE, 1], [128, SIZE])
    keys = tl.make_tensor_descriptor(k, [n, SIZE], [SIZE, 1], [KEYS, SIZE])
    if TURNED:
        values = tl.make_tensor_descriptor(v, [SIZE, n], [n, 1], [SIZE, KEYS])
    else:
        values = tl.make_tensor_descriptor(v, [n, SIZE], [SIZE, 1], [KEYS, SIZE])
    x = queries.load([0, 0])
    top = tl.full((128,), -1000.0, tl.float32)
    sums = tl.zeros((128, SIZE), tl.float32)
    for i in range(0, n, KEYS):
        s = tl.dot(x, keys.load([i, 0]).T)
        higher = tl.maximum(top, tl.max(s, 1))
        p = tl.math.exp2(s - higher[:, None])
        sums = sums * tl.math.exp2(top - higher)[:, None]
        if TURNED:
            value = values.load([0, i]).T
        else:
            value = values.load([i, 0])
        sums = tl.dot(p.to(value.dtype), value, sums)
        top = higher
    tl.store(out + rows[:, None] * SIZE + cols[None, :], sums + top[:, None])
