"""Tables in Markdown and a chart of what was measured."""

from targets import compared
from workloads import BY_NAME, GROWTH, GROWTH_ROUNDS, PEERS, WORKLOADS


def markdown(results):
    machine = results["machine"]
    first = next(iter(results["engines"].values()))
    lines = [
        "# What it costs", "",
        "Made by `Scripts/benchmark`; [README.md](README.md) says how to read it.", "",
        f"- Machine: {machine['processor']}, {machine['cores']} cores, {machine['memory']}, "
        f"{machine['system']}",
        f"- Versions: {machine['versions']}",
        f"- {results['rows']:,} objects, {results['rounds']} rounds"
        f"{exceptions(results['rounds'], first['workloads'])}, page cache {results['cache']} MiB, "
        f"{results['date']}",
        "",
        "A ratio is the median of the ratios to the floor in the same round, and in brackets the best "
        "run to the floor's best. Less is better, but for W11, where more is.",
    ]
    for engine, measured in results["engines"].items():
        lines += ["", f"## SQLCipher {engine}", ""] + table(measured["workloads"])
        lines += ["", "### Targets", ""] + compared(measured["workloads"])
        if "w12" in measured["workloads"] or "w3" in measured["workloads"]:
            lines += ["", "### Peak memory, MiB", ""] + memory(measured["workloads"])
        if measured.get("tool"):
            lines += ["", "### W17: JSON through the tool", ""] + [
                f"- {name}: {value['median'] / 1e6:.0f} ms for all, {value['ratio']:.2f} times "
                f"{value['against']}"
                for name, value in measured["tool"].items()
            ]
    grown = {
        engine: measured["growth"] for engine, measured in results["engines"].items()
        if measured.get("growth")}
    if grown:
        lines += [
            "", "## Growth", "",
            "What an operation takes at a tenth of the objects and at ten times as many, and in "
            "brackets its ratio to the floor at that size; the page cache stays as it is. Fetches "
            "grow with the objects. Rounds: "
            + ", ".join(map(str, GROWTH_ROUNDS)) + "."]
        for engine, measured in grown.items():
            lines += ["", f"### SQLCipher {engine}", ""] + growth(measured)
    return "\n".join(lines) + "\n"


def exceptions(rounds, measured):
    """Who takes part in fewer or more rounds."""
    told = [f"{peer.title} {peer.rounds}" for peer in PEERS if 0 < peer.rounds < rounds]
    most = max(peer.get("rounds", 0) for workload in measured.values() for peer in workload.values())
    if most > rounds:
        told.append(f"C and ObjectVault up to {most}")
    return f" ({', '.join(told)})" if told else ""


def amount(nanoseconds):
    for limit, unit in ((1e3, "ns"), (1e6, "us"), (1e9, "ms")):
        if nanoseconds < limit:
            return f"{nanoseconds * 1e3 / limit:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def table(workloads):
    peers = [
        peer for peer in PEERS[1:] if any(peer.name in measured for measured in workloads.values())]
    failures = []
    lines = [
        "| | C | " + " | ".join(peer.title for peer in peers) + " |",
        "|---|---|" + "---|" * len(peers),
    ]
    for workload in WORKLOADS:
        measured = workloads.get(workload.name)
        if not measured:
            continue
        floor = measured[PEERS[0].name]["median"]
        cells = [workload.title, f"{floor:,.0f} /s" if workload.is_rate else amount(floor)]
        for peer in peers:
            value = measured.get(peer.name, {})
            if "failed" in value:
                failures.append(f"- {peer.title}, {workload.title}: {value['failed']}")
            cells.append(
                f"{value['ratio']:.2f} ({value['bestRatio']:.2f})" if "ratio" in value
                else "fails" if value else "")
        lines.append("| " + " | ".join(cells) + " |")
        if workload.is_rate:
            cells = ["W11 writes beside them", f"{measured[PEERS[0].name]['other']['median']:,.0f} /s"]
            for peer in peers:
                value = measured.get(peer.name, {})
                cells.append(f"{value['other']['ratio']:.2f}" if "other" in value else "")
            lines.append("| " + " | ".join(cells) + " |")
    return lines + (["", "What fails:", ""] + failures if failures else [])


