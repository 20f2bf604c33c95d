"""Creates the files of Scripts/formats, runs the tool on them, and counts the results."""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import interruption

FORMATS = (1, 2, 3, 4)
PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
ROUNDS = (None, 4000, 1)
AUTHENTICATION = {
    "default": [],
    "off": ["PRAGMA cipher_use_hmac = OFF"],
    "page number le": ["PRAGMA cipher_hmac_pgno = le"],
    "page number be": ["PRAGMA cipher_hmac_pgno = be"],
    "page number native": ["PRAGMA cipher_hmac_pgno = native"],
    "salt mask 00": ["PRAGMA cipher_hmac_salt_mask = \"x'00'\""],
    "fast rounds 2": ["PRAGMA fast_kdf_iter = 2"],
    "fast rounds 4000": ["PRAGMA fast_kdf_iter = 4000"],
    "all": ["PRAGMA cipher_hmac_pgno = be", "PRAGMA cipher_hmac_salt_mask = \"x'00'\"",
            "PRAGMA fast_kdf_iter = 4000"],
}
CONTENTS = ("plain", "auto_vacuum", "utf-16", "wal", "hot journal")
WORDS = "open sesame"
NEW_WORDS = "close sesame"
OPTION = re.compile(r"--from-[a-z-]+(?: [a-z0-9]+)?")
Cell = collections.namedtuple("Cell", "maker format page_size rounds authentication content")


def settings(cell, is_modern):
    """Returns the settings that the program sets after the key."""
    lines = []
    if is_modern:
        lines.append("PRAGMA cipher_compatibility = %d" % cell.format)
    if cell.format == 1:
        lines.append("PRAGMA cipher_use_hmac = OFF")
    lines.append("PRAGMA cipher_page_size = %d" % cell.page_size)
    rounds = cell.rounds or {1: 4000, 2: 4000}.get(cell.format)
    if rounds:
        lines.append("PRAGMA kdf_iter = %d" % rounds)
    return lines + AUTHENTICATION[cell.authentication]


def content(cell):
    """Returns the statements that store the content."""
    before = {"auto_vacuum": ["PRAGMA auto_vacuum = FULL"],
              "utf-16": ["PRAGMA encoding = 'UTF-16le'"],
              "wal": ["PRAGMA journal_mode = WAL"]}.get(cell.content, [])
    return before + [
        "CREATE TABLE pet(name TEXT PRIMARY KEY, age INTEGER)",
        "INSERT INTO pet VALUES('Rex', 3), ('Mia', 7)",
        "CREATE TABLE filler(a)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) "
        "INSERT INTO filler SELECT randomblob(300) FROM n",
    ]


def interrupted(cell):
    """Returns statements that leave a journal next to the file if the program is killed then."""
    if cell.content != "hot journal":
        return []
    return ["PRAGMA cache_size = 3", "BEGIN", "DELETE FROM pet",
            "UPDATE filler SET a = randomblob(%d)" % (cell.page_size * 2)]


