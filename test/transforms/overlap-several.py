# Loops whose next iteration's first products start early, with several products before or behind what is computed between them: each
# product of an iteration waits for its own blocks before it starts, and gives them back once it is done. The same numbers to the bit
# as with instructions of sm_80; the emulator finds nothing.
#
# Two products first, one after the other's start. Values of both are there, so that the loop overlaps.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel early --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, 128, 64, 64, 128" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=EARLY
# RUN: tile-run %s --device emulator --check --kernel early --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg r_ptr=f16[256,64]:rand --arg k_ptr=f16[512,64]:rand --arg e_ptr=f16[512,64]:rand --arg v_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr R=64 --constexpr BN=128 --print o_ptr:16384 > %t.early
# RUN: tile-run %s --device emulator --check --kernel early --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg r_ptr=f16[256,64]:rand --arg k_ptr=f16[512,64]:rand --arg e_ptr=f16[512,64]:rand --arg v_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr R=64 --constexpr BN=128 --print o_ptr:16384 --target sm_80 | cmp %t.early -
# Two last, each with a block of its own.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel late --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, 128, 64, 128, False" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=LATE
# RUN: tile-run %s --device emulator --check --kernel late --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg k_ptr=f16[512,64]:rand --arg v_ptr=f16[512,64]:rand --arg w_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=128 --constexpr SHARED=False --print o_ptr:16384 > %t.late
# RUN: tile-run %s --device emulator --check --kernel late --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg k_ptr=f16[512,64]:rand --arg v_ptr=f16[512,64]:rand --arg w_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=128 --constexpr SHARED=False --print o_ptr:16384 --target sm_80 | cmp %t.late -
# Two last, of one block: it has no mbarrier of one product, so that all blocks have one, which the iteration that is early must not
# give back for the one that is late. Nothing overlaps.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel late --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, 128, 64, 128, True" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ONE-BLOCK
# RUN: tile-run %s --device emulator --check --kernel late --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg k_ptr=f16[512,64]:rand --arg v_ptr=f16[512,64]:rand --arg w_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=128 --constexpr SHARED=True --print o_ptr:16384 > %t.shared
# RUN: tile-run %s --device emulator --check --kernel late --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg k_ptr=f16[512,64]:rand --arg v_ptr=f16[512,64]:rand --arg w_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=128 --constexpr SHARED=True --print o_ptr:16384 --target sm_80 | cmp %t.shared -
# The copy engine brings the last product's block alone: its mbarriers are that product's, and it is waited for and given back late.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel computed --signature "*fp16:16, *fp16:16, *fp32:16, i32:16, 128, 64, 128" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=COMPUTED
# RUN: tile-run %s --device emulator --check --kernel computed --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg v_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=128 --print o_ptr:16384 > %t.computed
# RUN: tile-run %s --device emulator --check --kernel computed --grid 2 --num-warps 8 --num-stages 2 --arg q_ptr=f16[256,64]:rand --arg v_ptr=f16[512,64]:rand --arg o_ptr=f32[256,64]:poison --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=128 --print o_ptr:16384 --target sm_80 | cmp %t.computed -
# EARLY-LABEL: @early$tma
# EARLY: "tile_gpu.warpgroup_dot"
# EARLY: "tile_gpu.warpgroup_dot"
# EARLY: scf.for
# EARLY: mbarrier_wait
# EARLY: mbarrier_wait
# EARLY: "tile_gpu.warpgroup_dot"
# EARLY: mbarrier_wait
# EARLY: "tile_gpu.warpgroup_dot"
# EARLY-NOT: mbarrier_wait
# EARLY: "tile_gpu.warpgroup_dot"
# EARLY: warpgroup_dot_wait{{.*}}pending = 2
# LATE-LABEL: @late$tma
# LATE: "tile_gpu.warpgroup_dot"
# LATE: scf.for
# LATE: mbarrier_wait
# LATE: mbarrier_wait
# LATE: mbarrier_wait
# LATE-NOT: mbarrier_wait
# LATE: "tile_gpu.warpgroup_dot"
# LATE: "tile_gpu.warpgroup_dot"
# LATE: "tile_gpu.warpgroup_dot"
# LATE: warpgroup_dot_wait{{.*}}pending = 2
# ONE-BLOCK-LABEL: @late$tma
# ONE-BLOCK-NOT: pending = 2
# ONE-BLOCK: func.func @late(
# COMPUTED-LABEL: func.func @computed$tma(
# COMPUTED: warpgroup_dot_wait{{.*}}pending = 1
# COMPUTED: func.func @computed(
import triton
import triton.language as tl


