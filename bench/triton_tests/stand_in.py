# SPDX-License-Identifier: MIT
"""The toolkit in the place of Triton's compiler and driver: triton.compile, which @triton.jit and
warmup end in, compiles with the toolkit, and a launch runs on the emulator over CPU tensors, or on
a GPU. Triton's own Python keeps what comes before: the binding of arguments, their specialisation,
options, autotuning, caches in memory."""
import collections
import contextlib
import ctypes
import hashlib
import os
import sys
import types
import weakref

import torch
import triton
import triton.compiler.compiler as triton_compiler
import triton.language as tl
from torch.overrides import TorchFunctionMode
from triton._C.libtriton import nvidia
from triton.backends.compiler import GPUTarget
from triton.compiler.errors import CompilationError, CompileTimeAssertionFailure
from triton.runtime.driver import driver

import library
import source

TARGETS = {80: "sm_80", 86: "sm_86", 89: "sm_89", 90: "sm_90a", 100: "sm_100a", 120: "sm_120a"}


class ReadsTritonsIR(Exception):
    """The test looks at an intermediate form that only Triton has."""


class Settings:
    """What the command line says, and what the running test has done so far (plugin.py reads and
    resets it)."""
    gpu = False
    races = False
    capability = (9, 0)
    tile = None
    refused = []       # messages of the toolkit
    read_code = False  # the test looked at PTX or LLVM IR
    launches = 0
    keep = None        # a folder for the texts that were compiled
    texts = []         # of the kernels that the test had compiled
    rewrite = None     # what is done to a kernel's text before (versions.py)
    memory = None      # a list that gets, after each launch, hashes of its arguments' memory


# --- Compiling
# ------------------------------------------------------------------------------------------------


def compilation_error(kind, text, note, message):
    source_text, line = text.place(note[1]) if text and note[1] else (None, 0)
    node = types.SimpleNamespace(lineno=line, col_offset=max(0, note[2] - 1)) if line > 0 else None
    error = kind(source_text, node, message)
    error.from_the_toolkit = True
    return error


def raise_error(refused, text):
    """Raises what Triton's tests expect for what the toolkit refused: an error at each call on the
    way, from the kernel's own on, and the words as the cause of the last."""
    told = [n for n in refused.notes if n[0] in ("error", "note")]
    told = told or [("error", 0, 0, str(refused))]
    errors = [n for n in told if n[0] == "error"]
    message = "\n".join(n[3] for n in told)
    Settings.refused.append(message)
    is_assertion = any("static_assert" in n[3] or "static assertion" in n[3] for n in errors)
    cause = ValueError(message)
    error = compilation_error(CompileTimeAssertionFailure if is_assertion else CompilationError,
                              text, errors[0], message)
    error.__cause__ = None if is_assertion else cause
    for note in told:
        if note[0] == "note" and "called from here" in note[3]:
            outer = compilation_error(CompilationError, text, note, message)
            outer.__cause__ = error
            error = outer
    raise error from error.__cause__


class Assembly(dict):
    """kernel.asm: each form is made when it is asked for."""

    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel

    def __missing__(self, form):
        if form in ("ttir", "ttgir", "source"):
            raise ReadsTritonsIR(f"the test reads {form}")
        Settings.read_code = True
        if form == "llir":
            self[form] = self.kernel.code(library.OUTPUT_LLVMIR).decode()
        elif form == "ptx":
            self[form] = self.kernel.code(library.OUTPUT_PTX).decode()
        elif form == "cubin":
            self[form] = self.kernel.code(library.OUTPUT_CUBIN)
        elif form == "sass":
            from triton.tools.disasm import get_sass
            self[form] = get_sass(self["cubin"])
        else:
            raise KeyError(form)
        return self[form]

    def __contains__(self, form):
        return form in ("llir", "ptx", "cubin", "sass", "ttir", "ttgir")


class Rewritten(str):
    """A text of versions.py, whose lines are not looked up."""

    def place(self, line):
        return None, line


