# Operands of bytes that lie across k, where they meet other things: each kernel gives, to the bit, what instructions of sm_80 do, and the
# emulator finds nothing.
#
# Weights that are computed and transposed by those who multiply: the product that reads them depends on another one, by way of memory,
# and does not start an iteration early.
# UNSUPPORTED: short
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,128]:rand --arg k_ptr=i8[512,128]:rand --arg v_ptr=i8[512,128]:rand --arg x_ptr=i8[128,128]:rand --arg o_ptr=i32[256,128]:0 --arg y_ptr=i32[2,128,128]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=128 --constexpr BN=128 --constexpr X=128 --constexpr T=tl.int32 --num-warps 8 --num-stages 2 --constexpr VT=True --print y_ptr:32768 --print o_ptr:32768 --target sm_80 > %t.chain0.80
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,128]:rand --arg k_ptr=i8[512,128]:rand --arg v_ptr=i8[512,128]:rand --arg x_ptr=i8[128,128]:rand --arg o_ptr=i32[256,128]:0 --arg y_ptr=i32[2,128,128]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=128 --constexpr BN=128 --constexpr X=128 --constexpr T=tl.int32 --num-warps 8 --num-stages 2 --constexpr VT=True --print y_ptr:32768 --print o_ptr:32768 > %t.chain0.0
# RUN: diff %t.chain0.80 %t.chain0.0
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,128]:rand --arg k_ptr=i8[512,128]:rand --arg v_ptr=i8[512,128]:rand --arg x_ptr=i8[128,128]:rand --arg o_ptr=i32[256,128]:0 --arg y_ptr=i32[2,128,128]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=128 --constexpr BN=128 --constexpr X=128 --constexpr T=tl.int32 --num-warps 8 --num-stages 2 --constexpr VT=True --print y_ptr:32768 --print o_ptr:32768 --tensor-maps off > %t.chain0.1
# RUN: diff %t.chain0.80 %t.chain0.1
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,128]:rand --arg k_ptr=i8[512,128]:rand --arg v_ptr=i8[512,128]:rand --arg x_ptr=i8[128,128]:rand --arg o_ptr=i32[256,128]:0 --arg y_ptr=i32[2,128,128]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=128 --constexpr BN=128 --constexpr X=128 --constexpr T=tl.int32 --num-warps 8 --num-stages 2 --constexpr VT=False --print y_ptr:32768 --print o_ptr:32768 --target sm_80 > %t.chain1.80
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,128]:rand --arg k_ptr=i8[512,128]:rand --arg v_ptr=i8[512,128]:rand --arg x_ptr=i8[128,128]:rand --arg o_ptr=i32[256,128]:0 --arg y_ptr=i32[2,128,128]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=128 --constexpr BN=128 --constexpr X=128 --constexpr T=tl.int32 --num-warps 8 --num-stages 2 --constexpr VT=False --print y_ptr:32768 --print o_ptr:32768 > %t.chain1.0
# RUN: diff %t.chain1.80 %t.chain1.0
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,128]:rand --arg k_ptr=i8[512,128]:rand --arg v_ptr=i8[512,128]:rand --arg x_ptr=i8[128,128]:rand --arg o_ptr=i32[256,128]:0 --arg y_ptr=i32[2,128,128]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=128 --constexpr BN=128 --constexpr X=128 --constexpr T=tl.int32 --num-warps 8 --num-stages 2 --constexpr VT=False --print y_ptr:32768 --print o_ptr:32768 --tensor-maps off > %t.chain1.1
# RUN: diff %t.chain1.80 %t.chain1.1
# Blocks of one mbarrier that are read to the end at different times: one is copied anew while another is still read.
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,64]:rand --arg k_ptr=i8[512,64]:rand --arg v_ptr=i8[64,512]:rand --arg x_ptr=i8[64,128]:rand --arg o_ptr=i32[256,64]:0 --arg y_ptr=i32[2,64,64]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=64 --constexpr X=64 --constexpr T=tl.int32 --num-warps 4 --num-stages 2 --constexpr VT=True --print y_ptr:8192 --print o_ptr:16384 --target sm_80 > %t.chain2.80
# RUN: tile-run %s --device emulator --check --kernel chain3 --grid 2 --arg q_ptr=i8[256,64]:rand --arg k_ptr=i8[512,64]:rand --arg v_ptr=i8[64,512]:rand --arg x_ptr=i8[64,128]:rand --arg o_ptr=i32[256,64]:0 --arg y_ptr=i32[2,64,64]:0 --arg N=i32:512 --constexpr M=128 --constexpr D=64 --constexpr BN=64 --constexpr X=64 --constexpr T=tl.int32 --num-warps 4 --num-stages 2 --constexpr VT=True --print y_ptr:8192 --print o_ptr:16384 > %t.chain2.0
# RUN: diff %t.chain2.80 %t.chain2.0
# Keys across k as well, and values loaded before them: blocks for the first product have all their stages.
# RUN: tile-run %s --device emulator --check --kernel att --grid 2 --num-warps 4 --num-stages 2 --arg q_ptr=i8[128,128]:rand --arg k_ptr=i8[128,512]:rand --arg v_ptr=i8[512,128]:rand --arg o_ptr=i32[128,128]:poison --arg N=i32:512 --constexpr M=64 --constexpr D=128 --constexpr BN=128 --constexpr T=tl.int32 --constexpr VF=True --print o_ptr:16384 --target sm_80 > %t.att0.80
# RUN: tile-run %s --device emulator --check --kernel att --grid 2 --num-warps 4 --num-stages 2 --arg q_ptr=i8[128,128]:rand --arg k_ptr=i8[128,512]:rand --arg v_ptr=i8[512,128]:rand --arg o_ptr=i32[128,128]:poison --arg N=i32:512 --constexpr M=64 --constexpr D=128 --constexpr BN=128 --constexpr T=tl.int32 --constexpr VF=True --print o_ptr:16384 > %t.att0.0
# RUN: diff %t.att0.80 %t.att0.0
# RUN: tile-run %s --device emulator --check --kernel att --grid 2 --num-warps 4 --num-stages 2 --arg q_ptr=i8[128,128]:rand --arg k_ptr=i8[128,512]:rand --arg v_ptr=i8[512,128]:rand --arg o_ptr=i32[128,128]:poison --arg N=i32:512 --constexpr M=64 --constexpr D=128 --constexpr BN=128 --constexpr T=tl.int32 --constexpr VF=True --print o_ptr:16384 --constexpr maxnreg=168 > %t.att0.1
# RUN: diff %t.att0.80 %t.att0.1
# RUN: tile-run %s --device emulator --check --kernel att --grid 2 --num-warps 4 --num-stages 2 --arg q_ptr=i8[128,128]:rand --arg k_ptr=i8[128,512]:rand --arg v_ptr=i8[512,128]:rand --arg o_ptr=i32[128,128]:poison --arg N=i32:512 --constexpr M=64 --constexpr D=128 --constexpr BN=128 --constexpr T=tl.int32 --constexpr VF=False --print o_ptr:16384 --target sm_80 > %t.att1.80
# RUN: tile-run %s --device emulator --check --kernel att --grid 2 --num-warps 4 --num-stages 2 --arg q_ptr=i8[128,128]:rand --arg k_ptr=i8[128,512]:rand --arg v_ptr=i8[512,128]:rand --arg o_ptr=i32[128,128]:poison --arg N=i32:512 --constexpr M=64 --constexpr D=128 --constexpr BN=128 --constexpr T=tl.int32 --constexpr VF=False --print o_ptr:16384 > %t.att1.0
# RUN: diff %t.att1.80 %t.att1.0
# RUN: tile-run %s --device emulator --check --kernel att --grid 2 --num-warps 4 --num-stages 2 --arg q_ptr=i8[128,128]:rand --arg k_ptr=i8[128,512]:rand --arg v_ptr=i8[512,128]:rand --arg o_ptr=i32[128,128]:poison --arg N=i32:512 --constexpr M=64 --constexpr D=128 --constexpr BN=128 --constexpr T=tl.int32 --constexpr VF=False --print o_ptr:16384 --constexpr maxnreg=168 > %t.att1.1
# RUN: diff %t.att1.80 %t.att1.1
# A block that one of two warps transposes: the other one, too, says that it has been.
# RUN: tile-run %s --device emulator --check --kernel two --grid 2 --num-warps 8 --arg a_ptr=i8[256,256]:rand --arg b_ptr=i8[256,256]:rand --arg d_ptr=i8[256,16]:rand --arg c_ptr=i32[256,256]:0 --arg e_ptr=i32[256,16]:0 --arg M=i32:256 --arg N=i32:256 --arg K=i32:256 --constexpr BM=128 --constexpr BN=256 --constexpr BS=16 --constexpr BK=32 --constexpr P=2 --constexpr T=tl.int32 --constexpr BT=True --print c_ptr:65536 --print e_ptr:4096 --target sm_80 > %t.two0.80
# RUN: tile-run %s --device emulator --check --kernel two --grid 2 --num-warps 8 --arg a_ptr=i8[256,256]:rand --arg b_ptr=i8[256,256]:rand --arg d_ptr=i8[256,16]:rand --arg c_ptr=i32[256,256]:0 --arg e_ptr=i32[256,16]:0 --arg M=i32:256 --arg N=i32:256 --arg K=i32:256 --constexpr BM=128 --constexpr BN=256 --constexpr BS=16 --constexpr BK=32 --constexpr P=2 --constexpr T=tl.int32 --constexpr BT=True --print c_ptr:65536 --print e_ptr:4096 > %t.two0.0
# RUN: diff %t.two0.80 %t.two0.0
# RUN: tile-run %s --device emulator --check --kernel two --grid 2 --num-warps 8 --arg a_ptr=i8[256,256]:rand --arg b_ptr=i8[256,256]:rand --arg d_ptr=i8[256,16]:rand --arg c_ptr=i32[256,256]:0 --arg e_ptr=i32[256,16]:0 --arg M=i32:256 --arg N=i32:256 --arg K=i32:256 --constexpr BM=128 --constexpr BN=256 --constexpr BS=16 --constexpr BK=32 --constexpr P=2 --constexpr T=tl.int32 --constexpr BT=False --print c_ptr:65536 --print e_ptr:4096 --target sm_80 > %t.two1.80
# RUN: tile-run %s --device emulator --check --kernel two --grid 2 --num-warps 8 --arg a_ptr=i8[256,256]:rand --arg b_ptr=i8[256,256]:rand --arg d_ptr=i8[256,16]:rand --arg c_ptr=i32[256,256]:0 --arg e_ptr=i32[256,16]:0 --arg M=i32:256 --arg N=i32:256 --arg K=i32:256 --constexpr BM=128 --constexpr BN=256 --constexpr BS=16 --constexpr BK=32 --constexpr P=2 --constexpr T=tl.int32 --constexpr BT=False --print c_ptr:65536 --print e_ptr:4096 > %t.two1.0
# RUN: diff %t.two1.80 %t.two1.0
# So many blocks that their mbarriers count in shared memory.
# RUN: tile-run %s --device emulator --check --kernel six --grid 1 --num-warps 8 --num-stages 3 --arg q_ptr=i8[256,128]:rand --arg b0=i8[256,128]:rand --arg b1=i8[256,128]:rand --arg b2=i8[256,64]:rand --arg b3=i8[256,32]:rand --arg b4=i8[256,32]:rand --arg b5=i8[256,32]:rand --arg o_ptr=i32[256]:0 --arg N=i32:256 --constexpr M=128 --constexpr D=128 --constexpr N0=128 --constexpr N1=128 --constexpr N2=64 --constexpr N3=32 --constexpr N4=32 --constexpr N5=32 --print o_ptr:256 --target sm_80 > %t.six0.80
# RUN: tile-run %s --device emulator --check --kernel six --grid 1 --num-warps 8 --num-stages 3 --arg q_ptr=i8[256,128]:rand --arg b0=i8[256,128]:rand --arg b1=i8[256,128]:rand --arg b2=i8[256,64]:rand --arg b3=i8[256,32]:rand --arg b4=i8[256,32]:rand --arg b5=i8[256,32]:rand --arg o_ptr=i32[256]:0 --arg N=i32:256 --constexpr M=128 --constexpr D=128 --constexpr N0=128 --constexpr N1=128 --constexpr N2=64 --constexpr N3=32 --constexpr N4=32 --constexpr N5=32 --print o_ptr:256 > %t.six0.0
# RUN: diff %t.six0.80 %t.six0.0
import triton
import triton.language as tl


