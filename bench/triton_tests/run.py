#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Triton's own tests with this toolkit in Triton's place; README.md explains the arguments and the
classes.

    run.py --tests TRITON/python/test/unit --library build/release/lib/libtile.so [FILE ...]

Each worker is a process of pytest over its share of the cases. One that dies, or stays in a case
for longer than --timeout, is replaced by one that goes on after that case."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import report

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ["test_core", "test_standard", "test_random", "test_block_pointer",
         "test_tensor_descriptor", "test_conversions", "test_matmul", "test_mxfp", "test_tuple",
         "test_libdevice", "test_frontend", "test_compile_errors", "test_compile_only",
         "test_line_info", "test_annotations", "test_decorator", "test_subprocess",
         "test_pipeliner", "test_module", "test_reproducer", "test_warp_specialization"]


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tests", help="the folder python/test/unit of a checkout of Triton")
    p.add_argument("--library", help="libtile.so of a release build")
    p.add_argument("--results", default="triton-tests.jsonl",
                   help="where the cases' lines go (%(default)s)")
    p.add_argument("--resume", action="store_true",
                   help="keep the results that are there and run the other cases")
    p.add_argument("--again", metavar="CLASSES",
                   help="with --resume: also run those of these classes again (wrong,crash)")
    p.add_argument("--report", action="store_true",
                   help="run nothing, print the table of --results")
    p.add_argument("--filter", "-k", help="pytest's -k")
    p.add_argument("--sample", type=int, default=1, metavar="N",
                   help="every Nth case of each test function")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--timeout", type=float, default=60,
                   help="seconds a case may take (%(default)s)")
    p.add_argument("--gpu", action="store_true",
                   help="on the first CUDA device instead of the emulator")
    p.add_argument("--races", action="store_true", help="the emulator looks for races, too")
    p.add_argument("--messages", type=int, default=40,
                   help="how many messages the report lists (%(default)s)")
    p.add_argument("files", nargs="*", help="test files; by default those of the language")
    arguments = p.parse_args()
    if not arguments.report and not (arguments.tests and arguments.library):
        p.error("--tests and --library are needed")
    return arguments


def root(arguments):
    """python/test, where conftest.py lies; the cases' ids and the files are relative to it."""
    return os.path.dirname(os.path.abspath(arguments.tests))


def pytest_command(arguments, *more):
    command = [sys.executable, "-m", "pytest", "-p", "plugin", "-p", "no:cacheprovider", "-q",
               "-W", "ignore", "--tb=no", "--no-header", "--continue-on-collection-errors",
               "--device", "cuda" if arguments.gpu else "cpu", "--tile-library",
               os.path.abspath(arguments.library), "--rootdir", root(arguments), *more]
    return command + ["--tile-gpu"] * arguments.gpu + ["--tile-races"] * arguments.races


def environment(arguments):
    path = [HERE, os.environ.get("PYTHONPATH", "")]
    return dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in path if p), OMP_NUM_THREADS="1")


def files_of(arguments):
    unit = os.path.basename(os.path.abspath(arguments.tests))
    paths = [os.path.join(unit, f) for f in arguments.files
             or [os.path.join("language", f + ".py") for f in FILES]]
    return [p for p in paths if os.path.exists(os.path.join(root(arguments), p))]


