"""Runs the peers in turn, each in its own process and on its own file."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from proving import prove
from workloads import BY_NAME, CLOSE, FLOOR, MORE_OFTEN


class PeerFailed(Exception):
    """A peer cannot do a workload on an engine. The text is the start of its error output."""


class Bench:
    """Runs the peers on one engine."""

    def __init__(self, engine, library, programs, python, folder, rows):
        self.engine = engine
        self.programs = pathlib.Path(programs)
        self.python = python
        self.folder = pathlib.Path(folder)
        self.rows = rows
        self.environment = dict(os.environ, BENCHMARK_CIPHER=engine[0])
        self.preloaded = dict(self.environment)
        if library:
            # All peers use the same library, even if they are linked to another one.
            self.preloaded["LD_PRELOAD"] = library
        self.prepared = {}

    def call(self, peer, workload, path, rows=None):
        arguments = [peer.variant, workload, str(rows or self.rows), str(path)]
        if peer.program == "peewee":
            peer_py = pathlib.Path(__file__).parent.parent / "peewee" / "peer.py"
            command, environment = [self.python, str(peer_py), *arguments], self.environment
        else:
            command = [str(self.programs / peer.program), *arguments]
            environment = self.preloaded
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            said = done.stderr.strip()
            if peer.program in ("floor", "vault") or workload.startswith("prepare"):
                sys.exit(f"{' '.join(command)} on {self.engine} failed:\n{said}")
            raise PeerFailed(said.split(" - while executing")[0][:200])
        return json.loads(done.stdout) if done.stdout else None

    def verify_command(self, path, rows):
        return [
            "env", f"LD_PRELOAD={self.preloaded.get('LD_PRELOAD', '')}",
            str(self.programs / "floor"), "plain", "verify", str(rows), str(path)]

    def file_for(self, peer, kind, rows):
        """Returns the prepared file of a program. The first call creates and verifies it."""
        maker = peer.maker
        key = (maker.program, kind, rows)
        if key not in self.prepared:
            path = self.folder / f"{maker.program}-{kind}-{rows}.db"
            self.call(maker, "prepare" if kind == "people" else "prepare-words", path, rows)
            if kind == "people":
                found = prove(path, self.verify_command(path, rows))
                expected = self.prepared.get((FLOOR.program, kind, rows))
                if expected:
                    same = {"people", "ages", "letters", "pageSize"}
                    theirs = {name: found[name] for name in same}
                    ours = {name: expected[1][name] for name in same}
                    if theirs != ours:
                        sys.exit(f"{peer.name} stored {theirs}, the floor {ours}")
                self.prepared[key] = (path, found)
            else:
                self.prepared[key] = (path, None)
        return self.prepared[key][0]

    def forget(self, rows):
        """Deletes the prepared files of a size, because the largest need much space."""
        for key in [key for key in self.prepared if key[2] == rows]:
            path, _ = self.prepared.pop(key)
            for left in path.parent.glob(f"{path.name}*"):
                left.unlink()

    def run(self, peer, workload, rows=None):
        """Runs a workload once on a fresh copy of its prepared file, and returns the result."""
        rows = rows or self.rows
        path = self.folder / "work.db"
        for left in self.folder.glob("work.db*"):
            left.unlink()
        kind = BY_NAME[workload].begins_with
        if kind != "nothing":
            shutil.copyfile(self.file_for(peer, kind, rows), path)
        result = self.call(peer, workload, path, rows)
        if workload == "w1" and rows == self.rows:
            prove(path, self.verify_command(path, rows))
        return result

    def measure(self, workload, peers, rounds, more=0, rows=None):
        """Runs every peer in turn for `rounds` rounds. If `more` is not 0, runs the peers in CLOSE
        for as many rounds again, and then for further rounds until `more` seconds have passed.

        Returns a list of rounds, each with the results by peer, and the errors of failed peers.
        """
        taking = [peer for peer in peers if peer.takes(workload)]
        told, failed = [], {}
        end = None
        for number in range(rounds * (MORE_OFTEN if more else 1)):
            if number == rounds:
                taking = [peer for peer in taking if peer.name in CLOSE]
                end = time.monotonic() + more
            if end and number >= 2 * rounds and time.monotonic() > end:
                break
            results = {}
            for peer in list(taking):
                if peer.rounds and number >= peer.rounds:
                    continue
                try:
                    results[peer.name] = self.run(peer, workload, rows)
                except PeerFailed as failure:
                    print(f"{peer.name} {workload}: {failure}", file=sys.stderr)
                    failed[peer.name] = str(failure)
                    taking.remove(peer)
            told.append(results)
            checks = {name: result["check"] for name, result in told[-1].items()}
            if len(set(checks.values())) != 1:
                sys.exit(f"{workload} on {self.engine}: the peers did different work: {checks}")
        for name in failed:
            for results in told:
                results.pop(name, None)
        return told, failed


def per_operation(result):
    return result["nanoseconds"] / max(1, result["operations"])


def per_second(result):
    return result["operations"] * 1e9 / result["nanoseconds"]


def summary(rounds, name, value, more_is_better=False, floor=FLOOR.name):
    """Returns a peer's median and best result and their ratios to the floor in the same rounds."""
    taken = [told for told in rounds if name in told]
    own = [value(told[name]) for told in taken]
    floor = [value(told[floor]) for told in taken]
    best = max if more_is_better else min
    return {
        "median": statistics.median(own),
        "best": best(own),
        "ratio": statistics.median(a / b for a, b in zip(own, floor)),
        "bestRatio": best(own) / best(floor),
        "rounds": len(taken),
    }


def totals(rounds, name, workload, floor=FLOOR.name):
    """Returns the summaries of a peer's times, or of its rates, and its peak memory."""
    told = (
        summary(rounds, name, per_second, True, floor) if workload.is_rate
        else summary(rounds, name, per_operation, floor=floor))
    told["peak"] = statistics.median(one[name]["peak"] for one in rounds if name in one)
    if workload.is_rate:
        told["other"] = summary(rounds, name, lambda result: result["other"], True, floor)
    return told
