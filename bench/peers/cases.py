# SPDX-License-Identifier: MIT
"""A case of the comparison, described before anything is on the device: what is computed on which
buffers, in which configurations. Tensors are made when a case is measured, and go with it."""
import dataclasses
import types
from typing import Callable, Optional

import torch


class Buffer:
    """A tensor argument: what fills it (words of bench/beside.c), and whether it is compared. What
    only passes from a launch to the one after it is filled with "scratch". `values`: all elements,
    instead of a word."""

    def __init__(self, name, shape, dtype, fill="rand", output=False, values=None):
        self.name, self.shape, self.dtype, self.fill, self.output = name, shape, dtype, fill, output
        self.values, self.tensor = values, None

    def make(self):
        self.tensor = torch.empty(self.shape, dtype=self.dtype, device="cuda")
        if self.values is not None:
            self.tensor = torch.tensor(self.values, dtype=self.dtype, device="cuda")
        elif self.fill in ("rand", "positive", "bytes"):
            self.tensor = self.random(0.01 if self.fill == "positive" else -1)
        elif self.fill == "zero":
            self.tensor.zero_()
        elif self.fill.startswith("value:"):
            self.tensor.fill_(float(self.fill[6:]))

    def random(self, least):
        """From `least` to 1; of an integer all values."""
        if not self.dtype.is_floating_point:
            limits = torch.iinfo(self.dtype)
            return torch.randint(limits.min, limits.max + 1, self.shape, dtype=self.dtype,
                                 device="cuda")
        wide = torch.float32 if self.dtype.itemsize == 1 else self.dtype
        return torch.empty(self.shape, dtype=wide, device="cuda").uniform_(least, 1).to(self.dtype)


class Config:
    """One way to compile and launch: compile-time values, warps, stages, and the grid, which may
    depend on what Triton made: a tuple or a function of the compiled kernel. `arguments`: its own,
    in place of the case's. `after`: what is launched after it and belongs to it: the name of a
    kernel of the same file, its arguments and its Config, which may have one, too.
    `torch_after`: what PyTorch would do in its place, a function of the tensors."""

    def __init__(self, constants, warps, grid, stages=3, label=None, arguments=None, after=None,
                 torch_after=None):
        self.constants, self.warps, self.grid, self.stages = constants, warps, grid, stages
        self.label = label or f"w{warps}"
        self.arguments, self.after, self.torch_after = arguments, after, torch_after

    def options(self):
        options = dict(self.constants, num_warps=self.warps)
        return options if "num_stages" in options else dict(options, num_stages=self.stages)


def by_warps(constants, warps, grid, stages=3):
    return [Config(constants, w, grid, stages) for w in warps]


@dataclasses.dataclass
class Step:
    """One launch."""
    kernel: str
    arguments: list
    config: Config


@dataclasses.dataclass
class Case:
    """`arguments`: the run-time ones in order: Buffer, int, float or None. Ours is compiled in each
    of `configs`, and Triton's best of them stands beside it; its failures (such as too much shared
    memory) are skipped. `usual`: the configurations of which Triton's users would take the best, a
    peer of its own. With `arch` (80), both use that architecture's instructions, the driver's
    assembler makes the device's code of them, and beside chooses Triton's best configuration as it
    does ours. `fixed_too`: ours also with all warps that were asked for, where the tiles have use
    for fewer. `torch_run`: the same by PyTorch, a function of the tensors by name. `own_memory`:
    Triton's kernel wants memory of its launcher's (for descriptors that it makes), so that Triton
    launches it itself, by the clock of the host's library, and its result is not compared. `gemm`:
    M, N, K and how many of them, where cuBLAS computes the same of the first three buffers, rows
    first: beside times it in the same rounds, in place of `torch_run`. `skip`: a pass without which
    ours is a peer of its own."""
    name: str
    shape: str
    file: str
    kernel: str
    arguments: list
    configs: list
    torch_run: Optional[Callable] = None
    usual: list = dataclasses.field(default_factory=list)
    moved: int = 0
    flops: int = 0
    tolerance: float = 1e-5
    torch_name: str = "torch"
    more_torch: dict = dataclasses.field(default_factory=dict)
    arch: Optional[int] = None
    fixed_too: bool = False
    own_memory: bool = False
    gemm: Optional[tuple] = None
    skip: Optional[str] = None

    def is_of(self, shape):
        """Is it of that shape? The last number is enough."""
        return shape in (self.shape, self.shape.rsplit("x", 1)[-1])

    def steps(self, config):
        steps = [Step(self.kernel, config.arguments or self.arguments, config)]
        while steps[-1].config.after:
            steps.append(Step(*steps[-1].config.after))
        return steps

    def buffers(self):
        steps = [step for config in self.configs for step in self.steps(config)]
        found = {a.name: a for step in steps for a in step.arguments if isinstance(a, Buffer)}
        return list(found.values())

    def make_tensors(self):
        for buffer in self.buffers():
            buffer.make()
        return types.SimpleNamespace(**{b.name: b.tensor for b in self.buffers()})

    def drop_tensors(self):
        for buffer in self.buffers():
            buffer.tensor = None