@triton.jit
def chain3(q_ptr, k_ptr, v_ptr, x_ptr, o_ptr, y_ptr, N, M: tl.constexpr, D: tl.constexpr, BN: tl.constexpr, X: tl.constexpr, T: tl.constexpr, VT: tl.constexpr):
    pid = tl.program_id(0)
    q_desc = tl.make_tensor_descriptor(q_ptr, [2 * M, D], [D, 1], [M, D])
    k_desc = tl.make_tensor_descriptor(k_ptr, [N, D], [D, 1], [BN, D])
    if VT:
        v_desc = tl.make_tensor_descriptor(v_ptr, [D, N], [N, 1], [D, BN])
    else:
        v_desc = tl.make_tensor_descriptor(v_ptr, [N, D], [D, 1], [BN, D])
    x_desc = tl.make_tensor_descriptor(x_ptr, [X, M], [M, 1], [X, M])
    q = q_desc.load([pid * M, 0])
    x = x_desc.load([0, 0])
    acc = tl.zeros((M, D), T)
    acy = tl.zeros((X, BN), T)
    for n in range(0, N, BN):
        k = k_desc.load([n, 0])
        s = tl.dot(q, k.T, out_dtype=T)
        p = (s // 256).to(q.dtype) if T == tl.int32 else s.to(q.dtype)
        acy = tl.dot(x, p, acy, out_dtype=T)
        if VT:
            v = v_desc.load([0, n]).T
        else:
            v = v_desc.load([n, 0])
        acc = tl.dot(p, v, acc, out_dtype=T)
    om = pid * M + tl.arange(0, M)
    od = tl.arange(0, D)
    tl.store(o_ptr + om[:, None] * D + od[None, :], acc)
    ox = tl.arange(0, X)
    on = tl.arange(0, BN)
    tl.store(y_ptr + pid * X * BN + ox[:, None] * BN + on[None, :], acy)


@triton.jit
def att(q_ptr, k_ptr, v_ptr, o_ptr, N, M: tl.constexpr, D: tl.constexpr, BN: tl.constexpr, T: tl.constexpr, VF: tl.constexpr):
    pid = tl.program_id(0)
    q_desc = tl.make_tensor_descriptor(q_ptr, [M * 2, D], [D, 1], [M, D])
    k_desc = tl.make_tensor_descriptor(k_ptr, [D, N], [N, 1], [D, BN])
    v_desc = tl.make_tensor_descriptor(v_ptr, [N, D], [D, 1], [BN, D])
    q = q_desc.load([pid * M, 0])
    acc = tl.zeros((M, D), T)
    for n in range(0, N, BN):
        if VF:
            v = v_desc.load([n, 0])
            k = k_desc.load([0, n])
        else:
            k = k_desc.load([0, n])
            v = v_desc.load([n, 0])
        s = tl.dot(q, k, out_dtype=T)
        p = (s // 256).to(q.dtype) if T == tl.int32 else s.to(q.dtype)
        acc = tl.dot(p, v, acc, out_dtype=T)
    om = pid * M + tl.arange(0, M)
    od = tl.arange(0, D)
    tl.store(o_ptr + om[:, None] * D + od[None, :], acc)


@triton.jit
def two(a_ptr, b_ptr, d_ptr, c_ptr, e_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BS: tl.constexpr, BK: tl.constexpr, P: tl.constexpr, BT: tl.constexpr, T: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    if BT:
        b_desc = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BN, BK])
    else:
        b_desc = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    d_desc = tl.make_tensor_descriptor(d_ptr, [K, BS], [BS, 1], [BK, BS])
    tm = tl.cdiv(M, BM)
    tn = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tm * tn, P):
        sm = tile % tm * BM
        sn = tile // tm * BN
        acc = tl.zeros((BM, BN), T)
        small = tl.zeros((BM, BS), T)
        for k in tl.range(tl.cdiv(K, BK), num_stages=3):
            a = a_desc.load([sm, k * BK])
            if BT:
                b = b_desc.load([sn, k * BK]).T
            else:
                b = b_desc.load([k * BK, sn])
            d = d_desc.load([k * BK, 0])
            acc = tl.dot(a, b, acc, out_dtype=T)
            small = tl.dot(a, d, small, out_dtype=T)
        om = sm + tl.arange(0, BM)
        on = sn + tl.arange(0, BN)
        os = tl.arange(0, BS)
        tl.store(c_ptr + om[:, None] * N + on[None, :], acc, mask=(om[:, None] < M) & (on[None, :] < N))
        tl.store(e_ptr + om[:, None] * BS + os[None, :], small, mask=(om[:, None] < M))


