"""The memory-bound kernels of test/kernels in Triton and in PyTorch: writes a manifest for bench/beside.

The very same source files are compiled by Triton here and by the toolkit there. For each shape Triton's
best number of warps is found, its cubin saved, and PyTorch's own function timed; bench/beside then
launches ours and Triton's in turns on the same buffers. Needs PyTorch and Triton.

usage: rows.py OUT_DIR [softmax] [rope] [norm]
"""
import importlib.util
import os
import sys

import torch
import triton

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "test", "kernels")
SHORT = {torch.float32: "fp32", torch.float16: "fp16", torch.bfloat16: "bf16", torch.int32: "i32",
         torch.int64: "i64", torch.uint8: "u8"}


class Buffer:
    """A tensor argument: what fills it, and whether it is compared."""

    def __init__(self, name, tensor, fill="rand", output=False):
        self.name, self.tensor, self.fill, self.output = name, tensor, fill, output


def load(file):
    spec = importlib.util.spec_from_file_location(file[:-3], os.path.join(KERNELS, file))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def jit_function(kernel):
    """The function below autotune, heuristics and the like."""
    while not isinstance(kernel, triton.runtime.JITFunction):
        kernel = kernel.fn
    return kernel


def median_ms(run, rep=40):
    return triton.testing.do_bench(run, warmup=10, rep=rep, return_mode="median")


def type_of(value):
    """The signature entry, as Triton specialises: 1 is folded, 16 | n is promised."""
    if value is None:
        return "None"
    if isinstance(value, Buffer):
        return "*" + SHORT[value.tensor.dtype] + ":16"
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, float):
        return "fp32"
    if value == 1:
        return "1"
    return "i32:16" if value % 16 == 0 else "i32"


def word_of(value):
    if isinstance(value, Buffer):
        return value.name
    if isinstance(value, float):
        return f"f32:{value!r}"
    if isinstance(value, bool):
        return f"i1:{int(value)}"
    return f"i32:{int(value)}"


class Manifest:
    def __init__(self, folder):
        self.folder, self.count = folder, 0
        self.file = open(os.path.join(folder, "manifest.txt"), "w")

    def line(self, *words):
        print(*words, file=self.file, flush=True)

    def case(self, name, shape, file, kernel, arguments, constants, grid, warps, moved, torch_run,
             tolerance=1e-5, stages=3, grid_of=None):
        """`arguments`: the run-time ones in order: Buffer, int, float or None. `grid_of(compiled,
        warps)` gives the grid where it depends on the compiled kernel."""
        function = jit_function(getattr(load(file), kernel))
        given = [a.tensor if isinstance(a, Buffer) else a for a in arguments]
        best = None
        for w in warps:
            if "num_stages" in constants:
                options = dict(constants, num_warps=w)
            else:
                options = dict(constants, num_warps=w, num_stages=stages)
            compiled = function[(1, 1, 1)](*given, **options)
            launch_grid = grid_of(compiled, w) if grid_of else grid
            ms = median_ms(lambda: function[launch_grid](*given, **options), 20)
            if best is None or ms < best[0]:
                best = (ms, w, compiled, launch_grid)
        torch_ms = median_ms(torch_run) if torch_run else None
        ms, w, compiled, launch_grid = best
        self.count += 1
        cubin = f"{self.count}.cubin"
        with open(os.path.join(self.folder, cubin), "wb") as out:
            out.write(compiled.asm["cubin"])
        self.line("case", name, shape, f"bytes={moved}", f"tolerance={tolerance}")
        buffers = [a for a in arguments if isinstance(a, Buffer)]
        for b in buffers:
            self.line("buffer", b.name, SHORT[b.tensor.dtype], b.tensor.numel(), b.fill)
        self.line("output", *[b.name for b in buffers if b.output])
        passed = [a for a in arguments if a is not None and not (type(a) is int and a == 1)]
        words = ",".join(word_of(a) for a in passed)
        fixed = ",".join(f"{k}={v}" for k, v in constants.items())
        ours_grids = {x: ",".join(map(str, grid_of(compiled, x) if grid_of else grid)) for x in warps}
        for x in warps:
            self.line("ours", "file=" + os.path.join("test/kernels", file), f"kernel={kernel}",
                      "signature=" + ",".join(type_of(a) for a in arguments), f"constexpr={fixed}", f"warps={x}",
                      f"grid={ours_grids[x]}", f"args={words}")
        scratch = buffers[0].name
        self.line("peer", "name=triton", f"cubin={cubin}", f"kernel={compiled.metadata.name}", f"warps={w}",
                  f"shared={compiled.metadata.shared}", "grid=" + ",".join(map(str, launch_grid)),
                  f"args={words},{scratch},{scratch}")
        if torch_ms is not None:
            self.line("time", "name=torch", f"median_ms={torch_ms}")
        self.line("end")


