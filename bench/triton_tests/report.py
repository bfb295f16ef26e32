# SPDX-License-Identifier: MIT
"""The table of run.py: cases by test function and class, the totals, and the messages by how often
they come."""
import collections
import json
import re

# Class, what it is, and whether it counts among the cases that concern the toolkit.
CLASSES = [("passed", "pass to the letter", True),
           ("words", "right, but the error or the code is in other words", True),
           ("refused", "the toolkit refuses the kernel", True),
           ("accepted", "the toolkit accepts what Triton refuses", True),
           ("version", "differs between Triton versions, right by the newer one", True),
           ("wrong", "other numbers", True),
           ("hazard", "the emulator finds fault with the kernel", True),
           ("crash", "the process died", True), ("slow", "longer than --timeout", True),
           ("script", "the script's stand-in falls short", True),
           ("ir", "reads Triton's own forms", False),
           ("skipped", "skipped by the test itself", False)]
CONCERN = [name for name, _, concern in CLASSES if concern]


def read(path):
    try:
        with open(path) as f:
            lines = [json.loads(line) for line in f]
    except FileNotFoundError:
        return {}
    return {line["case"]: line for line in lines if "case" in line}


def function_of(case):
    path, _, name = case.partition("::")
    return path.split("/")[-1].removesuffix(".py"), name.split("[")[0]


def row(cells, widths):
    return "  ".join(str(c).ljust(w) if i == 0 else str(c).rjust(w)
                     for i, (c, w) in enumerate(zip(cells, widths)))


def table(cases):
    by_function = collections.defaultdict(collections.Counter)
    for name, line in cases.items():
        file, function = function_of(name)
        by_function[f"{file}::{function}"][line["kind"]] += 1
    names = [n for n, _, _ in CLASSES]
    widths = [max([len(f) for f in by_function] + [8])] + [max(7, len(n)) for n in names]
    print(row(["test"] + names, widths))
    for function in sorted(by_function):
        counts = by_function[function]
        print(row([function] + [counts[n] or "" for n in names], widths))


def normal(message):
    """Without numbers and quoted names, so that alike messages count as one."""
    message = re.sub(r"'[^']*'", "'...'", message.split(" | ")[0].split("\n")[0])
    message = re.sub(r"\b(u?int|fp|bf|float|[iu])\d+\w*", "TYPE", message)
    return re.sub(r"\d+", "N", message)[:150]


def messages(cases, most):
    groups = collections.defaultdict(list)
    for name, line in cases.items():
        if line["kind"] in CONCERN and line["kind"] != "passed":
            groups[line["kind"], normal(line["message"])].append((name, line["message"]))
    ordered = sorted(groups.items(),
                     key=lambda g: (-(g[0][0] in ("wrong", "crash", "hazard")), -len(g[1])))
    for (kind, _), members in ordered[:most]:
        name, message = members[0]
        functions = collections.Counter(function_of(n)[1] for n, _ in members).most_common(3)
        print(f"{len(members):6}  {kind:8}  {' '.join(message.split())[:300]}")
        print(f"{'':16}  in {', '.join(f'{f} ({c})' for f, c in functions)}; "
              f"first {name.split('::')[-1][:100]}")


def totals(cases):
    counts = collections.Counter(line["kind"] for line in cases.values())
    concern = sum(counts[n] for n in CONCERN)
    print(f"{len(cases)} cases, {concern} concern the toolkit:")
    for name, meaning, counted in CLASSES:
        if counts[name]:
            share = f"{100 * counts[name] / max(1, concern):5.1f}%" if counted else "      "
            print(f"  {counts[name]:6}  {share}  {name:8}  {meaning}")
    for name in sorted(name for name, line in cases.items() if line["kind"] == "version"):
        print("  differs between Triton versions "
              f"({cases[name]['message'].split(' | ')[0]}): {name}")
    good = counts["passed"] + counts["words"]
    print(f"to the letter {100 * counts['passed'] / max(1, concern):.1f}%, "
          f"with other words {100 * good / max(1, concern):.1f}%")


def show(cases, most):
    table(cases)
    print()
    messages(cases, most)
    print()
    totals(cases)
