"""The targets of the library, as ratios to the floor, and the verdicts."""

import math
from collections import namedtuple

from workloads import BY_NAME

# More is better for rates, less for all else. The default title is that of the workload.
Target = namedtuple("Target", "workload peer ratio title part", defaults=["", "ratio"])

TARGETS = (
    Target("w1", "vault-struct", 1.15),
    Target("w2", "vault-struct", 1.10),
    Target("w3", "vault-struct", 1.75, "W3 fetch all, structs"),
    Target("w3", "vault-class", 1.90, "W3 fetch all, classes"),
    Target("w4", "vault-struct", 1.40),
    Target("w4x", "vault-struct", 1.50),
    Target("w4i", "vault-class", 0.25, "W4i the same instance again"),
    Target("w5", "vault-struct", 1.40),
    Target("w6", "vault-struct", 1.10),
    Target("w7", "vault-struct", 0.20),
    Target("w7p", "vault-struct", 0.20),
    Target("w8", "vault-struct", 1.15),
    Target("w9", "vault-struct", 1.50),
    Target("w9p", "vault-struct", 1.05),
    Target("w10c", "vault-struct", 1.10),
    Target("w10a", "vault-struct", 1.10),
    Target("w11", "vault-struct", 0.85),
    Target("w11", "vault-struct", 0.85, "W11 writes at the same time", "other"),
    Target("w12", "vault-struct", 1.70, "W12 memory, insert, created one by one", "peak"),
    Target("w3", "vault-struct", 1.90, "W12 memory, fetch all, all retained", "peak"),
)

# Ratios that are stricter than the targets, or of workloads without a target.
GOALS = (
    Target("w3", "vault-struct", 1.35, "W3 fetch all, structs"),
    Target("w6", "vault-indexed", 0.05, "W6 with the suggested index"),
    Target("w9", "vault-struct", 1.25),
    Target("w12", "vault-dynamic", 1.50, "W12 insert dynamic objects, created one by one"),
    Target("w14", "vault-struct", 1.50),
    Target("w15", "vault-struct", 1.30),
)
TOOL_GOALS = {"export": 2.50, "import": 1.60}


def goals(workloads, tool):
    """Returns the table of goals: the limit, the ratio and whether it is reached."""
    rows = [
        (target.title or BY_NAME[target.workload].title, target.ratio,
         ratios(workloads.get(target.workload, {}), target.peer, target.part))
        for target in GOALS
    ] + [(f"W17 {name}", TOOL_GOALS[name], (value["ratio"],)) for name, value in tool.items()]
    return ["| | at most | ObjectVault | |", "|---|---|---|---|"] + [
        f"| {title} | {limit:.2f} | {told(own)} | {verdict(limit, own, (), (), False)} |"
        for title, limit, own in rows if own]


def compared(workloads):
    """Returns the table of targets: the limit, the library's time and instructions, the time of C
    with better SQL, and the verdict."""
    lines = [
        "| | at most | ObjectVault | instructions | C, better SQL | |", "|---|---|---|---|---|---|"]
    for target in TARGETS:
        measured = workloads.get(target.workload, {})
        own = ratios(measured, target.peer, target.part)
        if not own:
            continue
        c = ratios(measured, "floor-better", target.part)
        workload = BY_NAME[target.workload]
        counted = ratios(measured, target.peer, "instructions") if target.part == "ratio" else ()
        cells = [
            target.title or workload.title,
            f"{'at least ' if workload.is_rate else ''}{target.ratio:.2f}", told(own),
            told(counted), told(c), verdict(target.ratio, own, counted, c, workload.is_rate)]
        if workload.is_rate and cells[-1] != "met" and pair(measured, target) >= target.ratio:
            cells[-1] = "met as a pair"
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def pair(measured, target):
    """Returns the geometric mean of the rates of reads and writes, which share two processors."""
    value = measured[target.peer]
    return round(math.sqrt(value["ratio"] * value["other"]["ratio"]), 2)


def ratios(measured, peer, part):
    """Returns the median ratio and that of the best runs, or one ratio if there is only one."""
    value = measured.get(peer, {})
    if part == "peak":
        floor = measured.get("floor-plain", {})
        return (value["peak"] / floor["peak"],) if "peak" in value and "peak" in floor else ()
    if part == "instructions":
        return (value[part],) if part in value else ()
    if part == "other":
        return (value["other"]["ratio"],) if "other" in value else ()
    return (value["ratio"], value["bestRatio"]) if "ratio" in value else ()


def told(found):
    if not found:
        return ""
    return f"{found[0]:.2f}" + (f" ({found[1]:.2f})" if len(found) > 1 else "")


def verdict(limit, own, counted, c, is_rate):
    """Returns the verdict for the numbers as printed, with two decimal places."""
    def holds(ratio):
        return round(ratio, 2) >= limit if is_rate else round(ratio, 2) <= limit

    if all(map(holds, own)):
        return "met"
    if any(map(holds, own)):
        if counted and all(map(holds, counted)):
            return "met in instructions"
        return "met by the median" if holds(own[0]) else "met by the best runs"
    return "missed by C, too" if c and not any(map(holds, c)) else "missed"
