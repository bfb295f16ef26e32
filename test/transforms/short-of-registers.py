# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 8192' %s | tile-opt --tile-to-tile-gpu=num-warps=32 | FileCheck %s --check-prefix=ENOUGH
# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' %s | sed 's/^module.*{$/module attributes {tile_gpu.target = "sm_86"} {/' | tile-opt --tile-to-tile-gpu=num-warps=32 | FileCheck %s --check-prefix=SHORT

# A loop whose tiles take nearly all registers of a thread gets no prefetches (lib/analysis/loop_registers.c): with
# 32 warps a thread has 64, of 8192 columns its two sums and the weight take 24, of 16384 they take 48 and a row 8 more. With 16 warps it has 128,
# and of 16384 columns they take 112. (Shared memory is short, too: else two of the tiles would be there, see spill-to-shared.py.)
import triton
import triton.language as tl


# ENOUGH: tile_gpu.prefetch
# SHORT-NOT: tile_gpu.prefetch
# SHORT: scf.for
# SHORT-NOT: tile_gpu.prefetch
# SHORT: return
@triton.jit
def rows(x, w, out, n, stride, count, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    weight = tl.load(w + columns, mask=mask, other=0.0).to(tl.float32)
    sums = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for _ in range(count):
        row = tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
        total = tl.sum(tl.where(mask, row * weight, 0.0), axis=0)
        sums += row * total
        squares += row * row * total
        x += stride
    tl.store(out + columns, sums, mask=mask)
    tl.store(out + n + columns, squares, mask=mask)
