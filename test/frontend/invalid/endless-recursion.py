# RUN: not tile-translate --import-triton --signature "*fp32" %s 2>&1 | FileCheck %s

# A recursion at compile time that never ends, and would double at each step.
# CHECK: endless-recursion.py:7:15: error: calls are nested more than 64 deep
import triton

F = lambda n: F(n + 1) + F(n + 2)

@triton.jit
def k(p):
    x = F(1)
