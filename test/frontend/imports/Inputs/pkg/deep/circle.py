from .again import around
from pkg.deep.again import first as turned
