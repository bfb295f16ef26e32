# SPDX-License-Identifier: MIT
"""Measures cases in Triton and in PyTorch, and writes the manifest that bench/beside reads, with
Triton's cubins beside it. What the scripts in this folder share; see main."""
import math
import os
import re
import sys
import time
import types

import torch
import triton

import shards
from cases import Buffer
from triton_compile import compile_all, compile_step, function_of

SHORT = {torch.float32: "fp32", torch.float16: "fp16", torch.bfloat16: "bf16", torch.int32: "i32",
         torch.int64: "i64", torch.uint8: "u8", torch.int8: "i8",
         torch.float8_e4m3fn: "fp8e4nv"}


# --- Words of a line
# ------------------------------------------------------------------------------------


def type_of(value):
    """Ours in the signature: 1 is folded, as in Triton; of an integer the powers of two up to 16
    that divide it are promised, where Triton knows 16 only."""
    if value is None:
        return "None"
    if isinstance(value, Buffer):
        return "*" + SHORT[value.dtype] + ":16"
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
    return ",".join(word_of(a) for a in arguments if a is not None
                    and not (type(a) is int and a == 1))


def after(index):
    return ["after=1"] if index else []


# --- Launches
# -------------------------------------------------------------------------------------------


def median_ms(run, rep=40):
    return triton.testing.do_bench(run, warmup=10, rep=rep, return_mode="median")


def hot_ms(run):
    """Of what stands beside beside's own figures: long enough that the card's clock is down to what
    its power allows, as it is there."""
    return triton.testing.do_bench(run, warmup=150, rep=60, return_mode="median")


def grid_of(step, compiled):
    grid = step.config.grid
    return grid(compiled) if callable(grid) else grid


def run_of(file, step, grid):
    function, options = function_of(file, step.kernel)[grid], step.config.options()
    given = [a.tensor if isinstance(a, Buffer) else a for a in step.arguments]
    return lambda: function(*given, **options)


def cublas_library(run):
    """Where the cuBLAS lies that PyTorch has loaded after it ran a product."""
    run()
    torch.cuda.synchronize()
    with open("/proc/self/maps") as maps:
        paths = {line.split(None, 5)[5].strip() for line in maps if "/libcublas.so" in line}
    return next(iter(paths), None)


class Peer:
    """A configuration: its steps as Triton compiled them; `ms` is None where it could not."""

    def __init__(self, case, config):
        self.case, self.config, self.steps = case, config, case.steps(config)
        self.compiled, self.ms = [None] * len(self.steps), None

    def prepare(self):
        case = self.case
        self.compiled = [compile_step(case.file, step, case.arch) for step in self.steps]
        self.runs = [run_of(case.file, step, grid) for step, grid in zip(self.steps, self.grids())]

    def grids(self):
        return [grid_of(step, c) for step, c in zip(self.steps, self.compiled)]

    def time(self):
        self.ms = 0 if self.case.arch else median_ms(lambda: [run() for run in self.runs], 20)


def peers_of(case, configs):
    """Those of the configurations that the device has room for, timed unless they are for another
    architecture. One that Triton does not compile is said on standard error, and is ours alone."""
    peers = []
    for config in configs:
        peer = Peer(case, config)
        try:
            peer.prepare()
            peer.time()
        except triton.runtime.errors.OutOfResources:
            continue
        except Exception as error:
            reason = (str(error).strip().splitlines() or [""])[-1]
            print(f"triton: {case.name} {case.shape} {config.label}: {type(error).__name__}: "
                  f"{reason}", file=sys.stderr)
            if any(callable(step.config.grid) for step in peer.steps):
                continue
        peers.append(peer)
    return peers


class Alone(Peer):
    """Without Triton: where a grid depends on what that would make, as for a kernel of 32 registers
    without shared memory."""

    def grids(self):
        return [grid_of(step, Light(step.config.warps)) for step in self.steps]


class Light:
    def __init__(self, warps):
        self.metadata = types.SimpleNamespace(num_warps=warps, shared=0)
        self.n_regs = 32

    def _init_handles(self):
        pass


def timed(peers):
    return [peer for peer in peers if peer.ms is not None]


def best_of(peers):
    return min(peers, key=lambda peer: peer.ms)


# --- The manifest
# ---------------------------------------------------------------------------------------


