"""What a rekey costs, phase by phase, against a copy of the same pages by the engine's backup API.

Called by Scripts/measure-rekey with the tool, the floor, the size in megabytes, the number of runs
and, for another engine than the installed one, its library.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PHASES = ["preparing", "copying", "verifying", "comparing", "replacing"]
KEYS = ["5a" * 32, "a5" * 32]
# What the project promises.
COPY_LIMIT = 1.15
WHOLE_LIMIT = 5.0


def rekey(tool, path, folder, environment):
    """The seconds of each phase, and of the whole program."""
    command = [tool, "rekey", path, "--raw-key", "--key-file", folder + "/old",
               "--new-raw-key", "--new-key-file", folder + "/new", "--progress", "json"]
    start = time.monotonic()
    began = {}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stderr:
            now = time.monotonic()
            lines.append(line)
            for phase in PHASES:
                if line.startswith('{"phase":"%s"' % phase):
                    began.setdefault(phase, now)
        process.wait()
    end = time.monotonic()
    if process.returncode != 0:
        sys.exit("".join(lines) + "the tool ended with %d" % process.returncode)
    missing = [phase for phase in PHASES if phase not in began]
    if missing:
        sys.exit("the tool reported no phase " + ", ".join(missing))
    marks = [start] + [began[phase] for phase in PHASES[1:]] + [end]
    return [after - before for before, after in zip(marks, marks[1:])] + [end - start]


def main():
    tool, floor, megabytes, runs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    environment = dict(os.environ)
    if len(sys.argv) > 5:
        environment["LD_PRELOAD"] = sys.argv[5]
    ask = lambda *arguments: subprocess.run(
        [floor, *arguments], env=environment, check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        for name, key in zip(["old", "new"], KEYS):
            with open(os.open(folder + "/" + name, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(key)
        original, path = folder + "/original.db", folder + "/measured.db"
        ask("make", original, megabytes)
        size = os.path.getsize(original)
        floors, rekeys = [], []
        for _ in range(runs):
            floors.append(float(ask("copy", original, folder + "/copy.db")))
            os.unlink(folder + "/copy.db")
            shutil.copyfile(original, path)
            rekeys.append(rekey(tool, path, folder, environment))
            os.unlink(path)
    plain = statistics.median(floors)
    medians = [statistics.median(values) for values in zip(*rekeys)]
    print("SQLCipher %s, %.0f MB, median of %d interleaved runs"
          % (ask("version"), size / 1e6, runs))
    print("  %-34s %7s %7s" % ("", "seconds", "ratio"))
    print("  %-34s %7.3f %7.2f" % ("copy by the backup API alone", plain, 1))
    for name, value in zip(PHASES + ["the whole program"], medians):
        print("  %-34s %7.3f %7.2f" % (name, value, value / plain))
    # Of each run with itself: what slows the machine for a while slows both.
    copying = statistics.median(run[1] / base for run, base in zip(rekeys, floors))
    whole = statistics.median(run[-1] / base for run, base in zip(rekeys, floors))
    for name, value, limit in [("copying", copying, COPY_LIMIT), ("whole", whole, WHOLE_LIMIT)]:
        print("  %s: %.2f times the plain copy of the same run; promised is at most %.2f%s"
              % (name, value, limit, "" if value <= limit else ": EXCEEDED"))


main()
