# SPDX-License-Identifier: MIT
"""Vector addition in Triton and in PyTorch, timed as bench/vector_add.c times ours: f32, random
data, a block of 1024 elements a program, results compared with torch.add, medians of
triton.testing.do_bench with 15 ms of warm-up and 60 ms of runs, L2 flushed before each. Prints CSV;
needs PyTorch and Triton.

usage: vector_add.py [FROM_LOG2 [TO_LOG2 [CUBIN]]]      (12 27)

CUBIN: where to save Triton's kernel, for bench/vector_add --beside.
"""
import sys

import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    total = tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, total, mask=inside)


def median_ms(run, rep=60):
    return triton.testing.do_bench(run, warmup=15, rep=rep, return_mode="median")


def row(what, size, moved, milliseconds):
    print(f"{what},{size},{milliseconds:.6f},{moved / milliseconds * 1e-6:.1f}", flush=True)


def main():
    low = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    high = int(sys.argv[2]) if len(sys.argv) > 2 else 27
    print(f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}, "
          f"triton {triton.__version__}", file=sys.stderr)
    print("what,size,median_ms,gigabytes_per_second")
    if len(sys.argv) > 3:
        x = torch.zeros(BLOCK, device="cuda")
        compiled = add_kernel[(1,)](x, x, x, BLOCK, BLOCK=BLOCK)
        with open(sys.argv[3], "wb") as file:
            file.write(compiled.asm["cubin"])
    for log2 in range(low, high + 1):
        n = 1 << log2
        x, y = torch.rand(n, device="cuda") * 2 - 1, torch.rand(n, device="cuda") * 2 - 1
        out = torch.full_like(x, float("nan"))
        grid = (triton.cdiv(n, BLOCK),)
        triton_ms = median_ms(lambda: add_kernel[grid](x, y, out, n, BLOCK=BLOCK))
        assert torch.equal(out, x + y)
        torch_ms = median_ms(lambda: torch.add(x, y, out=out))
        row("triton", n, 12 * n, triton_ms)
        row("torch", n, 12 * n, torch_ms)
    source = torch.empty(1 << 30, device="cuda", dtype=torch.float32)
    target = torch.empty_like(source)
    row("torch-copy", source.numel() * 4, 8 * source.numel(),
        median_ms(lambda: target.copy_(source), 200))


if __name__ == "__main__":
    main()
