# SPDX-License-Identifier: MIT
"""The kernels of manifests as an earlier build of the compiler makes them, and as today's does,
also without the passes of OFF: which code is the same, and a manifest for bench/beside with the
cases in which it is not.

Each `ours` line is compiled as it is for a device, or for its target, by both builds. A case has
three ways then: ours, the earlier build's image as the peer "before", and ours without the passes,
unless that is one of the two in all configurations. Peers that the manifests have are left out, and
so is a case whose configurations are the same code all three times. OUT/without.csv says of each
case what it is without the passes: ours, before, or own, a way of its own.

Needs neither a device nor anything but Python.

usage: before.py EARLIER_BUILD BUILD OUT MANIFEST ...

$OFF: the passes, with commas (default: see below). $JOBS: compilations at a time (the processors).
"""
import collections
import concurrent.futures
import filecmp
import os
import re
import shutil
import subprocess
import sys

# Of Hopper's copy engine and what came with it: tensor maps, without which there are no bulk
# copies, roles, loops over programs, shared tails, pairs and bulk stores; what orders programs and
# products; and sums that each warp adds up in memory by itself.
OFF = ("tile-version-descriptors,tile-order-programs,tile-gpu-overlap-products,"
       "tile-gpu-advance-products,tile-gpu-store-by-warps")


class Line:
    """An `ours` line. What it has compiled is known by `key`."""

    def __init__(self, text):
        self.text = text
        self.words = dict(word.split("=", 1) for word in text.split()[1:])
        kept = ("file", "kernel", "signature", "constexpr", "imports", "target", "warps",
                "warps_fixed", "stages")
        self.key = " ".join(f"{k}={self.words[k]}" for k in kept if k in self.words)

    def is_after(self):
        return self.words.get("after") == "1"

    def target(self):
        return self.words.get("target", "sm_90a")

    def flags(self, low_occupancy):
        """As tile_compile_for_device has them where no target is named."""
        w = self.words
        flags = ["--kernel", w["kernel"], "--signature", w["signature"], "--target", self.target(),
                 "--num-warps", w.get("warps", "4"), "--num-stages", w.get("stages", "3")]
        for constant in filter(None, w.get("constexpr", "").split(",")):
            flags += ["--constexpr", constant]
        for folder in filter(None, w.get("imports", "").split(",")):
            flags += ["-I", folder]
        if "target" not in w:
            fewer = "off" if w.get("warps_fixed") == "1" else "on"
            flags += ["--fewer-warps", fewer, low_occupancy, "on", "--programs-per-block", "fill"]
        return flags + [w["file"]]

    def peer(self, image):
        kept = [f"{k}={self.words[k]}" for k in ("label", "after", "grid", "args")
                if k in self.words]
        return " ".join(["peer name=before", f"image={image}", *kept])

    def without(self, passes):
        return self.text.replace("ours ", f"ours skip={passes} ", 1)


# --- Compilations
# -------------------------------------------------------------------------------------------


