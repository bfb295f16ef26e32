from .a import *
from .a import *
from .b import *
from .b import *
from .c import *
from .c import *
from .d import *
from .d import *
