# SPDX-License-Identifier: MIT
"""Kernels of test/kernels compiled by Triton. One after the other that would take long, so
compile_all does it beforehand in as many processes as there are processors; what they leave in
Triton's cache on disk is found at once later."""
import concurrent.futures
import functools
import importlib.util
import multiprocessing
import os
import sys
import time

import torch
import triton

from cases import Buffer

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "kernels")
MAX_PROCESSES = 16


@functools.lru_cache(maxsize=None)
def load(file):
    spec = importlib.util.spec_from_file_location(file[:-3], os.path.join(KERNELS, file))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function_of(file, name):
    """The function below autotune, heuristics and the like."""
    kernel = getattr(load(file), name)
    while not isinstance(kernel, triton.runtime.JITFunction):
        kernel = kernel.fn
    return kernel


def compile_step(file, step, arch=None):
    """Needs no tensors: a type stands for one that is aligned, as all of PyTorch's are. With `arch`
    (80), what Triton makes with the instructions of an older architecture than the device's; its
    PTX may name the device as its target."""
    arguments = [a.dtype if isinstance(a, Buffer) else a for a in step.arguments]
    options = step.config.options()
    if arch:
        options["arch"] = f"sm{arch}"
    compiled = function_of(file, step.kernel).warmup(*arguments, grid=(1, 1, 1), **options)
    if arch and arch < 90 and "wgmma" in compiled.asm["ptx"]:
        sys.exit(f"triton_compile.py: triton {triton.__version__} does not compile for sm_{arch} "
                 "when asked to")
    return compiled


# --- In processes of their own
# ------------------------------------------------------------------------------


def in_processes(count):
    """Forks, which have PyTorch and Triton imported already. This process must not have touched the
    device, and so not have loaded a kernel's file, which may ask for its properties."""
    fork = multiprocessing.get_context("fork")
    return concurrent.futures.ProcessPoolExecutor(count, mp_context=fork)


def count_multiprocessors():
    driver = triton.runtime.driver.active
    return driver.utils.get_device_properties(driver.get_current_device())["multiprocessor_count"]


@functools.lru_cache(maxsize=None)
def multiprocessors():
    """Asked for before this process touches the device or afterwards, when a fork could not any
    more. With --alone there is no device: those of an H100 or H200."""
    if sys.argv[2:3] == ["--alone"]:
        return 132
    if torch.cuda.is_initialized():
        return torch.cuda.get_device_properties(0).multi_processor_count
    with in_processes(1) as pool:
        return pool.submit(count_multiprocessors).result()


def compile_job(job):
    file, step, arch = job
    try:
        compiled = compile_step(file, step, arch)
        if not arch:
            compiled._init_handles()  # makes the launcher, too
    except Exception:
        pass  # is met again, and said, where it is used


def run_job(index):
    compile_job(JOBS[index])


JOBS = []  # what the forks find


def jobs_of(cases):
    """Once each: cases differ in shapes that Triton does not tell apart."""
    jobs = {}
    for case in cases:
        for config in case.configs + case.usual:
            for step in case.steps(config):
                words = [a.dtype if isinstance(a, Buffer) else specialised(a)
                         for a in step.arguments]
                key = str((case.file, step.kernel, words, sorted(step.config.options().items()),
                           case.arch))
                jobs[key] = (case.file, step, case.arch)
    return list(jobs.values())


def specialised(value):
    """What Triton compiles differently: 1, and multiples of 16."""
    return (value == 1, value % 16 == 0) if type(value) is int else value


def compile_all(cases):
    JOBS[:] = jobs_of(cases)
    begin = time.time()
    count = min(MAX_PROCESSES, len(os.sched_getaffinity(0)), len(JOBS))
    try:
        with in_processes(count) as pool:
            for _ in pool.map(run_job, range(len(JOBS))):
                pass
    except concurrent.futures.process.BrokenProcessPool as error:
        print(f"triton_compile.py: note: {error}; what is left is compiled one after the other",
              file=sys.stderr)
    seconds = time.time() - begin
    print(f"triton: {len(JOBS)} kernels compiled in {seconds:.1f} s by {count} processes",
          file=sys.stderr)
