# RUN: tile-translate --import-triton --kernel blocks --signature "*fp16:16, *fp16:16, i32, i32:16, i32:16" %s | FileCheck %s --check-prefix=BLOCKS
# RUN: tile-translate --import-triton --kernel blocks --signature "*fp16:16, *fp16:16, i32, i32:16, i32:16" %s -o %t.blocks.mlir
# RUN: tile-run --device emulator %t.blocks.mlir --grid 1 --check --arg x_ptr=fp16[96]:arange --arg y_ptr=fp16[96]:poison --arg M=i32:6 --arg N=i32:16 --arg stride=i32:16 --print y_ptr:96 | FileCheck %s --check-prefix=EMULATOR
# RUN: tile-translate --import-triton --kernel paddings --signature "*fp32:16, *fp32:16, i32" %s -o %t.pad.mlir
# RUN: tile-run --device emulator %t.pad.mlir --grid 1 --check --arg x_ptr=fp32[16]:arange --arg y_ptr=fp32[48]:poison --arg n=i32:5 --print y_ptr:48 | FileCheck %s --check-prefix=PAD
# RUN: tile-translate --import-triton --kernel descriptors --signature "*fp32:16, *fp32:16, i32, i32" %s -o %t.desc.mlir
# RUN: tile-run --device emulator %t.desc.mlir --grid 1 --check --arg x_ptr=fp32[24]:arange --arg y_ptr=fp32[24]:poison --arg M=i32:6 --arg N=i32:4 --print y_ptr:24 | FileCheck %s --check-prefix=DESC
# RUN: tile-translate --import-triton --kernel sums --signature "*fp32:16, *fp32:16, i32, i32" %s -o %t.sums.mlir
# RUN: tile-run --device emulator %t.sums.mlir --grid 2 --check --arg x_ptr=fp32[22]:arange --arg y_ptr=fp32[16]:poison --arg N=i32:11 --arg flag=i32:1 --print y_ptr:16 | FileCheck %s --check-prefix=SUMS
"""Block pointers and tensor descriptors become pointers and masks. Census items 28, 45, 64, 84 and 87 of
section 3; 36 to 38 and 76 of section 5."""
import triton
import triton.language as tl


@triton.jit
def blocks(x_ptr, y_ptr, M, N, stride):
    x = tl.make_block_ptr(x_ptr, (M, N), (stride, 1), (0, 0), (4, 16), (1, 0))
    y = tl.make_block_ptr(base=y_ptr, shape=(M, N), strides=(stride, 1), offsets=(0, 0), block_shape=(4, 16), order=(1, 0))
    # A moved window changes a scalar; the tile of distances does not depend on it. Only the checked
    # dimension is masked.
    # BLOCKS: arith.extsi %arg4 : i32 to i64
    # BLOCKS: %[[START:.*]] = arith.addi {{.*}} : i64
    # BLOCKS: %[[P:.*]] = "tile.addptr"(%arg0, %[[START]]) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    # BLOCKS: "tile.splat"(%[[P]])
    # BLOCKS: arith.cmpi slt, {{.*}} : tensor<4x1xi32>
    # BLOCKS-NOT: arith.cmpi slt, {{.*}} : tensor<1x16xi32>
    # BLOCKS: "tile.load"({{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1>}
    top = tl.load(x, boundary_check=(0,), padding_option="zero")
    x = tl.advance(x, (4, 0))
    # BLOCKS: "tile.load"({{.*}}) {cache = "cg", operandSegmentSizes = array<i32: 1, 1, 1>}
    bottom = tl.load(x, boundary_check=(0, 1), cache_modifier=".cg")
    # BLOCKS: "tile.store"({{.*}}) : (tensor<4x16x!tile.ptr<f16>>, tensor<4x16xf16>, tensor<4x16xi1>)
    tl.store(y, (top + 100.0).to(y.dtype.element_ty), boundary_check=(1, 0))
    # Rows 4 and 5 are written, 6 and 7 are outside.
    tl.store(y.advance((4, 0)), bottom, boundary_check=(0, 1))


# EMULATOR: y_ptr = 100 101 102 103 104
# EMULATOR-SAME: 160 161 162 163
# EMULATOR-SAME: 64 65 66 67
# EMULATOR-SAME: 93 94 95


@triton.jit
def paddings(x_ptr, y_ptr, n):
    x = tl.make_block_ptr(x_ptr, (n,), (1,), (-2,), (16,), (0,))
    where = tl.arange(0, 16)
    # Elements before the tensor are outside too.
    tl.store(y_ptr + where, tl.load(x, boundary_check=(0,), padding_option="zero"))
    tl.store(y_ptr + 16 + where, tl.load(x, boundary_check=(0,), padding_option="nan"))
    # Every second element.
    x = tl.make_block_ptr(x_ptr, (8,), (2,), (0,), (8,), (0,))
    tl.store(tl.make_block_ptr(y_ptr, (48,), (1,), (n + 27,), (8,), (0,)), tl.load(x))
    tl.store(y_ptr + 40 + tl.arange(0, 8), 7.0)


# PAD: y_ptr = 0 0 0 1 2 3 4 0 0 0 0 0 0 0 0 0 nan nan 0 1 2 3 4 nan {{.*}} nan 0 2 4 6 8 10 12 14 7 7 7


@triton.jit
def descriptors(x_ptr, y_ptr, M, N):
    x = tl.make_tensor_descriptor(x_ptr, shape=(M, N), strides=(N, 1), block_shape=(4, 4))
    y = tl._experimental_make_tensor_descriptor(y_ptr, (M, N), (N, 1), (4, 4))
    tl.static_assert(x.block_shape[0] == 4)
    tl.static_assert(x.dtype == tl.float32)
    height = x.shape[0]
    v = x.load((4, 0)) + height
    y.store((4, 0), v)
    tl._experimental_descriptor_store(y, tl._experimental_descriptor_load(x, (0, 0), (4, 4), tl.float32), (0, 0))


# DESC: y_ptr = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 22 23 24 25 26 27 28 29


@triton.jit
def sums(x_ptr, y_ptr, N, flag):
    row = tl.program_id(0)
    p = tl.make_block_ptr(x_ptr, (2, N), (N, 1), (row, 0), (1, 8), (1, 0))
    # A branch may move it, a loop carries it.
    if flag == 0:
        p = tl.advance(p, (0, 4))
    total = tl.zeros((1, 8), tl.float32)
    for i in range(0, tl.cdiv(N, 8)):
        total += tl.load(p, boundary_check=(0, 1), padding_option="zero")
        p = p.advance((0, 8))
    tl.store(tl.make_block_ptr(y_ptr, (2, 8), (8, 1), (row, 0), (1, 8), (1, 0)), total)


# SUMS: y_ptr = 8 10 12 3 4 5 6 7 30 32 34 14 15 16 17 18
