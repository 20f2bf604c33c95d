"""The rules of Scripts/lint-prose: words that comments and guides must not use."""

import os
import re
import sys

OPENERS = {"What", "Who", "Whose", "Which", "Where", "How", "Those", "Whatever", "Whoever"}
# A phrase, and what to write instead.
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
    "Sources", "Guides", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
    "SECURITY.md",
]
# The header of a table that lists replaced phrases.
REPLACEMENTS = re.compile(r"\|\s*Not\s*\|\s*But\s*\|")


def files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith((".swift", ".md")):
                    yield os.path.join(folder, name)


def comments(lines):
    """Yields (number, text, whether it opens a documentation comment) of each line of a comment."""
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
    """Counts the documented functions, and those whose comment begins with Returns."""
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
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        is_code = path.endswith(".swift")
        for number, text, opens in comments(lines) if is_code else prose(lines):
            if opens and text and re.split(r"\W", text)[0] in OPENERS:
                findings += 1
                print(f"{path}:{number}: begin with a verb or a noun: {text}")
            for pattern, better in PHRASES:
                match = pattern.search(text)
                if match:
                    findings += 1
                    print(f"{path}:{number}: '{match.group()}': write '{better}': {text}")
        if is_code:
            counts = returning(lines)
            functions, found = functions + counts[0], found + counts[1]
    if functions:
        print(f"{100 * found / functions:.0f} % of {functions} function comments begin with Returns")
    print("lint-prose: nothing found" if findings == 0 else f"lint-prose: {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
