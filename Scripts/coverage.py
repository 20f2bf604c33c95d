"""Compares the acceptance list with fixtures and Swift tests; see Scripts/coverage --help."""

import pathlib
import re
import sys

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LEXEME = re.compile(
    r"""(?P<line>//[^\n]*) | (?P<comment>/\*) | `(?P<quoted>[^`]*)` | (?P<word>[^\W\d]\w*)
    | (?P<quote>(?P<hashes>\#*)"(?:"")?) | (?P<sign>\S)""",
    re.VERBOSE,
)
TYPES = {"struct", "class", "actor", "enum", "extension"}


def comment_end(source, position):
    """Returns the end of the comment that begins at a position. Comments can be nested."""
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(source, position):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(source)


def literal_end(source, position, hashes, quotes):
    """Returns the end of a literal's content and the end of the literal."""
    escape = re.escape("\\" + hashes)
    part = re.compile(f"(?P<end>{quotes}{hashes})|(?P<code>{escape}\\()|{escape}.", re.DOTALL)
    while match := part.search(source, position):
        if match["end"]:
            return match.start(), match.end()
        position = match.end()
        if match["code"]:
            position = scan(source, position, is_interpolation=True)[1]
    return len(source), len(source)


def scan(source, position=0, is_interpolation=False):
    """Returns the tokens (kind, text, position) from a position on, and the end of the last one.

    An interpolation ends with its closing parenthesis.
    """
    tokens, depth = [], 0
    while match := LEXEME.search(source, position):
        start, position = match.span()
        if match["comment"]:
            position = comment_end(source, start)
        elif match["quote"]:
            content, hashes = position, match["hashes"]
            end, position = literal_end(source, content, hashes, match["quote"][len(hashes) :])
            tokens.append(("text", source[content:end], start))
        elif match["sign"]:
            tokens.append(("sign", match["sign"], start))
            depth += {"(": 1, ")": -1}.get(match["sign"], 0)
            if is_interpolation and depth < 0:
                break
        elif not match["line"]:
            tokens.append(("word", match["quoted"] or match["word"], start))
    return tokens, position


def closing(tokens, index):
    """Returns the index of the parenthesis that closes the one at an index."""
    depth = 0
    while index < len(tokens) - 1:
        depth += {("sign", "("): 1, ("sign", ")"): -1}.get(tokens[index][:2], 0)
        if depth == 0:
            break
        index += 1
    return index


def traits(source):
    """Yields name, row and position for each row that '.covers' names in a Swift source.

    The name is that of the test or suite, and None if '.covers' belongs to no '@Test' or '@Suite'.
    The row is None if it is not a plain string literal.
    """
    end = ("end", "", len(source))
    tokens = [*scan(source)[0], end, end]
    scopes, next_scope, rows, attribute_end = [], None, [], -1
    for index, (kind, text, position) in enumerate(tokens[:-2]):
        following = tokens[index + 1]
        before = tokens[index - 1][:2]
        if kind == "text":
            continue
        if text == "covers" and before == ("sign", ".") and following[1] == "(":
            for row_kind, row, place in tokens[index + 2 : closing(tokens, index + 1)]:
                if row_kind == "text":
                    rows.append((row, place))
                elif row != ",":
                    rows.append((None, place))
            if index > attribute_end:
                yield from ((None, *row) for row in rows)
                rows = []
        elif index < attribute_end:
            continue
        elif text == "@" and following[1] in ("Test", "Suite") and tokens[index + 2][1] == "(":
            attribute_end = closing(tokens, index + 2)
        elif text == "{":
            scopes.append(next_scope)
            next_scope = None
        elif text == "}":
            del scopes[-1:]
        elif (text in TYPES or text == "func") and following[0] == "word":
            if before == ("sign", ".") or following[1] in ("func", "var", "let"):
                continue
            name = "/".join([scope for scope in scopes if scope] + [following[1]])
            if text != "func":
                next_scope = following[1]
            yield from ((name, *row) for row in rows)
            rows = []
    yield from ((None, *row) for row in rows)


class Package:
    """The acceptance list of a package with the names of the cases and tests of each row."""

    def __init__(self, folder):
        self.folder = folder
        self.errors = []
        self.list_file = folder / "Fixtures" / "acceptance.yaml"
        self.rows = yaml.load(self.list_file.read_text("utf-8"), Loader=LOADER)["rows"]
        self.cases = {row: [] for row in self.rows}
        self.tests = {row: [] for row in self.rows}
        for file in sorted((folder / "Fixtures").glob("[!.]*/[!.]*.yaml")):
            self.read_fixture(file)
        for file in sorted((folder / "Tests").rglob("*.swift")):
            self.read_tests(file)
        for row, fields in self.rows.items():
            error = self.contradiction(row, fields)
            if error:
                self.fail(self.list_file, f"row {row} {error}", self.line(row))

    def fail(self, file, message, line=None):
        place = str(file.relative_to(self.folder)) + (f":{line}" if line else "")
        self.errors.append(f"{place}: {message}")

    def read_fixture(self, file):
        for case in yaml.load(file.read_text("utf-8"), Loader=LOADER)["cases"]:
            for row in dict.fromkeys(case.get("covers", [])):
                name = f"{file.relative_to(self.folder / 'Fixtures')}: {case['name']}"
                if row in self.rows:
                    self.cases[row].append(name)
                else:
                    self.fail(file, f"the case '{case['name']}' names the unknown row {row}")

    def read_tests(self, file):
        source = file.read_text("utf-8")
        if ".covers(" not in source:
            return
        target = file.relative_to(self.folder / "Tests").parts[0]
        for name, row, position in traits(source):
            error = None
            if row is None:
                error = "'.covers' does not name its rows by string literals"
            elif name is None:
                error = f"'.covers' with row {row} belongs to no '@Test' or '@Suite'"
            elif row not in self.rows:
                error = f"'.covers' names the unknown row {row}"
            elif f"{target}.{name}" not in self.tests[row]:
                self.tests[row].append(f"{target}.{name}")
            if error:
                self.fail(file, error, source.count("\n", 0, position) + 1)

    def contradiction(self, row, fields):
        """Returns the contradiction between a row and its cases and tests, if there is one."""
        cases, tests = self.cases[row], self.tests[row]
        if "notApplicable" in fields:
            return "does not apply and is covered" if cases or tests else None
        if "open" in fields and (cases or tests) and "note" not in fields:
            return "is open and covered: 'note' must say what is missing"
        if "heldBy" in fields and cases:
            return "is covered by a fixture: remove 'heldBy: tests'"
        if "heldBy" in fields and not tests:
            return "has 'heldBy: tests', but no test names it in '.covers'"
        if "heldBy" not in fields and tests and not cases:
            return "is covered by tests alone: add 'heldBy: tests'"
        if "open" not in fields and not tests and not cases:
            return "is covered by no fixture and no test"
        return None

    def line(self, row):
        lines = self.list_file.read_text("utf-8").split("\n")
        return next((n for n, text in enumerate(lines, 1) if text.startswith(f"  {row}:")), 1)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if not (folder / "Fixtures" / "acceptance.yaml").is_file():
        sys.exit(f"error: there is no Fixtures/acceptance.yaml in {folder}")
    package = Package(folder)
    for row in package.rows:
        cases, tests = package.cases[row], sorted(package.tests[row])
        if "--names" in sys.argv:
            for name in cases + tests:
                print(f"{row}  {name}")
        else:
            print(f"{row:4} {len(cases):4} cases {len(tests):4} tests")
    for error in package.errors:
        print(error, file=sys.stderr)
    sys.exit(1 if package.errors else 0)


main()
