# The generator gives the numbers that Random123 publishes for it (tests/kat_vectors, philox4x32 and philox4x64).
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=7 --grid 1 --arg out_ptr=u32[5]:zeros --arg c0=u32:0 --arg c1=u32:0 --arg c2=u32:0 --arg c3=u32:0 --arg k0=u32:0 --arg k1=u32:0 --print out_ptr:4 | FileCheck %s --check-prefix=V32-7-0000
# V32-7-0000: out_ptr = 1601156873 227098468 1326587777 1332939336
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=7 --grid 1 --arg out_ptr=u32[5]:zeros --arg c0=u32:4294967295 --arg c1=u32:4294967295 --arg c2=u32:4294967295 --arg c3=u32:4294967295 --arg k0=u32:4294967295 --arg k1=u32:4294967295 --print out_ptr:4 | FileCheck %s --check-prefix=V32-7-FFFF
# V32-7-FFFF: out_ptr = 1376247234 1159093849 1301210961 2354247266
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=7 --grid 1 --arg out_ptr=u32[5]:zeros --arg c0=u32:608135816 --arg c1=u32:2242054355 --arg c2=u32:320440878 --arg c3=u32:57701188 --arg k0=u32:2752067618 --arg k1=u32:698298832 --print out_ptr:4 | FileCheck %s --check-prefix=V32-7-243F
# V32-7-243F: out_ptr = 1308412602 420120560 3295896250 3065324586
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=10 --grid 1 --arg out_ptr=u32[5]:zeros --arg c0=u32:0 --arg c1=u32:0 --arg c2=u32:0 --arg c3=u32:0 --arg k0=u32:0 --arg k1=u32:0 --print out_ptr:4 | FileCheck %s --check-prefix=V32-10-0000
# V32-10-0000: out_ptr = 1713891541 3781805453 3159862348 2600524760
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=10 --grid 1 --arg out_ptr=u32[5]:zeros --arg c0=u32:4294967295 --arg c1=u32:4294967295 --arg c2=u32:4294967295 --arg c3=u32:4294967295 --arg k0=u32:4294967295 --arg k1=u32:4294967295 --print out_ptr:4 | FileCheck %s --check-prefix=V32-10-FFFF
# V32-10-FFFF: out_ptr = 1083123565 1103641358 2718681030 1834242557
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=10 --grid 1 --arg out_ptr=u32[5]:zeros --arg c0=u32:608135816 --arg c1=u32:2242054355 --arg c2=u32:320440878 --arg c3=u32:57701188 --arg k0=u32:2752067618 --arg k1=u32:698298832 --print out_ptr:4 | FileCheck %s --check-prefix=V32-10-243F
# V32-10-243F: out_ptr = 3513581065 2499661035 1342301216 605187745
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=10 --grid 1 --arg out_ptr=i64[5]:zeros --arg c0=i64:-1 --arg c1=i64:-1 --arg c2=i64:-1 --arg c3=i64:-1 --arg k0=i64:-1 --arg k1=i64:-1 --print out_ptr:4 | FileCheck %s --check-prefix=V64-10-FFFF
# V64-10-FFFF: out_ptr = -8669267916450961141 4867331713556873764 -7149508635392510026 -6873426794413880416
# RUN: tile-run %s --device emulator --kernel vector --constexpr ROUNDS=10 --grid 1 --arg out_ptr=i64[5]:zeros --arg c0=i64:2611923443488327891 --arg c1=i64:1376283091369227076 --arg c2=i64:-6626703657320631856 --arg c3=i64:589684135938649225 --arg k0=i64:4983270260364809079 --arg k1=i64:-4732044268327596948 --print out_ptr:4 | FileCheck %s --check-prefix=V64-10-243F
# V64-10-243F: out_ptr = -6545713416703173227 4091289077711542152 -6511816871514400587 6322283900411019238

# RUN: tile-run %s --device emulator --kernel words --grid 1 --arg out_ptr=u32[32]:poison --arg seed=i64:42 --print out_ptr:32 | FileCheck %s --check-prefix=WORDS
# RUN: tile-run %s --device emulator --kernel words --grid 1 --arg out_ptr=u32[32]:poison --arg seed=i32:-3 --print out_ptr:1 | FileCheck %s --check-prefix=NEGATIVE
# RUN: tile-run %s --device emulator --kernel far --grid 1 --arg out_ptr=u32[4]:poison --arg seed=i64:30064771081 --arg offset=i64:21474836480 --print out_ptr:4 | FileCheck %s --check-prefix=FAR
# RUN: tile-run %s --device emulator --kernel uniform --grid 1 --arg out_ptr=fp32[8]:poison --arg seed=i32:42 --print out_ptr:8 | FileCheck %s --check-prefix=UNIFORM
# RUN: tile-translate --import-triton --kernel normal --signature "*fp32, i32" %s | FileCheck %s --check-prefix=NORMAL
# RUN: tile-translate --import-triton --kernel words --signature "*u32, i64" %s | FileCheck %s --check-prefix=KEYS
# RUN: tile-run %s --device emulator --kernel deviates --grid 1 --arg out_ptr=i32[4]:poison --arg seed=i32:42 --print out_ptr:4 | FileCheck %s --check-prefix=DEVIATES
"""Philox. Census 5: rand 74, philox 126, randint 146; section 6: n_rounds."""
import triton
import triton.language as tl
from triton.language.random import randint4x


