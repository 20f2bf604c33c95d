"""Runs the cluster and the load of Scripts/failover, makes the primary fail, and checks the rest."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import interruption

NODES = ("n1", "n2", "n3")
TIME_LIMIT = 6.0
# Workers of the load, see Tests/serverchild/FailoverLoad.swift.
ONCE = (10, 11)


class Failed(Exception):
    """Ends the run with a message."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def free_ports(count):
    """Returns ports that nothing listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for entry in sockets:
        entry.bind(("127.0.0.1", 0))
    ports = [entry.getsockname()[1] for entry in sockets]
    for entry in sockets:
        entry.close()
    return ports


def is_running(process):
    """Whether a process exists and is no zombie."""
    try:
        state = pathlib.Path("/proc/%d/stat" % process).read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.1)
    raise Failed("after %d s, %s" % (seconds, what))


class Cluster:
    """etcd and three nodes of Patroni, each with a PostgreSQL server."""

    def __init__(self, folder, programs):
        self.folder = folder
        self.programs = programs
        self.ports = dict(zip(NODES, free_ports(len(NODES))))
        self.interfaces = dict(zip(NODES, free_ports(len(NODES))))
        self.started = {}
        self.servers = set()
        # The servers refuse to run as root.
        self.user = {}
        if os.geteuid() == 0:
            self.user = {"user": "postgres", "group": "postgres", "extra_groups": []}
            shutil.chown(folder, "postgres", "postgres")

    @property
    def url(self):
        hosts = ",".join("127.0.0.1:%d" % self.ports[node] for node in NODES)
        return "postgresql://vault@%s/postgres" % hosts

    def launch(self, name, command):
        with open(self.folder / (name + ".log"), "ab") as log:
            self.started[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                start_new_session=True, **self.user)

    def start(self):
        client, peer = free_ports(2)
        url = "http://127.0.0.1:%d"
        self.launch("etcd", [
            "etcd", "--data-dir", str(self.folder / "etcd"),
            "--listen-client-urls", url % client, "--advertise-client-urls", url % client,
            "--listen-peer-urls", url % peer, "--initial-advertise-peer-urls", url % peer,
            "--initial-cluster", "default=" + url % peer, "--unsafe-no-fsync"])
        for node in NODES:
            # JSON is YAML.
            (self.folder / (node + ".yml")).write_text(json.dumps(self.settings(node, client)))
        self.start_node(NODES[0])
        wait_until(lambda: self.primary(), 60, "there is no primary")
        for node in NODES[1:]:
            self.start_node(node)
        self.wait_until_whole()

    def start_node(self, node):
        self.launch(node, ["patroni", str(self.folder / (node + ".yml"))])

    def settings(self, node, etcd):
        interface = "127.0.0.1:%d" % self.interfaces[node]
        server = "127.0.0.1:%d" % self.ports[node]
        return {
            "scope": "vault", "name": node,
            "restapi": {"listen": interface, "connect_address": interface},
            "etcd3": {"host": "127.0.0.1:%d" % etcd},
            "bootstrap": {
                "dcs": {
                    "ttl": 20, "loop_wait": 2, "retry_timeout": 5,
                    "maximum_lag_on_failover": 1048576, "failsafe_mode": True,
                    # Without the second one, a primary that loses its replicas acknowledges writes
                    # that no replica has.
                    "synchronous_mode": True, "synchronous_mode_strict": True,
                    "postgresql": {
                        "use_pg_rewind": True, "use_slots": True,
                        "parameters": {"max_connections": 100, "wal_log_hints": "on"}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}],
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                           "host replication all 127.0.0.1/32 trust"]},
            "postgresql": {
                "listen": server, "connect_address": server,
                "data_dir": str(self.folder / node / "data"), "bin_dir": self.programs,
                "pgpass": str(self.folder / (node + ".pass")),
                "parameters": {
                    "unix_socket_directories": "", "shared_buffers": "32MB",
                    "deadlock_timeout": "100ms"},
                "authentication": {"superuser": {"username": "vault"},
                                   "replication": {"username": "vault"},
                                   "rewind": {"username": "vault"}}}}

    def members(self):
        """Returns the members of the cluster as a node that answers knows them."""
        for node in NODES:
            try:
                url = "http://127.0.0.1:%d/cluster" % self.interfaces[node]
                with urllib.request.urlopen(url, timeout=2) as answer:
                    return {member["name"]: member for member in json.load(answer)["members"]}
            except (OSError, ValueError, KeyError):
                continue
        return {}

    def primary(self):
        """Returns the name of the node with the primary."""
        for name, member in self.members().items():
            if member.get("role") == "leader" and member.get("state") == "running":
                return name
        return None

    def wait_until_whole(self):
        def is_whole():
            members = self.members()
            roles = sorted(member.get("role", "") for member in members.values())
            states = {member.get("state") for member in members.values()}
            return roles == ["leader", "replica", "sync_standby"] and states <= {
                "running", "streaming"}
        wait_until(is_whole, 120, "the cluster is not whole: %s" % self.members())
        self.processes(*NODES)

    def processes(self, *nodes):
        """Returns the processes of nodes: Patroni, the server and its children."""
        found = []
        for node in nodes:
            if node in self.started:
                found.append(self.started[node].pid)
            try:
                text = (self.folder / node / "data" / "postmaster.pid").read_text()
            except OSError:
                continue
            server = int(text.split()[0])
            if not is_running(server):
                continue
            self.servers.add(server)
            found.append(server)
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(status.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent in found:
                found.append(int(status.parent.name))
        return found

    def query(self, sql):
        """Returns the rows of a query on the primary."""
        answer = subprocess.run(
            [self.programs + "/psql", "-X", "-A", "-t", "-q", "-d",
             self.url + "?target_session_attrs=read-write&connect_timeout=3", "-c", sql],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        if answer.returncode != 0:
            raise Failed("the primary does not answer: " + answer.stderr.strip())
        return [line.split("|") for line in answer.stdout.splitlines()]

    def stop(self):
        """Ends everything. Patroni ends its server when it is terminated."""
        everything = self.processes(*NODES)
        send(reversed(everything), signal.SIGCONT)
        self.end([node for node in NODES if node in self.started], 40)
        self.end([name for name in ("etcd",) if name in self.started], 20)
        left = [process for process in set(everything) | self.servers if is_running(process)
                and self.is_of_cluster(process)]
        if left:
            say("ending %d processes that are left" % len(left))
            send(left, signal.SIGKILL)
            wait_until(lambda: not any(map(is_running, left)), 20, "processes are left")

    def is_of_cluster(self, process):
        """Whether a process works in the folder; its number may be another one's by now."""
        try:
            return os.readlink("/proc/%d/cwd" % process).startswith(str(self.folder))
        except OSError:
            return False

    def end(self, names, seconds):
        for name in names:
            self.started[name].terminate()
        for name in names:
            try:
                self.started[name].wait(seconds)
            except subprocess.TimeoutExpired:
                self.started[name].kill()
                self.started[name].wait()


