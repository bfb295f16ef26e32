# RUN: tile-translate --tile-to-ptx --kernel checked --target sm_80 --low-occupancy on --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" %s -o %t.checked
# RUN: FileCheck %s --input-file %t.checked --check-prefixes CHECK,CHECKED
# RUN: tile-translate --tile-to-ptx --kernel turned --target sm_80 --low-occupancy on --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" %s -o %t.turned
# RUN: FileCheck %s --input-file %t.turned --check-prefixes CHECK,TURNED
"""The versions of a kernel share one declaration of shared memory, also where texts or tables are declared after it."""
import triton
import triton.language as tl


# CHECK-NOT: tile_shared.1
# CHECKED-DAG: .global {{.*}} tile_string_
# TURNED-DAG: .const {{.*}} tile_two_over_pi
# CHECK-DAG: .extern .shared .align 1024 .b8 tile_shared[];
# CHECK-NOT: .extern .shared
# CHECK: .entry [[KERNEL:[a-z]+]]$small(
# CHECK: .entry [[KERNEL]](
@triton.jit
def product(a, b, k):
    i = tl.arange(0, 64)
    sums = tl.zeros([64, 64], tl.float32)
    a += tl.program_id(0) * 64 * k
    for _ in range(0, k, 64):
        sums = tl.dot(tl.load(a + i[:, None] * k + i[None, :]), tl.load(b + i[:, None] * 64 + i[None, :]), sums)
        a += 64
        b += 64 * 64
    return sums


@triton.jit
def checked(a, b, c, k):
    i = tl.arange(0, 64)
    sums = product(a, b, k)
    tl.device_assert(k > 0, "k")
    tl.device_print("k", k)
    tl.store(c + tl.program_id(0) * 4096 + i[:, None] * 64 + i[None, :], sums)


@triton.jit
def turned(a, b, c, k):
    i = tl.arange(0, 64)
    tl.store(c + tl.program_id(0) * 4096 + i[:, None] * 64 + i[None, :], tl.sin(product(a, b, k)))
