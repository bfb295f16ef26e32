# SPDX-License-Identifier: MIT
"""The memory-bound kernels of test/kernels in Triton and in PyTorch: writes a manifest for
bench/beside.

The very same source files are compiled by Triton here and by the toolkit there. For each shape
Triton's best number of warps is found, its cubin saved, and PyTorch's own function timed;
bench/beside then launches ours and Triton's in turns on the same buffers. Where Triton's users
commonly fix the number of warps or of programs, that is one more peer, "triton-usual". Needs
PyTorch and Triton.

usage: rows.py OUT_DIR [--alone] [--shard I/N] [copy[:SHAPE]] [softmax[:SHAPE]] [rope[:SHAPE]]
               [norm[:SHAPE]] [backward[:SHAPE]] ...

SHAPE: as in the table, such as norm:131072x8192; the last number is enough.
"""
import torch
import triton

import manifest
from cases import Buffer, Case, Config, by_warps
from triton_compile import multiprocessors

HALF, FLOAT = torch.float16, torch.float32


def resident(rows):
    """As many programs as the device holds at a time, of the kernel as Triton compiled it."""
    def grid(compiled):
        compiled._init_handles()
        warps = compiled.metadata.num_warps
        blocks = min(65536 // (max(compiled.n_regs, 1) * 32 * warps),
                     232448 // max(compiled.metadata.shared, 1), 2048 // (32 * warps))
        return (min(multiprocessors() * max(blocks, 1), rows), 1, 1)
    return grid


WIDTHS = [256, 384, 512, 640, 768, 781, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 10240, 12288,
          12672]


def copy():
    """What the loads and stores of a row softmax take, without the softmax."""
    rows = 4096
    for n in WIDTHS:
        out, x = Buffer("out", (rows, n), FLOAT, "poison", True), Buffer("x", (rows, n), FLOAT)
        block = triton.next_power_of_2(n)
        yield Case("row_copy", f"{rows}x{n}", "softmax.py", "row_copy_kernel", [out, x, n, n, n],
                   by_warps({"BLOCK": block},
                            [w for w in (1, 2, 4, 8, 16, 32) if 64 <= block // w <= 2048],
                            (rows, 1, 1)),
                   lambda t: t.out.copy_(t.x), moved=8 * rows * n, fixed_too=True)


def softmax():
    rows = 4096
    for n in WIDTHS:
        out, x = Buffer("out", (rows, n), FLOAT, "poison", True), Buffer("x", (rows, n), FLOAT)
        block = triton.next_power_of_2(n)
        warps = [w for w in (1, 2, 4, 8, 16, 32) if 64 <= block // w <= 2048]
        common = dict(file="softmax.py", torch_run=lambda t: torch.softmax(t.x, -1),
                      moved=8 * rows * n)
        row = {"BLOCK": block}
        usual = 16 if block >= 4096 else 8 if block >= 2048 else 4
        yield Case("softmax_row", f"{rows}x{n}", kernel="softmax_row_kernel",
                   arguments=[out, x, n, n, n], configs=by_warps(row, warps, (rows, 1, 1)),
                   usual=by_warps(row, [usual], (rows, 1, 1)), fixed_too=True, **common)
        persistent = {"BLOCK": block, "num_stages": 4}
        yield Case("softmax_persistent", f"{rows}x{n}", kernel="softmax_persistent_kernel",
                   arguments=[out, x, n, n, rows, n],
                   configs=by_warps(persistent, warps, resident(rows)),
                   usual=by_warps(persistent, [8], resident(rows)), **common)


def rope():
    for batch, positions, heads, size in [(1, 4096, 32, 128), (8, 2048, 32, 128),
                                          (4, 8192, 64, 128), (16, 1024, 16, 64)]:
        tokens = batch * positions
        x = Buffer("x", (tokens, heads * size), HALF, "rand", True)
        cos, sin = Buffer("cos", (positions, size), HALF), Buffer("sin", (positions, size), HALF)
        constants = {"HEAD_DIM": size, "HEADS": heads, "BACKWARD": False,
                     "BLOCK": triton.next_power_of_2(size // 2)}
        yield Case("rope", f"{batch}x{positions}x{heads}x{size}", "rotary.py", "rope_heads_kernel",
                   [x, heads * size, cos, size, sin, size, positions],
                   by_warps(constants, [1, 2, 4, 8], (tokens, triton.cdiv(heads, 4), 1)),
                   moved=4 * tokens * heads * size, tolerance=1e-3, fixed_too=True)


SHAPES = [(4096, 512 * i) for i in (2, 4, 8, 12, 16, 24, 31)]
SHAPES += [(131072, h) for h in (1024, 3000, 4096, 8192)]


def norm():
    for rows, n in SHAPES:
        X, Y = Buffer("x", (rows, n), HALF), Buffer("y", (rows, n), HALF, "poison", True)
        arguments = [X, Y, Buffer("w", (n,), HALF), Buffer("b", (n,), HALF)] + [None] * 10 + [
            Buffer("mean", (rows,), FLOAT, "poison", True),
            Buffer("rstd", (rows,), FLOAT, "poison", True),
            n, n, n, n, n, n, rows, n, 1e-5, 0.0, False]
        block = triton.next_power_of_2(n)
        constants = {"IS_RMS": False, "BLOCK_N": block, "HAS_RESIDUAL": False, "STORE_SUM": False,
                     "HAS_WEIGHT": True, "HAS_BIAS": True, "HAS_DROPOUT": False,
                     "STORE_KEPT": False, "HAS_ROWSCALE": False, "HAS_X1": False, "HAS_W1": False,
                     "HAS_B1": False}
        warps = [k for k in (1, 2, 4, 8, 16, 32) if 64 <= block // k <= 2048]
        yield Case("norm_forward", f"{rows}x{n}", "layer_norm.py", "norm_fwd_kernel", arguments,
                   by_warps(constants, warps, (rows, 1, 1)),
                   lambda t: torch.nn.functional.layer_norm(t.x, t.x.shape[1:], t.w, t.b, 1e-5),
                   moved=4 * rows * n, tolerance=2e-3, fixed_too=True)


def torch_backward(t):
    rows, n = t.x.shape
    return torch.ops.aten.native_layer_norm_backward(
        t.dy, t.x, [n], t.mean.view(rows, 1), t.rstd.view(rows, 1), t.w, t.b, [True, True, True])


def backward():
    """dx, partial sums of dw and db, a row a program, and after that their last sums. How many
    programs a multiprocessor gets is a matter of choice, as the number of warps is: few leave it
    waiting for one row at a time, many leave more to sum in the end. Each compiler at its best.
    Usual is one program a multiprocessor, and the last sums by PyTorch; or as ours, if that is
    faster."""
    for rows, n in SHAPES:
        most = 8 * multiprocessors()
        DW = Buffer("dw", (most, n), FLOAT, "scratch")
        DB = Buffer("db", (most, n), FLOAT, "scratch")
        SUM_DW = Buffer("sum_dw", (n,), FLOAT, "poison", True)
        SUM_DB = Buffer("sum_db", (n,), FLOAT, "poison", True)
        arguments = [Buffer("x", (rows, n), HALF), Buffer("w", (n,), HALF),
                     Buffer("b", (n,), HALF), None, Buffer("dy", (rows, n), HALF),
                     Buffer("dx", (rows, n), HALF, "poison", True), DW, DB]
        arguments += [None] * 9 + [Buffer("mean", (rows,), FLOAT),
                                   Buffer("rstd", (rows,), FLOAT, "positive"),
                                   n, n, n, n, n, n, n, n, rows, n, 1e-5, 0.0, False]
        block = triton.next_power_of_2(n)
        constants = {"IS_RMS": False, "BLOCK_N": block, "HAS_DSUM": False, "STORE_DRESIDUAL": False,
                     "HAS_WEIGHT": True, "HAS_BIAS": True, "HAS_DROPOUT": False,
                     "HAS_ROWSCALE": False, "HAS_DY1": False, "HAS_DX1": False, "HAS_B1": False,
                     "RECOMPUTE": False}

        def config(each, warps):
            programs = each * multiprocessors()
            last = ("column_sums_kernel", [DW, DB, SUM_DW, SUM_DB, programs, n],
                    Config({"BLOCK_M": 256, "BLOCK_N": 16}, 8, (triton.cdiv(n, 16), 1, 1)))
            return Config(constants, warps, (programs, 1, 1), label=f"{each}xw{warps}", after=last,
                          arguments=arguments + [triton.cdiv(rows, programs)],
                          torch_after=lambda t: (t.dw[:programs].sum(0), t.db[:programs].sum(0)))

        yield Case(
            "norm_backward", f"{rows}x{n}", "layer_norm.py", "norm_bwd_kernel", arguments,
            [config(each, warps) for each in (1, 2, 4, 8) if each * multiprocessors() <= rows
             for warps in (2, 4, 8, 16, 32) if 128 <= block // warps <= 1024],
            torch_backward,
            usual=[config(1, warps) for warps in (4, 8, 16, 32) if 64 <= block // warps <= 2048],
            moved=6 * rows * n, tolerance=2e-3)


if __name__ == "__main__":
    parts = {"copy": copy, "softmax": softmax, "rope": rope, "norm": norm, "backward": backward}
    manifest.main(parts, ["softmax", "rope", "norm", "backward"])