class Load:
    """The program that writes and reads, and its records."""

    def __init__(self, program, cluster, folder):
        self.path = folder / "records"
        self.position = 0
        self.acknowledged = []
        self.errors = []
        self.reads = collections.Counter()
        self.stale = []
        with open(folder / "load.log", "wb") as log:
            self.process = subprocess.Popen(
                [program, "load", cluster.url, str(TIME_LIMIT), str(self.path)],
                stdin=subprocess.PIPE, stdout=log, stderr=log)

    def update(self):
        """Reads the records that are new."""
        if not self.path.exists():
            return
        with open(self.path, encoding="utf-8") as file:
            file.seek(self.position)
            text = file.read()
        text = text[:text.rfind("\n") + 1]
        self.position += len(text.encode())
        for line in text.splitlines():
            kind, worker, number, when, *rest = line.split()
            key = (int(worker), int(number))
            if kind == "ACK":
                self.acknowledged.append((key, float(when)))
            elif kind == "ERROR":
                self.errors.append((key, float(when), rest[0], float(rest[-1])))
            elif kind == "READ":
                self.reads[rest[0]] += 1
            else:
                self.stale.append(line)

    def has_written_since(self, when):
        """Whether each worker has written since a time."""
        self.update()
        workers = {key[0] for key, _ in self.acknowledged}
        return len(workers) == 7 and {
            key[0] for key, time_ in self.acknowledged if time_ > when} == workers

    def check_running(self):
        if self.process.poll() is not None:
            raise Failed("the load has ended")

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.update()


def longest_gap(load, begin, end):
    """Returns the longest time without an acknowledged write between two times."""
    times = sorted(when for _, when in load.acknowledged if begin - 5 < when < end)
    return max((b - a for a, b in zip(times, times[1:])), default=end - begin)


def run_round(cluster, load, number, frozen):
    """Makes the primary fail, waits for the next, and returns a row of the table."""
    cluster.wait_until_whole()
    begin = time.time()
    wait_until(lambda: load.has_written_since(begin), 60, "not every worker writes")
    time.sleep(1)
    node = cluster.primary()
    processes = cluster.processes(node)
    failed = time.time()
    send(processes, signal.SIGSTOP if frozen else signal.SIGKILL)
    if not frozen:
        cluster.started[node].wait()
    load.check_running()
    # An acknowledgement can be on its way.
    wait_until(lambda: load.has_written_since(failed + 1), 120, "not every worker writes again")
    end = time.time()
    time.sleep(2)
    load.update()
    if frozen:
        send(reversed(processes), signal.SIGCONT)
        time.sleep(5)
    else:
        cluster.start_node(node)
    errors = [error for error in load.errors if failed - 1 < error[1] <= end + 1]
    row = {
        "round": number, "failure": "freeze" if frozen else "kill", "node": node,
        "no writes for": longest_gap(load, failed, end),
        "all write after": max(
            min(when for key, when in load.acknowledged if key[0] == worker and when > failed + 1)
            for worker in {key[0] for key, _ in load.acknowledged}) - failed,
        "errors": collections.Counter(error[2] for error in errors),
        "longest": max((error[3] for error in errors), default=0.0)}
    print_row(row)
    return row


