"""Python at compile time is one evaluator: what a decorator's host code computes, a kernel computes, too."""
# RUN: tile-translate --list-configs %s | FileCheck %s --check-prefix=HOST
# RUN: tile-translate --import-triton --kernel computed --signature "*i32" %s 2>&1 | FileCheck %s --check-prefix=KERNEL
import math

import torch
import triton
import triton.language as tl

# Slices with a step, * with the number in front, ranges and rows across lists.
# HOST: BACK=[48, 32, 16]
# HOST-SAME: TWICE=[1, 1]
# HOST-SAME: ROWS={{\[\[0, 16\], \[1, 32\]\]}}
# HOST-SAME: WORD='abab'
# Floats as Python writes them; // and % as Python rounds them; powers that are no integers.
# HOST-SAME: LARGE=[100000.0, 1000000000000000.0, 1e+16]
# HOST-SAME: DOWN=[-4, 1, 0.5]
# HOST-SAME: CURVE=[1.0, 0.0, 3]
# Methods of texts.
# HOST-SAME: PARTS=['a', '', 'b']
# HOST-SAME: FIELDS='mov $1, $0 {} 0.5 $1'
CONFIG = {
    "BACK": [16, 32, 48][::-1],
    "TWICE": 2 * [1],
    "ROWS": [row for row in enumerate([16, 32])],
    "WORD": 2 * "ab",
    "LARGE": [1e5, 1e15, 1e16],
    "DOWN": [-7 // 2, -7 % 2, 2 ** -1],
    "CURVE": [math.exp(0), math.sin(0), math.trunc(3.5)],
    "PARTS": "a--b".split("-"),
    "FIELDS": "{name} ${1}, ${0} {{}} {half} ${1}".format(0, 1, name="mov", half=0.5),
}


@triton.autotune(configs=[triton.Config(CONFIG)], key=[])
@triton.jit
def k(x_ptr, BACK: tl.constexpr, TWICE: tl.constexpr, ROWS: tl.constexpr, WORD: tl.constexpr, LARGE: tl.constexpr,
      DOWN: tl.constexpr, CURVE: tl.constexpr, PARTS: tl.constexpr, FIELDS: tl.constexpr):
    pass


# A function of the host that makes assembly for several registers, as packages do.
def moves(count):
    lines = ""
    for i in range(count):
        lines += "{" + "mov.b32 ${out}, ${source};".format(out=i, source=i + count) + "}\n"
    return " ".join(lines.split("\n")).strip()


MOVES: tl.constexpr = tl.constexpr(moves(2))
CONSTRAINTS: tl.constexpr = tl.constexpr(",".join("=r" for i in range(2)) + "," + ",".join(["r", "r"]))


@triton.jit
def computed(x_ptr):
    # KERNEL: remark: (48, 32, 16) (1, 1) ((0, 16), (1, 32)) abab
    tl.static_print([16, 32, 48][::-1], 2 * [1], [row for row in enumerate([16, 32])], 2 * "ab")
    # KERNEL: remark: (100000.0, 1000000000000000.0, 1e+16) (-4, 1, 0.5) (1.0, 0.0, 3)
    tl.static_print([1e5, 1e15, 1e16], [-7 // 2, -7 % 2, 2 ** -1], [math.exp(0), math.sin(0), math.trunc(3.5)])
    # Bounds beyond 63 bits are after every item.
    # KERNEL: remark: () (1, 2)
    tl.static_print((1, 2)[18446744073709551615:], (1, 2)[:18446744073709551615])
    # KERNEL: remark: {mov.b32 $0, $2;} {mov.b32 $1, $3;} =r,=r,r,r
    tl.static_print(MOVES, CONSTRAINTS)
    # KERNEL: remark: (a, b) (a, , b) acdacd ab AB True False
    tl.static_print(" a  b ".split(), "a--b".split("-"), "abab".replace("b", "cd"), "Ab".lower(), "Ab".upper(),
                    "abc".startswith("ab"), "abc".endswith("ab"))
    # KERNEL: remark: 1 2.5 {} n int32 ()
    tl.static_print("{} {} {{}} {name} {0}".format(1, 2.5, name="n").replace("1 2.5 {} n 1", "1 2.5 {} n"), tl.int32, "".split())
    # KERNEL: remark: int64 int16
    tl.static_print(torch.long, torch.short)
