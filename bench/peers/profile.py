# SPDX-License-Identifier: MIT
"""What bounds our kernels and cuBLAS's and cuDNN's, by Nsight Compute: profile.sh says more.

usage: profile.py MANIFEST OUT CASE ...   ($BUILD: the build folder; $NCU: ncu)
CASEs are the words that chose the manifest's cases, in the same order.

Each case of a manifest of bench/beside runs in its fastest configuration. Ours is the 7th launch of
bench/beside, the peers are PyTorch's (profile_peers.py), after ten launches that are not profiled.
--clock-control none: clocks are as the card chooses them. Left in OUT: profile.txt, a table of
metrics by kernels, profile.csv, the same for programs, and times.csv, the rows of bench/beside."""
import csv
import io
import os
import re
import subprocess
import sys
import time

MANIFEST, OUT, *WORDS = sys.argv[1:] if __name__ == "__main__" else ("", "")
BUILD = os.environ.get("BUILD", "build/release")
HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN = time.time()
NCU = os.environ.get("NCU", "ncu")

# Name in the table, candidates (the first that this ncu knows is taken). Stalls come with the
# section WarpStateStats: cycles that a warp waits for that reason between two instructions.
METRICS = [
    ("duration, ns", ["gpu__time_duration.sum"]),
    ("cycles", ["gpc__cycles_elapsed.max"]),
    ("SM clock, Hz", ["gpc__cycles_elapsed.avg.per_second",
                      "smsp__cycles_elapsed.avg.per_second"]),
    ("SM throughput, %", ["sm__throughput.avg.pct_of_peak_sustained_elapsed"]),
    ("tensor pipe busy, % of elapsed", [
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__pipe_tensor_op_gmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_tensor_op_gmma.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_elapsed"]),
    ("tensor pipe busy, % of active", [
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
        "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active"]),
    ("HMMA/GMMA instructions", ["sm__inst_executed_pipe_tensor_op_gmma.sum",
                                "sm__inst_executed_pipe_tensor_op_hmma.sum",
                                "sm__inst_executed_pipe_tensor.sum"]),
    ("XU (exp) busy, %", ["sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"]),
    ("FMA busy, %", ["sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
                     "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"]),
    ("ALU busy, %", ["sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active",
                     "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"]),
    ("SM active cycles, % of elapsed", ["sm__cycles_active.avg.pct_of_peak_sustained_elapsed"]),
    ("SM active cycles, min", ["sm__cycles_active.min"]),
    ("SM active cycles, max", ["sm__cycles_active.max"]),
    ("L1 throughput, %", ["l1tex__throughput.avg.pct_of_peak_sustained_elapsed"]),
    ("L1 hit rate, %", ["l1tex__t_sector_hit_rate.pct"]),
    ("shared memory, bank conflicts", ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"]),
    ("L2 throughput, %", ["lts__throughput.avg.pct_of_peak_sustained_elapsed"]),
    ("L2 sectors", ["lts__t_sectors.sum"]),
    ("L2 to SM, bytes/s", ["lts__t_bytes.sum.per_second", "lts__t_sectors.sum.per_second"]),
    ("L2 hit rate, %", ["lts__t_sector_hit_rate.pct"]),
    ("DRAM throughput, %", ["dram__throughput.avg.pct_of_peak_sustained_elapsed"]),
    ("DRAM read, bytes", ["dram__bytes_read.sum"]),
    ("DRAM written, bytes", ["dram__bytes_write.sum"]),
    ("issue slots busy, %", ["smsp__issue_active.avg.pct_of_peak_sustained_active"]),
    ("instructions", ["smsp__inst_executed.sum"]),
    ("warps active, % of peak", ["sm__warps_active.avg.pct_of_peak_sustained_active"]),
]
STALL = r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active.ratio"
LAUNCH = ["launch__registers_per_thread", "launch__grid_size", "launch__block_size",
          "launch__shared_mem_per_block", "launch__occupancy_limit_registers",
          "launch__occupancy_limit_shared_mem", "launch__waves_per_multiprocessor"]


def say(text):
    print(f"{time.time() - BEGIN:6.1f} s  {text}", flush=True)


def known_metrics():
    """The first of each row's that ncu has for this GPU."""
    query = subprocess.run([NCU, "--query-metrics"], capture_output=True, text=True)
    names = set(re.findall(r"^(\w+__\w+)", query.stdout, re.MULTILINE))
    chosen = {}
    for row, candidates in METRICS:
        found = [c for c in candidates if c.split(".")[0] in names]
        if found or not names: # where it lists nothing, the usual one is tried
            chosen[row] = (found or candidates)[0]
        else:
            say(f"ncu has none of {', '.join(candidates)}")
    return chosen


def profile(command, flags, metrics):
    """Rows: dictionaries by metric, with the kernel's name."""
    full = [NCU, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
            "--target-processes", "all", "--print-kernel-base", "demangled",
            "--section", "WarpStateStats", "--metrics", ",".join([*metrics.values(), *LAUNCH]),
            *flags, *command]
    try:
        run = subprocess.run(full, capture_output=True, text=True, timeout=180)
    except subprocess.TimeoutExpired:
        say("not done after 180 s: " + " ".join(command))
        return []
    if run.returncode:
        say(f"exit code {run.returncode}: {run.stderr[-300:]}")
    lines = [line for line in run.stdout.splitlines() if line.startswith('"')]
    if len(lines) < 3:
        say("nothing profiled: " + " ".join(run.stdout.split()[-40:]) + run.stderr[-300:])
        return []
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    return [row for row in rows if row.get("ID")]


def cases():
    case = []
    with open(MANIFEST) as manifest:
        for line in map(str.rstrip, manifest):
            case = [line] if line.startswith("case ") else case + [line]
            if line == "end":
                yield case


def key_of(case):
    return ":".join(case[0].split()[1:3])


def best_labels():
    run = subprocess.run([f"{BUILD}/bench/beside", MANIFEST, "--rounds", "3", "--repeat-ms",
                          "12", "--keep-going", "1"], capture_output=True, text=True, timeout=180)
    with open(f"{OUT}/times.csv", "w") as out:
        out.write(run.stdout)
    print(run.stdout, run.stderr[-500:], flush=True)
    rows = (line.split(",") for line in run.stdout.splitlines()[1:])
    return {f"{r[0]}:{r[1]}": r[2] for r in rows if len(r) > 3 and r[2] != "failed"}


def alone(case, label):
    """The case with one configuration: a launch, and those after it."""
    kept, keeps = [], False
    for line in case:
        if line.startswith("ours "):
            if " after=1 " not in line:
                keeps = f" label={label} " in line and " skip=" not in line
            if not keeps:
                continue
        kept.append(line)
    path = f"{OUT}/case-{re.sub('[^a-z0-9]', '-', key_of(case))}.txt"
    with open(path, "w") as out:
        print("\n".join(kept), file=out)
    return path


def kernels_of(path):
    """Of the launches of a case with one configuration, in their order."""
    with open(path) as case:
        return [re.search(r" kernel=(\S+)", line)[1] for line in case if line.startswith("ours ")]


def ours(case, label, metrics):
    path = alone(case, label)
    kernels = kernels_of(path)
    flags = ["--kernel-name", "regex:" + "|".join(sorted(set(kernels))), "--launch-skip",
             str(6 * len(kernels)), "--launch-count", str(len(kernels))]
    command = [f"{BUILD}/bench/beside", path, "--rounds", "1", "--repeat-ms", "1"]
    return [(f"ours {key_of(case)} {label}" + (f" {n + 1}" if len(kernels) > 1 else ""), row)
            for n, row in enumerate(profile(command, flags, metrics))]


def peers(words, keys, metrics):
    rows = profile([sys.executable, os.path.join(HERE, "profile_peers.py"), *words],
                   ["--profile-from-start", "off"], metrics)
    found, at, n = [], 0, 0
    for row in rows:
        if "atan2" in row["Kernel Name"]:
            at, n = at + 1, 0
            continue
        n += 1
        if at < len(keys):
            found.append((f"peer {keys[at]} {n}", row))
    if rows and at != len(keys):
        say(f"peers of {at} cases for {len(keys)}: left out")
        return []
    return found


def number(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return text
    return f"{value:.4g}" if abs(value) < 1e5 else f"{value:.4e}"


def table(columns, metrics):
    found = sorted({m for _, row in columns for m in row if m and re.fullmatch(STALL, m)})
    metrics = {**metrics, **{"stall " + re.fullmatch(STALL, m)[1]: m for m in found}}
    with open(f"{OUT}/profile.csv", "w") as out:
        writer = csv.writer(out)
        writer.writerow(["column", "kernel", *metrics, *LAUNCH])
        for name, row in columns:
            writer.writerow([name, row["Kernel Name"], *[row.get(m, "") for m in metrics.values()],
                             *[row.get(m, "") for m in LAUNCH]])
    with open(f"{OUT}/profile.txt", "w") as out:
        for i, (name, row) in enumerate(columns):
            print(f"[{i}] {name}: {row['Kernel Name'][:110]}", file=out)
        groups = [columns[i:i + 8] for i in range(0, len(columns), 8)]
        for g, group in enumerate(groups):
            print("\n" + f"{'':34}" + "".join(f"{'[' + str(8 * g + i) + ']':>12}"
                                              for i in range(len(group))), file=out)
            for label, metric in [*metrics.items(), *((m, m) for m in LAUNCH)]:
                print(f"{label:34}" + "".join(f"{number(row.get(metric, '')):>12}"
                                              for _, row in group), file=out)
    print(open(f"{OUT}/profile.txt").read())


def main():
    metrics = known_metrics()
    say(f"{len(metrics)} metrics")
    labels = best_labels()
    say("best configurations known")
    columns = []
    for case in cases():
        label = labels.get(key_of(case))
        if not label:
            say(f"{key_of(case)}: no configuration ran")
            continue
        columns += ours(case, label, metrics)
        say(f"{key_of(case)} {label}")
    keys = [key_of(case) for case in cases()]
    columns += peers(WORDS, keys, metrics)
    say("peers")
    order = {key: i for i, key in enumerate(keys)}
    columns.sort(key=lambda c: (order[c[0].split()[1]], c[0]))
    table(columns, metrics)


if __name__ == "__main__":
    main()
