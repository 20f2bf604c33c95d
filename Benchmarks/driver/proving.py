"""Proves that a file is encrypted, and with the same parameters as everybody's."""

import json
import pathlib
import sqlite3
import subprocess

# Every address has it, and nobody's SQL spells it otherwise.
MARKERS = [b"@example.org", b"CREATE TABLE", b"SQLite format 3"]


class NotEncrypted(Exception):
    pass


def prove(path, verify):
    """Holds a closed file against what an encrypted one must be.

    `verify` runs the floor on it: it opens the file under the common key, with the common page size
    and the engine's own parameters, and tells what it has.
    """
    for part in [path, pathlib.Path(f"{path}-wal")]:
        if not part.exists():
            continue
        content = part.read_bytes()
        for marker in MARKERS:
            if marker in content:
                raise NotEncrypted(f"{part} has {marker!r} in clear")
    try:
        sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT * FROM sqlite_master")
    except sqlite3.DatabaseError:
        pass
    else:
        raise NotEncrypted(f"{path} opens without a key")
    return json.loads(subprocess.run(verify, check=True, capture_output=True, text=True).stdout)
