# SPDX-License-Identifier: MIT
"""The part that runs inside of pytest: puts the toolkit in Triton's place and writes, for each
case, a line of JSON when it begins and one with its class when it is over. run.py reads them; the
classes are explained in README.md."""
import fcntl
import json
import os
import re
import traceback

import pytest

import library
import stand_in
import versions
from stand_in import ReadsTritonsIR, Settings

NUMBERS = re.compile(r"Mismatched|not close|Not equal to tolerance|Arrays are not")


class Lines:
    def __init__(self, path):
        self.file = open(path, "a", buffering=1)

    def write(self, **line):
        self.file.write(json.dumps(line) + "\n")


def pytest_addoption(parser):
    parser.addoption("--tile-library")
    parser.addoption("--tile-results")
    parser.addoption("--tile-queue", help="the node ids to run, from which processes take")
    parser.addoption("--tile-gpu", action="store_true")
    parser.addoption("--tile-races", action="store_true")
    parser.addoption("--tile-keep", help="a file that gets the texts that were compiled")


class Keep:
    def __init__(self, path):
        self.path = path

    def write(self, text, kernel, signature):
        with open(self.path, "a") as f:
            f.write(f"# --- {kernel}: {signature}\n{text}\n")


def pytest_configure(config):
    if config.getoption("--tile-library"):
        stand_in.install(config.getoption("--tile-library"), config.getoption("--tile-gpu"),
                         config.getoption("--tile-races"))
        if config.getoption("--tile-keep"):
            Settings.keep = Keep(config.getoption("--tile-keep"))
        config.tile_lines = Lines(config.getoption("--tile-results"))


class Queue:
    """Cases that several processes take one after another: a file of node ids, one a line, and
    beside it a file with the number of those that were taken."""

    def __init__(self, path):
        with open(path) as f:
            self.cases = f.read().splitlines()
        self.taken = os.open(path + ".taken", os.O_RDWR)

    def take(self):
        fcntl.lockf(self.taken, fcntl.LOCK_EX)
        number = int(os.pread(self.taken, 20, 0))
        os.pwrite(self.taken, b"%d" % (number + 1), 0)
        fcntl.lockf(self.taken, fcntl.LOCK_UN)
        return number

    def __iter__(self):
        while (number := self.take()) < len(self.cases):
            yield self.cases[number]


def pytest_runtestloop(session):
    """In the order of the queue; pytest's own loop where there is none."""
    path = session.config.getoption("--tile-queue")
    if not path or session.config.option.collectonly:
        return None
    items = {item.nodeid: item for item in session.items}
    for case in Queue(path):
        if case in items:
            items[case].ihook.pytest_runtest_protocol(item=items[case], nextitem=None)
    return True


def pytest_runtest_logstart(nodeid, location):
    Settings.refused, Settings.read_code, Settings.launches, Settings.texts = [], False, 0, []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    item.config.tile_lines.write(begin=item.nodeid)
    item.tile_written = False
    yield


def chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def failing_line(error):
    """The test's own line that failed: the innermost frame that lies in a file of tests."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/test" in f.filename]
    return frames[-1].line or "" if frames else ""


def classify(error):
    """(class, message) of a failed case."""
    text = f"{type(error).__name__}: {error}"
    line = failing_line(error)
    for e in chain(error):
        if isinstance(e, ReadsTritonsIR):
            return "ir", str(e)
    if isinstance(error, library.Hazard) or "Hazard" in text[:12]:
        return "hazard", str(error)
    if isinstance(error, library.Broken):
        return "crash", str(error)
    if getattr(error, "from_the_toolkit", False):
        return "refused", error.error_message or str(error)
    if isinstance(error, pytest.fail.Exception) and "DID NOT RAISE" in text:
        return "accepted", f"{text}: {line}"
    if isinstance(error, pytest.fail.Exception) and Settings.refused:
        return "refused", Settings.refused[-1]
    if isinstance(error, AssertionError) and (
            Settings.refused or "Regex pattern did not match" in text):
        return "words", f"{Settings.refused[-1] if Settings.refused else text} | {line}"
    if isinstance(error, AssertionError) and (
            "should not be allowed" in text or 'err_msg != ""' in line):
        return "accepted", line
    if isinstance(error, AssertionError) and ".repro.mlir" in text:
        return "ir", line
    if (isinstance(error, (AssertionError, IndexError)) and Settings.read_code
            and not NUMBERS.search(text)):
        return "words", f"generated code | {line}"
    if isinstance(error, AssertionError):
        return "wrong", f"{line} | {text[:600]}"
    return "script", f"{text[:600]} | {line}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if item.tile_written:
        return
    name = item.nodeid
    if call.excinfo is not None and not report.passed and not report.skipped:
        kind, message = classify(call.excinfo.value)
        differing = versions.differs(item) if kind == "wrong" and not Settings.gpu else []
        if differing:
            kind, message = "version", f"{', '.join(differing)} | {message}"
    elif report.skipped:
        kind = "skipped"
        message = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else "xfail"
    elif call.when == "call":
        kind, message = "passed", ""
    else:
        return
    item.tile_written = True
    item.config.tile_lines.write(case=name, kind=kind, message=message,
                                 seconds=round(call.duration, 3))
