"""Shared memory of the kernels in test/frontend/kernels, one import of each, against what is in use at one time.

    shared_bound.py FOLDER KERNELS

The flags of the imports are those of the tests' RUN lines."""
import os
import re
import shlex
import subprocess
import sys

folder, kernels = sys.argv[1:]
seen, count = set(), 0
for name in sorted(os.listdir(folder)):
    if not name.endswith(".test"):
        continue
    for line in open(os.path.join(folder, name)):
        match = re.match(r"# RUN: %import (.*?) \| FileCheck", line)
        kernel = match and re.search(r"--kernel (\w+)", match.group(1))
        if not match or (kernel and kernel.group(1)) in seen:
            continue
        seen.add(kernel and kernel.group(1))
        flags = shlex.split(match.group(1).replace("%source/test/kernels", kernels))
        module = subprocess.run(["tile-translate", "--import-triton", *flags], check=True, capture_output=True)
        lowered = subprocess.run(
            ["tile-opt", "--tile-to-tile-gpu", "--tile-gpu-optimize-dot-operands",
             "--tile-gpu-allocate-shared=report=true", "--verify-only", "-"],
            input=module.stdout, capture_output=True)
        for found in re.finditer(r"(\S+) remark: shared memory: (\d+) bytes, (\d+) in use at one time, (-?\d+) % more",
                                 lowered.stderr.decode()):
            place, total, most, more = found.groups()
            print(name, kernel and kernel.group(1), total, "bytes,", most, "in use at one time,", more, "% more")
            count += 1
            if int(more) > 10:
                sys.exit("more than a tenth above what is in use at one time")
        if lowered.returncode and b"no lowering" not in lowered.stderr:
            sys.exit(lowered.stderr.decode())
print(count, "kernels")
