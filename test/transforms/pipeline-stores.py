# Loops that load and store load three iterations ahead (lib/analysis/loop_schedule.h), where what is stored stays clear of what is
# loaded; and give what they give without, whatever the numbers are that decide it.
# UNSUPPORTED: short
# RUN: sh %S/Inputs/same-past-stores.sh %s %t scan "*fp32:16, i32:16, i32:16, i32" --arg p=fp32[8192]:rand -- "stride=128 shift=0" "stride=128 shift=128" "stride=128 shift=384" "stride=128 shift=512" "stride=128 shift=-128" "stride=0 shift=0" "stride=-128 shift=-256"
# RUN: sh %S/Inputs/same-past-stores.sh %s %t apart "*fp32:16, i32:16, i32:16, i32:16, i32" --arg p=fp32[8192]:rand -- "stride=128 other=256 shift=0" "stride=128 other=256 shift=3584" "stride=256 other=128 shift=512" "stride=256 other=0 shift=768"
# RUN: sh %S/Inputs/same-past-stores.sh %s %t carried "*fp32:16, *fp32:16, i32:16, i32" --arg x=fp32[8192]:rand --arg out=fp32[8192]:zeros -- "stride=128" "stride=0"
# RUN: sh %S/Inputs/same-past-stores.sh %s %t narrow "*fp16:16, *fp32:16, i32:16, i32, i32" --arg x=fp16[8192]:rand --arg out=fp32[8192]:zeros -- "stride=128 by=1" "stride=64 by=2"
# RUN: sh %S/Inputs/same-past-stores.sh %s %t scalars "*fp32:16, i32, i32" --arg p=fp32[8192]:rand -- "shift=1" "shift=3" "shift=4"
# RUN: tile-translate --import-triton --kernel scan --signature '*fp32:16, i32:16, i32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=EITHER
# RUN: tile-translate --import-triton --kernel in_place --signature '*fp32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=AHEAD
import triton
import triton.language as tl


# Where `shift` is one to three strides the loop stays as it is.
# EITHER: arith.cmpi slt
# EITHER: scf.if %{{.*}} -> (tensor<128xf32
# EITHER: scf.for
# EITHER: } else {
# EITHER: scf.for {{.*}} -> (tensor<128xf32, {{.*}}tensor<128xf32, {{.*}}tensor<128xf32, {{.*}}tensor<128xf32,
@triton.jit
def scan(p, stride, shift, n):
    at = tl.arange(0, 128) + 4096
    h = tl.zeros((128,), tl.float32)
    for i in range(n):
        h = h * 0.5 + tl.load(p + i * stride + at)
        tl.store(p + shift + i * stride + at, h)
    tl.store(p + at - 4096, h)


# A row after the other, each in place: that is known here.
# AHEAD-NOT: scf.if
# AHEAD: scf.for {{.*}} -> (tensor<128xf32, {{.*}}tensor<128xf32, {{.*}}tensor<128xf32, {{.*}}tensor<128xf32,
@triton.jit
def in_place(p, n):
    at = tl.arange(0, 128)
    h = tl.zeros((128,), tl.float32)
    for i in range(n):
        h = h * 0.5 + tl.load(p + i * 128 + at)
        tl.store(p + i * 128 + at, h)


@triton.jit
def apart(p, stride, other, shift, n):
    at = tl.arange(0, 128) + 2048
    h = tl.zeros((128,), tl.float32)
    for i in range(n):
        h = h * 0.5 + tl.load(p + i * stride + at)
        if i != 2:
            tl.store(p + shift + i * other + at, h)
    tl.store(p + at - 2048, h)


@triton.jit
def carried(x, out, stride, n):
    at = tl.arange(0, 128)
    from_x = x + at
    h = tl.zeros((128,), tl.float32)
    for i in range(3, 3 + n):
        h = h * 0.5 + tl.load(from_x, mask=at < 100, other=1.0)
        tl.store(out + at, h)
        from_x += stride
        at += stride


@triton.jit
def narrow(x, out, stride, by, n):
    at = tl.arange(0, 128)
    h = tl.zeros((128,), tl.float32)
    for i in range(n):
        h = h * 0.5 + tl.load(x + i * stride * by + at)
        tl.store(out + i * stride * by + at, h)


@triton.jit
def scalars(p, shift, n):
    h = 0.0
    for i in range(n):
        h = h * 0.5 + tl.load(p + 100 + i)
        tl.store(p + 100 + shift + i, h)
    tl.store(p, h)
