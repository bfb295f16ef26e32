# SPDX-License-Identifier: MIT
"""The verb `run` of bench/corpus.sh: bench/peers/corpus.py prepares, bench/beside measures, and
what they leave becomes one table."""
import math
import os
import signal
import subprocess
import sys

import table

PEER = os.path.join(table.HERE, "..", "peers", "corpus.py")


class Row:
    """A kernel's line of rows.csv, and the CPU time of both compilers in milliseconds."""

    def __init__(self, line, ours_compile, triton_compile):
        words = line.rstrip("\n").split(",")
        self.id = words[0]
        self.reason = ",".join(words[3:]) if words[2] == "failed" else None
        self.ours = self.triton = None
        if self.reason is None:
            peers = {name.partition(":")[0]: float(ms)
                     for name, ms in zip(words[5::3], words[6::3])}
            self.ours, self.triton = float(words[3]), peers.get("triton")
        self.compile = (ours_compile.get(self.id), triton_compile.get(self.id))

    @property
    def ratio(self):
        return self.triton / self.ours if self.ours and self.triton else None

    def text(self):
        def number(value, form):
            return "-" if value is None else format(value, form)
        micro = [None if ms is None else 1000 * ms for ms in (self.ours, self.triton)]
        return (f"{number(self.ratio, '.3f'):>11} {number(micro[0], '.1f'):>10} "
                f"{number(micro[1], '.1f'):>10} {number(self.compile[0], '.0f'):>8} "
                f"{number(self.compile[1], '.0f'):>8}  {self.id}")


# --- Steps ----------------------------------------------------------------------------------------


def prepare(options):
    command = [sys.executable, PEER, options.folder, options.out, "--target", options.targets[-1],
               "--alone", str(int(options.alone)), "--jobs", str(options.jobs)]
    for only in options.only or []:
        command += ["--only", only]
    subprocess.run(command, check=True)


def ids_in(path):
    """The cases of a manifest, in order."""
    with open(path, encoding="utf-8") as file:
        return [line.split()[1] for line in file if line.startswith("case ")]


def why_it_ended(process):
    if process.returncode == -signal.SIGALRM:
        return "too slow"
    if process.returncode < 0:
        return f"ended by signal {-process.returncode}"
    last = process.stderr.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
    return last[0].replace(",", ";")


def measure(options):
    """Beside ends where the device is of no use any more, or a case takes too long; another one
    goes on behind that case."""
    manifest = os.path.join(options.out, "manifest.txt")
    rows = os.path.join(options.out, "rows.csv")
    ids, done = ids_in(manifest), 0
    while done < len(ids):
        process = subprocess.run(
            [os.path.join(options.build, "bench", "beside"), manifest, "--device", options.device,
             "--keep-going", "1", "--from", str(done), "--seconds", str(options.seconds),
             "--rounds", str(options.rounds), "--repeat-ms", str(options.repeat_ms)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        sys.stderr.write(process.stderr)
        lines = process.stdout.splitlines()[1:]
        done += len(lines)
        # With exit code 3 the last row says what happened.
        if process.returncode not in (0, 3) and done < len(ids):
            lines.append(f"{ids[done]},,failed,{why_it_ended(process)}")
            done += 1
        elif not lines:
            sys.exit(f"corpus: {why_it_ended(process)}")
        with open(rows, "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)


def compile_times(compile_kernels, kernels):
    """To a cubin, which Triton makes, too."""
    results = compile_kernels(kernels)
    return {kernel.id: run.cpu * 1000 for kernel, run in zip(kernels, results) if not run.code}


# --- The table ------------------------------------------------------------------------------------


def read_times(path):
    with open(path, encoding="utf-8") as file:
        return {name: float(ms) for name, ms in (line.rsplit(",", 1) for line in file)}


def read_rows(options, ours_compile):
    triton_compile = {} if options.alone else read_times(os.path.join(options.out, "triton.csv"))
    with open(os.path.join(options.out, "rows.csv"), encoding="utf-8") as file:
        return [Row(line, ours_compile, triton_compile) for line in file]


def summarise(rows):
    ratios = sorted(row.ratio for row in rows if row.ratio)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"# {len(ratios)} kernels: geometric mean {mean:.3f} of Triton, median "
              f"{ratios[len(ratios) // 2]:.3f}; {sum(r < 0.95 for r in ratios)} below 0.95, "
              f"{sum(r < 0.8 for r in ratios)} below 0.80, {sum(r > 1.05 for r in ratios)} above "
              "1.05")
    both = [row.compile for row in rows if all(row.compile)]
    if both:
        print(f"# compilation: {sum(o > t for o, t in both)} of {len(both)} take longer than "
              f"Triton's; ours {max(o for o, t in both):.0f} ms at most, Triton's "
              f"{max(t for o, t in both):.0f} ms")
    print(f"# {sum(row.reason is None for row in rows)} measured, "
          f"{sum(row.reason is not None for row in rows)} failed")


def print_table(rows):
    """The slowest beside Triton first, and what failed at the end."""
    print(f"{'Triton/ours':>11} {'ours us':>10} {'Triton us':>10} {'compile':>8} {'Triton':>8}"
          "  kernel")
    good = [row for row in rows if row.reason is None]
    for row in sorted(good, key=lambda row: row.ratio or 0):
        print(row.text())
    for row in rows:
        if row.reason is not None:
            print(f"# {row.id}: {row.reason}")
    summarise(rows)


def run(options, compile_kernels, kernels):
    prepare(options)
    measured = set(ids_in(os.path.join(options.out, "manifest.txt")))
    times = compile_times(compile_kernels, [k for k in kernels if k.id in measured])
    measure(options)
    rows = read_rows(options, times)
    print_table(rows)
    return any(row.reason is not None for row in rows)
