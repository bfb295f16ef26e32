# The 8-bit floats of each target are Triton's: e4nv from sm_89 on, e4b8 and e5b16 nowhere here. The target is sm_90a unless named.
# RUN: not tile-translate --import-triton --target sm_80 --kernel casts --signature '*fp32, *fp8e5' %s 2>&1 | FileCheck %s --check-prefix=OLD
# RUN: not tile-translate --import-triton --target sm_90a --kernel casts --signature '*fp32, *fp8e5' %s 2>&1 | FileCheck %s --check-prefix=NEW
# RUN: not tile-translate --import-triton --kernel casts --signature '*fp32, *fp8e5' %s 2>&1 | FileCheck %s --check-prefix=NEW
# RUN: tile-translate --import-triton --target sm_90a --kernel copies --signature '*fp8e4nv, *fp8e4b15' %s | FileCheck %s --check-prefix=COPY
# RUN: not tile-translate --import-triton --target sm_86 --kernel copies --signature '*fp8e4nv, *fp8e4b15' %s 2>&1 | FileCheck %s --check-prefix=POINTER
# RUN: not tile-translate --import-triton --target sm_89 --kernel copies --signature '*fp8e5, fp8e5b16' %s 2>&1 | FileCheck %s --check-prefix=SCALAR
# RUN: not tile-translate --import-triton --target sm_80 --kernel scaled --signature '*u8, *u8, *fp32' %s 2>&1 | FileCheck %s --check-prefix=SCALED
# RUN: tile-translate --import-triton --target sm_89 --kernel scaled --signature '*u8, *u8, *fp32' %s | FileCheck %s --check-prefix=DOT
# RUN: tile-translate --import-triton --target sm_80 --kernel asks --signature '*i32' %s | FileCheck %s --check-prefix=ASKS
# RUN: not tile-run %s --kernel casts --grid 1 --arg p=fp32[32]:ones --arg o=fp8e5[32]:zeros 2>&1 | FileCheck %s --check-prefix=ANY
# RUN: not tile-run %s --device emulator --target sm_80 --kernel casts --grid 1 --arg p=fp32[32]:ones --arg o=fp8e5[32]:zeros 2>&1 | FileCheck %s --check-prefix=OLD
import triton
import triton.language as tl


# Each is refused at the call that makes a value of it, and what is known in no run is no use.
@triton.jit
def casts(p, o):
    i = tl.arange(0, 32)
    x = tl.load(p + i)
    # OLD: fp8-targets.py:[[#@LINE+2]]:{{[0-9]+}}: error: type fp8e4nv not supported in this architecture (sm_80), which has fp8e4b15, fp8e5; compile for sm_89 or a later one
    # NEW-NOT: fp8e4nv not supported
    y = x.to(tl.float8e4nv).to(tl.float32)
    # OLD: fp8-targets.py:[[#@LINE+3]]:{{[0-9]+}}: error: type fp8e4b8 not supported in this architecture (sm_80), which has fp8e4b15, fp8e5
    # ANY: error: type fp8e4b8 not supported
    # NEW: fp8-targets.py:[[#@LINE+1]]:{{[0-9]+}}: error: type fp8e4b8 not supported in this architecture (sm_90), which has fp8e4b15, fp8e4nv, fp8e5
    z = tl.full((32,), 1.0, tl.float8e4b8).to(tl.float32)
    # NEW: fp8-targets.py:[[#@LINE+1]]:{{[0-9]+}}: error: type fp8e5b16 not supported in this architecture (sm_90)
    w = tl.float8e5b16(x).to(tl.float32)
    tl.store(o + i, (x + y).to(tl.float8e5))
    tl.store(o + i, (z + w).to(tl.float8e5))


# POINTER: fp8-targets.py:[[#@LINE+4]]:12: error: type fp8e4nv not supported in this architecture (sm_86)
# SCALAR: fp8-targets.py:[[#@LINE+3]]:15: error: type fp8e5b16 not supported in this architecture (sm_89)
# COPY: func.func @copies(%{{.*}}: !tile.ptr<f8E4M3FN>
@triton.jit
def copies(p, q):
    tl.store(p, tl.load(p))


@triton.jit
def scaled(a, s, o):
    i = tl.arange(0, 32)[:, None]
    k = tl.arange(0, 32)[None, :]
    x = tl.load(a + i * 32 + k)
    scale = tl.load(s + i + tl.arange(0, 1)[None, :])
    # SCALED: fp8-targets.py:[[#@LINE+2]]:{{[0-9]+}}: error: type fp8e4nv not supported in this architecture (sm_80)
    # DOT: tile.dot_scaled
    d = tl.dot_scaled(x, scale, "e4m3", x, scale, "e5m2")
    tl.store(o + i * 32 + k, d)


# ASKS: arith.constant 1 : i32
@triton.jit
def asks(p):
    wanted: tl.constexpr = tl.float8e4b8
    tl.store(p, 1 if wanted == tl.float8e4b8 and wanted.is_fp8() else 0)
