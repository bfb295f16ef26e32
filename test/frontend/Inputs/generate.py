"""Kernel files too long to keep: generate.py long | kernel | parameters."""
import sys

HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n\n"


def long_file():
    """10,000 lines: host code of all sorts, a hundred kernels, an error in the host code."""
    text = [HEAD]
    for i in range(100):
        text.append(f'''class Model{i}(torch.nn.Module):
    """Model {i}: its text says (, ' and def."""

    table = {{"a": [1, 2, {{"b": (3, 4)}}], "c": lambda x, *y, **z: (x, y, z)}}

    def __init__(self, n: int = {i}, *, bias: "bool" = True):
        super().__init__()
        self.n, self.bias = n, bias
        self.grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]), 1, 1)

    @property
    def size(self) -> int:
        try:
            with torch.no_grad() as guard, open(__file__) as f:
                return sum(len(line) for line in f if line.strip()) // self.n
        except (OSError, ValueError) as error:
            raise RuntimeError(f"cannot read {{error!r:>20}}") from error
        finally:
            del self.n

    async def wait(self):
        async for x in self:
            yield await x


@triton.autotune(configs=[triton.Config({{"BLOCK": b}}, num_warps=w) for b in (64, 128) for w in (2, 4)],
                 key=["n"])
@triton.jit
def kernel{i}(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Adds {i}."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, helper(x) + {i}, mask=mask)

''')
        text.append("".join(f"value_{i}_{j} = [{j}, ({i}, {j}), {{'k': {j}}}]  # a comment\n"
                            for j in range(64)) + "\n")
    text.append("def broken(:\n    return )\n\n@triton.jit\ndef helper(x):\n    return x * 2\n")
    return "".join(text)


def long_kernel(lines=760):
    text = [HEAD, "@triton.jit\ndef k(x_ptr, y_ptr, n):\n    x = tl.load(x_ptr)\n"]
    for i in range((lines - 4) // 4):
        text.append(f"    a{i} = x * {i} + 1.0\n    if n > {i}:\n        x = a{i} - x\n"
                    f"    tl.store(y_ptr + {i}, x)\n")
    return "".join(text)


def many_parameters():
    names = [f"p{i}" for i in range(88)]
    constants = [f"C{i}: tl.constexpr" for i in range(41)]
    body = "".join(f"    tl.store(p{i}, C{i % 41})\n" for i in range(88))
    return HEAD + f"@triton.jit\ndef k({', '.join(names + constants)}):\n{body}"


print({"long": long_file, "kernel": long_kernel, "parameters": many_parameters}[sys.argv[1]](), end="")