def softmax(m):
    rows = 4096
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    for n in [256, 384, 512, 640, 768, 781, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 12672]:
        x = torch.randn(rows, n, device="cuda")
        out = Buffer("out", torch.empty_like(x), "poison", True)
        block = triton.next_power_of_2(n)
        warps = [w for w in (1, 2, 4, 8, 16, 32) if 64 <= block // w <= 2048]
        m.case("softmax_row", f"{rows}x{n}", "softmax.py", "softmax_row_kernel", [out, Buffer("x", x), n, n, n],
               {"BLOCK": block}, (rows, 1, 1), warps, 8 * x.numel(), lambda: torch.softmax(x, -1))

        def resident(compiled, w):
            compiled._init_handles()
            blocks = min(65536 // (max(compiled.n_regs, 1) * 32 * w), 232448 // max(compiled.metadata.shared, 1),
                         2048 // (32 * w))
            return (min(multiprocessors * max(blocks, 1), rows), 1, 1)

        m.case("softmax_persistent", f"{rows}x{n}", "softmax.py", "softmax_persistent_kernel",
               [out, Buffer("x", x), n, n, rows, n], {"BLOCK": block, "num_stages": 4}, None, warps, 8 * x.numel(),
               lambda: torch.softmax(x, -1), grid_of=resident)


def rope(m):
    for batch, positions, heads, size in [(1, 4096, 32, 128), (8, 2048, 32, 128), (4, 8192, 64, 128), (16, 1024, 16, 64)]:
        tokens = batch * positions
        x = Buffer("x", torch.randn(tokens, heads * size, device="cuda", dtype=torch.float16), "rand", True)
        cos = Buffer("cos", torch.randn(positions, size, device="cuda", dtype=torch.float16))
        sin = Buffer("sin", torch.randn(positions, size, device="cuda", dtype=torch.float16))
        m.case("rope", f"{batch}x{positions}x{heads}x{size}", "rotary.py", "rope_heads_kernel",
               [x, heads * size, cos, size, sin, size, positions],
               {"HEAD_DIM": size, "HEADS": heads, "BACKWARD": False, "BLOCK": triton.next_power_of_2(size // 2)},
               (tokens, triton.cdiv(heads, 4), 1), [1, 2, 4, 8], 4 * x.tensor.numel(), None, tolerance=1e-3)


def norm(m):
    shapes = [(4096, 512 * i) for i in (2, 4, 8, 12, 16, 24, 31)] + [(131072, h) for h in (1024, 3000, 4096, 8192)]
    for rows, n in shapes:
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
        m.case("norm_forward", f"{rows}x{n}", "layer_norm.py", "norm_fwd_kernel", arguments, constants, (rows, 1, 1),
               warps, 4 * x.numel(), lambda: torch.nn.functional.layer_norm(x, (n,), w, b, 1e-5), tolerance=2e-3)


def main():
    folder, parts = sys.argv[1], sys.argv[2:] or ["softmax", "rope", "norm"]
    os.makedirs(folder, exist_ok=True)
    manifest = Manifest(folder)
    manifest.line(f"# {torch.cuda.get_device_name(0)}, torch {torch.__version__}, triton {triton.__version__}")
    for part in parts:
        {"softmax": softmax, "rope": rope, "norm": norm}[part](manifest)


if __name__ == "__main__":
    main()
