"""Finds words that comments and guides must not use; see Scripts/lint-prose --help."""

import ast
import os
import re
import sys

OPENERS = {"What", "Who", "Whose", "Which", "Where", "How", "Those", "Whatever", "Whoever"}
# Phrases and their replacements.
PHRASES = [
    (r"\bwhere there (is|are) none\b", "if it is missing"),
    (r"\bwhere (it|that|they) (is|are) so\b", "if so"),
    (r"\bas far as\b", "a condition of its own"),
    (r"\bbe it\b", "a list"),
    (r"\bbeside\b", "next to"),
    (r"\banew\b", "again"),
    (r"\b(nobody|somebody|anybody)\b", "no one, or the caller"),
    (r"\bwho(so)?ever\b", "the caller"),
    (r"\bsole access\b", "exclusive access"),
    (r"\bcop(y|ies) in work\b", "temporary copy"),
    (r"\bindex(es)? of words\b", "full-text index"),
    (r"\bin clear\b", "in plaintext"),
    (r"\bmend(s|ed)?\b", "fix"),
    (r"\bmade once\b", "lazy"),
    (r"\bdearer\b", "slower"),
    (r"\banswers? to the key\b", "authenticated"),
    (r"\bmisfits?\b", "type mismatch"),
    (r"\bnumbered by the vault\b", "has a generated ID"),
    (r"\b(hand|hands|handed) over\b", "pass"),
    (r"\bgo(es)? along\b", "is deleted with"),
    (r"\bthe gate\b", "the writer lock"),
]
PHRASES = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in PHRASES]
PATHS = [
    "Sources", "Guides", "Scripts", "Benchmarks", "Examples", "Inspector", "Providers",
    "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
]
# The header of a table that lists replaced phrases.
REPLACEMENTS = re.compile(r"\|\s*Not\s*\|\s*But\s*\|")


def files(paths):
    """Yields the files at and below the paths, without hidden folders such as .build."""
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                yield os.path.join(folder, name)


def reader(path, text):
    """Returns the function that yields the prose of a file, or None if it has none to check."""
    if path.endswith(".swift"):
        return comments
    if path.endswith(".md"):
        return prose
    if path.endswith((".c", ".h")):
        return c_comments
    if path.endswith(".py"):
        return python_comments
    return shell_comments if re.match(r"#!.*sh$", text.split("\n")[0]) else None


def comments(lines):
    """Yields (number, text, whether it opens a documentation comment) for each comment line."""
    is_inside = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("///"):
            yield number, text[3:].strip(), not is_inside
            is_inside = True
        else:
            is_inside = False
            if text.startswith("//"):
                yield number, text[2:].strip(), False


def hash_comments(lines):
    """Yields the lines of comments that begin with a number sign."""
    is_inside = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        is_comment = text.startswith("#") and not text.startswith("#!")
        if is_comment:
            yield number, text[1:].strip(), not is_inside
        is_inside = is_comment


def python_comments(lines):
    """Yields the lines of the comments and the documentation of a Python file."""
    yield from hash_comments(lines)
    for node in ast.walk(ast.parse("\n".join(lines))):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            continue
        if ast.get_docstring(node):
            first = node.body[0]
            for number in range(first.lineno, first.end_lineno + 1):
                text = lines[number - 1].replace('"""', "").strip()
                yield number, text, number == first.lineno


def shell_comments(lines):
    """Yields the lines of the comments and the usage text of a shell script."""
    yield from hash_comments(lines)
    is_usage = False
    for number, line in enumerate(lines, 1):
        if line == "TEXT":
            is_usage = False
        if is_usage:
            yield number, line.strip(), False
        if line.endswith("cat <<'TEXT'"):
            is_usage = True


def c_comments(lines):
    """Yields the lines of the comments of a C file."""
    is_inside = is_block = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        is_comment = is_block or text.startswith(("//", "/*"))
        if is_comment:
            yield number, re.sub(r"^(//|/\*)|\*/$", "", text).strip(), not is_inside
            is_block = (is_block or text.startswith("/*")) and "*/" not in text
        is_inside = is_comment


def prose(lines):
    """Yields the lines of Markdown outside code and outside tables of replacements."""
    is_code, is_table = False, False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            is_table = bool(REPLACEMENTS.fullmatch(line)) or (is_table and line.startswith("|"))
            if not is_table:
                yield number, re.sub(r"`[^`]*`", "", line), False


def returning(lines):
    """Counts the documented functions, and the comments among them that begin with Returns."""
    first, functions, found = None, 0, 0
    for line in lines:
        text = line.strip()
        if text.startswith("///"):
            first = first if first is not None else text[3:].strip()
        elif text.startswith("@"):
            continue
        else:
            if first is not None and re.match(r"(?:[a-z]+(?:\([a-z]+\))? )*func ", text):
                functions += 1
                found += first.startswith("Returns")
            first = None
    return functions, found


def main():
    findings, functions, found = 0, 0, 0
    for path in files(sys.argv[1:] or PATHS):
        with open(path, encoding="utf-8", errors="replace") as file:
            content = file.read()
        read, lines = reader(path, content), content.split("\n")
        for number, text, opens in read(lines) if read else ():
            if opens and text and re.split(r"\W", text)[0] in OPENERS:
                findings += 1
                print(f"{path}:{number}: begin with a verb or a noun: {text}")
            for pattern, better in PHRASES:
                match = pattern.search(text)
                if match:
                    findings += 1
                    print(f"{path}:{number}: '{match.group()}': write '{better}': {text}")
        if path.endswith(".swift"):
            counts = returning(lines)
            functions, found = functions + counts[0], found + counts[1]
    if functions:
        share = 100 * found / functions
        print(f"{share:.0f} % of {functions} function comments begin with Returns")
    print("lint-prose: nothing found" if findings == 0 else f"lint-prose: {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
