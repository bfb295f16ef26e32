# RUN: tile-translate --import-triton --kernel kinds --signature "*fp32, *i32, *u64, *bf16, i32" %s | FileCheck %s
"""Atomics. Census items 32, 72, 73, 88 and 103 of section 3; 45, 72, 111, 112 and 138 of section 5."""
import triton
import triton.language as tl


@triton.jit
def kinds(f_ptr, i_ptr, u_ptr, h_ptr, n):
    o = tl.arange(0, 8)
    m = o < n
    # CHECK: "tile.atomic_rmw"({{.*}}) {kind = "add", scope = "gpu", sem = "relaxed"} : (tensor<8x!tile.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
    a = tl.atomic_add(f_ptr + o, 1.0, mask=m, sem="relaxed")
    # CHECK: "tile.atomic_rmw"({{.*}}) {kind = "max", scope = "cta", sem = "release"} : (tensor<8x!tile.ptr<i32>>, tensor<8xi32>, tensor<8xi1>)
    b = tl.atomic_max(i_ptr + o, o, m, "release", "cta")
    # The sign is in the kind.
    # CHECK: "tile.atomic_rmw"({{.*}}) {kind = "umin", scope = "sys", sem = "acquire"} : (tensor<8x!tile.ptr<i64>>, tensor<8xi64>)
    c = tl.atomic_min(u_ptr + o, b.to(tl.uint64), sem="acquire", scope="sys")
    # CHECK: {kind = "and", scope = "gpu", sem = "acq_rel"} : (!tile.ptr<i32>, i32) -> i32
    d = tl.atomic_and(i_ptr, n)
    # CHECK: {kind = "or",
    d |= tl.atomic_or(i_ptr, 3, mask=True)
    # CHECK: {kind = "xor", scope = "gpu", sem = "acq_rel"} : (!tile.ptr<i32>, i32, i1) -> i32
    d ^= (i_ptr + 1).atomic_xor(d, mask=n > 2)
    # CHECK: {kind = "xchg", scope = "gpu", sem = "acq_rel"} : (!tile.ptr<f32>, f32) -> f32
    e = tl.atomic_xchg(f_ptr, 0)
    # The value is cast, the pointer broadcast.
    # CHECK: arith.truncf {{.*}} : tensor<1x8xf32> to tensor<1x8xbf16>
    # CHECK: "tile.atomic_rmw"({{.*}}) {kind = "add", {{.*}}} : (tensor<4x8x!tile.ptr<bf16>>, tensor<4x8xbf16>)
    h_ptr2 = h_ptr + tl.arange(0, 4)[:, None]
    tl.atomic_add(h_ptr2, a[None, :])
    # CHECK: {kind = "max", {{.*}}} : (tensor<8x!tile.ptr<f32>>, tensor<8xf32>)
    f = tl.atomic_max(f_ptr + o, a)
    # CHECK: "tile.atomic_cas"({{.*}}) {scope = "gpu", sem = "acquire"} : (!tile.ptr<i32>, i32, i32) -> i32
    while tl.atomic_cas(i_ptr, 0, 1, sem="acquire") == 1:
        pass
    # CHECK: "tile.atomic_cas"({{.*}}) {scope = "gpu", sem = "acq_rel"} : (tensor<8x!tile.ptr<bf16>>, tensor<8xbf16>, tensor<8xbf16>)
    g = tl.atomic_cas(h_ptr + o, cmp=1.0, val=a)
    # A result that nobody uses: the operation stays.
    # CHECK: "tile.atomic_rmw"({{.*}}) {kind = "xchg", scope = "gpu", sem = "release"}
    tl.atomic_xchg(i_ptr, 0, sem="release")
    tl.store(f_ptr + o, a + b + c + d + e + f + g)
