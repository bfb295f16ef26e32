# A first operand that lies across k in its threads: elements of 4 bytes go to the tensor cores from registers, by a conversion
# without bank conflicts, as shared memory must have k contiguous for them.

# RUN: tile-translate --import-triton --kernel product --signature '*fp32:16, *fp32:16, *fp32:16, 64, 64, 64, 1, 64' %s \
# RUN:   | tile-opt --tile-to-tile-gpu --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s
# CHECK: %[[A:.*]] = "tile_gpu.convert_layout"(%{{.*}}) {{.*}} -> tensor<64x64xf32, #tile_gpu.dot_operand<{index = 0
# CHECK: %[[B:.*]] = "tile_gpu.alloc"
# CHECK: "tile_gpu.warpgroup_dot"(%[[A]], %[[B]],

# Those of 2 bytes may have any dimension contiguous there; so may those whose k is; and where the operand, or it and the sums,
# take more registers they are stored all the same.
# RUN: tile-translate --import-triton --kernel product --signature '*fp16:16, *fp16:16, *fp32:16, 64, 64, 64, 1, 64' %s \
# RUN:   | tile-opt --tile-to-tile-gpu --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s --check-prefix=SHARED
# RUN: tile-translate --import-triton --kernel product --signature '*fp32:16, *fp32:16, *fp32:16, 64, 64, 64, 64, 1' %s \
# RUN:   | tile-opt --tile-to-tile-gpu --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s --check-prefix=SHARED
# RUN: tile-translate --import-triton --kernel product --signature '*fp32:16, *fp32:16, *fp32:16, 128, 32, 128, 1, 128' %s \
# RUN:   | tile-opt --tile-to-tile-gpu --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s --check-prefix=SHARED
# RUN: tile-translate --import-triton --kernel product --signature '*fp32:16, *fp32:16, *fp32:16, 64, 256, 64, 1, 64' %s \
# RUN:   | tile-opt --tile-to-tile-gpu --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s --check-prefix=SHARED
# SHARED: %[[A:.*]] = "tile_gpu.alloc"
# SHARED: %[[B:.*]] = "tile_gpu.alloc"
# SHARED: "tile_gpu.warpgroup_dot"(%[[A]], %[[B]],

# Blocks of descriptors lie by rows in shared memory, whatever their threads' layout says.
# RUN: tile-translate --import-triton --kernel described --signature '*i8:16, *i8:16, *i32:16, i32:16, 64, 64, 64' %s \
# RUN:   | tile-opt --tile-to-tile-gpu --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s --check-prefix=BLOCKS
# BLOCKS: %[[X:.*]] = "tile.descriptor_load"
# BLOCKS: %[[A:.*]] = "tile_gpu.alloc"(%[[X]])
# BLOCKS: "tile_gpu.warpgroup_dot"(%[[A]],

# Permuted ones, too: a row of 256 columns, of which eight warps have one element a thread and its neighbours along the other
# dimension, is as the copy engine brings it.
# RUN: tile-translate --import-triton --kernel turned --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, 128, 32, 256' %s \
# RUN:   | tile-opt --tile-to-tile-gpu=num-warps=8 --mlir-print-ir-after tile-gpu-accelerate-dot -o %t 2>&1 | FileCheck %s --check-prefix=TURNED
# TURNED: %[[X:.*]] = "tile.descriptor_load"(%{{.*}} -> tensor<32x256xf16
# TURNED: "tile_gpu.alloc"(%[[X]]) {{.*}} -> memref<32x256xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>>
# TURNED: "tile_gpu.warpgroup_dot"(

# a is 0, 1, 2, ... in memory, b ones: the first row's sums are those of 0, 64, 128, ...
# RUN: tile-run %s --kernel product --device emulator --check --grid 1 --arg a=fp32[64,64]:arange --arg b=fp32[64,64]:ones \
# RUN:   --arg out=fp32[64,64]:poison --constexpr M=64 --constexpr N=64 --constexpr K=64 --constexpr SM=1 --constexpr SK=64 \
# RUN:   --print out:2 | FileCheck %s --check-prefix=NUMBERS
# NUMBERS: out = 129024 129024 ...
import triton
import triton.language as tl


@triton.jit
def product(a, b, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SM: tl.constexpr, SK: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + m[:, None] * SM + k[None, :] * SK)
    y = tl.load(b + k[:, None] * N + n[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.dot(x, y))


@triton.jit
def described(a, b, out, K, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [M, BLOCK])
    y = tl.make_tensor_descriptor(b, [N, K], [K, 1], [N, BLOCK])
    total = tl.zeros((M, N), tl.int32)
    for k in range(0, K, BLOCK):
        total = tl.dot(x.load([0, k]), y.load([0, k]).T, total)
    tl.store(out + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], total)


@triton.jit
def turned(a_ptr, b_ptr, c_ptr, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    b_desc = tl.make_tensor_descriptor(b_ptr, [n, K], [K, 1], [N, K])
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(a_ptr + i[:, None] * K + k[None, :])
    acc = tl.zeros((M, N), tl.float32)
    for at in range(0, n, N):
        acc += tl.dot(a, b_desc.load([at, 0]).T)
    tl.store(c_ptr + i[:, None] * N + j[None, :], acc)
