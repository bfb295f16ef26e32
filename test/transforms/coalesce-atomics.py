# Sums over rows, of which a thread holds every fourth, are brought into one instruction's lanes before they are added
# in memory; not where the numbers before are wanted.
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel sums --signature '*fp32:16, *fp32:16' %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel before --signature '*fp32:16, *fp32:16' %s | FileCheck %s --check-prefix=BEFORE
# RUN: tile-run %s --device emulator --kernel sums --num-warps 4 --grid 2 --check --arg x=fp32[4096]:ones --arg y=fp32[16]:zeros --print y:16 | FileCheck %s --check-prefix=OUT
import triton
import triton.language as tl


# CHECK: .entry sums
# CHECK: bar.sync
# CHECK-COUNT-1: add.f32 {{.*}}[
# CHECK-NOT: add.f32 {{.*}}[
# CHECK: ret
# OUT: y = 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512
@triton.jit
def sums(x, y):
    r, c = tl.arange(0, 16), tl.arange(0, 256)
    tl.atomic_add(y + r, tl.sum(tl.load(x + r[:, None] * 256 + c[None, :]), 1))


# BEFORE: .entry before
# BEFORE-COUNT-4: atom.{{.*}}add.f32
# BEFORE: ret
@triton.jit
def before(x, y):
    r, c = tl.arange(0, 16), tl.arange(0, 256)
    v = tl.load(x + r[:, None] * 256 + c[None, :])
    tl.store(x + r[:, None] * 256 + c[None, :], v + tl.atomic_add(y + r, tl.sum(v, 1))[:, None])