class Kernel:
    """Stands for triton's CompiledKernel."""
    module = function = packed_metadata = None
    n_regs = n_spills = 0

    def __init__(self, src, target, options):
        self.src, self.given = src, options
        self.target = TARGETS.get(target.arch, f"sm_{target.arch}")
        self.signature = list(src.signature.values())
        self.file = os.path.basename(src.fn.fn.__code__.co_filename)
        self.asm, self.programs = Assembly(self), {}
        self.options = Settings.tile.options(target=self.target.encode(),
                                             num_warps=options.num_warps, line_tables=True,
                                             num_stages=max(1, min(16, options.num_stages)),
                                             no_fma=not options.enable_fp_fusion)
        self.build({})
        proxy = collections.namedtuple("SpecializationProxy", ["constants", "signature"])
        constants = {src.fn.arg_names[path[0]]: value
                     for path, value in src.constants.items() if len(path) == 1}
        self.name = src.fn.repr(proxy(constants, src.signature))
        self.metadata = types.SimpleNamespace(**options.__dict__, name=self.name, target=target,
                                              hash=self.hash)
        self.metadata_group = {}

    def build(self, padding):
        """Compiles for descriptors with these paddings, {path of a parameter: "nan"}."""
        tile, text = Settings.tile, None
        key = tuple(sorted(padding.items()))
        if key in self.programs:
            return self.programs[key]
        try:
            text, self.kernel, signature = source.make(self.src, padding)
            Settings.texts.append(str(text))
            if Settings.rewrite:
                text = Rewritten(Settings.rewrite(str(text)))
            if Settings.keep:
                Settings.keep.write(str(text), self.kernel, signature)
            known = repr((str(text), signature, self.given))
            self.hash = hashlib.sha256(known.encode()).hexdigest()
            self.mlir = tile.import_kernel(self.file, str(text), self.kernel, signature,
                                           self.target)
            for severity, _, _, message in tile.notes:
                if severity == "remark":
                    print(message)
            make = tile.compile_for_gpu if Settings.gpu else tile.compile_for_emulator
            program = make(self.file, self.mlir, self.options)
        except library.Refused as refused:
            raise_error(refused, text)
        except source.NoText as e:
            raise_error(library.Refused(f"bench/triton_tests has no text for {e}"), None)
        if not Settings.gpu:
            weakref.finalize(self, tile.destroy_program, program)
        self.programs[key] = program
        return program

    def __getattr__(self, name):
        if name == "shared":
            return 0
        raise AttributeError(name)

    def code(self, output):
        try:
            return Settings.tile.compile(self.file, self.mlir, self.options, output)
        except library.Refused as refused:
            raise_error(refused, None)

    def launch_metadata(self, grid, stream, *arguments):
        if triton.knobs.runtime.launch_enter_hook is None:
            return None
        data = triton_compiler.LazyDict({"name": self.name, "function": self.function,
                                         "stream": stream})
        if self.src.fn.launch_metadata is not None:
            named = dict(zip(self.src.fn.arg_names, arguments))
            data.add(self.src.fn.launch_metadata, (grid, self.metadata, named))
        return data

    def run(self, x, y, z, stream, function, packed, metadata, enter, leave, *arguments):
        if enter:
            enter(metadata)
        if x * y * z > 0:
            self.launch((x, y, z), arguments)
        if leave:
            leave(metadata)

    def launch(self, grid, arguments):
        kinds, values, memory = [], [], {}
        padding = {(i, ): a.padding
                   for i, a in enumerate(arguments) if getattr(a, "padding", "zero") == "nan"}
        program = self.build(padding)
        for kind, argument in zip(self.signature, arguments):
            flatten(kind, argument, kinds, values, memory)
        Settings.launches += 1
        if Settings.gpu:
            torch.cuda.synchronize()
            Settings.tile.launch(program, grid, kinds, values)
        else:
            own = separate(memory)
            add_known(memory)
            Settings.tile.emulate(program, self.kernel, grid, separate(memory), values,
                                  Settings.races)
            sys.stdout.flush()
            if Settings.memory is not None:
                Settings.memory.append(sorted(hashlib.sha256(ctypes.string_at(base, size)).digest()
                                              for base, size in own))

    def __getitem__(self, grid):
        grid = tuple(grid) + (1, ) * (3 - len(grid))
        return lambda *arguments, stream=None: self.launch(grid, arguments)


