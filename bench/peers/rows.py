"""The memory-bound kernels of test/kernels in Triton and in PyTorch: writes a manifest for bench/beside.

The very same source files are compiled by Triton here and by the toolkit there. For each shape Triton's
best number of warps is found, its cubin saved, and PyTorch's own function timed; bench/beside then
launches ours and Triton's in turns on the same buffers. Needs PyTorch and Triton.

usage: rows.py OUT_DIR [softmax] [rope] [norm] [backward]
"""
import sys

import torch
import triton

from manifest import Buffer, Config, Manifest, by_warps


def softmax(m):
    rows = 4096
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    for n in [256, 384, 512, 640, 768, 781, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 12672]:
        x = torch.randn(rows, n, device="cuda")
        out = Buffer("out", torch.empty_like(x), "poison", True)
        block = triton.next_power_of_2(n)
        warps = [w for w in (1, 2, 4, 8, 16, 32) if 64 <= block // w <= 2048]
        m.case("softmax_row", f"{rows}x{n}", "softmax.py", "softmax_row_kernel", [out, Buffer("x", x), n, n, n],
               by_warps({"BLOCK": block}, warps, (rows, 1, 1)), lambda: torch.softmax(x, -1), moved=8 * x.numel(),
               fixed_too=True)

        def resident(compiled):
            compiled._init_handles()
            w = compiled.metadata.num_warps
            blocks = min(65536 // (max(compiled.n_regs, 1) * 32 * w), 232448 // max(compiled.metadata.shared, 1),
                         2048 // (32 * w))
            return (min(multiprocessors * max(blocks, 1), rows), 1, 1)

        m.case("softmax_persistent", f"{rows}x{n}", "softmax.py", "softmax_persistent_kernel",
               [out, Buffer("x", x), n, n, rows, n],
               by_warps({"BLOCK": block, "num_stages": 4}, warps, resident), lambda: torch.softmax(x, -1),
               moved=8 * x.numel())


def rope(m):
    for batch, positions, heads, size in [(1, 4096, 32, 128), (8, 2048, 32, 128), (4, 8192, 64, 128), (16, 1024, 16, 64)]:
        tokens = batch * positions
        x = Buffer("x", torch.randn(tokens, heads * size, device="cuda", dtype=torch.float16), "rand", True)
        cos = Buffer("cos", torch.randn(positions, size, device="cuda", dtype=torch.float16))
        sin = Buffer("sin", torch.randn(positions, size, device="cuda", dtype=torch.float16))
        constants = {"HEAD_DIM": size, "HEADS": heads, "BACKWARD": False, "BLOCK": triton.next_power_of_2(size // 2)}
        m.case("rope", f"{batch}x{positions}x{heads}x{size}", "rotary.py", "rope_heads_kernel",
               [x, heads * size, cos, size, sin, size, positions],
               by_warps(constants, [1, 2, 4, 8], (tokens, triton.cdiv(heads, 4), 1)), None,
               moved=4 * x.tensor.numel(), tolerance=1e-3, fixed_too=True)


SHAPES = [(4096, 512 * i) for i in (2, 4, 8, 12, 16, 24, 31)] + [(131072, h) for h in (1024, 3000, 4096, 8192)]


def norm(m):
    for rows, n in SHAPES:
        half = dict(device="cuda", dtype=torch.float16)
        x, w, b = torch.randn(rows, n, **half), torch.rand(n, **half), torch.rand(n, **half)
        block = triton.next_power_of_2(n)
        X, Y = Buffer("x", x), Buffer("y", torch.empty_like(x), "poison", True)
        arguments = [X, Y, Buffer("w", w), Buffer("b", b)] + [None] * 10 + [
            Buffer("mean", torch.empty(rows, device="cuda"), "poison", True),
            Buffer("rstd", torch.empty(rows, device="cuda"), "poison", True),
            n, n, n, n, n, n, rows, n, 1e-5, 0.0, False]
        constants = {"IS_RMS": False, "BLOCK_N": block, "HAS_RESIDUAL": False, "STORE_SUM": False,
                     "HAS_WEIGHT": True, "HAS_BIAS": True, "HAS_DROPOUT": False, "STORE_KEPT": False,
                     "HAS_ROWSCALE": False, "HAS_X1": False, "HAS_W1": False, "HAS_B1": False}
        warps = [k for k in (1, 2, 4, 8, 16, 32) if 64 <= block // k <= 2048]
        m.case("norm_forward", f"{rows}x{n}", "layer_norm.py", "norm_fwd_kernel", arguments,
               by_warps(constants, warps, (rows, 1, 1)), lambda: torch.nn.functional.layer_norm(x, (n,), w, b, 1e-5),
               moved=4 * x.numel(), tolerance=2e-3, fixed_too=True)


def backward(m):
    """dx, partial sums of dw and db, a row a program, and behind that their last sums. How many programs a multiprocessor
    gets is a matter of choice, as the number of warps is: few leave it waiting for one row at a time, many leave more
    to sum in the end. Each compiler at its best."""
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    for rows, n in SHAPES:
        half = dict(device="cuda", dtype=torch.float16)
        x, dy, w, b = torch.randn(rows, n, **half), torch.randn(rows, n, **half), torch.rand(n, **half), torch.rand(n, **half)
        y, mean, rstd = torch.ops.aten.native_layer_norm(x, [n], w, b, 1e-5)
        partial = torch.empty(8 * multiprocessors, n, device="cuda")
        sums = torch.empty(n, device="cuda")
        block = triton.next_power_of_2(n)
        DW, DB = Buffer("dw", partial, "scratch"), Buffer("db", torch.empty_like(partial), "scratch")
        SUM_DW, SUM_DB = Buffer("sum_dw", sums, "poison", True), Buffer("sum_db", torch.empty_like(sums), "poison", True)
        arguments = [Buffer("x", x), Buffer("w", w), Buffer("b", b), None, Buffer("dy", dy),
                     Buffer("dx", torch.empty_like(x), "poison", True), DW, DB] + [None] * 9 + [
            Buffer("mean", mean.float().flatten()), Buffer("rstd", rstd.float().flatten(), "positive"),
            n, n, n, n, n, n, n, n, rows, n, 1e-5, 0.0, False]
        constants = {"IS_RMS": False, "BLOCK_N": block, "HAS_DSUM": False, "STORE_DRESIDUAL": False,
                     "HAS_WEIGHT": True, "HAS_BIAS": True, "HAS_DROPOUT": False, "HAS_ROWSCALE": False,
                     "HAS_DY1": False, "HAS_DX1": False, "HAS_B1": False, "RECOMPUTE": False}
        configs = []
        for each in (1, 2, 4, 8):
            programs = each * multiprocessors
            if programs > rows:
                break
            last = ("column_sums_kernel", [DW, DB, SUM_DW, SUM_DB, programs, n],
                    Config({"BLOCK_M": 256, "BLOCK_N": 16}, 8, (triton.cdiv(n, 16), 1, 1)))
            for warps in (2, 4, 8, 16, 32):
                if 128 <= block // warps <= 512:
                    configs.append(Config(constants, warps, (programs, 1, 1), label=f"{each}xw{warps}",
                                          arguments=arguments + [triton.cdiv(rows, programs)], behind=last))
        m.case("norm_backward", f"{rows}x{n}", "layer_norm.py", "norm_bwd_kernel", arguments, configs,
               lambda: torch.ops.aten.native_layer_norm_backward(dy, x, [n], mean, rstd, w, b, [True, True, True]),
               moved=6 * x.numel(), tolerance=2e-3)


def main():
    parts = sys.argv[2:] or ["softmax", "rope", "norm", "backward"]
    manifest = Manifest(sys.argv[1])
    for part in parts:
        {"softmax": softmax, "rope": rope, "norm": norm, "backward": backward}[part](manifest)


if __name__ == "__main__":
    main()