def collect(arguments):
    """The ids of all cases, in order."""
    select = ["-k", arguments.filter] if arguments.filter else []
    with tempfile.TemporaryDirectory() as folder:
        command = pytest_command(arguments, "--collect-only", "--tile-results",
                                 os.path.join(folder, "none"), *select, *files_of(arguments))
        done = subprocess.run(command, cwd=root(arguments), env=environment(arguments),
                              capture_output=True, text=True)
    cases = [line for line in done.stdout.splitlines() if "::" in line
             and not line.startswith("ERROR")]
    for line in done.stdout.splitlines():
        if line.startswith("ERROR"):
            print(line, file=sys.stderr)
    if not cases:
        sys.exit(f"run.py: pytest found no case\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    seen = {}
    kept = []
    for case in cases:
        function = case.split("[")[0]
        seen[function] = seen.get(function, -1) + 1
        if seen[function] % arguments.sample == 0:
            kept.append(case)
    return kept


class Worker:
    """One process of pytest over `cases`; its lines are read as they come."""

    def __init__(self, arguments, folder, number, cases):
        self.arguments, self.cases, self.number = arguments, list(cases), number
        self.folder, self.tries, self.process = folder, 0, None
        self.start()

    def start(self):
        self.tries += 1
        stem = os.path.join(self.folder, f"{self.number}-{self.tries}")
        self.lines_path, self.read_to = stem + ".jsonl", 0
        self.running, self.since = None, time.time()
        with open(stem + ".cases", "w") as f:
            f.write("\n".join(self.cases))
        files = sorted({c.split("::")[0] for c in self.cases},
                       key=[c.split("::")[0] for c in self.cases].index)
        command = pytest_command(self.arguments, "--tile-results", self.lines_path, "--tile-cases",
                                 stem + ".cases", *files)
        self.output = open(stem + ".out", "w+")
        self.process = subprocess.Popen(command, cwd=root(self.arguments),
                                        env=environment(self.arguments), stdout=self.output,
                                        stderr=subprocess.STDOUT, start_new_session=True)

    def new_lines(self):
        if not os.path.exists(self.lines_path):
            return []
        with open(self.lines_path) as f:
            f.seek(self.read_to)
            text = f.read()
        text = text[:text.rfind("\n") + 1]
        self.read_to += len(text.encode())
        return [json.loads(line) for line in text.splitlines()]

    def read(self, emit):
        for line in self.new_lines():
            if "begin" in line:
                self.running, self.since = line["begin"], time.time()
            else:
                self.finish(line, emit)

    def finish(self, line, emit):
        if line["case"] in self.cases:
            self.cases.remove(line["case"])
            emit(line)
        self.running = None if self.running == line["case"] else self.running

    def tail(self):
        self.output.seek(0)
        return " ".join(self.output.read()[-600:].split())

    def poll(self, emit):
        """False when nothing is left to do."""
        ended = self.process.poll() is not None
        self.read(emit)
        if not ended and self.running and time.time() - self.since > self.arguments.timeout:
            self.process.kill()
            self.process.wait()
            self.read(emit)
            if self.running:
                self.finish({"case": self.running, "kind": "slow",
                             "message": f"more than {self.arguments.timeout} s",
                             "seconds": self.arguments.timeout}, emit)
        elif not ended:
            return True
        elif self.running and self.running in self.cases:
            self.finish(
                {"case": self.running, "kind": "crash", "seconds": 0,
                 "message": f"the process ended with {self.process.returncode}: {self.tail()}"},
                emit)
        elif self.cases:
            for case in list(self.cases):
                self.finish({"case": case, "kind": "script",
                             "message": f"pytest did not run it: {self.tail()}", "seconds": 0},
                            emit)
        if not self.cases:
            return False
        self.start()
        return True


def run(arguments):
    cases = collect(arguments)
    done = report.read(arguments.results) if arguments.resume else {}
    again = set((arguments.again or "").split(","))
    done = {name: line for name, line in done.items() if line["kind"] not in again}
    cases = [c for c in cases if c not in done]
    with open(arguments.results, "w") as out, tempfile.TemporaryDirectory() as folder:
        for line in done.values():
            out.write(json.dumps(line) + "\n")
        count = [0]

        def emit(line):
            out.write(json.dumps(line) + "\n")
            out.flush()
            count[0] += 1

        # Interleaved in runs of 16: neighbours are alike in cost, and share a test function's
        # set-up.
        shares = [[c for i, c in enumerate(cases) if i // 16 % arguments.jobs == j]
                  for j in range(arguments.jobs)]
        workers = [Worker(arguments, folder, j, share) for j, share in enumerate(shares) if share]
        shown = time.time()
        while workers:
            time.sleep(0.2)
            workers = [w for w in workers if w.poll(emit)]
            if time.time() - shown > 30:
                shown = time.time()
                print(f"{count[0]} of {len(cases)}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    given = parse()
    if not given.report:
        run(given)
    report.show(report.read(given.results), given.messages)
