# SPDX-License-Identifier: MIT
"""One run of a program."""
import os
import re
import subprocess
import tempfile
import time

import table

ROOT = os.path.normpath(os.path.join(table.HERE, "..", ".."))


class Run:
    """A program's exit code, output, and seconds of CPU time: those do not depend on what else runs
    on the machine. `environment`: what is added to ours."""

    def __init__(self, command, seconds=120, environment=None):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, stdout=out, stderr=errors, cwd=ROOT,
                                       stdin=subprocess.DEVNULL,
                                       env={**os.environ, **(environment or {})})
            self.code, self.cpu = self.wait(process, seconds)
            self.out, self.errors = self.text(out), self.text(errors)

    @staticmethod
    def wait(process, seconds):
        until = time.monotonic() + seconds
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage.ru_utime + usage.ru_stime
            if time.monotonic() > until:
                process.kill()
                until += seconds
            time.sleep(0.002)

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read().decode(errors="replace")

    def error(self):
        """The first error's text, or what else is known."""
        found = re.search(r"(\S*?:\d+:\d+): error: (.*)", self.errors)
        if found:
            return f"{os.path.basename(found[1])}: {found[2]}"
        if self.code in (-9, -15):
            return "too slow"
        last = self.errors.strip().splitlines()[-1:] or [f"exit code {self.code}"]
        return last[0]
