# RUN: tile-translate --tile-to-ptx --kernel C.m --signature "*i32" %s -o %t.ptx
# RUN: not tile-run %t.ptx --device emulator --grid 1 --arg p=i32[1]:ones 2>&1 | FileCheck %s --check-prefix=PTX
# RUN: not tile-translate --tile-to-ptx %t.ptx 2>&1 | FileCheck %s --check-prefix=PTX
# RUN: not tile-opt %t.ptx 2>&1 | FileCheck %s --check-prefix=PTX
# RUN: not tile-opt --tile-cleanup --split-input-file %t.ptx 2>&1 | FileCheck %s --check-prefix=PTX
# RUN: printf '\177ELF\002\001' > %t.cubin
# RUN: not tile-run %t.cubin --device emulator --grid 1 --arg p=i32[1]:ones 2>&1 | FileCheck %s --check-prefix=CUBIN
# RUN: not tile-opt %t.cubin 2>&1 | FileCheck %s --check-prefix=CUBIN
# RUN: printf '\211tile\r\n\032\001' > %t.tile
# RUN: not tile-run %t.tile --device emulator --grid 1 --arg p=i32[1]:ones 2>&1 | FileCheck %s --check-prefix=IMAGE
# RUN: tile-run %s --device emulator --kernel C.m --grid 1 --arg p=i32[1]:ones --print p:1 | FileCheck %s --check-prefix=CLASS
# RUN: not tile-translate --list-configs %s > %t.list 2> %t.errors
# RUN: FileCheck %s --check-prefix=LIST < %t.list
# RUN: FileCheck %s --check-prefix=ERRORS < %t.errors
"""Inputs that are no kernel's source, kernels of classes, and lists of configurations of which one is wrong."""
import triton
import triton.language as tl


# PTX: '{{.*}}.ptx' is PTX, compiled code; a kernel is read as .py or .mlir. A program launches compiled code with tile_module_load (tile/runtime.h)
# CUBIN: '{{.*}}.cubin' is a cubin, compiled code
# IMAGE: '{{.*}}.tile' is an image, compiled code
# CLASS: p = 7
class C:

    @triton.jit
    def m(p):
        tl.store(p, 7)


# ERRORS: inputs.py:[[#@LINE+1]]:{{[0-9]+}}: error: triton.Config's num_stages is a number from 0 to 65536, not -1
@triton.autotune([triton.Config({"B": 16}, num_stages=-1)], key=[])
@triton.jit
def wrong(p, B: tl.constexpr):
    tl.store(p + tl.arange(0, B), 0)


# What is right is listed all the same.
# LIST: C.m: no @triton.autotune
# LIST: blocks: 2 configurations
# LIST: 0: B=16 num_warps=4 num_stages=3 num_ctas=3 (refused: not a power of two up to 16)
# LIST: 1: B=32 num_warps=4 num_stages=3 num_ctas=2{{$}}
@triton.autotune([triton.Config({"B": 16}, num_ctas=3), triton.Config({"B": 32}, num_ctas=2)], key=[])
@triton.jit
def blocks(p, B: tl.constexpr):
    tl.store(p + tl.arange(0, B), 0)
