#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Triton's own tests with this toolkit in Triton's place; README.md explains the arguments and the
classes.

    run.py --tests TRITON/python/test/unit --library build/release/lib/libtile.so [FILE ...]

Each worker is a process of pytest that takes one case after another from a queue that all of them
share. One that dies, or stays in a case for longer than --timeout, is replaced by one that goes on
with the next."""
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
    p.add_argument("--limit", type=float, default=float("inf"),
                   help="seconds after which the run ends, with the results that there are then")
    p.add_argument("--times", metavar="RESULTS",
                   help="an earlier run's results: what took longest there begins first (--results"
                   " as it was before)")
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


def by_time(cases, earlier):
    """The longest first, as they were in an earlier run. A case that it lacks counts for as long as
    the longest of its function."""
    longest = {}
    for name, line in earlier.items():
        function = name.split("[")[0]
        longest[function] = max(longest.get(function, 0), line["seconds"])

    def seconds(case):
        return earlier[case]["seconds"] if case in earlier else longest.get(case.split("[")[0], 0)

    return sorted(cases, key=seconds, reverse=True)


class Worker:
    """A process of pytest that takes its cases from the queue; its lines are read as they come."""

    def __init__(self, arguments, folder, number):
        self.arguments, self.folder, self.number = arguments, folder, number
        self.tries, self.process = 0, None
        self.start()

    def start(self):
        self.tries += 1
        stem = os.path.join(self.folder, f"{self.number}-{self.tries}")
        self.lines_path, self.read_to = stem + ".jsonl", 0
        self.running, self.since, self.count = None, time.time(), 0
        command = pytest_command(self.arguments, "--tile-results", self.lines_path, "--tile-queue",
                                 os.path.join(self.folder, "queue"), *files_of(self.arguments))
        self.output = open(stem + ".out", "w+")
        self.process = subprocess.Popen(command, cwd=root(self.arguments),
                                        env=environment(self.arguments), stdout=self.output,
                                        stderr=subprocess.STDOUT, start_new_session=True)

    def stop(self):
        self.process.kill()
        self.process.wait()

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
            self.count += 1
            if "begin" in line:
                self.running, self.since = line["begin"], time.time()
            else:
                self.finish(line, emit)

    def finish(self, line, emit):
        self.running = None if self.running == line["case"] else self.running
        emit(line)

    def tail(self):
        self.output.seek(0)
        return " ".join(self.output.read()[-600:].split())

    def end_slow(self, emit):
        self.stop()
        self.read(emit)
        if self.running:
            self.finish({"case": self.running, "kind": "slow",
                         "message": f"more than {self.arguments.timeout} s",
                         "seconds": self.arguments.timeout}, emit)

    def end_dead(self, emit):
        code = self.process.returncode
        self.finish({"case": self.running, "kind": "crash", "seconds": 0,
                     "message": f"the process ended with {code}: {self.tail()}"}, emit)

    def poll(self, emit):
        """False when nothing is left to do."""
        ended = self.process.poll() is not None
        self.read(emit)
        if not ended and self.running and time.time() - self.since > self.arguments.timeout:
            self.end_slow(emit)
        elif not ended:
            return True
        elif self.running:
            self.end_dead(emit)
        elif self.count == 0 or self.process.returncode in (0, 1):  # pytest came to its end
            return False
        self.start()
        return True


def write_queue(folder, cases):
    """What plugin.py's Queue reads: the cases, and how many of them were taken."""
    with open(os.path.join(folder, "queue"), "w") as f:
        f.write("\n".join(cases))
    with open(os.path.join(folder, "queue.taken"), "w") as f:
        f.write("0")


def work(arguments, cases, emit):
    """Runs the cases, in --jobs processes."""
    began = shown = time.time()
    left = dict.fromkeys(by_time(cases, arguments.earlier))

    def finish(line):
        if line["case"] in left:
            del left[line["case"]]
            emit(line)

    with tempfile.TemporaryDirectory() as folder:
        write_queue(folder, left)
        workers = [Worker(arguments, folder, j)
                   for j in range(min(arguments.jobs, len(cases)))]
        words = ""
        while workers and time.time() - began < arguments.limit:
            time.sleep(0.2)
            for worker in list(workers):
                if not worker.poll(finish):
                    words = worker.tail()
                    workers.remove(worker)
            if time.time() - shown > 30:
                shown = time.time()
                print(f"{len(cases) - len(left)} of {len(cases)}", file=sys.stderr, flush=True)
        for worker in workers:
            worker.stop()
            worker.read(finish)
            if worker.running:
                print(f"not over: {worker.running}", file=sys.stderr)
    if workers:
        print(f"{len(left)} cases are left (--resume)", file=sys.stderr, flush=True)
        return
    for case in list(left):
        finish({"case": case, "kind": "script", "message": f"pytest did not run it: {words}",
                "seconds": 0})


def run(arguments):
    cases = collect(arguments)
    done = report.read(arguments.results) if arguments.resume else {}
    again = set((arguments.again or "").split(","))
    done = {name: line for name, line in done.items() if line["kind"] not in again}
    arguments.earlier = report.read(arguments.times or arguments.results)
    with open(arguments.results, "w") as out:

        def emit(line):
            out.write(json.dumps(line) + "\n")
            out.flush()

        for line in done.values():
            emit(line)
        work(arguments, [c for c in cases if c not in done], emit)


if __name__ == "__main__":
    given = parse()
    if not given.report:
        run(given)
    report.show(report.read(given.results), given.messages)