class Manifest:
    def __init__(self, folder, head):
        os.makedirs(folder, exist_ok=True)
        self.folder, self.codes = folder, 0
        self.file = open(os.path.join(folder, "manifest.txt"), "w")
        self.line("#", head)

    def line(self, *words):
        print(*words, file=self.file, flush=True)

    def write_ours(self, case, peers):
        self.line("case", case.name, case.shape, f"bytes={case.moved}", f"flops={case.flops}",
                  f"tolerance={case.tolerance}")
        for b in case.buffers():
            self.line("buffer", b.name, SHORT[b.dtype], math.prod(b.shape), self.fill(case, b))
        self.line("output", *[b.name for b in case.buffers() if b.output])
        target = [f"target=sm_{case.arch}"] if case.arch else []
        for peer in peers:
            self.ours(case, peer, peer.config.label, target)
            if case.skip:
                self.ours(case, peer, peer.config.label, target + [f"skip={case.skip}"])
            if case.fixed_too and peer.config.warps > 1:
                self.ours(case, peer, peer.config.label + "!", target + ["warps_fixed=1"])

    def fill(self, case, buffer):
        if buffer.values is None:
            return buffer.fill
        name = f"{case.name}-{case.shape}-{buffer.name}.bin"
        self.save(name, torch.tensor(buffer.values, dtype=buffer.dtype).numpy().tobytes())
        return f"file:{name}"

    def write_alone(self, case):
        """Ours in all configurations, without a device, and so without what is measured on it."""
        self.write_ours(case, [Alone(case, config) for config in case.configs])
        self.line("end")

    def write(self, case):
        tensors = case.make_tensors()
        peers, usual = peers_of(case, case.configs), peers_of(case, case.usual)
        self.write_ours(case, peers)
        peers, usual = timed(peers), timed(usual)
        best = [best_of(peers)] if peers else []
        if case.own_memory and peers:
            runs = best[0].runs
            self.line("time", "name=triton",
                      f"median_ms={hot_ms(lambda: [run() for run in runs])}")
        for peer in [] if case.own_memory else peers if case.arch else best:
            self.peer(case, "triton", peer)
        if usual:
            self.peer(case, "triton-usual", best_of(usual))
        by_torch = [hot_ms(lambda: (peer.runs[0](), peer.config.torch_after(tensors)))
                    for peer in usual if peer.config.torch_after]
        if by_torch:
            self.line("time", "name=triton-usual:torch", f"median_ms={min(by_torch)}")
        library = cublas_library(lambda: case.torch_run(tensors)) if case.gemm else None
        if library:
            m, n, k, batch = case.gemm
            self.line("gemm", f"library={library}", f"type={SHORT[case.buffers()[0].dtype]}",
                      f"m={m}", f"n={n}", f"k={k}", f"batch={batch}",
                      "args=" + ",".join(b.name for b in case.buffers()[:3]))
        elif case.torch_run:
            self.line("time", f"name={case.torch_name}",
                      f"median_ms={hot_ms(lambda: case.torch_run(tensors))}")
        for name, run in case.more_torch.items():
            try:
                self.line("time", f"name={name}", f"median_ms={hot_ms(lambda: run(tensors))}")
            except RuntimeError as error:
                print(f"{name}: {case.name} {case.shape}: {str(error).splitlines()[0]}",
                      file=sys.stderr)
        self.line("end")
        case.drop_tensors()

    def ours(self, case, peer, label, more):
        """In the configuration and the grids of a peer."""
        for i, step in enumerate(peer.steps):
            fixed = ",".join(f"{k}={constant_of(v)}" for k, v in step.config.constants.items())
            self.line("ours", "file=" + os.path.join("test/kernels", case.file),
                      f"kernel={step.kernel}", f"label={label}",
                      "signature=" + ",".join(type_of(a) for a in step.arguments),
                      f"constexpr={fixed}", f"warps={step.config.warps}",
                      f"stages={step.config.stages}", *more, *after(i),
                      "grid=" + ",".join(map(str, peer.grids()[i])),
                      f"args={words_of(step.arguments)}")

    def peer(self, case, name, peer):
        """After Triton's own parameters stand two pointers to scratch, which these kernels do not
        use."""
        scratch = case.buffers()[0].name
        for i, (step, compiled) in enumerate(zip(peer.steps, peer.compiled)):
            self.line("peer", f"name={name}", f"label={peer.config.label}",
                      self.code(case, compiled), f"kernel={compiled.metadata.name}",
                      f"warps={step.config.warps}", f"shared={compiled.metadata.shared}",
                      *after(i), "grid=" + ",".join(map(str, peer.grids()[i])),
                      f"args={words_of(step.arguments)},{scratch},{scratch}")

    def code(self, case, compiled):
        """Saves it: for an older architecture as PTX, of which the driver makes the device's code,
        as of ours."""
        self.codes += 1
        if not case.arch:
            name = f"{self.codes}.cubin"
            self.save(name, compiled.asm["cubin"])
            return f"cubin={name}"
        name, ptx = f"{self.codes}.ptx", compiled.asm["ptx"]
        self.save(name, ptx.encode())
        return f"ptx={name} target=" + re.search(r"^\.target (sm_\w+)", ptx, re.MULTILINE).group(1)

    def save(self, name, code):
        with open(os.path.join(self.folder, name), "wb") as out:
            out.write(code)


# --- The command line
# -----------------------------------------------------------------------------------


def chosen(parts, words):
    """The cases that words such as "norm" and "norm:131072x8192" ask for."""
    script, cases = os.path.basename(sys.argv[0]), []
    for word in words:
        part, _, shape = word.partition(":")
        if part not in parts:
            sys.exit(f"{script}: no part '{part}': " + ", ".join(parts))
        of_part = list(parts[part]())
        found = [case for case in of_part if not shape or case.is_of(shape)]
        if not found:
            sys.exit(f"{script}: {part} has no shape '{shape}': "
                     + ", ".join(dict.fromkeys(c.shape for c in of_part)))
        cases += found
    return cases


def main(parts, default):
    """SCRIPT OUT_DIR [--alone] [--shard I/N] [PART[:SHAPE] ...]; `parts`: functions that yield the
    cases, by name. --alone: ours alone; needs no device."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} OUT_DIR [--alone] [--shard I/N] "
                 "[PART[:SHAPE] ...]")
    is_alone = sys.argv[2:3] == ["--alone"]
    words, shard = shards.taken(sys.argv[3 if is_alone else 2:])
    cases = shards.part(chosen(parts, words or default), shard)
    if is_alone:
        manifest = Manifest(sys.argv[1], "ours alone")
        for case in cases:
            manifest.write_alone(case)
        return
    compile_all(cases)
    begin = time.time()
    manifest = Manifest(sys.argv[1], f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}, "
                        f"triton {triton.__version__}")
    for case in cases:
        manifest.write(case)
    print(f"triton: {len(cases)} cases measured in {time.time() - begin:.1f} s", file=sys.stderr)
