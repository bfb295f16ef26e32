# Tiles with fewer elements than the block has threads: where what a load is made into is stored by the threads that
# hold it, only those load, and no barrier parts the two.
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel in_place --signature "*fp32:16, *fp32:16" %s | FileCheck %s --check-prefix=PLACE
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel carried --signature "*fp32:16, i32" %s | FileCheck %s --check-prefix=CARRIED
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel gathered --signature "*i32:16, *fp32:16" %s | FileCheck %s --check-prefix=GATHERED
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel quotient --signature "*i32:16, *i32:16" %s | FileCheck %s --check-prefix=GATHERED
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel high --signature "*u64:16, *i64:16" %s | FileCheck %s --check-prefix=GATHERED
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel components --signature "*fp32:16, *fp32:16, 3" %s | FileCheck %s --check-prefix=STRIDED
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel components --signature "*fp32:16, *fp32:16, 1" %s | FileCheck %s --check-prefix=DENSE
# RUN: tile-run %s --device emulator --kernel in_place --num-warps 4 --grid 1 --check --arg x=f32[64]:2 --arg y=f32[64]:3 --print x:4 | FileCheck %s --check-prefix=VALUES
import triton
import triton.language as tl


# PLACE: .entry in_place
# PLACE: and.b32 [[COPY:%r[0-9]+]], {{.*}}, 64
# PLACE: setp.eq{{.*}} [[HOLDS:%p[0-9]+]], [[COPY]], 0
# PLACE-NOT: bar.sync
# PLACE: @[[HOLDS]] ld.global
# PLACE-NOT: bar.sync
# PLACE: @[[HOLDS]] ld.global
# PLACE-NOT: bar.sync
# PLACE: @[[HOLDS]] st.global
# VALUES: x = 7 7 7 7
@triton.jit
def in_place(x, y):
    at = tl.arange(0, 64)
    tl.store(x + at, tl.load(x + at) * 2 + tl.load(y + at))


# CARRIED: .entry carried
# CARRIED-NOT: bar.sync
# CARRIED: ret
@triton.jit
def carried(x, n):
    at = tl.arange(0, 64)
    total = tl.zeros([64], tl.float32)
    for i in range(n):
        total += tl.load(x + at)
        tl.store(x + at, total)
        x += 64


# What is an address, or may not be computed of what nobody has loaded, is loaded by all.
# GATHERED: {{^[^@]*}}ld.global
# GATHERED: bar.sync
@triton.jit
def gathered(x, y):
    at = tl.arange(0, 64)
    tl.store(y + at, tl.load(y + tl.load(x + at)))


@triton.jit
def quotient(x, y):
    at = tl.arange(0, 64)
    tl.store(x + at, tl.load(y + at) // tl.load(x + at))


# The lower half of the product is not used; the upper one is an address.
@triton.jit
def high(x, y):
    at = tl.arange(0, 64)
    tl.store(y + at, tl.load(y + tl.umulhi(tl.load(x + at), 256)))


# Where no two elements are neighbours in memory all copies load, so that their warps stay.
# STRIDED-NOT: @%p{{[0-9]+}} ld.global
# STRIDED: ld.global
# STRIDED: @%p{{[0-9]+}} st.global
# DENSE: @%p{{[0-9]+}} ld.global
# DENSE: @%p{{[0-9]+}} st.global
@triton.jit
def components(x_ptr, y_ptr, STRIDE: tl.constexpr):
    at = (tl.program_id(0) * 64 + tl.arange(0, 64)) * STRIDE
    tl.store(y_ptr + at, tl.load(x_ptr + at) * 2)
