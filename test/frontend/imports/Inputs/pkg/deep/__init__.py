from .all import *
from .again import first, second as two
from . import again