@triton.jit
def store_tile(o_ptr, value, pid, M: tl.constexpr, D: tl.constexpr):
    om = pid * M + tl.arange(0, M)
    od = tl.arange(0, D)
    tl.store(o_ptr + om[:, None] * D + od[None, :], value)


@triton.jit
def early(q_ptr, r_ptr, k_ptr, e_ptr, v_ptr, o_ptr, N, M: tl.constexpr, D: tl.constexpr, R: tl.constexpr, BN: tl.constexpr):
    pid = tl.program_id(0)
    q_desc = tl.make_tensor_descriptor(q_ptr, [2 * M, D], [D, 1], [M, D])
    r_desc = tl.make_tensor_descriptor(r_ptr, [2 * M, R], [R, 1], [M, R])
    k_desc = tl.make_tensor_descriptor(k_ptr, [N, D], [D, 1], [BN, D])
    e_desc = tl.make_tensor_descriptor(e_ptr, [N, R], [R, 1], [BN, R])
    v_desc = tl.make_tensor_descriptor(v_ptr, [N, D], [D, 1], [BN, D])
    q = q_desc.load([pid * M, 0])
    r = r_desc.load([pid * M, 0])
    acc = tl.zeros((M, D), tl.float32)
    for n in range(0, N, BN):
        k = k_desc.load([n, 0])
        e = e_desc.load([n, 0])
        s = tl.dot(q, k.T) - 0.5 * tl.dot(r, e.T)
        v = v_desc.load([n, 0])
        acc = tl.dot((s * 0.125).to(tl.float16), v, acc)
    store_tile(o_ptr, acc, pid, M, D)


@triton.jit
def late(q_ptr, k_ptr, v_ptr, w_ptr, o_ptr, N, M: tl.constexpr, D: tl.constexpr, BN: tl.constexpr, SHARED: tl.constexpr):
    pid = tl.program_id(0)
    q_desc = tl.make_tensor_descriptor(q_ptr, [2 * M, D], [D, 1], [M, D])
    k_desc = tl.make_tensor_descriptor(k_ptr, [N, D], [D, 1], [BN, D])
    v_desc = tl.make_tensor_descriptor(v_ptr, [N, D], [D, 1], [BN, D])
    w_desc = tl.make_tensor_descriptor(w_ptr, [N, D], [D, 1], [BN, D])
    q = q_desc.load([pid * M, 0])
    acc = tl.zeros((M, D), tl.float32)
    other = tl.zeros((M, D), tl.float32)
    for n in range(0, N, BN):
        k = k_desc.load([n, 0])
        s = tl.dot(q, k.T) * 0.125
        v = v_desc.load([n, 0])
        acc = tl.dot(s.to(tl.float16), v, acc)
        if SHARED:
            other = tl.dot((s * s).to(tl.float16), v, other)
        else:
            w = w_desc.load([n, 0])
            other = tl.dot((s * s).to(tl.float16), w, other)
    store_tile(o_ptr, acc + other, pid, M, D)


@triton.jit
def computed(q_ptr, v_ptr, o_ptr, N, M: tl.constexpr, D: tl.constexpr, BN: tl.constexpr):
    pid = tl.program_id(0)
    q_desc = tl.make_tensor_descriptor(q_ptr, [2 * M, D], [D, 1], [M, D])
    v_desc = tl.make_tensor_descriptor(v_ptr, [N, D], [D, 1], [BN, D])
    q = q_desc.load([pid * M, 0])
    acc = tl.zeros((M, D), tl.float32)
    for n in range(0, N, BN):
        k = (((n + tl.arange(0, BN))[:, None] * 3 + tl.arange(0, D)[None, :]) % 7 - 3).to(tl.float16)
        s = tl.dot(q, k.T) * 0.125
        v = v_desc.load([n, 0])
        acc = tl.dot(s.to(tl.float16), v, acc)
    store_tile(o_ptr, acc, pid, M, D)
