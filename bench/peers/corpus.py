# SPDX-License-Identifier: MIT
"""The kernels of bench/corpus in Triton: a manifest for bench/beside, with Triton's cubins and the
contents of index buffers beside it. Each is compiled from its package's file in a process of its
own, several at a time, with the very promises that ours has (the signature of the table); needs
Triton, and no GPU.

usage: corpus.py DIR OUT [--target sm_90a] [--alone 1] [--only REGEX] [--jobs N]

DIR has the packages' files. What fails, or takes longer than a minute, is a row of OUT/rows.csv, as
bench/beside writes it; OUT/triton.csv has the CPU time of each compilation in milliseconds. With
--alone 1 the manifest has ours alone, and Triton is not needed.
"""
import argparse
import ast
import json
import math
import multiprocessing
import os
import re
import resource
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "corpus"))
import contents  # noqa: E402
import table  # noqa: E402
import packages  # noqa: E402

SECONDS = 60


# --- Contents -------------------------------------------------------------------------------------


FILLS = {"rand": "rand", "inout": "rand", "out": "poison", "zeroed": "zero", "zeros": "zero",
         "scratch": "zero", "ones": "value:1"}


def fill_of(buffer, name, folder):
    """The word of bench/beside.c."""
    numbers = contents.indices(buffer, name)
    if numbers is not None:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(contents.encoded(buffer.type, numbers))
        return f"file:{name}"
    if buffer.fill in ("scaled", "value"):
        return f"{buffer.fill}:{buffer.operand!r}"
    return FILLS.get(buffer.fill, buffer.fill)


# --- Triton ---------------------------------------------------------------------------------------


def value_of(text):
    """Of a constant: the table's text is a string or a name of the language."""
    if not isinstance(text, str):
        return text
    import triton.language as tl
    return ast.literal_eval(text) if text[0] == "'" else eval(text, {"tl": tl})


def source_of(kernel, function):
    """What Triton compiles: types and promises of each parameter as the table has them."""
    from triton.compiler import ASTSource
    left, signature, constants, attributes = list(kernel.arguments), {}, {}, {}
    for i, parameter in enumerate(function.params):
        if parameter.name in kernel.constants:
            entry, constants[i,] = "constexpr", value_of(kernel.constants[parameter.name])
        elif not left:
            entry, constants[i,] = "constexpr", parameter.default
        else:
            entry = table.entry_of(left.pop(0))
            if entry in ("None", "1"):
                constants[i,] = None if entry == "None" else 1
                entry = "constexpr"
            if entry.endswith(":16"):
                attributes[i,] = [["tt.divisibility", 16]]
        signature[parameter.name] = entry.partition(":")[0]
    return ASTSource(function, signature, constants, attributes)


def cpu_seconds():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usages)


def parameters_of(ptx):
    """Of the kernel; the last two are pointers to scratch."""
    return ptx.partition(".entry")[2].partition(")")[0].count(".param")


def compile_by_triton(options, kernel, name):
    import triton
    from triton.backends.compiler import GPUTarget
    function = packages.load_kernel(kernel.path(options.folder), kernel.name,
                                    kernel.import_folders(options.folder),
                                    triton.runtime.JITFunction)
    target = GPUTarget("cuda", int(re.search(r"\d+", options.target)[0]), 32)
    begin = cpu_seconds()
    compiled = triton.compile(source_of(kernel, function), target=target,
                              options={"num_warps": kernel.num_warps,
                                       "num_stages": kernel.num_stages})
    milliseconds = 1000 * (cpu_seconds() - begin)
    with open(os.path.join(options.out, name + ".cubin"), "wb") as file:
        file.write(compiled.asm["cubin"])
    count = parameters_of(compiled.asm["ptx"])
    passed = sum(word_of(a, "buffer") is not None for a in kernel.arguments) + 2
    if count != passed:
        raise ValueError(f"the code takes {count} parameters, the table passes {passed}")
    metadata = compiled.metadata
    return {"ms": milliseconds, "symbol": metadata.name, "warps": metadata.num_warps,
            "shared": metadata.shared, "scratch": getattr(metadata, "global_scratch_size", 0)}


# --- A process for each kernel --------------------------------------------------------------------


