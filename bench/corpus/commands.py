# SPDX-License-Identifier: MIT
"""The verbs of bench/corpus.sh that need no GPU; see there."""
import argparse
import ast
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile

import check
import measure
import table
from process import ROOT, Run

TARGETS = ("sm_80", "sm_90a")
# What compilation for a device adds by itself, and so what `run` measures.
AS_LAUNCHED = ["--fewer-warps", "on", "--programs-per-block", "fill", "--low-occupancy", "on"]


def wanted(kernels, only):
    return [k for k in kernels if not only or any(re.search(o, k.id) for o in only)]


def kernels_of(packages, only):
    found = wanted([k for package in packages for k in package.kernels], only)
    if not found:
        sys.exit("corpus: no such kernel")
    return found


def jobs_of(options, packages):
    """Each kernel with each target that it can run on."""
    kernels = kernels_of(packages, options.only)
    return [(k, t) for k in kernels for t in options.targets if k.runs_on(t)]


def flags_of(options, kernel):
    return ([] if options.as_asked else AS_LAUNCHED) + kernel.flags(options.folder)


def find_ptxas():
    places = [os.environ.get("TILE_PTXAS"), shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]
    return next((p for p in places if p and os.access(p, os.X_OK)), None)


def in_parallel(work, items, jobs):
    """Results in the order of the items."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, items))


# --- compile --------------------------------------------------------------------------------------


class Compiled:
    def __init__(self, options, kernel, target):
        self.kernel, self.target = kernel, target
        self.registers = self.spilled = None
        with tempfile.TemporaryDirectory() as folder:
            ptx = os.path.join(folder, "kernel.ptx")
            run = Run([options.translate, "--tile-to-ptx", "--target", target, "-o", ptx]
                      + flags_of(options, kernel))
            self.milliseconds = 1000 * run.cpu
            self.error = run.error() if run.code else None
            if not run.code and options.ptxas:
                self.assemble(options.ptxas, ptx)

    def assemble(self, ptxas, ptx):
        run = Run([ptxas, "-v", f"-arch={self.target}", ptx, "-o", ptx + ".cubin"])
        if run.code:
            self.error = "ptxas: " + run.error()
            return
        numbers = lambda pattern: [int(n) for n in re.findall(pattern, run.errors)]
        self.registers = max(numbers(r"Used (\d+) registers"), default=0)
        self.spilled = max(numbers(r"(\d+) bytes spill stores"), default=0)

    def row(self):
        number = lambda n: "-" if n is None else n
        return (f"{self.kernel.id:<72} {self.target:<7} {number(self.registers):>9} "
                f"{number(self.spilled):>7} {self.milliseconds:>6.0f}  {self.error or ''}").rstrip()


HEADER = f"{'kernel':<72} {'target':<7} {'registers':>9} {'spilled':>7} {'ms':>6}  error"


def compile_all(options, packages):
    jobs = jobs_of(options, packages)
    results = in_parallel(lambda job: Compiled(options, *job), jobs, options.jobs)
    print(HEADER)
    for result in results:
        print(result.row())
    for target in options.targets:
        of_target = [r for r in results if r.target == target]
        good = [r for r in of_target if not r.error]
        times = sorted(r.milliseconds for r in good) or [0]
        spilling = [r for r in good if r.spilled]
        print(f"# {target}: {len(good)} of {len(of_target)} kernels of "
              f"{len({r.kernel.package for r in of_target})} packages compiled; CPU time: median "
              f"{times[len(times) // 2]:.0f} ms, most {times[-1]:.0f} ms; {len(spilling)} spill, "
              f"{sum(r.spilled for r in spilling)} bytes")
    return any(r.error for r in results)


# --- sample ---------------------------------------------------------------------------------------


def sample(options, packages):
    """Prints those that are not as the table says, and counts."""
    kernels = wanted(table.read_sample(packages), options.only)
    if not kernels:
        sys.exit("corpus: no such kernel")
    jobs = [(k, t) for k in kernels for t in options.targets]
    results = in_parallel(lambda job: Compiled(options, *job), jobs, options.jobs)

    def is_expected(result):
        """Refused here, where the table says so, and not by ptxas."""
        if result.kernel.refused or not result.kernel.runs_on(result.target):
            return bool(result.error) and not result.error.startswith("ptxas: ")
        return not result.error

    def count(results, noun):
        return f"{len(results)} {noun}" if results else ""
    surprises = [r for r in results if not is_expected(r)]
    if surprises:
        print(HEADER)
    for result in surprises:
        print(result.row() if result.error else result.row() + "  compiles now")
    for target in options.targets:
        of_target = [r for r in results if r.target == target]
        parts = (count([r for r in of_target if r.kernel.refused], "that Triton refuses"),
                 count([r for r in of_target if not r.kernel.runs_on(target)
                        and not r.kernel.refused], "with types that the target has not got"),
                 count([r for r in of_target if not is_expected(r)], "not as expected"))
        print(f"# {target}: {len([r for r in of_target if not r.error])} of {len(of_target)} "
              f"kernels of {len({r.kernel.package for r in of_target})} packages compiled"
              + "".join(f"; {part}" for part in parts if part))
    return bool(surprises)


# --- passes ---------------------------------------------------------------------------------------


def changes_of(options, kernel, target):
    """The passes in their order, and those that changed the kernel; None when it is refused."""
    run = Run([options.translate, "--tile-to-ptx", "--target", target, "-o", os.devnull,
               "--mlir-print-ir-after-all", "--mlir-print-ir-before-all"]
              + kernel.flags(options.folder))
    if run.code:
        return None
    order, changed, before = {}, set(), None
    for dump in run.errors.split("// -----// IR Dump ")[1:]:
        header, _, text = dump.partition("\n")
        when, name = header.split()[:2]
        order[name] = None
        if when == "Before":
            before = text.strip()
        elif text.strip() != before:
            changed.add(name)
    return list(order), changed


FEW = 8  # kernels that are named


class Own:
    """A line of bench/registers.txt: one of our kernels."""

    def __init__(self, line, number):
        self.words = shlex.split(line)
        name = self.words[self.words.index("--kernel") + 1] if "--kernel" in self.words else (
            os.path.basename(self.words[-1]))
        self.id = f"ours/{name}:{number}"

    def flags(self, folder):
        return self.words


def own_kernels():
    with open(os.path.join(ROOT, "bench", "registers.txt"), encoding="utf-8") as file:
        return [Own(line, i) for i, line in enumerate(file, 1) if line.strip()]


def named(ids, all_ids, every):
    """Few kernels by name; with `every` all of them, or all but those that are not in it."""
    rest = [i for i in all_ids if i not in set(ids)]
    if not ids or not (every or len(ids) <= FEW):
        return ""
    if every and len(rest) < len(ids):
        return "  all" + (f" but {', '.join(rest)}" if rest else "")
    return f"  {', '.join(ids)}"


def passes(options, packages):
    jobs = jobs_of(options, packages)
    public = len(jobs)
    if options.every:  # some of ours are for one target only
        jobs += [(k, t) for k in wanted(own_kernels(), options.only) for t in options.targets]
    results = in_parallel(lambda job: changes_of(options, *job), jobs, options.jobs)
    of = {t: [(k, r) for (k, job_target), r in zip(jobs, results) if job_target == t and r]
          for t in options.targets}
    order = list(dict.fromkeys(name for r in results if r for name in r[0]))
    print("kernels that each pass changes, of "
          + ", ".join(f"{len(of[t])} for {t}" for t in options.targets))
    print(f"{'pass':<40} " + " ".join(f"{t:>7}" for t in options.targets))
    for name in order:
        changed = {t: [k.id for k, r in of[t] if name in r[1]] for t in options.targets}
        counts = " ".join(f"{len(changed[t]):>7}" for t in options.targets)
        unique = lambda kernels: list(dict.fromkeys(k for t in options.targets for k in kernels[t]))
        everybody = unique({t: [k.id for k, r in of[t]] for t in options.targets})
        print(f"{name:<40} {counts}" + named(unique(changed), everybody, options.every))
    return not all(results[:public])


# --- lines ----------------------------------------------------------------------------------------


def lines(options, packages):
    for kernel in kernels_of(packages, options.only):
        print(shlex.join(flags_of(options, kernel)))


# --- copy -----------------------------------------------------------------------------------------


def places_of(node, file, folders):
    """Where the modules of an import statement may lie."""
    if isinstance(node, ast.Import):
        return [os.path.join(f, *a.name.split(".")) for a in node.names for f in folders]
    if node.level:
        above = [".."] * (node.level - 1)
        folders = [os.path.normpath(os.path.join(os.path.dirname(file), *above))]
    bases = [os.path.join(f, *(node.module or "").split(".")) for f in folders]
    return bases + [os.path.join(base, a.name) for base in bases for a in node.names]


def imported_by(file, folders):
    """What a file itself names: Triton looks at names that we do not need."""
    with open(file, encoding="utf-8") as text:
        nodes = [n for n in ast.walk(ast.parse(text.read()))
                 if isinstance(n, (ast.Import, ast.ImportFrom))]
    places = [place for node in nodes for place in places_of(node, file, folders)]
    files = [name for p in places for name in (p + ".py", os.path.join(p, "__init__.py"))]
    return {name for name in files if os.path.isfile(name)}


def files_of(options, kernel):
    """The kernel's file and those that importing it reads."""
    run = Run([options.translate, "--list-imports"] + kernel.flags(options.folder))
    files = {line for line in run.out.splitlines() if os.path.isfile(line)}
    path = kernel.path(options.folder)
    return files | {path} | imported_by(path, kernel.import_folders(options.folder))


