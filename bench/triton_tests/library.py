# SPDX-License-Identifier: MIT
"""The toolkit's C library (include/tile/*.h) by ctypes: a compiler, the emulator, and a GPU through
the runtime."""
import contextlib
import ctypes
import struct
import sys
from ctypes import (POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint,
                    c_uint32, c_uint64, c_void_p)

CHOICE_DEFAULT, OUTPUT_LLVMIR, OUTPUT_PTX, OUTPUT_CUBIN = 0, 0, 1, 2
# tile_argument_kind by the short name of a type in a signature; pointers are 0.
ARGUMENT_KINDS = {"i1": 1, "i8": 2, "i16": 3, "i32": 4, "i64": 5, "fp16": 6, "bf16": 7, "fp32": 8,
                  "fp64": 9}


class CompileOptions(ctypes.Structure):
    _fields_ = [("target", c_char_p), ("num_warps", c_int), ("fewer_warps", c_int),
                ("num_stages", c_int), ("programs_per_block", c_int), ("low_occupancy", c_int),
                ("line_tables", c_bool), ("optimization_level", c_int), ("no_fma", c_bool),
                ("reserve", c_uint64 * 16)]


class Blob(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Diagnostic(ctypes.Structure):
    _fields_ = [("severity", c_char_p), ("file", c_char_p), ("message", c_char_p), ("line", c_uint),
                ("column", c_uint)]


class ImportOptions(ctypes.Structure):
    _fields_ = [("kernel", c_char_p), ("signature", c_char_p), ("constants", POINTER(c_char_p)),
                ("constant_count", c_size_t), ("config", c_char_p),
                ("argument_values", POINTER(c_char_p)), ("argument_value_count", c_size_t),
                ("target", c_char_p), ("reserve", c_uint64 * 16)]


class Buffer(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("base", c_void_p), ("bytes", c_size_t), ("read_only", c_bool)]


PRINT = ctypes.CFUNCTYPE(None, c_void_p, POINTER(ctypes.c_char), c_size_t)
HANDLER = ctypes.CFUNCTYPE(None, POINTER(Diagnostic), c_void_p)


class LaunchOptions(ctypes.Structure):
    _fields_ = [("grid", c_uint32 * 3), ("threads", c_uint32), ("shared_bytes", c_uint32),
                ("seed", c_uint64), ("check", c_bool), ("buffers", POINTER(Buffer)),
                ("buffer_count", c_size_t), ("arguments", POINTER(c_void_p)),
                ("argument_count", c_size_t), ("progress", c_void_p),
                ("progress_context", c_void_p), ("print", PRINT), ("print_context", c_void_p),
                ("reserve", c_uint64 * 16)]


class Argument(ctypes.Structure):
    _fields_ = [("kind", c_int), ("value", c_uint64)]


class Refused(Exception):
    """The toolkit said no: `notes` are the diagnostics as (severity, line, column, message)."""

    def __init__(self, message, notes=()):
        super().__init__(message)
        self.notes = list(notes)


class Hazard(RuntimeError):
    """The emulator ran the kernel and found fault with it."""


class Broken(RuntimeError):
    """A status that is neither of the two: an internal error of the toolkit."""


INVALID_ARGUMENT, NOT_FOUND, OUT_OF_MEMORY, UNSUPPORTED, HAZARD = 1, 2, 4, 5, 6


def scalar_bytes(kind, value):
    """A scalar argument as the eight bytes that hold it at their start."""
    if kind == "fp64":
        raw = struct.pack("<d", value)
    elif kind in ("fp32", "fp16"):
        import numpy
        with numpy.errstate(over="ignore"):
            raw = (numpy.float32 if kind == "fp32" else numpy.float16)(value).tobytes()
    elif kind == "bf16":
        import torch
        bits = torch.tensor(value, dtype=torch.bfloat16).view(torch.int16).item()
        raw = struct.pack("<H", bits & 0xFFFF)
    else:
        raw = struct.pack("<Q", int(value) & (1 << 64) - 1)
    return raw.ljust(8, b"\0")


class Library:
    """One compiler; used by one thread."""

    def __init__(self, path):
        # Deep binding: PyTorch and Triton bring LLVMs of their own into the process.
        import os
        deep = getattr(os, "RTLD_DEEPBIND", 0)
        self.dll = dll = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL | deep)
        for name, result in (("tile_status_message", c_char_p), ("tile_status_code", c_int),
                             ("tile_cuda_driver", c_void_p),
                             ("tile_emulator_report_hazard", c_void_p),
                             ("tile_emulator_report_count", c_size_t)):
            getattr(dll, name).restype = result
        dll.tile_status_free.restype = None
        dll.tile_emulator_report_free.restype = None
        dll.tile_emulator_program_destroy.restype = None
        dll.tile_module_unload.restype = None
        dll.tile_compile_options_default.restype = None
        self.statuses = ("tile_compiler_create", "tile_import_triton", "tile_compile",
                         "tile_compile_for_emulator", "tile_emulator_launch", "tile_device_open",
                         "tile_compile_for_device", "tile_module_kernel", "tile_launch",
                         "tile_device_synchronize")
        for name in self.statuses:
            getattr(dll, name).restype = c_void_p
        self.notes = []
        self.compiler = c_void_p()
        self.check(dll.tile_compiler_create(byref(self.compiler)))
        self.handler = HANDLER(self.on_diagnostic)
        dll.tile_compiler_on_diagnostic.restype = None
        dll.tile_compiler_on_diagnostic(self.compiler, self.handler, None)
        self.printer = PRINT(lambda _, text, length: sys.stdout.write(
            ctypes.string_at(text, length).decode("utf-8", "replace")))
        self.device = None
        self.libc = ctypes.CDLL(None)
        self.libc.free.argtypes = [c_void_p]

    def on_diagnostic(self, note, _):
        n = note.contents
        self.notes.append((n.severity.decode(), n.line, n.column,
                           n.message.decode("utf-8", "replace")))

    def check(self, status):
        if not status:
            return
        status = c_void_p(status)
        code = self.dll.tile_status_code(status)
        message = self.dll.tile_status_message(status).decode("utf-8", "replace")
        self.dll.tile_status_free(status)
        if code == HAZARD:
            raise Hazard(message)
        if code in (INVALID_ARGUMENT, NOT_FOUND, UNSUPPORTED):
            raise Refused(message, self.notes)
        raise Broken(f"status {code}: {message}")

    @contextlib.contextmanager
    def fresh_notes(self):
        self.notes = []
        yield
        self.notes = list(self.notes)

    def options(self, **given):
        options = CompileOptions(target=b"sm_90a", optimization_level=1)
        for name, value in given.items():
            setattr(options, name, value)
        return options

    def take(self, blob):
        data = ctypes.string_at(blob.data, blob.size)
        self.libc.free(blob.data)
        return data

    def import_kernel(self, name, text, kernel, signature, target):
        """The module as MLIR's text; self.notes are the remarks of the front end."""
        options = ImportOptions(kernel=kernel.encode(), signature=signature.encode(),
                                target=target.encode())
        data, blob = text.encode(), Blob()
        with self.fresh_notes():
            self.check(self.dll.tile_import_triton(self.compiler, name.encode(), data,
                                                   c_size_t(len(data)), byref(options),
                                                   byref(blob)))
        return self.take(blob)

    def compile(self, name, mlir, options, output):
        blob = Blob()
        with self.fresh_notes():
            self.check(self.dll.tile_compile(self.compiler, name.encode(), mlir,
                                             c_size_t(len(mlir)), byref(options), c_int(output),
                                             byref(blob)))
        return self.take(blob)

    def compile_for_emulator(self, name, mlir, options):
        program = c_void_p()
        with self.fresh_notes():
            self.check(self.dll.tile_compile_for_emulator(self.compiler, name.encode(), mlir,
                                                          c_size_t(len(mlir)), byref(options),
                                                          byref(program)))
        return program

    def emulate(self, program, kernel, grid, buffers, arguments, races):
        """buffers: (base, bytes) that do not overlap; arguments: eight bytes each."""
        values = [ctypes.create_string_buffer(a, 8) for a in arguments]
        pointers = (c_void_p * max(1, len(values)))(*[ctypes.addressof(v) for v in values])
        table = (Buffer * max(1, len(buffers)))(*[Buffer(None, base, size, False)
                                                  for base, size in buffers])
        options = LaunchOptions(grid=(c_uint32 * 3)(*grid), check=races, buffers=table,
                                buffer_count=len(buffers), arguments=pointers,
                                argument_count=len(values), print=self.printer)
        self.check(self.dll.tile_emulator_launch(program, kernel.encode(), byref(options), None))

    def destroy_program(self, program):
        self.dll.tile_emulator_program_destroy(program)

    # --- A GPU
    # ---------------------------------------------------------------------------------------------

    def open_gpu(self):
        if not self.device:
            device = c_void_p()
            self.check(self.dll.tile_device_open(c_void_p(self.dll.tile_cuda_driver()), 0,
                                                 byref(device)))
            self.device = device
        return self.device

    def compile_for_gpu(self, name, mlir, options):
        module, kernel = c_void_p(), c_void_p()
        with self.fresh_notes():
            self.check(self.dll.tile_compile_for_device(self.compiler, name.encode(), mlir,
                                                        c_size_t(len(mlir)), byref(options),
                                                        self.open_gpu(), byref(module)))
        self.check(self.dll.tile_module_kernel(module, None, byref(kernel)))
        return kernel

    def launch(self, kernel, grid, kinds, arguments):
        table = (Argument * max(1, len(arguments)))(
            *[Argument(ARGUMENT_KINDS.get(k, 0), int.from_bytes(a, "little"))
              for k, a in zip(kinds, arguments)])
        self.check(self.dll.tile_launch(kernel, (c_uint32 * 3)(*grid), None, table,
                                        c_size_t(len(arguments))))
        self.check(self.dll.tile_device_synchronize(self.open_gpu()))
