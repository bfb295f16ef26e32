"""The forward kernel of layer_norm.py with each of its switches, and with all that go together, against a
reference in double precision.

    norm_forward.py KERNELS SCRATCH norm_forward|NAME"""
import math
import random
from reference import array, bf16_values, case, compare, normal, philox, poison, rounded, run, uniform

# name, rows, columns, type of the tensors, what is on
TABLE = [
    ("plain", 2, 3000, "fp32", "weight bias"),
    ("no_weight", 2, 781, "fp32", "bias"),
    ("no_bias", 2, 781, "fp16", "weight"),
    ("rms", 2, 781, "fp32", "rms weight"),
    ("rms_3000", 1, 3000, "bf16", "rms weight"),
    ("zero_centered", 2, 100, "fp32", "weight bias zero_centered"),
    ("residual", 2, 781, "fp32", "weight bias residual"),
    ("sum", 2, 100, "fp32", "weight bias sum"),
    ("residual_sum", 2, 100, "bf16", "rms weight residual sum"),
    ("rowscale", 3, 100, "fp32", "weight bias rowscale"),
    ("dropout", 2, 100, "fp32", "weight bias dropout"),
    ("kept", 2, 100, "fp16", "rms weight dropout kept"),
    ("x1", 2, 100, "fp32", "weight bias x1"),
    ("w1", 2, 100, "fp32", "weight bias w1"),
    ("w1_b1", 2, 100, "fp32", "weight bias w1 b1"),
    ("one_column", 3, 1, "fp32", "weight bias residual"),
    ("nothing", 1, 65, "fp32", ""),
    ("all", 2, 781, "fp32", "weight bias zero_centered residual sum rowscale dropout kept x1 w1 b1"),
    ("all_rms", 2, 301, "bf16", "rms weight bias zero_centered residual sum rowscale dropout kept x1 w1 b1"),
]
# in the kernel's order
POINTERS = "X Y W B RESIDUAL X1 W1 B1 Y1 SUM ROWSCALE SEEDS KEPT KEPT1 Mean Rstd".split()
EPS, P = 1e-5, 0.25
ERRORS = {"fp32": 2e-5, "fp16": 2**-11, "bf16": 2**-8}


class Inputs:
    """The tensors of a case; those that are off stay None, which the kernel gets as constants."""

    def __init__(self, m, n, kind, on):
        self.m, self.n, self.kind, self.on = m, n, kind, on
        self.x = normal(m * n, kind)
        self.x1 = normal(m * n, kind) if "x1" in on else None
        self.residual = normal(m * n) if "residual" in on else None
        self.w, self.w1 = (normal(n) if name in on else None for name in ("weight", "w1"))
        self.b, self.b1 = (normal(n) if name in on else None for name in ("bias", "b1"))
        both = 2 * m if "x1" in on else m
        self.scale = normal(both) if "rowscale" in on else None
        self.seeds = [random.getrandbits(32) for _ in range(both)] if "dropout" in on else None

    def kept(self, row):
        return [uniform(philox(self.seeds[row], i, rounds=7)) > P for i in range(self.n)]

    def branch(self, values, row, at):
        """A row of x or x1 after scale and dropout; `at` is its place among scales and seeds."""
        out = values[row * self.n:(row + 1) * self.n]
        if self.scale:
            out = [v * self.scale[at] for v in out]
        if self.seeds:
            out = [v / (1 - P) if k else 0.0 for v, k in zip(out, self.kept(at))]
        return out

    def total(self, row):
        """The row that is normalised."""
        out = self.branch(self.x, row, row)
        if self.x1:
            out = [a + b for a, b in zip(out, self.branch(self.x1, row, self.m + row))]
        if self.residual:
            out = [a + b for a, b in zip(out, self.residual[row * self.n:])]
        return out


def factors(w, b, inputs):
    """x_hat -> y for one weight and bias."""
    plus = 1 if "zero_centered" in inputs.on else 0
    return lambda x_hat: [v * (w[i] + plus if w else 1) + (b[i] if b else 0) for i, v in enumerate(x_hat)]