class Shell:
    def __init__(self, program, library=None):
        self.program, self.library = program, library
        self.version = self.run(":memory:", ["PRAGMA key = 'k'", "PRAGMA cipher_version"])
        self.version = re.search(r"\d+\.\d+\.\d+", self.version).group()
        self.is_modern = not self.version.startswith("3")

    def environment(self):
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        # A shell that is linked to the installed library needs this one.
        if self.library:
            environment["LD_PRELOAD"] = self.library
        return environment

    def run(self, path, statements, kills=False):
        process = subprocess.Popen(
            [self.program, "-batch", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.environment(), text=True)
        text = "".join(line + ";\n" for line in statements)
        if not kills:
            return process.communicate(text)[0]
        process.stdin.write(text + ".shell echo done\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("done"):
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return ""

    def make(self, path, statements, last):
        self.run(path, statements)
        if last:
            key_and_settings = [line for line in statements if line.startswith("PRAGMA")]
            self.run(path, key_and_settings + last, kills=True)


class Python:
    """sqlcipher3 in separate processes, because one setting applies to the whole process."""

    SCRIPT = """
import json, os, signal, sys
import sqlcipher3
path, statements, kills = json.load(sys.stdin)
connection = sqlcipher3.connect(path, isolation_level=None)
for statement in statements:
    for row in connection.execute(statement):
        print("|".join(map(str, row)))
sys.stdout.flush()
if kills:
    os.kill(os.getpid(), signal.SIGKILL)
connection.close()
"""
    is_modern = True

    def __init__(self):
        answer = self.run(":memory:", ["PRAGMA key = 'k'", "PRAGMA cipher_version"])
        self.version = "python " + re.search(r"\d+\.\d+\.\d+", answer).group()

    def run(self, path, statements, kills=False):
        result = subprocess.run(
            [sys.executable, "-c", self.SCRIPT], input=json.dumps([path, statements, kills]),
            capture_output=True, text=True)
        return result.stdout + result.stderr

    make = Shell.make


class Tool:
    def __init__(self, program, version, library=None):
        self.program, self.version, self.library = program, version, library

    def run(self, *arguments):
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        environment.update(OLD=WORDS, NEW=NEW_WORDS)
        if self.library:
            environment["LD_PRELOAD"] = self.library
        result = subprocess.run(
            [self.program, *arguments], capture_output=True, text=True, env=environment)
        return result.returncode, result.stdout, result.stderr


# The settings of each format: rounds, authentication, byte order of page numbers, mask and fast
# rounds.
DEFAULTS = {1: (4000, False, "le", "3a", 2), 2: (4000, True, "le", "3a", 2),
            3: (64000, True, "le", "3a", 2), 4: (256000, True, "le", "3a", 2)}


def expected_settings(cell):
    """Returns the settings of the program that wrote the file, as doctor must name them."""
    rounds, is_authenticated, order, mask, fast = DEFAULTS[cell.format]
    rounds = cell.rounds or rounds
    text = " ".join(AUTHENTICATION[cell.authentication])
    is_authenticated = is_authenticated and "cipher_use_hmac = OFF" not in text
    if not is_authenticated:
        return cell.format >= 4, rounds, cell.page_size, None
    order = "be" if "pgno = be" in text else order
    mask = "00" if "salt_mask" in text else mask
    fast = 4000 if "fast_kdf_iter = 4000" in text else fast
    return cell.format >= 4, rounds, cell.page_size, (order, mask, fast)


def named_settings(line):
    """Returns the settings that a line of doctor names: those of its format and the listed ones."""
    found = re.search(r"cipher format (\d), pages of (\d+) bytes(.*)", line)
    if not found:
        return None
    number, page_size, rest = int(found[1]), int(found[2]), found[3]
    rounds, is_authenticated, order, mask, fast = DEFAULTS[number]
    listed = dict(re.findall(r"(\w+) = (?:x')?(\w+)", rest))
    rounds = int(listed.get("kdf_iter", rounds))
    if listed.get("cipher_use_hmac"):
        is_authenticated = listed["cipher_use_hmac"] == "ON"
    if not is_authenticated:
        return number >= 4, rounds, page_size, None
    return number >= 4, rounds, page_size, (
        listed.get("cipher_hmac_pgno", order), listed.get("cipher_hmac_salt_mask", mask),
        int(listed.get("fast_kdf_iter", fast)))


def copied(path, folder):
    """Copies the file with its journal and log, because each command changes it."""
    target = os.path.join(folder, "copy.db")
    for suffix in ("", "-wal", "-journal"):
        if os.path.exists(target + suffix):
            os.remove(target + suffix)
        if os.path.exists(path + suffix):
            shutil.copyfile(path + suffix, target + suffix)
    return target


def named(errors):
    """Returns the options that an error names, as command line arguments."""
    for option in OPTION.findall(errors):
        if option.startswith("--from-no-hmac"):
            return ["--from-no-hmac"]
        if option.startswith("--from-format 1"):
            return ["--from-format", "1"]
    return None


def described(cell, tool, path):
    """Returns whether doctor names the settings of the file or the option that reads it."""
    outcome, options = "recognised", []
    while True:
        _, output, errors = tool.run("doctor", path, "--key-env", "OLD", *options)
        lines = output.splitlines()
        place = next((i for i, line in enumerate(lines) if " cipher: " in line), None)
        if place is None:
            return "FAILED: " + output + errors
        settings_found = named_settings(lines[place])
        if settings_found == expected_settings(cell):
            return outcome
        text = "\n".join(lines[place:place + 3])
        options = named(text)
        if settings_found or not options or outcome == "option named":
            engine = re.search(r"Use (a newer SQLCipher|SQLCipher [\d.]+)", text)
            if engine and not settings_found and "damaged" not in text:
                return "engine named"
            return "FAILED: expected %s: %s" % (expected_settings(cell), text)
        outcome = "option named"


def tried(cell, tool, path, folder, maker):
    """Runs every command on the file and returns the outcome of each."""
    opening = ["PRAGMA key = '%s'" % WORDS] + settings(cell, maker.is_modern)
    results = {}
    results["doctor"] = described(cell, tool, path)
    clear = os.path.join(folder, "clear.db")
    for command, arguments in (
            ("rekey", ["--new-key-env", "NEW"]), ("upgrade", []),
            ("decrypt", ["--yes", "--to", clear])):
        if os.path.exists(clear):
            os.remove(clear)
        copy = copied(path, folder)
        code, output, errors = tool.run(command, copy, "--key-env", "OLD", *arguments)
        outcome = "recognised"
        if code != 0:
            options = named(errors)
            if options:
                outcome = "option named"
                code, output, errors = tool.run(
                    command, copy, "--key-env", "OLD", *arguments, *options)
        if code != 0:
            needs = re.search(r"Use (a newer SQLCipher|SQLCipher [\d.]+)|pages of 512 bytes|"
                              r"a version that has it", errors)
            outcome = "engine named" if needs and "damaged" not in errors else (
                "FAILED: %d %s" % (code, errors.strip()))
        else:
            if command == "rekey":
                answer = maker.run(copy, [opening[0].replace(WORDS, NEW_WORDS)] + opening[1:]
                                   + ["SELECT 'rows', count(*) FROM pet"])
            elif command == "decrypt":
                answer = maker.run(clear, ["SELECT 'rows', count(*) FROM pet"])
            else:
                answer = "rows|2" if "Upgraded" in output or "already has" in output else output
            if "rows|2" not in answer:
                outcome = "FAILED: not readable afterwards: " + answer.strip()
        results[command] = outcome
    return results


def run_cell(cell, makers, tools):
    maker = makers[cell.maker]
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        path = os.path.join(folder, "made.db")
        opening = ["PRAGMA key = '%s'" % WORDS] + settings(cell, maker.is_modern)
        maker.make(path, opening + content(cell), interrupted(cell))
        if cell.content == "wal":
            maker.run(path, opening + ["PRAGMA wal_autocheckpoint = 0",
                                       "INSERT INTO filler VALUES(1)"], kills=True)
        check = os.path.join(folder, "check")
        os.mkdir(check)
        answer = maker.run(copied(path, check), opening + ["SELECT 'rows', count(*) FROM pet"])
        if "rows|2" not in answer:
            return cell, None
        return cell, {tool.version: tried(cell, tool, path, folder, maker) for tool in tools}


def main():
    parser = argparse.ArgumentParser()
    for option in ("--tool", "--shell", "--shell4", "--library4", "--report"):
        parser.add_argument(option)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    interruption.handle()
    makers = {}
    installed = Shell(options.shell)
    for maker in (installed, Shell(options.shell4, options.library4), Python()):
        makers.setdefault(maker.version, maker)
    tools = [Tool(options.tool, installed.version)]
    if not installed.is_modern:
        tools.append(Tool(options.tool, "4", options.library4))
    cells = []
    for number, cell in enumerate(itertools.product(
            makers, FORMATS, PAGE_SIZES, ROUNDS, AUTHENTICATION, CONTENTS)):
        cell = Cell(*cell)
        # Version 3 cannot write format 4, and format 1 has no page authentication.
        if cell.format == 4 and not makers[cell.maker].is_modern:
            continue
        if cell.format == 1 and cell.authentication not in ("default", "off"):
            continue
        cells.append(cell)
    # A step that divides none of the counts covers every value of every setting.
    cells = cells[::options.every]
    counts, failures, impossible = collections.Counter(), [], 0
    report = open(options.report, "w") if options.report else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for cell, results in pool.map(lambda cell: run_cell(cell, makers, tools), cells):
            if results is None:
                impossible += 1
                continue
            for version, commands in results.items():
                for command, outcome in commands.items():
                    if report:
                        report.write(json.dumps(
                            [*cell, "SQLCipher " + version, command, outcome]) + "\n")
                        report.flush()
                    if outcome.startswith("FAILED"):
                        failures.append((cell, version, command, outcome))
                        outcome = "FAILED"
                    counts[version, command, outcome] += 1
    for cell, version, command, outcome in failures:
        print("%s on SQLCipher %s: %s\n  %s" % (command, version, cell, outcome))
    print("%d files; %d more that the program that wrote them cannot read" % (
        len(cells) - impossible, impossible))
    for (version, command, outcome), count in sorted(counts.items()):
        print("SQLCipher %-6s %-8s %-13s %6d" % (version, command, outcome, count))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
