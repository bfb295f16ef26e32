# SPDX-License-Identifier: MIT
"""The verb `check` of bench/corpus.sh: each kernel on the emulator at small sizes, as it is
compiled for devices and as plainly as can be, with the same numbers; what the emulator finds wrong,
and how far the results are apart."""
import ast
import math
import os
import re
import shlex
import shutil

import contents
import table
from process import ROOT, Run

# Beside what a device's compilation adds: for few blocks there are other versions.
SUBJECTS = ["--fewer-warps", "on", "--programs-per-block", "fill"]
PLAIN = ["--num-stages", "1", "--fewer-warps", "off", "--low-occupancy", "off", "--tensor-maps",
         "off", "--programs-per-block", "1"]
POISON = 0xCB
SOUND = ("equal", "close", "own", "-")


def optional_passes():
    """But for the one that takes a rounding away: without it few results would be equal."""
    with open(os.path.join(ROOT, "lib", "ir", "pipelines.def"), encoding="utf-8") as file:
        passes = set(re.findall(r'"\?([a-z0-9-]+)', file.read()))
    return sorted(passes - {"tile-contract-fma"})


# --- One kernel's launch --------------------------------------------------------------------------


def parameters_of(kernel, root):
    """The names of the run-time parameters; of several definitions the last one counts."""
    with open(kernel.path(root), encoding="utf-8") as file:
        found = [n for n in ast.walk(ast.parse(file.read()))
                 if isinstance(n, ast.FunctionDef) and n.name == kernel.name]
    return [a.arg for a in found[-1].args.args if a.arg not in kernel.constants]


class Launch:
    """What tile-run is given of a kernel besides the flags of compilation."""

    def __init__(self, kernel, root, folder):
        self.kernel, self.results = kernel, {}
        self.words = ["--grid", ",".join(map(str, kernel.grid))]
        for name, argument in zip(parameters_of(kernel, root), kernel.arguments):
            if argument is None or table.entry_of(argument) == "1":
                continue
            value = (self.buffer(name, argument, folder) if isinstance(argument, table.Buffer)
                     else f"{argument.type}:{scalar_text(argument)}")
            self.words += ["--arg", f"{name}={value}"]

    def buffer(self, name, buffer, folder):
        if buffer.is_result:
            self.results[name] = buffer
        shape = f"{buffer.type}[{buffer.count}]"
        if buffer.fill in ("out", "zeros", "zeroed", "scratch"):
            return f"{shape}:{'poison' if buffer.fill == 'out' else 'zeros'}"
        path = os.path.join(folder, name + ".npy")
        contents.write_npy(path, buffer.type, buffer.count, contents.bits_of(buffer, name))
        return f"{shape}:{path}"


def scalar_text(scalar):
    return repr(float(scalar.value)) if scalar.type.startswith(("fp", "bf")) else int(scalar.value)


class Outcome:
    """Of one version: its results, or what went wrong."""

    def __init__(self, options, launch, name, flags, skipped, folder):
        self.results = {}
        paths = {n: os.path.join(folder, f"{n}.{name}") for n in launch.results}
        command = [os.path.join(options.build, "bin", "tile-run"), "--device", "emulator",
                   "--check", "--cache", "off", "--quiet"]
        command += launch.kernel.flags(options.folder) + flags + launch.words
        for result, path in paths.items():
            command += ["--save", f"{result}={path}"]
        with open(os.path.join(folder, name + ".sh"), "w", encoding="utf-8") as file:
            file.write(f"TILE_SKIP_PASSES={','.join(skipped)} {shlex.join(command)}\n")
        run = Run(command, options.seconds, {"TILE_SKIP_PASSES": ",".join(skipped)})
        self.cpu, self.hazards = run.cpu, hazards_in(run.errors)
        self.error = run.error() if run.code and not self.hazards else None
        if not run.code:
            self.results = {n: contents.read_npy(path) for n, path in paths.items()}

    def problem(self):
        if self.error:
            return "slow" if self.error == "too slow" else "error", self.error
        return ("hazard", sorted(kinds_of(self.hazards))[0]) if self.hazards else None


def hazards_in(text):
    """Each is a line, with the place of its thread."""
    return [line for line in text.splitlines() if re.search(r"\bblock \(\d+, \d+, \d+\)", line)]


def kinds_of(hazards):
    """What they are, and in which lines of the kernel."""
    return {re.sub(r"(.*?) at \S*?([^/]*:\d+):\d+[,:] .*", r"\1 at \2", h) for h in hazards}


# --- Comparison -----------------------------------------------------------------------------------


