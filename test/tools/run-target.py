# --target says which GPU's code the emulator runs: what the file's host code asks of its device, the instructions, and the
# shared memory that a block has.
# RUN: tile-run %s --device emulator --kernel product --grid 1 --target sm_80 --arg a=fp32[1024]:ones --arg out=fp32[1024]:poison --print out:3 -v 2>&1 | FileCheck %s --check-prefixes=SM80,NUMBERS
# RUN: tile-run %s --device emulator --kernel product --grid 1 --target sm_89 --arg a=fp32[1024]:ones --arg out=fp32[1024]:poison --print out:3 --json | FileCheck %s --check-prefix=SM89
# RUN: tile-run %s --device emulator --kernel product --grid 1 --arg a=fp32[1024]:ones --arg out=fp32[1024]:poison --print out:3 | FileCheck %s --check-prefixes=SM90,NUMBERS
# RUN: tile-run %s --device emulator --kernel large --grid 1 --target sm_90a --arg a=fp32[32768]:ones --arg out=fp32[4096]:poison --print out:3 | FileCheck %s --check-prefix=LARGE
# RUN: not tile-run %s --device emulator --kernel large --grid 1 --target sm_86 --arg a=fp32[32768]:ones --arg out=fp32[4096]:poison 2>&1 | FileCheck %s --check-prefix=ROOM
# RUN: not tile-run %s --device emulator --kernel product --grid 1 --target sm_81 --arg a=fp32[1024]:ones --arg out=fp32[1024]:poison 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: tile-run --help | FileCheck %s --check-prefix=HELP
import torch, triton, triton.language as tl

# SM80: note: device emulator: {{.*}}, sm_80
# SM80: capability{{.*}}80
# SM89: "target": "sm_89"
# SM90: capability{{.*}}90
# NUMBERS: out = 32 32 32
# UNKNOWN: error: unknown target 'sm_81'
# HELP: --target NAME

def capability(args):
    major, minor = torch.cuda.get_device_capability()
    return major * 10 + minor

@triton.heuristics({"CAPABILITY": capability})
@triton.jit
def product(a, out, CAPABILITY: tl.constexpr):
    at = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    x = tl.load(a + at).to(tl.float8e5)
    tl.device_print("capability", CAPABILITY)
    tl.store(out + at, tl.dot(x, x))

# By multiply-adds, with both operands in shared memory: 136 KiB.
# LARGE: out = 128 128 128
# ROOM: shared memory
@triton.jit
def large(a, out):
    rows, columns, k = tl.arange(0, 256), tl.arange(0, 16), tl.arange(0, 128)
    x = tl.load(a + rows[:, None] * 128 + k[None, :])
    y = tl.load(a + k[:, None] * 16 + columns[None, :])
    tl.store(out + rows[:, None] * 16 + columns[None, :], tl.dot(x, y, input_precision="ieee"))
