# SPDX-License-Identifier: MIT
"""What is in the buffers of the table, as numbers and as bits, with Python's own library alone."""
import array
import bisect
import random
import struct

import table

CODES = {"i1": "B", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I",
         "i64": "q", "u64": "Q", "fp32": "f", "fp64": "d"}
TOLERANCES = {"fp64": 1e-9, "fp32": 1e-3, "fp16": 4e-3, "bf16": 1.6e-2, "fp8e4nv": 0.08,
              "fp8e5": 0.15, "i8": 0.02, "u8": 0.02}  # of the largest; 0 for other integers


def tolerance_of(kernel):
    results = [a for a in kernel.arguments if isinstance(a, table.Buffer) and a.is_result]
    return kernel.tolerance or max((TOLERANCES.get(r.type, 0) for r in results), default=0)


# --- Numbers --------------------------------------------------------------------------------------


def indices(buffer, seed):
    """What a buffer's fill means as numbers; None for random ones and for constants."""
    count, n, draw = buffer.count, buffer.operand, random.Random(seed)
    if buffer.fill == "arange":
        return range(count)
    if buffer.fill == "levels":
        return (2 * i / (count - 1) - 1 for i in range(count))
    if buffer.fill == "below":
        return (int(draw.random() * n) for _ in range(count))
    if buffer.fill == "sorted":
        return sorted(int(draw.random() * n) for _ in range(count))
    if buffer.fill == "steps":
        return range(0, count * n, n)
    if buffer.fill == "repeat":
        return (i // n for i in range(count))
    if buffer.fill == "permuted":
        numbers = list(range(count))
        draw.shuffle(numbers)
        return numbers
    return None


def range_of(buffer):
    """From where to where random numbers lie, as bench/beside draws them."""
    is_float = buffer.type.startswith(("fp", "bf"))
    low, high = (-1.0, 1.0) if is_float else (0, 2 if buffer.type == "i1" else 100)
    return {"positive": (0.01 if is_float else 1, high),
            "negative": (low, -0.01 if is_float else 0),
            "scaled": (-buffer.operand, buffer.operand),
            "value": (buffer.operand, buffer.operand),
            "ones": (1, 1), "zeros": (0, 0), "zeroed": (0, 0), "scratch": (0, 0),
            }.get(buffer.fill, (low, high))


def drawn(buffer, seed):
    low, high = range_of(buffer)
    draw = random.Random(seed).random
    numbers = (low + (high - low) * draw() for _ in range(buffer.count))
    return numbers if buffer.type.startswith(("fp", "bf")) else map(int, numbers)


def bits_of(buffer, seed):
    """The bytes of a buffer at the beginning of a run."""
    if buffer.fill == "bytes":
        return random.Random(seed).randbytes(buffer.count * table.BITS[buffer.type] // 8)
    numbers = indices(buffer, seed)
    return encoded(buffer.type, drawn(buffer, seed) if numbers is None else numbers)


# --- Types ----------------------------------------------------------------------------------------


def fp8_values(exponent_bits):
    """Of the bits 0 to 255; without infinity for e4m3fn, whose last code alone is no number."""
    mantissa_bits, values = 7 - exponent_bits, []
    bias, last = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    for bits in range(128):
        exponent, mantissa = bits >> mantissa_bits, bits & (1 << mantissa_bits) - 1
        value = 2.0 ** (max(exponent, 1) - bias - mantissa_bits) * (
            mantissa + ((exponent > 0) << mantissa_bits))
        if exponent == last and exponent_bits == 5:
            value = float("nan") if mantissa else float("inf")
        elif bits == 127:
            value = float("nan")
        values.append(value)
    return values + [-v for v in values]


FP8 = {"fp8e4nv": fp8_values(4), "fp8e5": fp8_values(5)}


def encode_fp8(values, numbers):
    """The nearest below; that the last bit is not rounded does not matter to random numbers."""
    positive = [v for v in values[:128] if v < float("inf")]
    code = lambda x: bisect.bisect_right(positive, abs(x)) - 1 | (x < 0) << 7
    return bytes(map(code, numbers))


def encoded(kind, numbers):
    if kind in FP8:
        return encode_fp8(FP8[kind], numbers)
    if kind == "fp16":
        numbers = list(numbers)
        return struct.pack(f"<{len(numbers)}e", *numbers)
    if kind == "bf16":  # rounds half up
        words = array.array("I", array.array("f", numbers).tobytes())
        return array.array("H", (w + 0x8000 >> 16 for w in words)).tobytes()
    return array.array(CODES[kind], numbers).tobytes()


def decoded(kind, data):
    """The numbers of some bytes."""
    if kind in FP8:
        return [FP8[kind][b] for b in data]
    if kind == "fp16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    if kind == "bf16":
        words = array.array("I", (h << 16 for h in array.array("H", data)))
        return array.array("f", words.tobytes())
    return array.array(CODES[kind], data)


# --- NumPy's files --------------------------------------------------------------------------------


DESCRIPTORS = {"i1": "|b1", "i8": "|i1", "u8": "|u1", "fp8e4nv": "|u1", "fp8e5": "|u1",
               "i16": "<i2", "u16": "<u2", "i32": "<i4", "u32": "<u4", "i64": "<i8", "u64": "<u8",
               "fp16": "<f2", "bf16": "<u2", "fp32": "<f4", "fp64": "<f8"}


def write_npy(path, kind, count, data):
    header = f"{{'descr': '{DESCRIPTORS[kind]}', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path):
    """The bytes alone."""
    with open(path, "rb") as file:
        data = file.read()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]
