# Programs of the last wave that blocks share (tile-gpu-split-tail), where a loop has a running maximum, and sums that are rescaled to it
# (analysis/loop_sums): parts are rescaled to the maximum of both. Exponents are whole numbers and few, so that neither the order of terms
# nor what they are relative to matters: equal to the bit. With masks rows have parts of which they see nothing, or see nothing at first, or
# see no key at all; there the level is 0.
# UNSUPPORTED: short
# DEFINE: %{compile} = --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *i32:16, *fp32:16, *fp32:16, *fp32:16, fp32, i32:16"
# DEFINE: %{arguments} = --arg q=%t.q.npy --arg k=%t.k.npy --arg v=%t.v.npy --arg lengths=i32[640]:arange --arg out=fp32[640,128]:poison --arg tops=fp32[640]:poison --arg norms=fp32[640]:poison --arg scale=fp32:2.0 --arg n=i32:2048
# RUN: tile-run %s --kernel fill --grid 640 --signature "*fp16:16, 3, 3" --arg out=fp16[640,128]:0 --save out=%t.q.npy
# RUN: tile-run %s --kernel fill --grid 2048 --signature "*fp16:16, 128, 3" --arg out=fp16[2048,128]:0 --save out=%t.k.npy
# RUN: tile-run %s --kernel fill --grid 2048 --signature "*fp16:16, 128, 5" --arg out=fp16[2048,128]:0 --save out=%t.v.npy
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="plain"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-run %s --kernel rescaled --check --multiprocessors 4 --grid 5 %{compile} --constexpr 'FORM="plain"' %{arguments} --save out=%t.out.npy --save tops=%t.tops.npy --save norms=%t.norms.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-run %s --kernel rescaled --grid 5 %{compile} --constexpr 'FORM="plain"' %{arguments} --save out=%t.out2.npy --save tops=%t.tops2.npy --save norms=%t.norms2.npy
# RUN: cmp %t.out.npy %t.out2.npy
# RUN: cmp %t.tops.npy %t.tops2.npy
# RUN: cmp %t.norms.npy %t.norms2.npy
# RUN: tile-run %s --kernel rescaled --check --multiprocessors 4 --grid 5 %{compile} --constexpr 'FORM="guarded"' %{arguments} --save out=%t.out.npy --save tops=%t.tops.npy --save norms=%t.norms.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-run %s --kernel rescaled --grid 5 %{compile} --constexpr 'FORM="guarded"' %{arguments} --save out=%t.out2.npy --save tops=%t.tops2.npy --save norms=%t.norms2.npy
# RUN: cmp %t.out.npy %t.out2.npy
# RUN: cmp %t.tops.npy %t.tops2.npy
# RUN: cmp %t.norms.npy %t.norms2.npy
# RUN: tile-run %s --kernel rescaled --check --multiprocessors 4 --grid 5 %{compile} --constexpr 'FORM="guarded, with a hole"' %{arguments} --save out=%t.out.npy --save tops=%t.tops.npy --save norms=%t.norms.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-run %s --kernel rescaled --grid 5 %{compile} --constexpr 'FORM="guarded, with a hole"' %{arguments} --save out=%t.out2.npy --save tops=%t.tops2.npy --save norms=%t.norms2.npy
# RUN: cmp %t.out.npy %t.out2.npy
# RUN: cmp %t.tops.npy %t.tops2.npy
# RUN: cmp %t.norms.npy %t.norms2.npy
# Where the maximum is of scores times a number of the launch, that is above 0, or nothing is shared.
# RUN: tile-run %s --kernel rescaled --check --multiprocessors 4 --grid 5 %{compile} --constexpr 'FORM="scaled"' %{arguments} --save out=%t.out.npy --save tops=%t.tops.npy --save norms=%t.norms.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-run %s --kernel rescaled --grid 5 %{compile} --constexpr 'FORM="scaled"' %{arguments} --save out=%t.out2.npy --save tops=%t.tops2.npy --save norms=%t.norms2.npy
# RUN: cmp %t.out.npy %t.out2.npy
# RUN: cmp %t.tops.npy %t.tops2.npy
# RUN: cmp %t.norms.npy %t.norms2.npy
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="scaled"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=SCALED
# What iterations advance begins where a part does.
# RUN: tile-run %s --kernel rescaled --check --multiprocessors 4 --grid 5 %{compile} --constexpr 'FORM="counters"' %{arguments} --save out=%t.out.npy --save tops=%t.tops.npy --save norms=%t.norms.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-run %s --kernel rescaled --grid 5 %{compile} --constexpr 'FORM="counters"' %{arguments} --save out=%t.out2.npy --save tops=%t.tops2.npy --save norms=%t.norms2.npy
# RUN: cmp %t.out.npy %t.out2.npy
# RUN: cmp %t.tops.npy %t.tops2.npy
# RUN: cmp %t.norms.npy %t.norms2.npy
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="counters"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=COUNTERS
# COUNTERS: tile_gpu.part_bytes = 71680
# The same; from 1 on, which a first maximum of minus infinity multiplies by 0; with the level and a number in the exponent; by e.
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="from one"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="guarded"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="guarded, with a hole"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="guarded otherwise"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="natural"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# Parts of these would not make the whole: masks without a guard, as a part may begin where a row sees nothing; a sum from 1 on beside a
# maximum from 0 on; factors of another base, slope or level than the terms'; a level that is not the maximum, or other rows'; a maximum of
# something else than the terms; sums that are not rescaled, of what is not rescaled with them, of rows, or of the other sum; sums whose
# elements change places.
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="from one at zero"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="two bases"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="two slopes"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="shifted"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="least level"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="sum of all"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="count of maxima"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="squares"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="roots"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="norm in the sum"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="other maximum"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="mask"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="first maximum"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="other rows"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="sum of rows"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="terms on the right"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="turned"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="reshaped"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="mask in the sum"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="mask by the launch"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="mask that overflows"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="more than the maximum"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="factors of other rows"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton %{compile} --kernel rescaled --constexpr 'FORM="rows summed over"' %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
import triton
import triton.language as tl

