"""What the library is to reach, as ratios to the floor, and whether it does."""

from collections import namedtuple

# For rates more is better, for all else less.
Target = namedtuple("Target", "title workload peer ratio part", defaults=["ratio"])

TARGETS = (
    Target("W1 insert all, one transaction", "w1", "vault-struct", 1.15),
    Target("W2 insert, one transaction each", "w2", "vault-struct", 1.10),
    Target("W3 fetch all, structs", "w3", "vault-struct", 1.75),
    Target("W3 fetch all, classes", "w3", "vault-class", 1.90),
    Target("W4 fetch by objectID, one read scope", "w4", "vault-struct", 1.40),
    Target("W4x fetch by objectID, each its own read", "w4x", "vault-struct", 1.50),
    Target("W4i the same instance again", "w4i", "vault-class", 0.25),
    Target("W5 fetch by an indexed value", "w5", "vault-struct", 1.40),
    Target("W6 condition, sorted, 100 of them", "w6", "vault-struct", 1.10),
    Target("W7 update, all columns", "w7", "vault-struct", 0.20),
    Target("W7p update, two columns", "w7p", "vault-struct", 0.20),
    Target("W8 remove with four that go along", "w8", "vault-struct", 1.15),
    Target("W9 open under a raw key", "w9", "vault-struct", 1.50),
    Target("W9p open under a passphrase", "w9p", "vault-struct", 1.05),
    Target("W10 count", "w10c", "vault-struct", 1.10),
    Target("W10 mean of a column", "w10a", "vault-struct", 1.10),
    Target("W11 reads beside a writer", "w11", "vault-struct", 0.85),
    Target("W11 writes beside them", "w11", "vault-struct", 0.85, "other"),
    Target("W12 memory, insert, made one by one", "w12", "vault-struct", 1.70, "peak"),
    Target("W12 memory, fetch all, all held", "w3", "vault-struct", 1.90, "peak"),
)


def compared(workloads):
    """The rows of a table: each target, what the library has, and what C by the same calls has."""
    lines = ["| | at most | ObjectVault | C | |", "|---|---|---|---|---|"]
    for target in TARGETS:
        measured = workloads.get(target.workload, {})
        own = ratios(measured, target.peer, target.part)
        if not own:
            continue
        c = next(
            (found for peer in ("floor-alike", "floor-better")
             if (found := ratios(measured, peer, target.part))), ())
        is_rate = target.workload == "w11"
        cells = [
            target.title, f"{'at least ' if is_rate else ''}{target.ratio:.2f}", told(own), told(c),
            verdict(target.ratio, own, c, is_rate)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def ratios(measured, peer, part):
    """The median of the ratios and that of the best runs, as far as there are both."""
    value = measured.get(peer, {})
    if part == "peak":
        floor = measured.get("floor-plain", {})
        return (value["peak"] / floor["peak"],) if "peak" in value and "peak" in floor else ()
    if part == "other":
        return (value["other"]["ratio"],) if "other" in value else ()
    return (value["ratio"], value["bestRatio"]) if "ratio" in value else ()


def told(found):
    if not found:
        return ""
    return f"{found[0]:.2f}" + (f" ({found[1]:.2f})" if len(found) > 1 else "")


def verdict(limit, own, c, is_rate):
    """As the numbers are told: to two places."""
    def holds(ratio):
        return round(ratio, 2) >= limit if is_rate else round(ratio, 2) <= limit

    if all(map(holds, own)):
        return "met"
    if holds(own[0]):
        return "met by the median"
    if any(map(holds, own)):
        return "met by the best runs"
    return "missed by C, too" if c and not any(map(holds, c)) else "missed"