def numbers_of(buffer, datas):
    """Those that a kernel has written: what nobody writes is poison in all of `datas`."""
    size = table.BITS[buffer.type] // 8
    poison = bytes([POISON] * size)
    written = [i for i in range(0, len(datas[0]), size)
               if buffer.fill != "out" or any(data[i:i + size] != poison for data in datas)]
    return [contents.decoded(buffer.type, b"".join(data[i:i + size] for i in written))
            for data in datas]


def distance(buffer, plain, other):
    """How far the numbers of two results are apart, in the unit of the largest one."""
    numbers = numbers_of(buffer, [plain, other])
    largest = max((abs(x) for x in numbers[0] if math.isfinite(x)), default=0) or 1
    return max((apart(x, y) / largest for x, y in zip(*numbers)), default=0)


def is_vacuous(buffer, data):
    """Would other results be as good?"""
    numbers = numbers_of(buffer, [data])[0]
    return sum(map(math.isfinite, numbers)) <= len(numbers) // 4


def apart(x, y):
    if x == y or (x != x and y != y):
        return 0
    return abs(x - y) if math.isfinite(x) and math.isfinite(y) else math.inf


def compare(launch, plain, other):
    """A verdict, and what is to be said of it."""
    problem = other.problem()
    if problem and problem[0] == "hazard" and kinds_of(other.hazards) <= kinds_of(plain.hazards):
        return "own", problem[1]
    if problem:
        return problem
    if plain.problem():
        return "unknown", f"without the passes: {plain.problem()[1]}"
    vacuous = [n for n, b in launch.results.items() if is_vacuous(b, plain.results[n])]
    if vacuous:
        return "vacuous", f"{vacuous[0]} has next to no numbers"
    differing = {n: distance(b, plain.results[n], other.results[n])
                 for n, b in launch.results.items() if plain.results[n] != other.results[n]}
    if not differing:
        return "equal", ""
    name = max(differing, key=differing.get)
    verdict = "close" if differing[name] <= contents.tolerance_of(launch.kernel) else "differs"
    return verdict, f"{name} by {differing[name]:.2g} of the largest"


# --- The verb -------------------------------------------------------------------------------------


def versions_of(options):
    """Name and flags. For few blocks there may be others, which a small grid chooses."""
    for target in options.targets:
        yield target, ["--target", target] + SUBJECTS + ["--low-occupancy", "off"]
    yield target + ",few", ["--target", target] + SUBJECTS + ["--low-occupancy", "on"]


class Row:
    """A kernel's verdicts, in the order of the versions; `-` where a target cannot run it. The
    folder with the inputs, commands and results stays if something is wrong."""

    def __init__(self, options, kernel):
        self.id = kernel.id
        folder = os.path.join(options.out, "check", re.sub(r"[/:]", ".", kernel.id))
        os.makedirs(folder, exist_ok=True)
        self.fill(options, kernel.small or kernel, folder)
        if all(verdict in SOUND for verdict in self.verdicts):
            shutil.rmtree(folder)

    def fill(self, options, kernel, folder):
        launch = Launch(kernel, options.folder, folder)
        outcome = lambda *what: Outcome(options, launch, *what, folder)
        target = "sm_80" if kernel.runs_on("sm_80") else "sm_89"
        plain = outcome("plain", ["--target", target] + PLAIN, optional_passes())
        others = [outcome(name, flags, []) if kernel.runs_on(flags[1]) else None
                  for name, flags in versions_of(options)]
        verdicts = [compare(launch, plain, o) if o else ("-", "") for o in others]
        self.cpu = sum(o.cpu for o in [plain] + others if o)
        self.verdicts = [verdict for verdict, text in verdicts]
        self.texts = list(dict.fromkeys(text for verdict, text in verdicts if text))

    def text(self):
        verdicts = " ".join(f"{v:<10}" for v in self.verdicts)
        return f"{self.id:<72} {verdicts} {self.cpu:>5.1f}  {'; '.join(self.texts)}".rstrip()


def check_all(options, in_parallel, kernels):
    def check_and_tell(kernel):
        row = Row(options, kernel)
        print(row.text(), flush=True)
        return row.verdicts
    names = " ".join(f"{name:<10}" for name, flags in versions_of(options))
    print(f"{'kernel':<72} {names} {'s':>5}  what")
    verdicts = in_parallel(check_and_tell, kernels, options.jobs)
    verdicts = [v for of_kernel in verdicts for v in of_kernel if v != "-"]
    print(f"# {len(kernels)} kernels, {len(verdicts)} versions: "
          + ", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts))))
    return any(v not in SOUND for v in verdicts)
