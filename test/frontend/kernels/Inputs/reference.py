"""Runs a kernel of test/kernels on the emulator and compares it with a reference in double precision.

    reference.py KERNELS SCRATCH CASE

Arrays travel as .npy files; tile-run reads the kernel file itself."""
import math
import os
import random
import struct
import subprocess
import sys

kernels, scratch, case = sys.argv[1:]
random.seed(case)
TYPES = {"<f4": "f", "<f2": "e", "<u2": "H", "<i4": "i", "|i1": "b", "|b1": "?", "<i8": "q"}


def write_npy(path, shape, values, kind="<f4"):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (kind, ", ".join(map(str, shape)))
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        f.write(struct.pack("<%d%s" % (len(values), TYPES[kind]), *values))


def read_npy(path):
    data = open(path, "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    kind = eval(data[10:10 + length])["descr"]
    size = struct.calcsize(TYPES[kind])
    body = data[10 + length:]
    return struct.unpack("<%d%s" % (len(body) // size, TYPES[kind]), body)


def single(values):
    """Rounded to single precision, as the kernel sees them."""
    return [struct.unpack("f", struct.pack("f", v))[0] for v in values]


def bf16_bits(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def bf16_values(bits):
    return [struct.unpack("<f", struct.pack("<I", b << 16))[0] for b in bits]


def rounded(values, kind):
    """Rounded to fp32, fp16 or bf16, as the kernel sees them."""
    if kind == "fp16":
        return [struct.unpack("e", struct.pack("e", v))[0] for v in values]
    return bf16_values(map(bf16_bits, values)) if kind == "bf16" else single(values)


def normal(n, kind="fp32"):
    return rounded((random.gauss(0, 1) for _ in range(n)), kind)


def array(shape, values, kind="fp32"):
    """An argument of that type. NumPy has no bf16: its bits are written."""
    if kind == "bf16":
        return (shape, [bf16_bits(v) for v in values], "<u2")
    return (shape, values, {"fp32": "<f4", "fp16": "<f2"}[kind])


def poison(shape, kind="fp32"):
    return "%s[%s]:poison" % (kind, ",".join(map(str, shape)))


def run(file, kernel, grid, arguments, outputs, *flags):
    """Arguments: name -> scalar text or (shape, values[, kind]); outputs by name."""
    command = ["tile-run", os.path.join(kernels, file), "--kernel", kernel, "--device", "emulator",
               "--check", "--grid", grid, "--seed", "3", *flags]
    for name, value in arguments.items():
        if isinstance(value, str):
            command += ["--arg", name + "=" + value]
            continue
        path = os.path.join(scratch, case + "-" + name + ".npy")
        write_npy(path, *value)
        declared = "bf16[%s]:" % ",".join(map(str, value[0])) if value[2:] == ("<u2",) else ""
        command += ["--arg", name + "=" + declared + path]
    for name in outputs:
        command += ["--save", name + "=" + os.path.join(scratch, case + "-" + name + "-out.npy")]
    subprocess.run(command, check=True)
    return [read_npy(os.path.join(scratch, case + "-" + name + "-out.npy")) for name in outputs]


def compare(name, got, expected, error=2e-5):
    assert len(got) == len(expected), (name, len(got), len(expected))
    worst = max(range(len(got)), key=lambda i: abs(got[i] - expected[i]) / (1 + abs(expected[i])))
    off = abs(got[worst] - expected[worst]) / (1 + abs(expected[worst]))
    assert off <= error, "%s[%d] is %r, not %r" % (name, worst, got[worst], expected[worst])


def rows(values, width):
    return [values[i:i + width] for i in range(0, len(values), width)]


def softmax_rows(x, width):
    out = []
    for row in rows(x, width):
        top = max(row)
        weights = [math.exp(v - top) for v in row]
        out += [w / sum(weights) for w in weights]
    return out


def softmax(kernel, grid, *more):
    m, n = 5, 77
    x = normal(m * n)
    arguments = {"out_ptr": "fp32[%d,%d]:poison" % (m, n), "in_ptr": ((m, n), x), "in_stride": "i32:%d" % n,
                 "out_stride": "i32:%d" % n}
    if more:
        arguments["height"] = "i32:%d" % m
    arguments["width"] = "i32:%d" % n
    (y,) = run("softmax.py", kernel, grid, arguments, ["out_ptr"], "--constexpr", "BLOCK=128", *more)
    compare("softmax", y, softmax_rows(x, n))


def layer_norm():
    m, n, eps = 3, 100, 1e-5
    x, w, b = normal(m * n), normal(n), normal(n)
    y, mean, rstd = run(
        "layer_norm.py", "layer_norm_loop_kernel", str(m),
        {"X": ((m, n), x), "Y": "fp32[%d,%d]:poison" % (m, n), "W": ((n,), w), "B": ((n,), b),
         "Mean": "fp32[%d]:poison" % m, "Rstd": "fp32[%d]:poison" % m, "stride": "i32:%d" % n,
         "N": "i32:%d" % n, "eps": "fp32:%g" % eps}, ["Y", "Mean", "Rstd"], "--constexpr", "BLOCK=64")
    expected, means, rstds = [], [], []
    for row in rows(x, n):
        mu = sum(row) / n
        r = 1 / math.sqrt(sum((v - mu) ** 2 for v in row) / n + eps)
        means.append(mu)
        rstds.append(r)
        expected += [(v - mu) * r * w[i] + b[i] for i, v in enumerate(row)]
    compare("Y", y, expected)
    compare("Mean", mean, means)
    compare("Rstd", rstd, rstds)


def column_sums():
    m, n = 37, 50
    dw, db = normal(m * n), normal(m * n)
    got = run("layer_norm.py", "column_sums_kernel", "2",
              {"DW": ((m, n), dw), "DB": ((m, n), db), "OUT_DW": "fp32[%d]:poison" % n,
               "OUT_DB": "fp32[%d]:poison" % n, "M": "i32:%d" % m, "N": "i32:%d" % n},
              ["OUT_DW", "OUT_DB"], "--constexpr", "BLOCK_M=16", "--constexpr", "BLOCK_N=32")
    for name, sums, values in zip(("DW", "DB"), got, (dw, db)):
        compare(name, sums, [sum(values[c::n]) for c in range(n)])


def silu(v):
    return v / (1 + math.exp(-v))


def swiglu():
    m, n = 3, 70
    a, b = normal(m * n), normal(m * n)
    (c,) = run("swiglu.py", "swiglu_forward_kernel", str(m),
               {"a_ptr": ((m, n), a), "b_ptr": ((m, n), b), "c_ptr": "fp32[%d,%d]:poison" % (m, n),
                "stride": "i32:%d" % n}, ["c_ptr"], "--constexpr", "n_cols=70", "--constexpr", "BLOCK=128")
    compare("c", c, [silu(x) * y for x, y in zip(a, b)])


def swiglu_backward():
    m, n = 3, 70
    dc, a, b = normal(m * n), normal(m * n), normal(m * n)
    da, db = run("swiglu.py", "swiglu_backward_kernel", str(m),
                 {"dc_ptr": ((m, n), dc), "a_ptr": ((m, n), a), "b_ptr": ((m, n), b),
                  "stride": "i32:%d" % n}, ["a_ptr", "b_ptr"], "--constexpr", "n_cols=70",
                 "--constexpr", "BLOCK=128")
    gate = [1 / (1 + math.exp(-x)) for x in a]
    compare("da", da, [d * y * (g + x * g * (1 - g)) for d, x, y, g in zip(dc, a, b, gate)])
    compare("db", db, [d * silu(x) for d, x in zip(dc, a)])


def rotary():
    tokens, heads, dim = 3, 6, 20
    x, c, s = normal(tokens * heads * dim), normal(tokens * dim), normal(tokens * dim)
    (y,) = run("rotary.py", "rope_heads_kernel", "%d,2" % tokens,
               {"X": ((tokens, heads, dim), x), "row_stride": "i32:%d" % (heads * dim),
                "cos": ((tokens, dim), c), "cos_stride": "i32:%d" % dim, "sin": ((tokens, dim), s),
                "sin_stride": "i32:%d" % dim, "positions": "i32:%d" % tokens}, ["X"],
               "--constexpr", "HEAD_DIM=20", "--constexpr", "HEADS=6", "--constexpr", "BLOCK=16",
               "--constexpr", "BACKWARD=False")
    expected = []
    for t in range(tokens):
        for h in range(heads):
            base, half = (t * heads + h) * dim, dim // 2
            left, right = x[base:base + half], x[base + half:base + dim]
            co, si = c[t * dim:t * dim + half], s[t * dim:t * dim + half]
            expected += [u * k - v * l for u, v, k, l in zip(left, right, co, si)]
            expected += [v * k + u * l for u, v, k, l in zip(left, right, co, si)]
    compare("X", y, expected)


def quantize():
    m, n = 4, 90
    x = normal(m * n)
    q, scale = run("quantize.py", "quantize_row_kernel", str(m),
                   {"x_ptr": ((m, n), x), "q_ptr": ((m, n), [0] * (m * n), "|i1"),
                    "scale_ptr": "fp32[%d]:poison" % m, "stride_xm": "i32:%d" % n,
                    "stride_qm": "i32:%d" % n, "N": "i32:%d" % n}, ["q_ptr", "scale_ptr"],
                   "--constexpr", "BLOCK=128")
    compare("scale", scale, [max(map(abs, row)) / 127 for row in rows(x, n)])
    for i, v in enumerate(x):
        exact = v / scale[i // n]
        assert abs(q[i] - exact) <= 0.5 + 1e-4, (i, q[i], exact)


def matmul():
    m, n, k = 20, 24, 40
    a, b = normal(m * k), normal(k * n)
    (c,) = run("matmul.py", "matmul_masked_kernel", "2,2",
               {"a_ptr": ((m, k), a), "b_ptr": ((k, n), b), "c_ptr": "fp32[%d,%d]:poison" % (m, n),
                "M": "i32:%d" % m, "N": "i32:%d" % n, "K": "i32:%d" % k,
                "stride_am": "i32:%d" % k, "stride_ak": "i32:1", "stride_bk": "i32:%d" % n,
                "stride_bn": "i32:1", "stride_cm": "i32:%d" % n, "stride_cn": "i32:1"}, ["c_ptr"],
               "--constexpr", "BLOCK_M=16", "--constexpr", "BLOCK_N=16", "--constexpr", "BLOCK_K=16")
    # tf32 keeps ten bits of the factors
    compare("c", c, [sum(a[i * k + l] * b[l * n + j] for l in range(k)) for i in range(m) for j in range(n)],
            error=1e-2)


def scan():
    m, n = 2, 150
    x = normal(m * n)
    (y,) = run("chunk_scan.py", "global_cumsum_kernel", str(m),
               {"s": ((m, n), x), "o": "fp32[%d,%d]:poison" % (m, n), "T": "i32:%d" % n,
                "stride": "i32:%d" % n}, ["o"], "--constexpr", "BT=64", "--constexpr", "REVERSE=True")
    compare("o", y, [sum(row[i:]) for row in rows(x, n) for i in range(n)])


def recurrence():
    t, d = 50, 20
    a, x = single(random.random() for _ in range(t * d)), normal(t * d)
    (h,) = run("chunk_scan.py", "recurrence_kernel", "2",
               {"a_ptr": ((t, d), a), "x_ptr": ((t, d), x), "h_ptr": "fp32[%d,%d]:poison" % (t, d),
                "T": "i32:%d" % t, "D": "i32:%d" % d}, ["h_ptr"], "--constexpr", "BT=16",
               "--constexpr", "BD=16")
    expected, state = [], [0.0] * d
    for i in range(t):
        state = [a[i * d + j] * state[j] + x[i * d + j] for j in range(d)]
        expected += state
    compare("h", h, expected)


def top_k():
    m, e, k = 4, 10, 3
    x = normal(m * e)
    weights, indices = run("top_k.py", "top_k_gating_kernel", str(m),
                           {"logits_ptr": ((m, e), x), "weights_ptr": "fp32[%d,%d]:poison" % (m, k),
                            "indices_ptr": "i32[%d,%d]:poison" % (m, k), "stride_row": "i32:%d" % e,
                            "n_experts": "i32:%d" % e}, ["weights_ptr", "indices_ptr"],
                           "--constexpr", "K=3", "--constexpr", "BLOCK_E=16", "--constexpr",
                           "NORMALIZE=False", "--num-warps", "1")
    p = softmax_rows(x, e)
    for row in range(m):
        own = p[row * e:row * e + e]
        best = sorted(range(e), key=lambda i: -own[i])[:k]
        assert list(indices[row * k:row * k + k]) == best, (row, indices, best)
        compare("weights", weights[row * k:row * k + k], [own[i] for i in best])


def cross_entropy():
    m, n = 3, 60
    x, y = normal(m * n), [7, -100, 59]
    loss, grad = run("cross_entropy.py", "cross_entropy_kernel", str(m),
                     {"X_ptr": ((m, n), x), "X_stride": "i32:%d" % n, "Y_ptr": ((m,), y, "<i8"),
                      "Y_stride": "i32:1", "loss_ptr": "fp32[%d]:zeros" % m, "loss_stride": "i32:1",
                      "n_cols": "i32:%d" % n, "n_counted": "fp32:2", "counted_weight": "fp32:2",
                      "weight_sum": "fp32:0", "ignore_index": "i32:-100", "softcap": "fp32:0"},
                     ["loss_ptr", "X_ptr"], "--constexpr", "W_ptr=None", "--constexpr", "z_loss_ptr=None",
                     "--constexpr", "z_scale=0.0", "--constexpr", "smoothing=0.0", "--constexpr",
                     'reduction="mean"', "--constexpr", "RETURN_Z_LOSS=0", "--constexpr", "BLOCK=32",
                     "--constexpr", "HAS_WEIGHT=False", "--constexpr", "HAS_SOFTCAP=False",
                     "--constexpr", "HAS_GRADIENT=True")
    p = softmax_rows(x, n)
    compare("loss", loss, [0 if t < 0 else -math.log(p[i * n + t]) / 2 for i, t in enumerate(y)])
    compare("grad", grad, [0 if t < 0 else (p[i * n + j] - (j == t)) / 2
                           for i, t in enumerate(y) for j in range(n)])


def philox(seed, offset, rounds=10):
    """Philox-4x32 (Salmon et al. 2011); the first word."""
    c, key = [offset, 0, 0, 0], [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(rounds):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ key[1], a & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0]


def uniform(word):
    """The number in [0, 1) that tl.rand makes of a word."""
    signed = word - (1 << 32) if word >= 1 << 31 else word
    return (signed if signed >= 0 else -signed - 1) * 4.6566127342e-10


def dropout():
    n, p, seed = 100, 0.25, 123
    x = normal(n)
    (y,) = run("dropout.py", "seeded_dropout_kernel", "2",
               {"x_ptr": ((n,), x), "out_ptr": "fp32[%d]:poison" % n, "n": "i32:%d" % n,
                "p": "fp32:%g" % p, "seed": "i32:%d" % seed}, ["out_ptr"], "--constexpr", "BLOCK=64")
    expected = []
    for i, v in enumerate(x):
        expected.append(v / (1 - p) if uniform(philox(seed, i)) > p else 0.0)
    assert 50 < sum(v != 0 for v in expected) < 95
    compare("y", y, expected)


def norm_backward_row(x, dy, w, eps=1e-5):
    """dx of a row of LayerNorm, its normalised input, and the row's mean and 1/deviation."""
    n = len(x)
    mu = sum(x) / n
    r = 1 / math.sqrt(sum((v - mu) ** 2 for v in x) / n + eps)
    x_hat = [(v - mu) * r for v in x]
    wdy = [g * f for g, f in zip(dy, w)]
    along, level = sum(a * b for a, b in zip(x_hat, wdy)) / n, sum(wdy) / n
    return [(g - h * along - level) * r for g, h in zip(wdy, x_hat)], x_hat, mu, r


def norm_backward():
    """Partial sums of two rows a program; the last program has one row only."""
    m, n, each = 5, 100, 2
    programs = (m + each - 1) // each
    x, dy, w, dsum = normal(m * n), normal(m * n), normal(n), normal(m * n)
    dx, dw, db, mean, rstd = [], [[0.0] * n for _ in range(programs)], [[0.0] * n for _ in range(programs)], [], []
    for i, (row, gradient) in enumerate(zip(rows(x, n), rows(dy, n))):
        row_dx, x_hat, mu, r = norm_backward_row(row, gradient, w)
        dx += [d + g for d, g in zip(row_dx, dsum[i * n:(i + 1) * n])]
        mean.append(mu)
        rstd.append(r)
        for j in range(n):
            dw[i // each][j] += gradient[j] * x_hat[j]
            db[i // each][j] += gradient[j]
    arguments = {"X": ((m, n), x), "W": ((n,), w), "DY": ((m, n), dy), "DX": "fp32[%d,%d]:poison" % (m, n),
                 "DW": "fp32[%d,%d]:poison" % (programs, n), "DB": "fp32[%d,%d]:poison" % (programs, n),
                 "DSUM": ((m, n), dsum), "Mean": ((m,), single(mean)), "Rstd": ((m,), single(rstd))}
    for stride in ("x", "y", "dy", "dx", "dsum", "dy1", "dx1", "dres"):
        arguments["stride_" + stride] = "i32:%d" % n
    arguments.update({"M": "i32:%d" % m, "N": "i32:%d" % n, "eps": "fp32:1e-5", "dropout_p": "fp32:0",
                      "weight_is_zero_centered": "i32:0", "rows_a_program": "i32:%d" % each})
    flags = []
    for name in ("B", "Y", "W1", "DY1", "DX1", "DW1", "DB1", "DRESIDUAL", "ROWSCALE", "SEEDS"):
        flags += ["--constexpr", name + "=None"]
    for name, value in (("IS_RMS", False), ("BLOCK_N", 128), ("HAS_DSUM", True), ("STORE_DRESIDUAL", False),
                        ("HAS_WEIGHT", True), ("HAS_BIAS", True), ("HAS_DROPOUT", False)):
        flags += ["--constexpr", "%s=%s" % (name, value)]
    got_dx, got_dw, got_db = run("layer_norm.py", "norm_bwd_kernel", str(programs), arguments, ["DX", "DW", "DB"],
                                 *flags)
    compare("DX", got_dx, dx)
    compare("DW", got_dw, sum(dw, []))
    compare("DB", got_db, sum(db, []))


def norm_backward_locked():
    """Programs add into shared slots under a lock of atomic_cas and atomic_xchg."""
    m, n, slots = 5, 100, 2
    x, dy, w = normal(m * n), normal(m * n), normal(n)
    dx, mean, rstd = [], [], []
    dw, db = [[0.0] * n for _ in range(slots)], [[0.0] * n for _ in range(slots)]
    for i, (row, gradient) in enumerate(zip(rows(x, n), rows(dy, n))):
        row_dx, x_hat, mu, r = norm_backward_row(row, gradient, w)
        dx += row_dx
        mean.append(mu)
        rstd.append(r)
        for j in range(n):
            dw[i % slots][j] += gradient[j] * x_hat[j]
            db[i % slots][j] += gradient[j]
    got_dx, got_dw, got_db = run(
        "layer_norm.py", "layer_norm_bwd_locked_kernel", str(m),
        {"DX": "fp32[%d,%d]:poison" % (m, n), "DW": "fp32[%d,%d]:poison" % (slots, n),
         "DB": "fp32[%d,%d]:poison" % (slots, n), "X": ((m, n), x), "DY": ((m, n), dy), "W": ((n,), w),
         "Mean": ((m,), single(mean)), "Rstd": ((m,), single(rstd)), "Lock": "i32[%d]:zeros" % (2 * slots),
         "stride": "i32:%d" % n, "N": "i32:%d" % n}, ["DX", "DW", "DB"], "--constexpr", "SLOTS=%d" % slots,
        "--constexpr", "BLOCK=128")
    compare("DX", got_dx, dx)
    compare("DW", got_dw, sum(dw, []))
    compare("DB", got_db, sum(db, []))


cases = {
    "softmax": lambda: softmax("softmax_row_kernel", "5"),
    "softmax_persistent": lambda: softmax("softmax_persistent_kernel", "2", "--constexpr", "num_stages=2"),
    "layer_norm": layer_norm, "column_sums": column_sums, "swiglu": swiglu,
    "swiglu_backward": swiglu_backward, "rotary": rotary, "quantize": quantize, "matmul": matmul,
    "scan": scan, "recurrence": recurrence, "top_k": top_k, "cross_entropy": cross_entropy,
    "dropout": dropout, "norm_backward": norm_backward, "norm_backward_locked": norm_backward_locked,
}
if __name__ == "__main__":
    cases[case]()
