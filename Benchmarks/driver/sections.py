"""The sections of RESULTS.md that programs of their own measure."""

import json
import pathlib
import re

import large
import server

SECTIONS = {"large.json": large, "server.json": server}


def with_sections(text, folder):
    """Returns the text of RESULTS.md with those of these sections that were measured."""
    headings = "|".join(module.HEADING for module in SECTIONS.values())
    parts = [re.split(rf"^(?:{headings})$", text, flags=re.MULTILINE)[0]]
    for name, module in SECTIONS.items():
        path = pathlib.Path(folder, name)
        if path.exists():
            parts.append(module.section(json.loads(path.read_text())))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def write(name, results, folder):
    """Writes the results of a section, and RESULTS.md with it."""
    folder = pathlib.Path(folder)
    (folder / name).write_text(json.dumps(results, indent=1) + "\n")
    page = folder / "RESULTS.md"
    page.write_text(with_sections(page.read_text() if page.exists() else "", folder))
