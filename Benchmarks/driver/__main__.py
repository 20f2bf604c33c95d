"""Measures all peers. Scripts/benchmark builds them and calls this program with their paths."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from report import chart, markdown
from running import Bench, per_operation, summary, totals
from sections import with_sections
from workloads import (
    BY_NAME, FLOOR, GROWING, GROWTH, GROWTH_ROUNDS, PEERS, WORKLOADS)


def machine(versions):
    information = {"processor": platform.processor() or platform.machine(), "memory": "?"}
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                information["processor"] = line.split(":")[1].strip()
                break
        for line in open("/proc/meminfo"):
            if line.startswith("MemTotal"):
                information["memory"] = f"{round(int(line.split()[1]) / 2**20)} GiB"
    except OSError:
        pass
    return information | {
        "cores": os.cpu_count(), "system": platform.platform(terse=True), "versions": versions}


def measure_engine(bench, options):
    measured = {}
    for workload in WORKLOADS:
        if options.only and workload.name not in options.only:
            continue
        print(f"{bench.engine} {workload.title}", end="", flush=True, file=sys.stderr)
        begin = time.monotonic()
        peers = [peer for peer in PEERS if bench.python or peer.program != "peewee"]
        rounds, failed = bench.measure(workload.name, peers, options.rounds, options.more)
        print(f": {time.monotonic() - begin:.0f} s", file=sys.stderr)
        measured[workload.name] = {name: {"failed": said} for name, said in failed.items()}
        for name in rounds[0]:
            measured[workload.name][name] = totals(rounds, name, workload)
    return measured


def measure_tool(bench, tool, rounds):
    """Measures W17, the tool as a separate process, as ratios to the floor's W1 and W3."""
    folder = bench.folder
    source = bench.file_for(next(p for p in PEERS if p.program == "vault"), "people", bench.rows)
    key = folder / "key"
    key.write_text("4B019C2E77A05D13E836C4590FB2816AD324F9409E1568CB32875CE10ABD7643")
    key.chmod(0o600)
    keys = ["--key-file", str(key), "--raw-key"]
    json_file, target = folder / "people.json", folder / "imported.vault"

    def timed(*arguments):
        begin = time.perf_counter_ns()
        subprocess.run(
            [tool, *map(str, arguments), *keys], env=bench.preloaded, check=True,
            capture_output=True)
        return time.perf_counter_ns() - begin

    exports, imports = [], []
    for _ in range(rounds):
        for left in folder.glob("imported.vault*"):
            left.unlink()
        json_file.unlink(missing_ok=True)
        floor_read = bench.run(FLOOR, "w3")["nanoseconds"]
        exports.append((timed("export", source, "Person", "--to", json_file), floor_read))
        timed("create", target)
        floor_insert = bench.run(FLOOR, "w1")["nanoseconds"]
        imports.append((timed("import", target, "Person", json_file), floor_insert))
        if len(json.loads(json_file.read_text())) != bench.rows:
            sys.exit("the tool exported a wrong number of objects")
    return {
        name: {
            "median": statistics.median(own for own, _ in values),
            "ratio": statistics.median(own / floor for own, floor in values), "against": against}
        for name, values, against in (
            ("export", exports, "the floor's W3"), ("import", imports, "the floor's W1"))}


def measure_growth(bench):
    """Measures with a tenth of the objects, with all of them, and with ten times as many."""
    peers = [peer for peer in PEERS if peer.name in GROWING]
    measured = {}
    for count, rounds in zip((bench.rows // 10, bench.rows, bench.rows * 10), GROWTH_ROUNDS):
        print(f"{bench.engine} growth, {count:,} objects", end="", flush=True, file=sys.stderr)
        begin = time.monotonic()
        measured[count] = {}
        for workload in GROWTH:
            told, failed = bench.measure(workload, peers, rounds, rows=count)
            if failed:
                sys.exit(f"growth, {workload}: {failed}")
            for peer in peers:
                measured[count][f"{workload} {peer.name}"] = summary(
                    told, peer.name, per_operation)
        bench.forget(count)
        print(f": {time.monotonic() - begin:.0f} s", file=sys.stderr)
    return measured


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--engine", action="append", required=True, help="VERSION=LIBRARY")
    parser.add_argument(
        "--instructions", action="append", default=[],
        help="VERSION=FILE, from Scripts/instructions")
    parser.add_argument("--python")
    parser.add_argument("--tool")
    parser.add_argument("--data", required=True)
    parser.add_argument("--versions", default="")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--more", type=float, default=15, help="seconds of further rounds for C and the library")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--only", nargs="*", choices=sorted([*BY_NAME, "w17"]))
    parser.add_argument(
        "--keep", action="store_true", help="keep the other results of the folder")
    parser.add_argument("--to", required=True, help="a folder")
    options = parser.parse_args()
    results = {
        "date": datetime.date.today().isoformat(), "rows": options.rows, "rounds": options.rounds,
        "cache": int(os.environ.get("BENCHMARK_CACHE_MIB", "64")),
        "machine": machine(options.versions), "engines": {}}
    former = former_results(options, results) if options.keep else {}
    os.environ["BENCHMARK_DATA"] = options.data
    counts = dict(one.split("=", 1) for one in options.instructions)
    with tempfile.TemporaryDirectory() as temporary:
        for engine in options.engine:
            version, library = engine.split("=", 1)
            folder = pathlib.Path(temporary, version)
            folder.mkdir()
            bench = Bench(version, library, options.programs, options.python, folder, options.rows)
            measured = dict(former.get("engines", {}).get(version, {}))
            measured["workloads"] = {
                **measured.get("workloads", {}), **measure_engine(bench, options)}
            if version in counts:
                note_instructions(measured["workloads"], counts[version])
            if options.tool and (not options.only or "w17" in options.only):
                measured["tool"] = measure_tool(bench, options.tool, options.rounds)
            if options.growth:
                measured["growth"] = measure_growth(bench)
            results["engines"][version] = measured
            write(results, pathlib.Path(options.to))


def former_results(options, results):
    """Returns the results of the folder, and notes in the new ones which workloads are newer."""
    former = json.loads(pathlib.Path(options.to, "results.json").read_text())
    for name in ("rows", "cache"):
        if former[name] != results[name]:
            sys.exit(f"the results of {options.to} have other {name}, so they cannot be kept")
    newer = {"workloads": options.only, "versions": options.versions, "date": results["date"]}
    results.update({name: former[name] for name in ("date", "rounds", "machine")})
    results["newer"] = former.get("newer", []) + [newer]
    results["engines"] = dict(former["engines"])
    return former


def note_instructions(measured, path):
    """Adds the instruction ratios from a table that Scripts/instructions printed."""
    peers = {peer.variant: peer.name for peer in PEERS if peer.program in ("floor", "vault")}
    for line in pathlib.Path(path).read_text().splitlines()[1:]:
        workload, variant, _, _, ratio, *_ = line.split()
        if peers[variant] in measured.get(workload, {}):
            measured[workload][peers[variant]]["instructions"] = float(ratio)


def write(results, folder):
    """Writes the results so far, so that a run stopped between two engines has results."""
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (folder / "RESULTS.md").write_text(with_sections(markdown(results), folder))
    (folder / "results.svg").write_text(chart(results))


if __name__ == "__main__":
    main()