def compile(src, target=None, options=None, _env_vars=None):
    if not isinstance(src, triton_compiler.ASTSource):
        raise ReadsTritonsIR("triton.compile of a file in an intermediate form")
    if type(src) is not triton_compiler.ASTSource:
        raise ReadsTritonsIR("a kernel in Gluon")
    target = target or driver.active.get_current_target()
    if target.backend != "cuda":
        raise ReadsTritonsIR(f"a kernel for {target.backend}")
    backend = triton_compiler.make_backend(target)
    src.fn.cache_key  # Triton looks at globals here, and refuses functions that it cannot carry
    return Kernel(src, target, backend.parse_options(dict(options or {}, **src.parse_options())))


def make_ir(self, target, options, codegen_fns, module_map, context):
    """What test_frontend looks at: compiled all the same, for the errors that it expects."""
    Kernel(self, target, options)
    raise ReadsTritonsIR("the test reads ttir")


# --- Arguments
# ------------------------------------------------------------------------------------------------


def flatten(kind, argument, kinds, values, memory):
    """Appends what remains of an argument at run time: kinds, eight bytes each, and memory as
    {base: bytes}."""
    if kind == "constexpr":
        return
    if isinstance(kind, (tuple, list)):
        for k, a in zip(kind, argument):
            flatten(k, a, kinds, values, memory)
    elif kind.startswith("tensordesc"):
        flatten_descriptor(kind, argument, kinds, values, memory)
    elif kind.startswith("*"):
        kinds.append("pointer")
        values.append(pointer_of(argument, memory).to_bytes(8, "little"))
    else:
        if isinstance(argument, tl.constexpr):
            argument = argument.value
        kind = {"u1": "i1"}.get(kind, kind)
        kind = "i" + kind[1:] if kind[0] == "u" else kind
        kinds.append(kind)
        values.append(library.scalar_bytes(kind, argument))


def pointer_of(argument, memory):
    if argument is None or isinstance(argument, int):
        return argument or 0
    tensor = getattr(argument, "base", argument)
    if isinstance(tensor, torch.Tensor) and not Settings.gpu:
        add_storage(tensor, memory)
    return argument.data_ptr()


def flatten_descriptor(kind, descriptor, kinds, values, memory):
    """A descriptor as its address, its sizes, and its strides but for the last, which is 1."""
    kinds.append("pointer")
    values.append(pointer_of(descriptor.base, memory).to_bytes(8, "little"))
    for integer, numbers in (("i32", descriptor.shape), ("i64", descriptor.strides[:-1])):
        for number in numbers:
            kinds.append(integer)
            values.append(library.scalar_bytes(integer, number))


def add_storage(tensor, memory):
    storage = tensor.untyped_storage()
    if storage.nbytes():
        memory[storage.data_ptr()] = max(storage.nbytes(), memory.get(storage.data_ptr(), 0))


known_tensors = {}
real_data_ptr = torch.Tensor.data_ptr


def data_ptr(tensor):
    """Tensors whose address was asked for may be reached from memory: kernels are let into them,
    too."""
    known_tensors[id(tensor)] = weakref.ref(tensor)
    return real_data_ptr(tensor)


def add_known(memory):
    for key, reference in list(known_tensors.items()):
        tensor = reference()
        if tensor is None:
            del known_tensors[key]
        elif tensor.device.type == "cpu":
            add_storage(tensor, memory)


def separate(memory):
    """Sorted, and without overlap."""
    out = []
    for base, size in sorted(memory.items()):
        if out and base < out[-1][0] + out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], base + size - out[-1][0]))
        else:
            out.append((base, size))
    return out


# --- Triton's driver, PyTorch's device
# ------------------------------------------------------------------------