def copy(options, packages):
    """What the kernels need, for a machine that has no network."""
    kernels = kernels_of(packages, options.only)
    files = set().union(*in_parallel(lambda k: files_of(options, k), kernels, options.jobs))
    for file in files:
        to = os.path.join(options.to, os.path.relpath(file, options.folder))
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(file, to)
    print(f"{len(files)} files")


# --- run ------------------------------------------------------------------------------------------


def run_all(options, packages):
    target = options.targets[-1]

    def to_cubin(kernel):
        return Run([options.translate, "--tile-to-cubin", "--target", target, "-o", os.devnull]
                   + kernel.flags(options.folder))
    kernels = [k for k in kernels_of(packages, options.only) if k.runs_on(target)]
    return measure.run(options, lambda ks: in_parallel(to_cubin, ks, options.jobs), kernels)


# --- check ----------------------------------------------------------------------------------------


def check_all(options, packages):
    return check.check_all(options, in_parallel, kernels_of(packages, options.only))


# --- fetch ----------------------------------------------------------------------------------------


def fetch_github(repository, commit, folder):
    """The Python files of a commit."""
    with tempfile.TemporaryDirectory() as clone:
        git = ["git", "-C", clone]
        subprocess.run(git + ["init", "-q"], check=True)
        subprocess.run(git + ["fetch", "-q", "--depth", "1", f"https://github.com/{repository}",
                              commit], check=True)
        archive = subprocess.Popen(git + ["archive", "FETCH_HEAD", "--", "*.py"],
                                   stdout=subprocess.PIPE)
        subprocess.run(["tar", "x", "-C", folder], stdin=archive.stdout, check=True)
        if archive.wait():
            raise subprocess.CalledProcessError(archive.returncode, "git archive")


