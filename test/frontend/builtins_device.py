# RUN: tile-translate --import-triton --signature "*i64, *i32" --kernel kernel %s | FileCheck %s
# RUN: tile-translate --import-triton --signature "*i64" --kernel read --constexpr clock=now %s | FileCheck %s --check-prefix=READ
# RUN: tile-translate --import-triton --signature "*i64, now" --kernel read %s | FileCheck %s --check-prefix=READ
# RUN: tile-translate --import-triton --signature "*i64, tl.extra.cuda.globaltimer" --kernel read %s | FileCheck %s --check-prefix=READ
"""The machine. Census items 33, 36 and 37 of section 3."""
import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents
from triton.language.extra.cuda.utils import globaltimer as now


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


# A builtin as a parameter, under the name by which the file imports it.
@triton.jit
def read(t_ptr, clock: tl.constexpr):
    # READ: "tile.inline_asm"() {asm = "mov.u64 $0, %globaltimer;"
    tl.store(t_ptr, clock())