def memory(workloads):
    measured = [workloads[key] for key in ("w12", "w3") if key in workloads]
    names = [peer for peer in PEERS if any(peer.name in told for told in measured)]
    lines = [
        "| | " + " | ".join(peer.title for peer in names) + " |", "|---|" + "---|" * len(names)]
    for key, title in (("w12", "W12 insert, made one by one"), ("w3", "W12 fetch all, all held")):
        if key in workloads:
            cells = [
                f"{told['peak'] / 2**20:.0f}" if "peak" in told else ""
                for told in (workloads[key].get(peer.name, {}) for peer in names)]
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines


def growth(measured):
    lines = [
        "| | " + " | ".join(f"{int(count):,} objects" for count in measured) + " |",
        "|---|" + "---|" * len(measured)]
    for workload in GROWTH:
        for peer in PEERS:
            name = f"{workload} {peer.name}"
            told = [values.get(name) for values in measured.values()]
            if None in told:
                continue
            cells = [
                amount(value["median"])
                + (f" ({value['ratio']:.2f})" if peer != PEERS[0] else "") for value in told]
            lines.append(
                f"| {BY_NAME[workload].title}: {peer.title} | " + " | ".join(cells) + " |")
    return lines


COLOURS = {
    "floor-better": "#8a8a8a", "floor-alike": "#4d6a8a", "vault-struct": "#0b6e4f", "vault-class": "#3fa34d",
    "vault-dynamic": "#9bc53d", "vault-indexed": "#c5d86d", "grdb-hand": "#d1495b",
    "grdb-codable": "#edae49", "peewee-peewee": "#66a1b2",
}


def chart(results):
    """Bars of ratios on a logarithmic scale, each engine beside the other, the floor a line at 1."""
    from math import log10

    rows, y = [], 40
    left, width = 330, 560
    low, high = 0.05, 200.0

    def x(ratio):
        share = (log10(max(low, min(high, ratio))) - log10(low)) / (log10(high) - log10(low))
        return left + share * width

    for engine, measured in results["engines"].items():
        rows.append(f'<text x="10" y="{y}" class="h">SQLCipher {engine}</text>')
        y += 12
        for workload in WORKLOADS:
            ratios = measured["workloads"].get(workload.name)
            if not ratios:
                continue
            peers = [peer for peer in PEERS[1:] if "ratio" in ratios.get(peer.name, {})]
            rows.append(f'<text x="10" y="{y + 9 * len(peers) / 2 + 4}">{workload.title}</text>')
            for peer in peers:
                ratio = ratios[peer.name]["ratio"]
                begin, end = sorted((x(1), x(ratio)))
                rows.append(
                    f'<rect x="{begin:.1f}" y="{y}" width="{max(1, end - begin):.1f}" height="8" '
                    f'fill="{COLOURS[peer.name]}"><title>{peer.title}: {ratio:.2f}</title></rect>'
                    f'<text x="{max(x(1), x(ratio)) + 4:.1f}" y="{y + 8}" class="s">{ratio:.2f}</text>')
                y += 9
            y += 7
        y += 30
    legend = "".join(
        f'<rect x="{10 + 150 * (i % 6)}" y="{y + 16 * (i // 6)}" width="10" height="10" '
        f'fill="{COLOURS[peer.name]}"/>'
        f'<text x="{25 + 150 * (i % 6)}" y="{y + 9 + 16 * (i // 6)}">{peer.title}</text>'
        for i, peer in enumerate(PEERS[1:]))
    ticks = "".join(
        f'<line x1="{x(t):.1f}" y1="20" x2="{x(t):.1f}" y2="{y - 20}" '
        f'stroke="{"#000" if t == 1 else "#ccc"}"/><text x="{x(t):.1f}" y="16">{t:g}</text>'
        for t in (0.1, 1, 10, 100))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="960" height="{y + 50}" '
        'font-family="sans-serif" font-size="11">'
        '<style>.h{font-weight:bold;font-size:14px}.s{font-size:8px}</style>'
        f'<rect width="960" height="{y + 50}" fill="#fff"/>{ticks}{"".join(rows)}{legend}</svg>\n')
