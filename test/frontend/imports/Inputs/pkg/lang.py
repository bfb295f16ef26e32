import triton.language as language
from triton.language import sigmoid
from pkg.utils import helper as scaled
