"""Verifies that a file is encrypted with the parameters that all peers use."""

import json
import pathlib
import sqlite3
import subprocess

# Every address has the first one, and the SQL of every peer the second one.
MARKERS = [b"@example.org", b"CREATE TABLE", b"SQLite format 3"]


class NotEncrypted(Exception):
    pass


def prove(path, verify):
    """Verifies that a closed file is encrypted, and returns its totals.

    `verify` is the command of the floor that opens the file with the common key, the common page
    size and the engine's default parameters, and prints the totals.
    """
    for part in [path, pathlib.Path(f"{path}-wal")]:
        if not part.exists():
            continue
        content = part.read_bytes()
        for marker in MARKERS:
            if marker in content:
                raise NotEncrypted(f"{part} contains {marker!r} in plaintext")
    try:
        sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT * FROM sqlite_master")
    except sqlite3.DatabaseError:
        pass
    else:
        raise NotEncrypted(f"{path} opens without a key")
    return json.loads(subprocess.run(verify, check=True, capture_output=True, text=True).stdout)
