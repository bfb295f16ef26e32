# A mask that ends within 16 bytes (K is not promised to be a multiple of anything; analysis/mask_prefix.h) does not keep a tile
# from being copied asynchronously: the copy reads as many bytes as the mask lets through, and fills in zeros.
# RUN: tile-translate --tile-to-ptx %s --kernel product --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 0, 3" -o - | FileCheck %s --check-prefix=PTX
# PTX-NOT: ld.global
# PTX: min.u32 {{.*}}, 8;
# PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16, %r
# PTX-NOT: ld.global
# PTX: ret;
#
# True elements after false ones are no such mask: that tile is loaded element by element.
# RUN: tile-translate --tile-to-ptx %s --kernel product --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 6, 3" -o - | FileCheck %s --check-prefix=LOADED
# RUN: tile-translate --tile-to-ptx %s --kernel product --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 7, 3" -o - | FileCheck %s --check-prefix=LOADED
# LOADED: ld.global.b16
#
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 0" "1 2 4" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:1 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 0" "1 3" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:15 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 1" "1 3" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:17 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 2" "1 3" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:127 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 3" "1 2" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:107 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 4" "1 2" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:33 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 5" "1 2" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:65 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 6" "1 2" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:75 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 7" "1 2" --grid 1 --arg a=fp16[64,128]:rand --arg b=fp16[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:75 --arg stride=i32:128
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp32:16, *fp32:16, *fp32:16, i32, i32:16, 0" "1 3" --grid 1 --arg a=fp32[64,128]:rand --arg b=fp32[128,32]:rand --arg c=fp32[64,32]:zeros --arg k=i32:107 --arg stride=i32:128
#
# The last row ends with the buffer: nothing after it is read.
# RUN: tile-run %s --device emulator --check --kernel product --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 0, 3" --grid 1 --arg a=fp16[8187]:ones --arg b=fp16[123,32]:ones --arg c=fp32[64,32]:poison --arg k=i32:123 --arg stride=i32:128 --print c:2 | FileCheck %s --check-prefix=LAST
# LAST: c = 123 123
import triton
import triton.language as tl


@triton.jit
def inside(FORM: tl.constexpr, first, rk, K):
    if FORM == 0:
        return rk < K - first
    if FORM == 1:
        return K - first > rk
    if FORM == 2:
        return rk <= K - first - 1
    if FORM == 3:
        return (first + rk).to(tl.int64) < K.to(tl.int64)
    if FORM == 4:
        return (rk < K - first) | (rk < 3)
    if FORM == 5:
        return (rk < K - first) & (rk < 27) & (first < 70)
    if FORM == 6:
        return rk >= K - first
    return rk != K - first


@triton.jit
def product(a, b, c, k, stride, FORM: tl.constexpr, STAGES: tl.constexpr):
    rm = tl.arange(0, 64)[:, None]
    rn = tl.arange(0, 32)[None, :]
    rk = tl.arange(0, 32)
    sum = tl.zeros((64, 32), tl.float32)
    for first in tl.range(0, k, 32, num_stages=STAGES):
        x = tl.load(a + rm * stride + first + rk[None, :], mask=inside(FORM, first, rk[None, :], k), other=0.0)
        y = tl.load(b + (first + rk[:, None]) * 32 + rn, mask=rk[:, None] < k - first, other=0.0)
        sum = tl.dot(x, y, sum)
    tl.store(c + rm * 32 + rn, sum)