def prepare(options, kernel, name):
    """Runs in a process of its own, which leaves what it found in a file; what packages print goes
    to another."""
    log = os.open(os.path.join(options.out, name + ".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    result = {}
    try:
        if not options.alone:
            result = compile_by_triton(options, kernel, name)
        buffers = [a for a in kernel.arguments if isinstance(a, table.Buffer)]
        result["fills"] = [fill_of(b, f"{name}.{i}", options.out) for i, b in enumerate(buffers)]
    except BaseException as error:
        lines = [line for line in str(error).splitlines() if line.strip()] or [""]
        result = {"error": f"triton: {type(error).__name__}: {lines[-1].strip()[:200]}"}
    with open(os.path.join(options.out, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(result, file)


def prepare_all(options, kernels):
    fork, waiting, running = multiprocessing.get_context("fork"), list(enumerate(kernels)), []
    while waiting or running:
        while waiting and len(running) < options.jobs:
            i, kernel = waiting.pop(0)
            if os.path.exists(result := os.path.join(options.out, f"{i}.json")):
                os.remove(result)
            process = fork.Process(target=prepare, args=(options, kernel, str(i)))
            process.start()
            running.append((process, time.monotonic() + SECONDS))
        for entry in list(running):
            process, until = entry
            if process.is_alive() and time.monotonic() > until:
                process.kill()
            if not process.is_alive():
                process.join()
                running.remove(entry)
        time.sleep(0.005)
    return [read_result(options, str(i)) for i in range(len(kernels))]


def read_result(options, name):
    try:
        with open(os.path.join(options.out, name + ".json"), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {"error": f"triton: no result within {SECONDS} s"}


# --- The manifest ---------------------------------------------------------------------------------


def word_of(argument, name):
    """As bench/beside.c passes it; None for what is folded. `name`: a buffer's."""
    if argument is None or table.entry_of(argument) == "1":
        return None
    if isinstance(argument, table.Buffer):
        return name
    if argument.type == "fp32":
        return f"f32:{float(argument.value)!r}"
    return f"{argument.type}:{int(argument.value)}"


def lines_of(options, kernel, name, result):
    buffers = [a for a in kernel.arguments if isinstance(a, table.Buffer)]
    names = iter([f"b{i}" for i in range(len(buffers))])
    words = [word_of(a, next(names) if isinstance(a, table.Buffer) else None)
             for a in kernel.arguments]
    words = ",".join(w for w in words if w)
    grid = ",".join(map(str, kernel.grid))
    tolerance = contents.tolerance_of(kernel)
    yield f"case {kernel.id} {'x'.join(map(str, kernel.grid))} tolerance={tolerance}"
    for i, (buffer, fill) in enumerate(zip(buffers, result["fills"])):
        kind = "u8" if buffer.type == "i1" else buffer.type
        yield f"buffer b{i} {kind} {buffer.count} {fill}"
    yield "output " + " ".join(f"b{i}" for i, b in enumerate(buffers) if b.is_result)
    constants = ",".join(f"{k}={v}" for k, v in kernel.constants.items())
    folders = ",".join(kernel.import_folders(options.folder))
    yield (f"ours file={kernel.path(options.folder)} kernel={kernel.name} imports={folders} "
           f"signature={','.join(map(table.entry_of, kernel.arguments))} constexpr={constants} "
           f"warps={kernel.num_warps} stages={kernel.num_stages} grid={grid} args={words}")
    if not options.alone:
        yield f"buffer scratch u8 {max(1 << 20, result['scratch'] * math.prod(kernel.grid))} zero"
        words += ("," if words else "") + "scratch,scratch"
        yield (f"peer name=triton cubin={name}.cubin kernel={result['symbol']} "
               f"warps={result['warps']} shared={result['shared']} grid={grid} args={words}")
    yield "end"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=os.path.realpath)
    parser.add_argument("out", type=os.path.realpath)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--alone", type=int, default=0)
    parser.add_argument("--only", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    if not options.alone:
        os.environ["TRITON_ALWAYS_COMPILE"] = "1"
        import triton  # the processes find it imported
        del triton
        try:
            import torch
            del torch
        except ImportError:
            pass
    kernels = [k for package in table.read() for k in package.kernels if k.runs_on(options.target)
               and (not options.only or any(re.search(o, k.id) for o in options.only))]
    begin = time.monotonic()
    results = prepare_all(options, kernels)
    with open(os.path.join(options.out, "manifest.txt"), "w", encoding="utf-8") as manifest, \
            open(os.path.join(options.out, "rows.csv"), "w", encoding="utf-8") as rows, \
            open(os.path.join(options.out, "triton.csv"), "w", encoding="utf-8") as times:
        for i, (kernel, result) in enumerate(zip(kernels, results)):
            if "error" in result:
                print(f"{kernel.id},,failed,{result['error'].replace(',', ';')}", file=rows)
                continue
            print(*lines_of(options, kernel, str(i), result), sep="\n", file=manifest)
            print(f"{kernel.id},{result.get('ms', 0):.1f}", file=times)
    print(f"corpus: {len(kernels)} kernels prepared in {time.monotonic() - begin:.1f} s",
          file=sys.stderr)


if __name__ == "__main__":
    main()
