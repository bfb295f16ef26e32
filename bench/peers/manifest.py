"""What the peer scripts share: compile a kernel of test/kernels with Triton, find its best configuration,
save the cubin, and write the case into the manifest that bench/beside reads."""
import importlib.util
import os
import re
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


class Config:
    """One way to compile and launch: compile-time values, warps, stages, and the grid, which may depend on
    what Triton made: a tuple or a function of the compiled kernel."""

    def __init__(self, constants, warps, grid, stages=3, label=None):
        self.constants, self.warps, self.grid, self.stages = constants, warps, grid, stages
        self.label = label or f"w{warps}"

    def options(self):
        options = dict(self.constants, num_warps=self.warps)
        return options if "num_stages" in options else dict(options, num_stages=self.stages)


def by_warps(constants, warps, grid, stages=3):
    return [Config(constants, w, grid, stages) for w in warps]


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


def compile_older(function, given, options, arch):
    """What Triton makes with the instructions of an older architecture than the device's: compiled, and not
    launched. Its PTX may name the device as its target all the same."""
    before = os.environ.get("TRITON_OVERRIDE_ARCH")
    os.environ["TRITON_OVERRIDE_ARCH"] = f"sm{arch}"
    try:
        compiled = function.warmup(*given, grid=(1, 1, 1), **options)
    finally:
        if before is None:
            del os.environ["TRITON_OVERRIDE_ARCH"]
        else:
            os.environ["TRITON_OVERRIDE_ARCH"] = before
    if arch < 90 and "wgmma" in compiled.asm["ptx"]:
        sys.exit(f"manifest.py: triton {triton.__version__} does not compile for sm_{arch} when asked to")
    return compiled


def type_of(value):
    """Ours in the signature: 1 is folded, as in Triton; of an integer the powers of two up to 16 that divide
    it are promised, where Triton knows 16 only."""
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
    divisor = next(d for d in (16, 8, 4, 2, 1) if value % d == 0)
    return "i32" if divisor == 1 else f"i32:{divisor}"


def word_of(value):
    if isinstance(value, Buffer):
        return value.name
    if isinstance(value, float):
        return f"f32:{value!r}"
    if isinstance(value, bool):
        return f"i1:{int(value)}"
    return f"i32:{int(value)}"


def constant_of(value):
    return f"'{value}'" if isinstance(value, str) else str(value)


class Manifest:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.folder, self.count = folder, 0
        self.file = open(os.path.join(folder, "manifest.txt"), "w")
        self.line(f"# {torch.cuda.get_device_name(0)}, torch {torch.__version__}, triton {triton.__version__}")

    def line(self, *words):
        print(*words, file=self.file, flush=True)

    def case(self, name, shape, file, kernel, arguments, configs, torch_run, moved=0, flops=0,
             tolerance=1e-5, torch_name="torch", arch=None):
        """`arguments`: the run-time ones in order: Buffer, int, float or None. Ours is compiled in each
        of the configurations, Triton's best one stands beside it; its failures (such as too much shared
        memory) are skipped. With `arch` (80), both use that architecture's instructions, the driver's
        assembler makes the device's code of them, and beside chooses Triton's best configuration as it does ours."""
        function = jit_function(getattr(load(file), kernel))
        given = [a.tensor if isinstance(a, Buffer) else a for a in arguments]
        self.count += 1
        if arch:
            peers, grids = self.older_peers(function, given, configs, arch)
        else:
            peers, grids = self.best_peer(function, given, configs)
        torch_ms = median_ms(torch_run) if torch_run else None
        self.line("case", name, shape, f"bytes={moved}", f"flops={flops}", f"tolerance={tolerance}")
        buffers = [a for a in arguments if isinstance(a, Buffer)]
        for b in buffers:
            self.line("buffer", b.name, SHORT[b.tensor.dtype], b.tensor.numel(), b.fill)
        self.line("output", *[b.name for b in buffers if b.output])
        words = ",".join(word_of(a) for a in arguments if a is not None and not (type(a) is int and a == 1))
        signature = ",".join(type_of(a) for a in arguments)
        target = [f"target=sm_{arch}"] if arch else []
        for c in configs:
            if c in grids:
                fixed = ",".join(f"{k}={constant_of(v)}" for k, v in c.constants.items())
                # with as many warps as the tiles have use for, and with all
                for label, warps in [(c.label, ()), (c.label + "!", ("warps_fixed=1",))]:
                    self.line("ours", "file=" + os.path.join("test/kernels", file), f"kernel={kernel}", f"label={label}",
                              f"signature={signature}", f"constexpr={fixed}", f"warps={c.warps}", *warps,
                              f"stages={c.stages}", "grid=" + ",".join(map(str, grids[c])), f"args={words}", *target)
        scratch = buffers[0].name
        for config, compiled, code in peers:
            self.line("peer", "name=triton", f"label={config.label}", code, f"kernel={compiled.metadata.name}",
                      f"warps={config.warps}", f"shared={compiled.metadata.shared}",
                      "grid=" + ",".join(map(str, grids[config])), f"args={words},{scratch},{scratch}")
        if torch_ms is not None:
            self.line("time", f"name={torch_name}", f"median_ms={torch_ms}")
        self.line("end")

    def save(self, file, code):
        with open(os.path.join(self.folder, file), "wb") as out:
            out.write(code)

    def best_peer(self, function, given, configs):
        """The fastest configuration on the device, as a cubin; the grids of those that run."""
        best, grids = None, {}
        for config in configs:
            try:
                compiled = function[(1, 1, 1)](*given, **config.options())
                grid = config.grid(compiled) if callable(config.grid) else config.grid
                grids[config] = grid
                ms = median_ms(lambda: function[grid](*given, **config.options()), 20)
            except triton.runtime.errors.OutOfResources:
                continue
            if best is None or ms < best[0]:
                best = (ms, config, compiled)
        ms, config, compiled = best
        self.save(f"{self.count}.cubin", compiled.asm["cubin"])
        return [(config, compiled, f"cubin={self.count}.cubin")], grids

    def older_peers(self, function, given, configs, arch):
        """All configurations as PTX: the driver makes the device's code of them, as of ours."""
        peers, grids = [], {}
        for config in configs:
            compiled = compile_older(function, given, config.options(), arch)
            grids[config] = config.grid(compiled) if callable(config.grid) else config.grid
            file = f"{self.count}-{len(peers)}.ptx"
            ptx = compiled.asm["ptx"]
            self.save(file, ptx.encode())
            target = re.search(r"^\.target (sm_\w+)", ptx, re.MULTILINE).group(1)
            peers.append((config, compiled, f"ptx={file} target={target}"))
        return peers, grids