@triton.jit
def vector(out_ptr, c0, c1, c2, c3, k0, k1, ROUNDS: tl.constexpr):
    i = tl.arange(0, 1)
    a, b, c, d = tl.philox_impl(i * 0 + c0, c1, c2, c3, k0, k1, ROUNDS)
    tl.store(out_ptr + i, a)
    tl.store(out_ptr + i + 1, b)
    tl.store(out_ptr + i + 2, c)
    tl.store(out_ptr + i + 3, d)


# The seed's halves are the keys, the offset the counter.
@triton.jit
def words(out_ptr, seed):
    i = tl.arange(0, 8)
    a, b, c, d = randint4x(seed, i)
    tl.store(out_ptr + 4 * i, a)
    tl.store(out_ptr + 4 * i + 1, b)
    tl.store(out_ptr + 4 * i + 2, c)
    tl.store(out_ptr + 4 * i + 3, d)
# WORDS: out_ptr = 2632642643 2012563771 314527917 1463989207 4242219303 1404726525 2207210094 1951270651 3547071013 2827443659 2588765593 3322520921 3133604981 2880376235 2518570307 1628334071
# NEGATIVE: out_ptr = 3751952495
# The keys' schedule is scalar.
# KEYS: arith.addi %{{.*}} : i32
# KEYS: arith.mului_extended {{.*}} : tensor<8xi32>
# KEYS-NOT: arith.addi {{.*}} : tensor<8xi32>
# KEYS: "tile.store"


# Fewer rounds; an offset beyond 32 bits takes two counters.
@triton.jit
def far(out_ptr, seed, offset):
    i = tl.arange(0, 4)
    tl.store(out_ptr + i, tl.randint(seed, offset + i, n_rounds=7))
# FAR: out_ptr = 3423087780 1688465937 3310679541 806237289


@triton.jit
def uniform(out_ptr, seed):
    i = tl.arange(0, 8)
    u, _, _, _ = tl.rand4x(seed, i)
    same = u == tl.uint_to_uniform_float(tl.randint(seed, i))
    tl.store(out_ptr + i, tl.where(same, tl.rand(seed, i), -1.0))
# UNIFORM: out_ptr = 0.774080157 0.024562696 0.348266304 0.540801406 0.652836204 0.629694879 0.450964093 0.716720939


# Box and Muller, the uniform number kept away from log(0).
@triton.jit
def normal(out_ptr, seed):
    i = tl.arange(0, 8)
    tl.store(out_ptr + i, tl.randn(seed, i))
    # NORMAL: arith.constant 1.000000e-07 : f32
    # NORMAL: arith.maxnumf
    # NORMAL: arith.constant 6.28318548 : f32
    # NORMAL: math.log
    # NORMAL: math.sqrt {{.*}} fastmath<afn>
    # NORMAL: [[COS:%.*]] = math.cos
    # NORMAL: math.sin
    # NORMAL: arith.mulf {{.*}}, [[COS]]
    a, b, c, d = tl.randn4x(seed, i)
    # NORMAL-COUNT-2: math.sin
    tl.store(out_ptr + i, a + b + c + d)
    # NORMAL: math.sin
    a, b = tl.pair_uniform_to_normal(a, b)
    tl.store(out_ptr + i, a - b)


# The deviates of counter 1, from its four words in double precision.
@triton.jit
def near(out_ptr, value, expected):
    tl.store(out_ptr, (tl.abs(value - expected) < 2e-6).to(tl.int32))


@triton.jit
def deviates(out_ptr, seed):
    a, b, c, d = tl.randn4x(seed, tl.program_id(0) + 1)
    near(out_ptr, a, -1.542713211420674)
    near(out_ptr + 1, b, -2.243454650131995)
    near(out_ptr + 2, c, 0.1994377096577033)
    near(out_ptr + 3, d, -0.1289864305626258)
    # DEVIATES: out_ptr = 1 1 1 1{{$}}