class Compiler:
    """A build's tile-translate. A flag had another name once."""

    def __init__(self, build):
        self.program = os.path.join(build, "bin", "tile-translate")
        known = subprocess.run([self.program, "--help"], capture_output=True, text=True, check=True)
        self.low_occupancy = ("--low-occupancy" if "--low-occupancy" in known.stdout
                              else "--small-grids")

    def translate(self, line, skip=""):
        """The image, or what is said against the kernel."""
        environment = dict(os.environ, TILE_SKIP_PASSES=skip)
        command = [self.program, "--tile-to-ptx", *line.flags(self.low_occupancy)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        return run.stdout if run.returncode == 0 else None, run.stderr.strip()


def code_of(image):
    """Without comments and the version of PTX, but with what a launch must know of it."""
    if image is None:
        return None
    lines = [line for line in image.splitlines() if not re.match(r"//|\.version ", line)]
    launch = re.findall(r"^// tile\.(?:version|condition|map) .*", image, re.MULTILINE)
    return "\n".join(lines), [re.sub(r" config=\S+", "", line) for line in launch]


def is_reordered(a, b):
    """The same instructions, in another order or on other registers, and launched the same way?"""
    def counted(code):
        words = (re.sub(r"^@\S+\s+", "", line.strip()).split(None, 1)
                 for line in code[0].splitlines() if line.startswith("\t"))
        return collections.Counter(w[0] for w in words if w)
    return a is not None and b is not None and a[1] == b[1] and counted(a) == counted(b)


class Ways:
    """One kernel in one configuration."""

    def __init__(self, line, earlier, build, off):
        self.line = line
        self.image, self.error = earlier.translate(line)
        self.before = code_of(self.image)
        self.now = code_of(build.translate(line)[0])
        self.off = code_of(build.translate(line, off)[0]) if off else self.now

    def verdict(self):
        if self.now is None or self.before is None:
            return "refused by both" if self.now is self.before else (
                "refused before" if self.before is None else "refused now")
        if self.now == self.before:
            return "same" if self.off == self.now else "same, and different without the passes"
        if self.off == self.before:
            return "same without the passes"
        reordered = any(is_reordered(code, self.before) for code in (self.now, self.off))
        return "different, the same instructions" if reordered else "different"


# --- Manifests
# ----------------------------------------------------------------------------------------------


def cases_of(paths):
    """Lists of lines, from `case` to `end`, without peers."""
    for path in paths:
        case = []
        with open(path) as manifest:
            for text in map(str.rstrip, manifest):
                if text.startswith("case "):
                    case = []
                if re.match(r"(#|peer |time |gemm |ours .*\b(skip|pairs)=)", text):
                    continue
                case.append(Line(text) if text.startswith("ours ") else text)
                if text == "end":
                    yield case


def take_contents(paths, folder):
    """The files that buffers are filled from lie beside their manifest; here, too, then."""
    taken = {}
    for path in paths:
        with open(path) as manifest:
            names = re.findall(r"^buffer .* file:(\S+)$", manifest.read(), re.MULTILINE)
        for name in names:
            there, here = (os.path.join(at, name) for at in (os.path.dirname(path), folder))
            if not os.path.exists(there):
                sys.exit(f"before.py: {there} is missing, which {path} fills a buffer from; "
                         "write that manifest again")
            first = taken.setdefault(name, there)
            if not filecmp.cmp(first, there, shallow=False):
                sys.exit(f"before.py: {first} and {there} have one name and two contents; "
                         "compare their manifests one by one")
            if os.path.realpath(there) != os.path.realpath(here):
                shutil.copyfile(there, here)


def groups_of(case):
    """The `ours` lines of each configuration: a launch and those after it."""
    groups = []
    for line in (line for line in case if isinstance(line, Line)):
        if line.is_after():
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


class Writer:
    def __init__(self, folder, ways, off):
        self.folder, self.ways, self.off, self.names = folder, ways, off, {}

    def image(self, line):
        """The file of what the earlier build made of it."""
        if line.key not in self.names:
            self.names[line.key] = f"{len(self.names) + 1}.ptx"
            with open(os.path.join(self.folder, self.names[line.key]), "w") as out:
                out.write(self.ways[line.key].image)
        return self.names[line.key]

    def without(self, ways):
        """What a case is without the passes, as OUT/without.csv has it."""
        if all(way.off == way.now for way in ways):
            return "ours"
        return "before" if all(way.off == way.before for way in ways) else "own"

    def lines(self, case):
        """Of a case, and what it is without the passes; None where all is the same."""
        ours, peers, used = [], [], []
        for lines in groups_of(case):
            ways = [self.ways[line.key] for line in lines]
            if any(way.now is None for way in ways):
                continue
            ours += lines
            used += ways
            if all(way.before is not None for way in ways):
                peers += lines
        if all(way.verdict() == "same" for way in used):
            return None
        without = self.without(used)
        return without, [
            *[text for text in case[:-1] if isinstance(text, str)],
            *[line.text for line in ours],
            *[line.without(self.off) for line in (ours if without == "own" else [])],
            *[line.peer(self.image(line)) for line in peers], "end"]


def main(earlier, build, folder, paths):
    off = os.environ.get("OFF", OFF)
    if len(off) > 127:
        sys.exit("before.py: bench/beside takes 127 letters of passes; name fewer in $OFF")
    os.makedirs(folder, exist_ok=True)
    take_contents(paths, folder)
    cases = list(cases_of(paths))
    lines = {line.key: line for case in cases for line in case if isinstance(line, Line)}
    jobs = int(os.environ.get("JOBS", os.cpu_count()))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        builds = Compiler(earlier), Compiler(build)
        made = pool.map(lambda line: Ways(line, *builds, off), lines.values())
        ways = dict(zip(lines, made))
    writer = Writer(folder, ways, off)
    written = [found for found in map(writer.lines, cases) if found]
    with open(os.path.join(folder, "manifest.txt"), "w") as manifest, \
            open(os.path.join(folder, "without.csv"), "w") as table:
        for without, texts in written:
            print(*texts, sep="\n", file=manifest)
            print(*texts[0].split()[1:3], without, sep=",", file=table)
    counts = collections.defaultdict(collections.Counter)
    for way in ways.values():
        counts[way.line.words["kernel"], way.line.target()][way.verdict()] += 1
    for (kernel, target), verdicts in counts.items():
        print(f"{kernel} {target}: " + ", ".join(f"{n} {v}" for v, n in verdicts.most_common()))
    for error in sorted({way.error.splitlines()[0] for way in ways.values()
                         if way.before is None and way.error}):
        print(f"refused before: {error}")
    print(f"{len(cases)} cases, of which {len(written)} are not the same code")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: before.py EARLIER_BUILD BUILD OUT MANIFEST ...")
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
