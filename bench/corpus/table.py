# SPDX-License-Identifier: MIT
"""The table of the corpus: kernels/*.toml, one file a package; docs/benchmarking.md says what
stands in them. Read with Python's own library alone.

A kernel's `arguments` are what its run-time parameters are given, in order, separated by commas:

  fp16[M*N]          a buffer of so many elements with random numbers in it; `:FILL` says with what
                     else, see FILLS; `out` and `inout` are results, which are compared
  M, 4*K             an integer; i64:M one of 64 bits, fp32:0.5 a number, i1:1 a truth value
  plain(M)           an integer that the kernel asks not to be specialised
  strides(A, B, C)   those of a tensor of that shape, B * C, C, 1; strides(A, B, C)[0, 2] some
  None               no pointer

and `constants` the compile-time ones by name. Numbers are expressions of `sizes` and constants."""
import ast
import dataclasses
import math
import os
import re
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
BITS = {"fp8e4nv": 8, "fp8e5": 8, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64, "i1": 8, "i8": 8,
        "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
FILLS = {"out": "a result; nothing is in it",
         "zeroed": "a result; zeros are in it",
         "inout": "a result; random numbers are in it",
         "scratch": "zeros; not compared",
         "zeros": "", "ones": "",
         "positive": "random numbers from 0.01 to 1",
         "negative": "random numbers from -1 to -0.01",
         "scaled(X)": "random numbers from -X to X",
         "arange": "0, 1, 2, ...",
         "levels": "from -1 to 1 in even steps",
         "below(N)": "random integers from 0 to N - 1",
         "sorted(N)": "random integers from 0 to N - 1 in order",
         "steps(N)": "0, N, 2 N, ...",
         "repeat(N)": "N times 0, N times 1, ...",
         "permuted": "0, 1, 2, ... in random order",
         "value(X)": "X everywhere",
         "bytes": "random bits"}
RESULTS = ("out", "zeroed", "inout")


def cdiv(a, b):
    return -(-a // b)


def next_power_of_2(n):
    return 1 << (n - 1).bit_length()


FUNCTIONS = {"cdiv": cdiv, "next_power_of_2": next_power_of_2, "min": min, "max": max,
             "float": float}


class TableError(Exception):
    pass


def version_of(target):
    return int(re.search(r"\d+", target)[0])


@dataclasses.dataclass
class Buffer:
    type: str
    count: int
    fill: str
    operand: float = 0

    @property
    def is_result(self):
        return self.fill in RESULTS


@dataclasses.dataclass
class Scalar:
    type: str
    value: object
    plain: bool = False


@dataclasses.dataclass
class Kernel:
    package: str
    folder: str
    file: str
    imports: list
    name: str
    variant: str
    arguments: list  # Buffer, Scalar or None
    constants: dict
    grid: tuple
    num_warps: int
    num_stages: int
    tolerance: float
    small: object = None  # the same kernel with less to do, for the emulator

    @property
    def id(self):
        return f"{self.package}/{self.name}" + (f":{self.variant}" if self.variant else "")

    def signature(self):
        return ", ".join(entry_of(a) for a in self.arguments)

    def runs_on(self, target):
        """fp8 as Hopper has it came with sm_89."""
        is_fp8 = any(isinstance(a, Buffer) and a.type.startswith("fp8") for a in self.arguments)
        return not is_fp8 or version_of(target) >= 89

    def flags(self, root):
        """What tile-translate takes, without the target; `root`: the folder of the files."""
        flags = ["--num-warps", str(self.num_warps), "--num-stages", str(self.num_stages),
                 "--kernel", self.name, "--signature", self.signature()]
        for name, value in self.constants.items():
            flags += ["--constexpr", f"{name}={value}"]
        for folder in self.import_folders(root):
            flags += ["-I", folder]
        return flags + [self.path(root)]

    def import_folders(self, root):
        return [os.path.normpath(os.path.join(root, self.folder, f)) for f in self.imports]

    def path(self, root):
        return os.path.join(root, self.folder, self.file)


@dataclasses.dataclass
class Drawn:
    """A kernel of sample.toml, which is compiled alone."""
    package: str
    folder: str
    file: str
    imports: list
    name: str
    signature: str
    constants: list  # NAME=VALUE
    config: int
    least: str
    refused: str  # why Triton refuses it, or None

    @property
    def id(self):
        return f"{self.package}/{self.name}"

    def runs_on(self, target):
        return version_of(target) >= version_of(self.least)

    def flags(self, root):
        folder = os.path.join(root, self.folder)
        flags = ["--kernel", self.name, "--signature", self.signature]
        for constant in self.constants:
            flags += ["--constexpr", constant]
        for imports in self.imports:
            flags += ["-I", os.path.normpath(os.path.join(folder, imports))]
        if self.config is not None:
            flags += ["--config", str(self.config)]
        return flags + [os.path.join(folder, self.file)]


@dataclasses.dataclass
class Package:
    name: str
    source: str
    version: str
    folder: str
    kernels: list


# --- Signatures -----------------------------------------------------------------------------------


def entry_of(argument):
    """What Triton learns at a call: 1 is folded, a multiple of 16 is known to be one."""
    if argument is None:
        return "None"
    if isinstance(argument, Buffer):
        return f"*{argument.type}:16"
    if argument.type not in ("i32", "i64") or argument.plain:
        return argument.type
    if argument.value == 1:
        return "1"
    return argument.type + (":16" if argument.value % 16 == 0 else "")


# --- Reading --------------------------------------------------------------------------------------


def split(text):
    """At commas that stand in no brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p.strip() for p in parts + [part] if p.strip()]


def evaluate(text, names):
    return eval(compile(ast.parse(str(text), mode="eval"), "table", "eval"),
                {"__builtins__": {}, **FUNCTIONS}, names)


def read_buffer(match, names):
    kind, count, fill = match.groups()
    fill, _, operand = (fill or "rand").partition("(")
    if fill not in ["rand"] + [f.partition("(")[0] for f in FILLS]:
        raise TableError(f"no contents '{fill}'")
    return Buffer(kind, evaluate(count, names), fill,
                  evaluate(operand[:-1], names) if operand else 0)


def read_argument(text, names):
    types = "|".join(BITS)
    buffer = re.fullmatch(rf"({types})\[(.*)\](?::(.+))?", text)
    if buffer:
        return read_buffer(buffer, names)
    if text == "None":
        return None
    plain = re.fullmatch(r"plain\((.*)\)", text)
    scalar = re.fullmatch(rf"({types}):(.*)", plain[1] if plain else text)
    value = evaluate(scalar[2] if scalar else plain[1] if plain else text, names)
    kind = scalar[1] if scalar else "i32" if -2**31 <= value < 2**31 else "i64"
    return Scalar(kind, value, bool(plain))


def read_constants(pairs, names):
    """What is a string or a name of the language stays text."""
    constants = {}
    for name, value in pairs.items():
        if value[0] in "'(" or value.startswith("tl."):
            constants[name] = value
        else:
            constants[name] = evaluate(value, names)
            names.setdefault(name, constants[name])
    return constants


def read_strides(match, names):
    shape = evaluate(f"[{match[1]}]", names)
    strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    order = evaluate(match[2], names) if match[2] else range(len(strides))
    return [read_argument(str(strides[i]), names) for i in order]


def read_arguments(text, names):
    arguments = []
    for part in split(text):
        strides = re.fullmatch(r"strides\((.*)\)(\[.*\])?", part)
        arguments += read_strides(strides, names) if strides else [read_argument(part, names)]
    return arguments


def read_pairs(text):
    return dict(re.split(r"\s*=\s*", part, maxsplit=1) for part in split(text))


def read_sizes(pairs):
    names = {}
    for name, value in pairs.items():
        names[name] = evaluate(value, names)
    return names


KEYS = {"file", "kernel", "variant", "sizes", "small", "arguments", "constants", "grid",
        "num_warps", "num_stages", "tolerance"}


def replaced(pairs, others):
    return {name: others.get(name, value) for name, value in pairs.items()}


def read_kernel(package, row, small=""):
    """`small`: other sizes, constants, and another grid."""
    if set(row) - KEYS:
        raise TableError(f"no key {sorted(set(row) - KEYS)[0]}")
    others = read_pairs(small)
    sizes, constants = read_pairs(row.get("sizes", "")), read_pairs(row.get("constants", ""))
    if unknown := set(others) - {*sizes, *constants, "grid"}:
        raise TableError(f"no size {sorted(unknown)[0]}")
    names = read_sizes(replaced(sizes, others))
    constants = read_constants(replaced(constants, others), names)
    grid = others["grid"].strip("()") if "grid" in others else str(row["grid"])
    return Kernel(
        package["name"], package.get("folder", package["name"]), row["file"],
        package.get("imports", ["."]), row["kernel"], row.get("variant", ""),
        read_arguments(row["arguments"], names), constants,
        tuple(int(evaluate(g, names)) for g in split(grid)),
        row.get("num_warps", 4), row.get("num_stages", 3), row.get("tolerance", 0),
        read_kernel(package, row, row["small"]) if "small" in row and not small else None)


def read_package(path):
    with open(path, "rb") as file:
        package = tomllib.load(file)
    kernels = []
    for row in package["kernels"]:
        try:
            kernels.append(read_kernel(package, row))
        except (TableError, KeyError, NameError, SyntaxError, TypeError, ValueError) as error:
            raise TableError(f"{path}: {row.get('kernel')}: {error!r}") from None
    return Package(package["name"], package["source"], str(package["version"]),
                   package.get("folder", package["name"]), kernels)


def read(folder=None):
    folder = folder or os.environ.get("TILE_CORPUS", KERNELS)
    packages = [read_package(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
                if name.endswith(".toml")]
    ids = [kernel.id for package in packages for kernel in package.kernels]
    for id in ids:
        if ids.count(id) > 1:
            raise TableError(f"{id} stands there twice: give one of them a variant")
    return packages


SAMPLE = os.path.join(HERE, "sample.toml")
SAMPLE_KEYS = {"package", "file", "kernel", "signature", "constants", "config", "imports", "least",
               "refused"}


def read_drawn(row, folders):
    if set(row) - SAMPLE_KEYS:
        raise TableError(f"no key {sorted(set(row) - SAMPLE_KEYS)[0]}")
    if row["package"] not in folders:
        raise TableError(f"no package {row['package']}")
    constants = split(row.get("constants", ""))
    names = [constant.partition("=")[0] for constant in constants]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"{name} has two values")
    return Drawn(row["package"], folders[row["package"]], row["file"], row.get("imports", ["."]),
                 row["kernel"], " ".join(row.get("signature", "").split()),
                 constants, row.get("config"), row.get("least", "sm_80"), row.get("refused"))


def read_sample(packages):
    """The kernels of sample.toml; `packages` says where their files lie."""
    path = os.environ.get("TILE_CORPUS_SAMPLE", SAMPLE)
    folders = {package.name: package.folder for package in packages}
    with open(path, "rb") as file:
        rows = tomllib.load(file).get("kernels", [])
    kernels = []
    for row in rows:
        try:
            kernels.append(read_drawn(row, folders))
        except (TableError, KeyError) as error:
            raise TableError(f"{path}: {row.get('kernel')}: {error!r}") from None
    return kernels
