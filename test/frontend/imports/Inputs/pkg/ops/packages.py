import triton
import triton.language as tl
import pkg.deep as d
import pkg.lang as tle
from pkg import deep
from ..deep import PUBLIC, deepest, two
from ..loose.plain import ROWS
from ..deep.again import around, turned
from ..deep import HIDDEN
from ... import above
from ..deep import *


@triton.jit
def k(p):
    x = tl.load(p)
    x = deepest(x) + two(x) + d.first(x, n=PUBLIC) + deep.again.second(x)
    tl.store(p, tle.sigmoid(x) + tle.scaled(x) + tle.language.exp(x) + turned(x) + ROWS)


@triton.jit
def goes_round(p):
    tl.store(p, around(tl.load(p)))


@triton.jit
def not_exported(p):
    tl.store(p, HIDDEN)


@triton.jit
def goes_above(p):
    tl.store(p, above(tl.load(p)))
