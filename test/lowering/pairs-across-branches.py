# Tiles of f16, bf16 and i16 go through branches and loops as words of two elements. In registers of 16 bits ptxas (12.8 to 13.3) stores the lower half of
# a word twice where it has no registers for both, seen in a kernel that changed such a tile in a branch and then multiplied matrices in a loop.
# RUN: tile-translate --import-triton --kernel branch --signature '*fp16:16, *fp16:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BRANCH
# RUN: tile-translate --import-triton --kernel branch --signature '*bf16:16, *bf16:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BRANCH
# RUN: tile-translate --import-triton --kernel branch --signature '*i16:16, *i16:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BRANCH
# RUN: tile-translate --import-triton --kernel loop --signature '*fp16:16, *fp16:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=LOOP
# RUN: tile-translate --import-triton --kernel while_loop --signature '*fp16:16, *fp16:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=WHILE
# RUN: tile-run %s --kernel branch --grid 1 --check --signature '*fp16:16, *fp16:16, i32' --arg x=fp16[512]:arange --arg out=fp16[512]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=RUN-BRANCH
# RUN: tile-run %s --kernel branch --grid 1 --check --signature '*i16:16, *i16:16, i32' --arg x=i16[512]:arange --arg out=i16[512]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=RUN-BRANCH
# RUN: tile-run %s --kernel loop --grid 1 --check --signature '*fp16:16, *fp16:16, i32' --arg x=fp16[512]:arange --arg out=fp16[512]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=RUN-LOOP
# RUN: tile-run %s --kernel while_loop --grid 1 --check --signature '*fp16:16, *fp16:16, i32' --arg x=fp16[512]:arange --arg out=fp16[512]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=RUN-WHILE
# Tiles that a loop loads ahead element by element have a word for each element, up to 32 of a thread.
# RUN: tile-translate --import-triton --kernel ahead --signature '*fp16, *fp16, i32, 512' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=AHEAD
# RUN: tile-translate --import-triton --kernel ahead --signature '*fp16, *fp16, i32, 8192' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=PAIRS
# RUN: tile-run %s --kernel ahead --grid 1 --check --signature '*fp16, *fp16, i32, 512' --arg x=fp16[2560]:arange --arg out=fp16[512]:poison --arg n=i32:4 --print out:4 | FileCheck %s --check-prefix=RUN-AHEAD
# Tiles of fp8 go as words of four elements, and a word for each where a loop loads them ahead one by one.
# RUN: tile-translate --import-triton --kernel branch --signature '*fp8e4nv:16, *fp8e4nv:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BYTES
# RUN: tile-translate --import-triton --kernel loop --signature '*fp8e5:16, *fp8e5:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BYTES-LOOP
# RUN: tile-translate --import-triton --kernel while_loop --signature '*fp8e5:16, *fp8e5:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BYTES-WHILE
# RUN: tile-translate --import-triton --kernel ahead --signature '*fp8e4nv, *fp8e4nv, i32, 512' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=BYTES-AHEAD
# RUN: tile-run %s --kernel branch --grid 1 --check --signature '*fp8e4nv:16, *fp8e4nv:16, i32' --arg x=fp8e4nv[512]:arange --arg out=fp8e4nv[512]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=RUN-BYTES
# RUN: tile-run %s --kernel loop --grid 1 --check --signature '*fp8e4nv:16, *fp8e4nv:16, i32' --arg x=fp8e4nv[512]:arange --arg out=fp8e4nv[512]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=RUN-BYTES-LOOP
# RUN: tile-run %s --kernel ahead --grid 1 --check --signature '*fp8e4nv, *fp8e4nv, i32, 512' --arg x=fp8e4nv[2560]:1 --arg out=fp8e4nv[512]:poison --arg n=i32:4 --print out:4 | FileCheck %s --check-prefix=RUN-BYTES-AHEAD
# BYTES: scf.if %{{.*}} -> (i32) {
# BYTES-LOOP: scf.for {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}) -> (i32)
# BYTES-WHILE: scf.while (%{{[^,]*}}, %{{[^,]*}}) : (i32, i32) -> (i32, i32)
# BYTES-AHEAD: scf.for {{.*}} -> (f32, f32, f32, f32, i32, i32, i32, i32)
# BYTES-AHEAD: llvm.bitcast %{{.*}} : i32 to vector<4xi8>
# BYTES-AHEAD: llvm.mlir.undef : vector<4xi8>
# RUN-BYTES: out = 3 4 5 6 7 8
# RUN-BYTES-LOOP: out = 0 8 16 24 32 40
# RUN-BYTES-AHEAD: out = 4 4 4 4
import triton
import triton.language as tl


# BRANCH: scf.if %{{.*}} -> (i32, i32) {
# RUN-BRANCH: out = 3 4 5 6 7 8
@triton.jit
def branch(x, out, n):
    i = tl.arange(0, 512)
    a = tl.load(x + i)
    if n > 2:
        a += n.to(tl.float32).to(a.dtype)
        tl.store(out + i, a)
    tl.store(out + i, a)


# LOOP: scf.for {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %{{[^ ]*}} = %{{[^ ]*}}) -> (i32, i32)
# RUN-LOOP: out = 0 8 16 24 32 40
@triton.jit
def loop(x, out, n):
    i = tl.arange(0, 512)
    a = tl.load(x + i)
    for _ in range(n):
        a += a
    tl.store(out + i, a)


# WHILE: scf.while ({{.*}}) : (i32, i32, i32) -> (i32, i32, i32) {
# RUN-WHILE: out = 0 8 16 24 32 40
@triton.jit
def while_loop(x, out, n):
    i = tl.arange(0, 512)
    a = tl.load(x + i)
    while n > 0:
        a += a
        n -= 1
    tl.store(out + i, a)


# AHEAD: scf.for {{.*}} -> (f32, f32, f32, f32, i32, i32, i32, i32)
# AHEAD: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
# AHEAD: llvm.extractelement
# AHEAD: "tile_ptx.load"({{.*}}) {in_loop}
# AHEAD: llvm.mlir.undef : vector<2xf16>
# AHEAD: scf.yield
# PAIRS: scf.for
# PAIRS-NOT: llvm.mlir.undef : vector<2xf16>
# PAIRS: return
# RUN-AHEAD: out = 3072 3076 3080 3084
@triton.jit
def ahead(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), tl.float32)
    for k in tl.range(n, num_stages=2):
        total += tl.load(x + k * BLOCK + i)
    tl.store(out + i, total)