# All of a part, then its flag. The maximum of both comes first; then each sum is multiplied by its factor.
# CHECK-LABEL: func.func @rescaled$tma(
# CHECK-SAME: tile_gpu.part_bytes = 69632
# SCALED: tile_gpu.part_bytes
# SCALED: %[[ABOVE:.*]] = arith.cmpf ogt, %arg7,
# SCALED: %[[SOME:.*]] = arith.cmpi ne,
# SCALED: arith.andi %[[SOME]], %[[ABOVE]]
# CHECK: "tile_gpu.in_producer"
# CHECK: } else {
# CHECK: "tile_gpu.store_part"({{.*}} : (tensor<128x
# CHECK: "tile_gpu.store_part"({{.*}} : (tensor<128x
# CHECK: "tile_gpu.store_part"({{.*}} : (tensor<128x
# CHECK: "tile.atomic_rmw"{{.*}}xchg
# CHECK: scf.while
# CHECK: %[[OTHER:.*]] = "tile_gpu.add_part"({{.*}} : (tensor<128xf32
# CHECK: arith.maxnumf %{{.*}}, %[[OTHER]]
# CHECK: math.exp
# CHECK: math.exp
# CHECK: "tile_gpu.add_scaled_part"
# CHECK: "tile_gpu.add_scaled_part"
# CHECK-LABEL: func.func @rescaled(

# ALONE-LABEL: func.func @rescaled$tma(
# ALONE-NOT: part_bytes
# ALONE-SAME: resident_blocks
# ALONE-NOT: part_bytes