@triton.jit
def six(q_ptr, b0, b1, b2, b3, b4, b5, o_ptr, N, M: tl.constexpr, D: tl.constexpr, N0: tl.constexpr, N1: tl.constexpr, N2: tl.constexpr, N3: tl.constexpr, N4: tl.constexpr, N5: tl.constexpr):
    pid = tl.program_id(0)
    q = tl.make_tensor_descriptor(q_ptr, [2 * M, D], [D, 1], [M, D]).load([pid * M, 0])
    d0 = tl.make_tensor_descriptor(b0, [N, N0], [N0, 1], [D, N0])
    d1 = tl.make_tensor_descriptor(b1, [N, N1], [N1, 1], [D, N1])
    d2 = tl.make_tensor_descriptor(b2, [N, N2], [N2, 1], [D, N2])
    d3 = tl.make_tensor_descriptor(b3, [N, N3], [N3, 1], [D, N3])
    d4 = tl.make_tensor_descriptor(b4, [N, N4], [N4, 1], [D, N4])
    d5 = tl.make_tensor_descriptor(b5, [N, N5], [N5, 1], [D, N5])
    c0 = tl.zeros((M, N0), tl.int32)
    c1 = tl.zeros((M, N1), tl.int32)
    c2 = tl.zeros((M, N2), tl.int32)
    c3 = tl.zeros((M, N3), tl.int32)
    c4 = tl.zeros((M, N4), tl.int32)
    c5 = tl.zeros((M, N5), tl.int32)
    for n in range(0, N, D):
        c0 = tl.dot(q, d0.load([n, 0]), c0, out_dtype=tl.int32)
        c1 = tl.dot(q, d1.load([n, 0]), c1, out_dtype=tl.int32)
        c2 = tl.dot(q, d2.load([n, 0]), c2, out_dtype=tl.int32)
        c3 = tl.dot(q, d3.load([n, 0]), c3, out_dtype=tl.int32)
        c4 = tl.dot(q, d4.load([n, 0]), c4, out_dtype=tl.int32)
        c5 = tl.dot(q, d5.load([n, 0]), c5, out_dtype=tl.int32)
    s = tl.sum(c0, 1) + tl.sum(c1, 1) + tl.sum(c2, 1) + tl.sum(c3, 1) + tl.sum(c4, 1) + tl.sum(c5, 1)
    tl.store(o_ptr + pid * M + tl.arange(0, M), s)
