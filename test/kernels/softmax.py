"""Row-wise softmax, fused: every element is read once and written once.

Two schedules. `softmax_row_kernel` gives each row a program of its own. `softmax_persistent_kernel`
launches as many programs as the device holds at a time, and each strides over the rows, so that the
loads of the next row overlap the arithmetic of this one.
"""
import torch
import triton
import triton.language as tl

try:
    from triton.runtime import driver
except ImportError:  # an older release
    driver = None

DEVICE = "cuda"


def softmax_in_steps(x: torch.Tensor) -> torch.Tensor:
    """Passes over the matrix five times; what the kernels are measured against."""
    shifted = x - x.amax(dim=1, keepdim=True)
    weights = shifted.exp_()
    return weights / weights.sum(dim=1)[:, None]


@triton.jit
def row_copy_kernel(out_ptr, in_ptr, in_stride, out_stride, width, BLOCK: tl.constexpr):
    """A softmax without the softmax: what loading and storing a row a program takes."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    x = tl.load(in_ptr + row * in_stride + columns, mask=inside)
    tl.store(out_ptr + row * out_stride + columns, x, mask=inside)


@triton.jit
def softmax_row_kernel(
    out_ptr,
    in_ptr,
    in_stride,
    out_stride,
    width,
    BLOCK: tl.constexpr,
):
    """One row a program; BLOCK is the next power of two of the row's width."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    x = tl.load(in_ptr + row * in_stride + columns, mask=inside, other=-float("inf"))

    # exp of a difference that is never positive does not overflow
    weights = tl.exp(x - tl.max(x, axis=0))
    total = tl.sum(weights, axis=0)

    tl.store(out_ptr + row * out_stride + columns, weights / total, mask=inside)


@triton.jit
def softmax_persistent_kernel(out_ptr, in_ptr, in_stride, out_stride, height, width,
                              BLOCK: tl.constexpr, num_stages: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    first, step = tl.program_id(0), tl.num_programs(0)
    for row in tl.range(first, height, step, num_stages=num_stages):
        source = in_ptr + row * in_stride
        x = tl.load(source + columns, mask=inside, other=-float('inf'))
        weights = tl.exp(x - tl.max(x, axis=0))
        y = weights / tl.sum(weights, axis=0)
        target = out_ptr + row * out_stride + columns
        tl.store(target, y, mask=inside)


_programs_of: "dict[int, int]" = {}


def softmax(x: torch.Tensor, persistent: bool = True) -> torch.Tensor:
    height, width = x.shape
    block = triton.next_power_of_2(width)
    num_warps = 4 if block < 2048 else (8 if block < 4096 else 16)
    y = torch.empty_like(x)
    if not persistent:
        softmax_row_kernel[(height,)](y, x, x.stride(0), y.stride(0), width, BLOCK=block,
                                      num_warps=num_warps)
        return y
    index = torch.cuda.current_device()
    if index not in _programs_of:
        properties = driver.active.utils.get_device_properties(index)
        _programs_of[index] = properties["multiprocessor_count"] * (8 if block <= 1024 else 2)
    programs = min(_programs_of[index], height)
    softmax_persistent_kernel[(programs, 1, 1)](y, x, x.stride(0), y.stride(0), height, width,
                                                BLOCK=block, num_stages=4, num_warps=num_warps)
    return y


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["width"],
        x_vals=[256 * i for i in range(1, 50)],
        line_arg="provider",
        line_vals=["fused", "torch", "steps"],
        line_names=["fused", "torch", "in steps"],
        styles=[("blue", "-"), ("green", "-"), ("red", "--")],
        ylabel="GB/s",
        plot_name="softmax",
        args={"height": 4096},
    ))
def benchmark(height, width, provider):
    x = torch.randn(height, width, device=DEVICE, dtype=torch.float32)
    rate = lambda ms: 2 * x.numel() * x.element_size() / (ms * 1e6)
    functions = {"fused": softmax, "steps": softmax_in_steps,
                 "torch": lambda x: torch.softmax(x, axis=-1)}
    return rate(triton.testing.do_bench(lambda: functions[provider](x)))


if __name__ == "__main__":
    torch.manual_seed(0)
    sample = torch.randn(517, 781, device=DEVICE)
    for schedule in (False, True):
        assert torch.allclose(softmax(sample, schedule), torch.softmax(sample, axis=1)), (schedule, "differs")
    benchmark.run(show_plots=True, print_data=True)
