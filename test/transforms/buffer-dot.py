# Products by multiply-adds give the same bits wherever their operands lie: in stages of a loop that copies ahead, also
# transposed, in a buffer filled before the loop, in scratch, and in one place of each kind.
# RUN: sh %S/Inputs/same-without.sh tile-gpu-buffer-dot %s %t stages "*fp32:16, *fp32:16, *fp32:16, i32:16, 32, 64, 32" --grid 2 --arg a=fp32[64,96]:rand --arg b=fp32[96,64]:rand --arg out=fp32[64,64]:poison --arg k=i32:96
# RUN: sh %S/Inputs/same-without.sh tile-gpu-buffer-dot %s %t stages "*fp32:16, *fp32:16, *fp32:16, i32, 16, 64, 16" --grid 4 --arg a=fp32[64,41]:rand --arg b=fp32[41,64]:rand --arg out=fp32[64,64]:poison --arg k=i32:41
# RUN: sh %S/Inputs/same-without.sh tile-gpu-buffer-dot %s %t transposed "*fp32:16, *fp32:16, *fp32:16, i32:16, 32, 64, 32" --grid 2 --arg a=fp32[64,96]:rand --arg b=fp32[64,96]:rand --arg out=fp32[64,64]:poison --arg k=i32:96
# RUN: sh %S/Inputs/same-without.sh tile-gpu-buffer-dot %s %t sums_of_rows "*fp32:16, *fp32:16, i32" --grid 2 --arg x=fp32[100,64]:rand --arg out=fp32[100,64]:poison --arg n=i32:100
# RUN: sh %S/Inputs/same-without.sh tile-gpu-buffer-dot %s %t sums_of_rows "*fp16:16, *fp32:16, i32" --grid 2 --arg x=fp16[100,64]:rand --arg out=fp32[100,64]:poison --arg n=i32:100
# RUN: sh %S/Inputs/same-without.sh tile-gpu-buffer-dot %s %t computed "*fp32:16, *fp32:16, *fp32:16, i32:16" --grid 1 --arg a=fp32[32,96]:rand --arg b=fp32[96,64]:rand --arg out=fp32[32,64]:poison --arg k=i32:96
# RUN: tile-translate --tile-to-ptx --kernel sums_of_rows --signature "*fp32:16, *fp32:16, i32" %s | FileCheck %s
import triton
import triton.language as tl


@triton.jit
def stages(a, b, out, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    at_a, at_b = a + rows[:, None] * k + inner[None, :], b + inner[:, None] * N + columns[None, :]
    sums = tl.zeros((M, N), out.dtype.element_ty)
    for first in range(0, k, K):
        x = tl.load(at_a, mask=first + inner[None, :] < k, other=0)
        y = tl.load(at_b, mask=first + inner[:, None] < k, other=0)
        sums = tl.dot(x, y, sums, input_precision="ieee", out_dtype=out.dtype.element_ty)
        at_a += K
        at_b += K * N
    tl.store(out + rows[:, None] * N + columns[None, :], sums)


@triton.jit
def transposed(a, b, out, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    at_a, at_b = a + rows[:, None] * k + inner[None, :], b + columns[:, None] * k + inner[None, :]
    sums = tl.zeros((M, N), tl.float32)
    for first in range(0, k, K):
        y = tl.load(at_b + first)
        sums = tl.dot(tl.load(at_a + first), tl.trans(y), sums, input_precision="ieee")
    tl.store(out + rows[:, None] * N + columns[None, :], sums)


# The triangle of ones is stored once, before the loop, and the rows are in their stage: each iteration waits for its
# copies, and for the warps' sums.
# CHECK-LABEL: .entry sums_of_rows
# CHECK-COUNT-8: st.shared.b32
# CHECK: cp.async.wait_group
# CHECK: bar.sync
# CHECK-NOT: st.shared.v
# CHECK-NOT: bar.sync
# CHECK: fma.rn.f32
# CHECK: ret
@triton.jit
def sums_of_rows(x, out, n):
    at = tl.arange(0, 32)
    columns = tl.program_id(0) * 32 + at
    ones = tl.where(at[:, None] <= at[None, :], 1.0, 0.0)
    after = tl.zeros((32,), tl.float32)
    for i in range(tl.cdiv(n, 32) - 1, -1, -1):
        rows = i * 32 + at
        mask = rows[:, None] < n
        y = tl.load(x + rows[:, None] * 64 + columns[None, :], mask=mask, other=0).to(tl.float32)
        z = after[None, :] + tl.dot(ones, y, allow_tf32=False)
        tl.store(out + rows[:, None] * 64 + columns[None, :], z, mask=mask)
        after += tl.sum(y, 0)


@triton.jit
def computed(a, b, out, k):
    rows, columns, inner = tl.arange(0, 32), tl.arange(0, 64), tl.arange(0, 32)
    sums = tl.zeros((32, 64), tl.float32)
    for first in range(0, k, 32):
        x = tl.exp(tl.load(a + rows[:, None] * k + first + inner[None, :]))
        y = tl.load(b + (first + inner[:, None]) * 64 + columns[None, :])
        sums = tl.dot(x, y, sums, input_precision="ieee")
    tl.store(out + rows[:, None] * 64 + columns[None, :], sums)