def print_head():
    print("| Round | Failure | Node | No writes for | Every worker writes after | Longest failed call "
          "| Errors of calls that are not retried |")
    print("|---|---|---|---|---|---|---|", flush=True)


def print_row(row):
    errors = ", ".join("%d %s" % (count, code) for code, count in sorted(row["errors"].items()))
    print("| %d | %s | %s | %.1f s | %.1f s | %.1f s | %s |" % (
        row["round"], row["failure"], row["node"], row["no writes for"], row["all write after"],
        row["longest"], errors), flush=True)


def check(cluster, load):
    """Compares the records with what is stored. Returns the violations."""
    rows = cluster.query('SELECT worker, number, count(*) FROM "ServerTransfer" GROUP BY 1, 2')
    stored = {(int(worker), int(number)): int(count) for worker, number, count in rows}
    acknowledged = {key for key, _ in load.acknowledged}
    last = {}
    for worker, number in acknowledged:
        last[worker] = max(number, last.get(worker, 0))
    # A worker that reads what it wrote can fail to read it after the acknowledgement.
    reads = [error for error in load.errors if error[0] in acknowledged]
    writes = [error for error in load.errors if error[0] not in acknowledged]
    unknown = {error[0] for error in writes if error[2] == "commitUnknown"}
    lost = {error[0] for error in writes if error[2] != "commitUnknown"}
    violations = []

    def expect(name, found):
        print("%s: %d" % (name, len(found)))
        if found:
            violations.append("%s: %s" % (name, found[:5]))

    print("\n%d writes acknowledged, %d stored" % (len(acknowledged), len(stored)))
    print("without an answer: %d, of which stored: %d" % (
        len(unknown), sum(key in stored for key in unknown)))
    print("reads of own writes: %d by replicas, %d by the primary, %d failed" % (
        load.reads["replica"], load.reads["primary"], len(reads)))
    expect("acknowledged, but not stored", [key for key in acknowledged if key not in stored])
    expect("stored more than once", [key for key, count in stored.items() if count > 1])
    expect("stored, although the call said it was not", [key for key in lost if key in stored])
    expect("neither acknowledged nor in progress", [
        key for key in stored if key not in acknowledged and key not in unknown
        and key[1] <= last.get(key[0], 0)])
    expect("errors of transactions that are retried", [
        error for error in writes if error[0][0] not in ONCE])
    expect("errors with another code than 'connectionLost' and 'commitUnknown'", [
        error for error in load.errors if error[2] not in ("connectionLost", "commitUnknown")])
    expect("calls longer than twice the time limit of %g s" % TIME_LIMIT, [
        error for error in load.errors if error[3] > 2 * TIME_LIMIT])
    expect("reads that missed an own write", load.stale)
    if not load.reads["replica"]:
        violations.append("no replica answered a read")
    return violations


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--child", required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    interruption.handle()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ov-failover-"))
    cluster = Cluster(folder, options.programs)
    load = None
    violations = []
    try:
        say("starting the cluster in %s" % folder)
        cluster.start()
        load = Load(options.child, cluster, folder)
        print_head()
        rows = [run_round(cluster, load, number, False) for number in range(1, options.rounds + 1)]
        rows.append(run_round(cluster, load, options.rounds + 1, True))
        cluster.wait_until_whole()
        load.stop()
        violations = check(cluster, load)
        gaps = [row["no writes for"] for row in rows]
        print("no writes for %.1f to %.1f s" % (min(gaps), max(gaps)))
    except Failed as error:
        violations.append(str(error))
        for log in sorted(folder.glob("*.log")):
            say("%s:\n%s" % (log.name, log.read_text(errors="replace")[-8000:]))
        if load:
            load.stop()
            try:
                violations += check(cluster, load)
            except (Failed, subprocess.TimeoutExpired) as second:
                violations.append(str(second))
    finally:
        interruption.ignore()
        if load and load.process.poll() is None:
            load.process.kill()
            load.process.wait()
        cluster.stop()
        if options.keep:
            say("the folder is %s" % folder)
        else:
            shutil.rmtree(folder)
    for violation in violations:
        print("FAILED: %s" % violation)
    print("fail" if violations else "pass")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