class Utils:
    @staticmethod
    def get_device_properties(_):
        return {"max_shared_mem": 232448, "multiprocessor_count": 132, "max_num_regs": 65536,
                "warpSize": 32, "sm_clock_rate": 1980000, "mem_clock_rate": 2619000,
                "mem_bus_width": 6144}

    @staticmethod
    def unload_module(_):
        pass


class Driver:
    """Triton's driver for a device that is not there."""
    utils = Utils

    def get_current_target(self):
        return GPUTarget("cuda", Settings.capability[0] * 10 + Settings.capability[1], 32)

    def get_current_device(self):
        return "cpu"  # as torch.cpu.current_device()

    def set_current_device(self, _):
        pass

    def get_current_stream(self, _=0):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_device_interface(self):
        return torch.cuda

    def get_empty_cache_for_benchmark(self):
        return torch.empty(16, dtype=torch.int32)

    def clear_cache(self, cache):
        cache.zero_()

    def get_device_capability(self, _=0):
        return Settings.capability

    def get_benchmarker(self):
        def once(call, *_, quantiles=None, **__):
            call()
            return [1.0] * len(quantiles) if quantiles else 1.0
        return once


def without_gpu(device):
    name = device if isinstance(device, str) else getattr(device, "type", None)
    return "cpu" if isinstance(name, str) and name.split(":")[0] == "cuda" else device


class OnCPU(TorchFunctionMode):
    """Tests that write device="cuda" get CPU tensors."""

    def __torch_function__(self, function, kinds, arguments=(), keywords=None):
        keywords = dict(keywords or {})
        if "device" in keywords:
            keywords["device"] = without_gpu(keywords["device"])
        name = getattr(function, "__name__", "")
        if name == "cuda":
            return arguments[0]
        if name == "to":
            arguments = tuple(without_gpu(a) if isinstance(a, (str, torch.device)) else a
                              for a in arguments)
        return function(*arguments, **keywords)


class Event:
    def __init__(self, **_):
        pass

    def record(self, *_):
        pass

    synchronize = wait = record

    def elapsed_time(self, _):
        return 1.0


class CublasLt:
    """cuBLAS wants a GPU, and ends the process for what it is given here."""

    def __init__(self, _):
        pass

    def matmul(self, a, b, result):
        result.copy_((a.float() @ b.float().T).to(result.dtype))


def replace_torch_cuda():
    properties = types.SimpleNamespace(total_memory=80 << 30, multi_processor_count=132,
                                       name="emulator", major=9, minor=0,
                                       shared_memory_per_block_optin=232448, gcnArchName="")
    stream = types.SimpleNamespace(cuda_stream=0, synchronize=lambda: None,
                                   wait_stream=lambda _: None)
    given = {"is_available": lambda: True, "synchronize": lambda *_: None,
             "current_device": lambda: 0, "device_count": lambda: 1,
             "get_device_capability": lambda *_: Settings.capability,
             "get_device_properties": lambda *_: properties,
             "get_device_name": lambda *_: "emulator", "current_stream": lambda *_: stream,
             "empty_cache": lambda: None, "Event": Event, "set_device": lambda *_: None,
             "device": lambda *_: contextlib.nullcontext(),
             "stream": lambda *_: contextlib.nullcontext(), "Stream": lambda *_, **__: stream,
             "manual_seed": lambda *_: None, "manual_seed_all": lambda *_: None}
    for name, value in given.items():
        setattr(torch.cuda, name, value)
    nvidia.cublas.CublasLt = CublasLt


def install(path, gpu=False, races=False):
    Settings.tile = library.Library(path)
    Settings.gpu, Settings.races = gpu, races
    if gpu:
        Settings.capability = torch.cuda.get_device_capability()
    else:
        replace_torch_cuda()
        driver.set_active(Driver())
        driver._default = driver.active
        torch.Tensor.data_ptr = data_ptr
        OnCPU().__enter__()
    os.environ["TILE_TRITON_TESTS"] = path  # for sitecustomize.py in processes that tests start
    triton_compiler.compile = triton.compile = triton.compiler.compile = compile
    triton_compiler.ASTSource.make_ir = make_ir
