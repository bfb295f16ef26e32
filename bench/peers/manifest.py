"""What the peer scripts share: compile a kernel of test/kernels with Triton, find its best configuration,
save the cubin, and write the case into the manifest that bench/beside reads."""
import functools
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
    """A tensor argument: what fills it, and whether it is compared. What only passes from a launch to the one behind it
    is filled with "scratch"."""

    def __init__(self, name, tensor, fill="rand", output=False):
        self.name, self.tensor, self.fill, self.output = name, tensor, fill, output


class Config:
    """One way to compile and launch: compile-time values, warps, stages, and the grid, which may depend on
    what Triton made: a tuple or a function of the compiled kernel. `arguments`: its own, in place of the case's.
    `behind`: what is launched behind it and belongs to it: the name of a kernel of the same file, its arguments
    and its Config."""

    def __init__(self, constants, warps, grid, stages=3, label=None, arguments=None, behind=None):
        self.constants, self.warps, self.grid, self.stages = constants, warps, grid, stages
        self.label = label or f"w{warps}"
        self.arguments, self.behind = arguments, behind

    def options(self):
        options = dict(self.constants, num_warps=self.warps)
        return options if "num_stages" in options else dict(options, num_stages=self.stages)


def by_warps(constants, warps, grid, stages=3):
    return [Config(constants, w, grid, stages) for w in warps]


@functools.lru_cache(maxsize=None)
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


def words_of(arguments):
    return ",".join(word_of(a) for a in arguments if a is not None and not (type(a) is int and a == 1))


def steps_of(kernel, arguments, config):
    """Kernel, arguments and Config of each launch."""
    steps = [(kernel, config.arguments or arguments, config)]
    return steps + [config.behind] if config.behind else steps


def behind(step):
    return ["behind=1"] if step else []


def tensors_of(arguments):
    return [a.tensor if isinstance(a, Buffer) else a for a in arguments]


def function_of(file, kernel):
    return jit_function(getattr(load(file), kernel))


def compile_step(file, step):
    kernel, arguments, config = step
    return function_of(file, kernel)[(1, 1, 1)](*tensors_of(arguments), **config.options())


def grid_of(step, compiled):
    grid = step[2].grid
    return grid(compiled) if callable(grid) else grid


def run_of(file, step, grid):
    kernel, arguments, config = step
    function, given, options = function_of(file, kernel), tensors_of(arguments), config.options()
    return lambda: function[grid](*given, **options)


class Manifest:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.folder, self.count = folder, 0
        self.file = open(os.path.join(folder, "manifest.txt"), "w")
        self.line(f"# {torch.cuda.get_device_name(0)}, torch {torch.__version__}, triton {triton.__version__}")

    def line(self, *words):
        print(*words, file=self.file, flush=True)

    def case(self, name, shape, file, kernel, arguments, configs, torch_run, moved=0, flops=0,
             tolerance=1e-5, torch_name="torch", arch=None, fixed_too=False):
        """`arguments`: the run-time ones in order: Buffer, int, float or None. Ours is compiled in each
        of the configurations, Triton's best one stands beside it; its failures (such as too much shared
        memory) are skipped. With `arch` (80), both use that architecture's instructions, the driver's
        assembler makes the device's code of them, and beside chooses Triton's best configuration as it does ours.
        `fixed_too`: ours also with all warps that were asked for, where the tiles have use for fewer."""
        self.count += 1
        cases = [(config, steps_of(kernel, arguments, config)) for config in configs]
        peers, grids = self.older_peers(file, cases, arch) if arch else self.best_peer(file, cases)
        torch_ms = median_ms(torch_run) if torch_run else None
        self.line("case", name, shape, f"bytes={moved}", f"flops={flops}", f"tolerance={tolerance}")
        buffers = {a.name: a for _, steps in cases for _, given, _ in steps for a in given if isinstance(a, Buffer)}
        for b in buffers.values():
            self.line("buffer", b.name, SHORT[b.tensor.dtype], b.tensor.numel(), b.fill)
        self.line("output", *[b.name for b in buffers.values() if b.output])
        target = [f"target=sm_{arch}"] if arch else []
        for config, steps in cases:
            if config in grids:
                self.ours(file, steps, grids[config], config.label, target)
                if fixed_too and config.warps > 1:
                    self.ours(file, steps, grids[config], config.label + "!", target + ["warps_fixed=1"])
        scratch = next(iter(buffers))
        for config, steps, compiled, codes in peers:
            for i, (_, given, step) in enumerate(steps):
                self.line("peer", "name=triton", f"label={config.label}", codes[i],
                          f"kernel={compiled[i].metadata.name}", f"warps={step.warps}",
                          f"shared={compiled[i].metadata.shared}", *behind(i),
                          "grid=" + ",".join(map(str, grids[config][i])), f"args={words_of(given)},{scratch},{scratch}")
        if torch_ms is not None:
            self.line("time", f"name={torch_name}", f"median_ms={torch_ms}")
        self.line("end")

    def ours(self, file, steps, grids, label, more):
        for i, (kernel, given, step) in enumerate(steps):
            fixed = ",".join(f"{k}={constant_of(v)}" for k, v in step.constants.items())
            self.line("ours", "file=" + os.path.join("test/kernels", file), f"kernel={kernel}", f"label={label}",
                      "signature=" + ",".join(type_of(a) for a in given), f"constexpr={fixed}", f"warps={step.warps}",
                      f"stages={step.stages}", *more, *behind(i), "grid=" + ",".join(map(str, grids[i])),
                      f"args={words_of(given)}")

    def save(self, file, code):
        with open(os.path.join(self.folder, file), "wb") as out:
            out.write(code)

    def best_peer(self, file, cases):
        """The fastest configuration on the device, as cubins; the grids of those that run."""
        best, grids = None, {}
        for config, steps in cases:
            try:
                compiled = [compile_step(file, step) for step in steps]
                runs = [run_of(file, step, grid_of(step, c)) for step, c in zip(steps, compiled)]
                ms = median_ms(lambda: [run() for run in runs], 20)
            except triton.runtime.errors.OutOfResources:
                continue
            grids[config] = [grid_of(step, c) for step, c in zip(steps, compiled)]
            if best is None or ms < best[0]:
                best = (ms, config, steps, compiled)
        _, config, steps, compiled = best
        codes = []
        for i, c in enumerate(compiled):
            cubin = f"{self.count}-{i}.cubin" if i else f"{self.count}.cubin"
            self.save(cubin, c.asm["cubin"])
            codes.append(f"cubin={cubin}")
        return [(config, steps, compiled, codes)], grids

    def older_peers(self, file, cases, arch):
        """All configurations as PTX: the driver makes the device's code of them, as of ours."""
        peers, grids = [], {}
        for config, steps in cases:
            compiled = [compile_older(function_of(file, kernel), tensors_of(given), step.options(), arch)
                        for kernel, given, step in steps]
            grids[config] = [grid_of(step, c) for step, c in zip(steps, compiled)]
            codes = []
            for i, c in enumerate(compiled):
                name = f"{self.count}-{len(peers)}-{i}.ptx"
                ptx = c.asm["ptx"]
                self.save(name, ptx.encode())
                codes.append(f"ptx={name} target=" + re.search(r"^\.target (sm_\w+)", ptx, re.MULTILINE).group(1))
            peers.append((config, steps, compiled, codes))
        return peers, grids
