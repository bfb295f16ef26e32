# Accumulators of wgmma that are rounded to 16 bits and computed with, or stored one by one: two by one instruction. Of single
# conversions ptxas would say that they read accumulators too early, and let all products wait for each other (C7514).
# UNSUPPORTED: short
# RUN: tile-translate --tile-to-ptx %s --kernel biased --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, 64" --tensor-maps off -o - | FileCheck %s --check-prefixes=PAIRS,HALF
# RUN: tile-translate --tile-to-ptx %s --kernel biased --signature "*bf16:16, *bf16:16, *bf16:16, *bf16:16, i32:16, 64" --tensor-maps off -o - | FileCheck %s --check-prefixes=PAIRS,BFLOAT
# PAIRS-LABEL: .entry biased(
# PAIRS: wgmma.wait_group.sync.aligned 0;
# PAIRS-NOT: cvt.rn.{{b?}}f16.f32
# HALF-COUNT-32: cvt.rn.f16x2.f32
# BFLOAT-COUNT-32: cvt.rn.bf16x2.f32
# PAIRS-NOT: cvt.rn
# PAIRS: ret;
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t biased "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16" 64 128 %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t biased "*bf16:16, *bf16:16, *bf16:16, *bf16:16, i32:16" 64 128 %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t rounded_twice "*bf16:16, *bf16:16, *bf16:16, i32:16" 64 128 %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t row_sums "*fp16:16, *fp16:16, *fp16:16, i32:16" 64 128 %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t stored_twice "*fp16, *fp16:16, *fp16:16, i32:16" 64 128 %}
#
# What is stored or multiplied as it is goes into words anyway, by LLVM's own instruction.
# RUN: tile-translate --tile-to-ptx %s --kernel stored --signature "*fp16:16, *fp16:16, *fp16:16, i32:16, 64" --tensor-maps off -o - | FileCheck %s --check-prefix=STORED
# STORED-LABEL: .entry stored(
# STORED: wgmma.wait_group.sync.aligned 0;
# STORED-NOT: cvt.rn.f16.f32
# STORED: cvt.rn.f16x2.f32
# STORED-NOT: inline asm
# STORED-COUNT-31: cvt.rn.f16x2.f32
#
# To nearest, ties to even, each in its place: the sum of column j is 2049 + 2 j, and f16 has every second number there.
# RUN: tile-run %s --device emulator --check --kernel ties --grid 1 --arg out=fp32[64,64]:poison --constexpr OVERFLOW=False --print out:4 | FileCheck %s --check-prefix=TIES
# TIES: out = 2048 2052 2052 2056
# RUN: tile-run %s --device emulator --check --kernel ties --grid 1 --arg out=fp32[64,64]:poison --constexpr OVERFLOW=True --print out:4 | FileCheck %s --check-prefix=ABOVE
# ABOVE: out = inf inf inf inf
# RUN: tile-run %s --device emulator --check --kernel not_numbers --grid 1 --arg half=i16[64,64]:poison --arg bfloat=i16[64,64]:poison --print half:2 --print bfloat:2 | FileCheck %s --check-prefix=NAN
# NAN: half = 32767 32767
# NAN: bfloat = 32767 32767
#
# SPDX-License-Identifier: MIT
import triton
import triton.language as tl


@triton.jit
def multiply(a, b, rows, columns, K, N: tl.constexpr):
    sums = tl.zeros((128, N), tl.float32)
    for k in range(0, K, 64):
        inner = k + tl.arange(0, 64)
        left = tl.load(a + rows[:, None] * K + inner[None, :])
        sums = tl.dot(left, tl.load(b + inner[:, None] * N + columns[None, :]), sums)
    return sums


@triton.jit
def biased(a, b, bias, out, K, N: tl.constexpr):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, N)
    sums = multiply(a, b, rows, columns, K, N).to(out.dtype.element_ty)
    sums += tl.load(bias + columns)[None, :]
    tl.store(out + rows[:, None] * N + columns[None, :], sums)


@triton.jit
def rounded_twice(a, b, out, K, N: tl.constexpr):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, N)
    sums = multiply(a, b, rows, columns, K, N).to(tl.float16)
    tl.store(out + rows[:, None] * N + columns[None, :], sums.to(tl.bfloat16))


@triton.jit
def row_sums(a, b, out, K, N: tl.constexpr):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, N)
    sums = multiply(a, b, rows, columns, K, N).to(tl.float16)
    tl.store(out + rows, tl.sum(sums, 1))


@triton.jit
def stored(a, b, out, K, N: tl.constexpr):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, N)
    sums = multiply(a, b, rows, columns, K, N).to(tl.float16)
    tl.store(out + rows[:, None] * N + columns[None, :], sums)


@triton.jit
def stored_twice(out, a, b, K, N: tl.constexpr):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, N)
    sums = multiply(a, b, rows, columns, K, N).to(tl.float16)
    tl.store(out + rows[:, None] * K + columns[None, :], sums, mask=columns[None, :] < K - 7)
    tl.store(out + 7 + rows[:, None] + columns[None, :] * K, sums)


@triton.jit
def ties(out, OVERFLOW: tl.constexpr):
    rows = tl.arange(0, 64)
    columns = tl.arange(0, 64)
    left = tl.where(columns == 0, 1.0, 0.0)[None, :] + tl.zeros((64, 64), tl.float32)
    large = 65520.0 / 2048 if OVERFLOW else 1.0
    left += tl.where(columns == 1, 2048 * large, 0.0)[None, :]
    right = tl.where(rows == 0, 1.0, 0.0)[:, None] * (1 + 2 * columns).to(tl.float32)[None, :]
    right += tl.where(rows == 1, 1.0, 0.0)[:, None]
    sums = tl.dot(left.to(tl.bfloat16), right.to(tl.bfloat16)).to(tl.float16)
    tl.store(out + rows[:, None] * 64 + columns[None, :], sums.to(tl.float32))


@triton.jit
def not_numbers(half, bfloat):
    rows = tl.arange(0, 64)
    columns = tl.arange(0, 64)
    nothing = tl.full((64, 64), float('nan'), tl.float16)
    sums = tl.dot(nothing, nothing)
    places = rows[:, None] * 64 + columns[None, :]
    tl.store(half + places, sums.to(tl.float16).to(tl.int16, bitcast=True) + 0)
    tl.store(bfloat + places, sums.to(tl.bfloat16).to(tl.int16, bitcast=True) + 0)