@triton.jit
def fill(out, COLUMNS: tl.constexpr, VALUES: tl.constexpr):
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    number = (i * 7919 % 101 % VALUES - VALUES // 2).to(tl.float16)
    tl.store(out + i, tl.where(tl.arange(0, 128) < COLUMNS, number, 0.0))


@triton.jit
def rescaled(q, k, v, lengths, out, tops, norms, scale, n, FORM: tl.constexpr):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, 128)
    query = tl.load(q + rows[:, None] * 128 + columns[None, :])
    length = tl.load(lengths + 639 - rows) * 8
    acc = tl.zeros((128, 128), tl.float32)
    norm = tl.zeros((128,), tl.float32)
    if FORM == "from one" or FORM == "from one at zero":
        norm += 1.0
    top = tl.full((128,), 0.0 if FORM == "from one at zero" else float("-inf"), tl.float32)
    ones = tl.zeros((128,), tl.float32)
    moved = lengths
    count = n.to(tl.int64)
    for i in range(0, n, 128):
        at = (i + tl.arange(0, 128))[:, None] * 128 + columns[None, :]
        s = tl.dot(query, tl.load(k + at).T)
        if FORM == "guarded, with a hole":
            keys = (i + columns)[None, :]
            s = tl.where((keys < 4) & (length > 300)[:, None] | (keys >= n - length[:, None]), s, float("-inf"))
        elif FORM == "mask in the sum":
            s += tl.where((i + columns)[None, :] < length[:, None], 0.0, float("-inf"))
        elif FORM == "mask by the launch":
            s = tl.where((i + columns)[None, :] < length[:, None], s, scale)
        elif FORM == "mask that overflows":
            s = tl.where((i + columns)[None, :] < length[:, None], s, -3.4e38) * 1.5
        elif FORM != "plain" and FORM != "counters" and FORM != "from one" and FORM != "natural":
            s = tl.where((i + columns)[None, :] < length[:, None], s, float("-inf"))
        if FORM == "counters":
            s += (tl.load(moved) % 5 + (count % 3).to(tl.int32)).to(tl.float32)
            moved += 3
            count += 5
            ones += tl.where(i == 512, 1.0, 0.0)
        if FORM == "other maximum":
            higher = tl.maximum(top, tl.max(s, 1) + 1.0)
        elif FORM == "first maximum":
            higher = tl.maximum(top, tl.where(i == 0, tl.max(s, 1), float("-inf")))
        elif FORM == "scaled":
            higher = tl.maximum(top, tl.max(s, 1) * scale)
        else:
            higher = tl.maximum(top, tl.max(s, 1))
        level = tl.where(higher == float("-inf"), 0.0, higher)
        if FORM == "guarded" or FORM == "guarded, with a hole":
            p = tl.math.exp2((s - level[:, None]) * scale)
            shrink = tl.math.exp2((top - level) * scale)
        elif FORM == "guarded otherwise":
            level = tl.where(higher > float("-inf"), higher, 0.0)
            p = tl.math.exp2(s * scale - (level * scale - 3.0)[:, None])
            shrink = tl.math.exp2(top * scale - level * scale)
        elif FORM == "natural":
            p = tl.exp(s - higher[:, None])
            shrink = tl.exp(top - higher)
        elif FORM == "two bases":
            p = tl.math.exp2(s - level[:, None])
            shrink = tl.exp(top - level)
        elif FORM == "two slopes":
            p = tl.math.exp2((s - level[:, None]) * scale)
            shrink = tl.math.exp2(top - level)
        elif FORM == "shifted":
            p = tl.math.exp2(s - level[:, None])
            shrink = tl.math.exp2(top - (level - 1.0))
        elif FORM == "least level":
            level = tl.maximum(higher, -100.0)
            p = tl.math.exp2(s - level[:, None])
            shrink = tl.math.exp2(top - level)
        elif FORM == "scaled":
            p = tl.math.exp2(s * scale - level[:, None])
            shrink = tl.math.exp2(top - level)
        elif FORM == "more than the maximum":
            p = tl.math.exp2(s + (length.to(tl.float32) - level)[:, None])
            shrink = tl.math.exp2(top - level)
        elif FORM == "other rows":
            p = tl.math.exp2(s - level[None, :])
            shrink = tl.math.exp2(top - level)
        elif FORM == "plain" or FORM == "counters" or FORM == "from one" or "mask" in FORM:
            p = tl.math.exp2(s - higher[:, None])
            shrink = tl.math.exp2(top - higher)
        else:
            p = tl.math.exp2(s - level[:, None])
            shrink = tl.math.exp2(top - level)
        if FORM == "sum of all":
            norm = norm + tl.sum(p, 1)
        elif FORM == "count of maxima":
            norm = norm * shrink + tl.sum(p, 1) + tl.where(higher > top, 1.0, 0.0)
        elif FORM == "squares":
            norm = norm * shrink + tl.sum(p * p, 1)
        elif FORM == "roots":
            norm = norm * shrink + tl.sum(tl.sqrt(p), 1)
        elif FORM == "sum of rows":
            norm = norm * shrink + tl.sum(p, 0)
        elif FORM == "norm in the sum":
            norm = norm * shrink + tl.sum(p, 1)
            p = p * norm[:, None]
        else:
            norm = norm * shrink + tl.sum(p, 1)
        if FORM == "terms on the right":
            acc = tl.dot(tl.load(v + at), p.to(tl.float16), acc * shrink[:, None])
        elif FORM == "rows summed over":
            acc = tl.dot(tl.trans(p).to(tl.float16), tl.load(v + at), acc * shrink[None, :])
        elif FORM == "factors of other rows":
            acc = tl.dot(p.to(tl.float16), tl.load(v + at), acc * shrink[None, :])
        elif FORM == "turned":
            acc = tl.dot(p.to(tl.float16), tl.load(v + at), tl.trans(acc) * shrink[:, None])
        elif FORM == "reshaped":
            acc = tl.reshape(tl.reshape(acc, (128, 2, 64)) * shrink[:, None, None], (128, 128))
            acc = tl.dot(p.to(tl.float16), tl.load(v + at), acc)
        else:
            acc = tl.dot(p.to(tl.float16), tl.load(v + at), acc * shrink[:, None])
        top = higher
    tl.store(out + rows[:, None] * 128 + columns[None, :], acc)
    tl.store(tops + rows, top + ones)
    tl.store(norms + rows, norm)
