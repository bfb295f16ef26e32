# Loops with stages give what they give without, for every number of iterations, on every schedule.
# RUN: sh %S/Inputs/same-for-stages.sh %s %t nested "*fp32:16, *fp32:16, i32:16, i32, i32, i32" "1 2 4" --grid 2 --arg x=fp32[16384]:rand --arg out=fp32[64]:zeros --arg stride=i32:2048 --arg height=i32:7 --arg width=i32:1900 --arg low=i32:-3
# RUN: sh %S/Inputs/same-for-stages.sh %s %t recurrence "*fp32:16, *fp32:16, i32" "1 3" --grid 1 --arg x=fp32[4096]:rand --arg out=fp32[512]:zeros --arg n=i32:0
# RUN: sh %S/Inputs/same-for-stages.sh %s %t recurrence "*fp32:16, *fp32:16, i32" "1 3" --grid 1 --arg x=fp32[4096]:rand --arg out=fp32[512]:zeros --arg n=i32:1
# RUN: sh %S/Inputs/same-for-stages.sh %s %t recurrence "*fp32:16, *fp32:16, i32" "1 2 9" --grid 1 --arg x=fp32[4096]:rand --arg out=fp32[512]:zeros --arg n=i32:5
# RUN: sh %S/Inputs/same-for-stages.sh %s %t two_ways "*fp32:16, *fp32:16, *fp32:16, i32, i32" "1 2 4" --grid 1 --arg x=fp32[32768]:rand --arg y=fp32[4]:rand --arg out=fp32[8192]:zeros --arg n=i32:4 --arg width=i32:8000
# RUN: sh %S/Inputs/same-for-stages.sh %s %t last_iterations "*fp32:16, *fp32:16, i32, i32, i32" "1 4" --grid 1 --arg x=fp32[512]:rand --arg out=fp32[512]:zeros --arg low=i32:2147483500 --arg high=i32:2147483600 --arg step=i32:40
# RUN: sh %S/Inputs/same-for-stages.sh %s %t product "*fp16:16, *fp16:16, *fp32:16, i32:16" "1 2 4" --grid 1 --arg a=fp16[4096]:rand --arg b=fp16[4096]:rand --arg c=fp32[1024]:zeros --arg k=i32:80
import triton
import triton.language as tl


@triton.jit
def nested(x, out, stride, height, width, low, STAGES: tl.constexpr):
    columns = tl.arange(0, 512)
    for row in tl.range(low + tl.program_id(0), height, 2, num_stages=STAGES):
        total = tl.zeros((512,), tl.float32)
        scale = tl.load(x + (row + 3) % 7 + columns)
        for first in tl.range(0, width, 512, num_stages=STAGES):
            inside = first + columns < width
            total += tl.load(x + (row + 3) % 7 * stride + first + columns, mask=inside, other=0.5)
        tl.store(out + row + 3, tl.sum(total * scale))


# Each iteration needs the one before.
@triton.jit
def recurrence(x, out, n, STAGES: tl.constexpr):
    columns = tl.arange(0, 512)
    state = tl.zeros((512,), tl.float32)
    at = x + columns
    for _ in tl.range(0, n, num_stages=STAGES):
        state = state * 0.5 + tl.load(at)
        at += 512
    tl.store(out + columns, state)


# A tile through shared memory, with a value where the mask is false, and a few words in registers.
@triton.jit
def two_ways(x, y, out, n, width, STAGES: tl.constexpr):
    columns = tl.arange(0, 8192)
    few = tl.arange(0, 4)
    total = tl.zeros((8192,), tl.float32)
    weight = tl.zeros((4,), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        total += tl.load(x + i * 8192 + columns, mask=columns < width, other=2.0)
        weight += tl.load(y + (few + i) % 4)
    tl.store(out + columns, total * tl.sum(weight))


# Up to the largest integer: the iterations ahead must not wrap around.
@triton.jit
def last_iterations(x, out, low, high, step, STAGES: tl.constexpr):
    columns = tl.arange(0, 128)
    for i in tl.range(low, high, step, num_stages=STAGES):
        tl.store(out + (i - low) // step * 128 + columns, tl.load(x + (i - low) // step * 128 + columns))


@triton.jit
def product(a, b, c, k, STAGES: tl.constexpr):
    rows = tl.arange(0, 32)
    total = tl.zeros((32, 32), tl.float32)
    for first in tl.range(0, k, 32, num_stages=STAGES):
        inside = first + rows < k
        x = tl.load(a + rows[:, None] * 128 + first + rows[None, :], mask=inside[None, :], other=0.0)
        y = tl.load(b + (first + rows)[:, None] * 32 + rows[None, :], mask=inside[:, None], other=0.0)
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * 32 + rows[None, :], total)