def fetch_pypi(name, version, folder):
    with tempfile.TemporaryDirectory() as wheels:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps",
                        "--only-binary=:all:", "-d", wheels, f"{name}=={version}"], check=True)
        for wheel in os.listdir(wheels):
            with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
                archive.extractall(folder, [n for n in archive.namelist() if n.endswith(".py")])


def fetch_package(options, package):
    kind, _, name = package.source.partition(":")
    folder = os.path.join(options.folder, package.folder)
    if os.path.isdir(folder):
        return f"{package.name}: is there"
    os.makedirs(folder + ".part", exist_ok=True)
    {"github": fetch_github, "pypi": fetch_pypi}[kind](name, package.version, folder + ".part")
    os.rename(folder + ".part", folder)
    return f"{package.name}: {package.source} {package.version}"


def fetch(options, packages):
    """What is there stays: a folder that was filled in another way will do."""
    failed = False
    for package in packages:
        try:
            print(fetch_package(options, package), flush=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{package.name}: error: {error}", flush=True)
            failed = True
    return failed


# --- The command line -----------------------------------------------------------------------------


VERBS = {"fetch": fetch, "compile": compile_all, "sample": sample, "passes": passes,
         "lines": lines, "copy": copy, "run": run_all, "check": check_all}


def main():
    parser = argparse.ArgumentParser(prog="bench/corpus.sh")
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("folder", type=os.path.realpath)
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build", "release"),
                        type=os.path.realpath)
    parser.add_argument("--only", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--to", type=os.path.realpath)
    parser.add_argument("--out", type=os.path.realpath,
                        default=os.path.join(ROOT, "build", "bench-corpus"))
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--as-asked", action="store_true")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat-ms", type=float, default=25)
    options = parser.parse_args()
    options.targets = options.targets.split(",")
    options.translate = os.path.join(options.build, "bin", "tile-translate")
    options.ptxas = find_ptxas()
    try:
        failed = VERBS[options.verb](options, table.read())
    except table.TableError as error:
        sys.exit(f"corpus: error: {error}")
    sys.exit(1 if failed else 0)


main()