def expect(inputs):
    m, n = inputs.m, inputs.n
    out = {name: [] for name in ("Y", "Y1", "SUM", "Mean", "Rstd")}
    for row in range(m):
        x = inputs.total(row)
        mean = 0 if "rms" in inputs.on else sum(x) / n
        rstd = 1 / math.sqrt(sum((v - mean) ** 2 for v in x) / n + EPS)
        x_hat = [(v - mean) * rstd for v in x]
        out["SUM"] += x
        out["Mean"].append(mean)
        out["Rstd"].append(rstd)
        out["Y"] += factors(inputs.w, inputs.b, inputs)(x_hat)
        out["Y1"] += factors(inputs.w1, inputs.b1, inputs)(x_hat)
    if inputs.seeds:
        out["KEPT"] = sum((inputs.kept(row) for row in range(m)), [])
        out["KEPT1"] = sum((inputs.kept(m + row) for row in range(m)), []) if inputs.x1 else []
        assert 0.6 < sum(out["KEPT"]) / (m * n) < 0.9
    return out


def arguments_of(inputs, outputs):
    m, n, kind, on = inputs.m, inputs.n, inputs.kind, inputs.on
    pointers = {
        "X": array((m, n), inputs.x, kind), "W": inputs.w and array((n,), inputs.w),
        "B": inputs.b and array((n,), inputs.b), "RESIDUAL": inputs.residual and array((m, n), inputs.residual),
        "X1": inputs.x1 and array((m, n), inputs.x1, kind), "W1": inputs.w1 and array((n,), inputs.w1),
        "B1": inputs.b1 and array((n,), inputs.b1),
        "ROWSCALE": inputs.scale and array((len(inputs.scale),), inputs.scale),
        "SEEDS": inputs.seeds and ((len(inputs.seeds),), inputs.seeds, "<i8")}
    for name in ("Y", "Y1", "SUM", "KEPT", "KEPT1", "Mean", "Rstd"):
        shape = (m,) if name in ("Mean", "Rstd") else (m, n)
        pointers[name] = poison(shape, outputs[name]) if name in outputs else None
    arguments = {name: pointers[name] for name in POINTERS if pointers[name]}
    flags = [name + "=None" for name in POINTERS if not pointers[name]]
    for stride in ("x", "y", "res", "sum", "x1", "y1"):
        arguments["stride_" + stride] = "i32:%d" % n
    arguments.update({"M": "i32:%d" % m, "N": "i32:%d" % n, "eps": "fp32:%g" % EPS, "dropout_p": "fp32:%g" % P,
                      "weight_is_zero_centered": "i32:%d" % ("zero_centered" in on)})
    for flag, name in (("IS_RMS", "rms"), ("HAS_RESIDUAL", "residual"), ("STORE_SUM", "sum"),
                       ("HAS_WEIGHT", "weight"), ("HAS_BIAS", "bias"), ("HAS_DROPOUT", "dropout"),
                       ("STORE_KEPT", "kept"), ("HAS_ROWSCALE", "rowscale")):
        flags.append("%s=%s" % (flag, name in on))
    flags.append("BLOCK_N=%d" % (1 << max(n - 1, 1).bit_length()))
    return arguments, flags


def norm_forward(name, m, n, kind, on):
    on = on.split()
    inputs = Inputs(m, n, kind, on)
    outputs = {"Y": kind, "Rstd": "fp32"}
    outputs.update({} if "rms" in on else {"Mean": "fp32"})
    outputs.update({"SUM": kind} if "sum" in on else {})
    outputs.update({"Y1": kind} if "w1" in on else {})
    outputs.update({"KEPT": "i1"} if "kept" in on else {})
    outputs.update({"KEPT1": "i1"} if "kept" in on and "x1" in on else {})
    arguments, flags = arguments_of(inputs, outputs)
    constants = [text for flag in flags for text in ("--constexpr", flag)]
    results = run("layer_norm.py", "norm_fwd_kernel", str(m), arguments, list(outputs), *constants)
    expected = expect(inputs)
    for output, got in zip(outputs, results):
        if outputs[output] == "bf16":
            got = bf16_values(got)
        compare(name + ": " + output, got, expected[output],
                0 if outputs[output] == "i1" else ERRORS[outputs[output]])


for row in TABLE:
    if case in ("norm_forward", row[0]):
        norm_forward(*row)
