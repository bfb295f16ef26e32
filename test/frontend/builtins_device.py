# RUN: tile-translate --import-triton --signature "*i64, *i32" %s | FileCheck %s
"""The machine. Census items 33, 36 and 37 of section 3."""
import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents


@triton.jit
def kernel(t_ptr, s_ptr):
    # CHECK: "tile.grid_wait"() : () -> ()
    tl.extra.cuda.gdc_wait()
    # CHECK: "tile.inline_asm"() {asm = "mov.u64 $0, %globaltimer;", constraints = "=l", {{.*}}pack = 1 : i32, pure = false, {{.*}}} : () -> i64
    tl.store(t_ptr, tl.extra.cuda.globaltimer())
    # CHECK: "tile.barrier"() : () -> ()
    tl.debug_barrier()
    # CHECK: "tile.inline_asm"() {asm = "mov.u32 $0, %smid;", constraints = "=r", {{.*}}} : () -> i32
    tl.store(s_ptr, tl.extra.cuda.smid())
    # CHECK: "tile.grid_launch"() : () -> ()
    gdc_launch_dependents()
