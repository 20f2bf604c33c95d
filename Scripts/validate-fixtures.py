"""Validates the files of a folder of fixtures; see validate-fixtures --help."""

import json
import pathlib
import re
import sys

try:
    import jsonschema
    import yaml
except ImportError as error:
    sys.exit(f"error: {error}: see validate-fixtures --help")

# Texts that every version of YAML reads as the same number or Boolean.
PLAIN = re.compile(r"true|false|0|-?[1-9][0-9]*")
# Texts that PyYAML reads as text, and other readers as Booleans, null or numbers.
AMBIGUOUS = re.compile(
    r"[yYnN]|[-+]?0o[0-7]+|[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"
)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Characters that end a line only in YAML 1.1, or are invisible.
UNSEEN = re.compile("[\u0085\u2028\u2029\ufeff]|\r(?!\n)")
TEXT = "tag:yaml.org,2002:str"
LONGEST_MESSAGE = 300


class Refused(Exception):
    def __init__(self, mark, message):
        super().__init__(message)
        self.line = mark.line + 1


def check_events(text):
    """Rejects syntax that the tree of nodes no longer shows."""
    # The loader in Python rejects more than that in C, as other readers do.
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise Refused(event.start_mark, "an alias")
        if getattr(event, "anchor", None):
            raise Refused(event.start_mark, "an anchor")
        if getattr(event, "tag", None):
            raise Refused(event.start_mark, "a YAML tag")


def scalar(node):
    text = node.value
    if node.style:
        return text
    if PLAIN.fullmatch(text):
        return {"true": True, "false": False}[text] if text[0] in "tf" else int(text)
    if node.tag != TEXT or AMBIGUOUS.fullmatch(text):
        raise Refused(node.start_mark, f"{text or 'nothing'} is not the same to every reader")
    return text


def plain(node):
    """Returns the lists, mappings, texts, integers and Booleans of a node."""
    if isinstance(node, yaml.ScalarNode):
        return scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [plain(element) for element in node.value]
    members = {}
    for key, value in node.value:
        name = plain(key) if isinstance(key, yaml.ScalarNode) else None
        if not isinstance(name, str):
            raise Refused(key.start_mark, "a key that is not text")
        if name in members:
            raise Refused(key.start_mark, f"the key '{name}' twice")
        members[name] = plain(value)
    return members


def line(node, path):
    """Returns the line of the value at a path, or of the last part of the path that exists."""
    for part in path:
        if isinstance(node, yaml.SequenceNode):
            node = node.value[part]
        else:
            node = next(value for key, value in node.value if key.value == part)
    return node.start_mark.line + 1


def problems(file, schema):
    try:
        text = file.read_bytes().decode("utf-8")
        unseen = UNSEEN.search(text)
        if unseen:
            yield text.count("\n", 0, unseen.start()) + 1, f"the character {unseen[0]!r}"
            return
        check_events(text)
        root = yaml.compose(text, Loader=LOADER)
        if root is None:
            yield 1, "the file is empty"
            return
        tree = plain(root)
    except Refused as error:
        yield error.line, str(error)
        return
    except yaml.MarkedYAMLError as error:
        yield (error.problem_mark.line + 1 if error.problem_mark else 1), error.problem
        return
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        yield 1, " ".join(str(error).split())
        return
    for error in jsonschema.Draft202012Validator(schema).iter_errors(tree):
        message = error.message
        if error.validator in ("oneOf", "anyOf", "not"):
            message = error.schema.get("description", message)
        if len(message) > LONGEST_MESSAGE:
            message = message[:LONGEST_MESSAGE] + "…"
        place = "/".join(str(part) for part in error.absolute_path)
        yield line(root, error.absolute_path), f"{place}: {message}" if place else message


def main():
    schemas = pathlib.Path(__file__).resolve().parent.parent / "Fixtures"
    folder = pathlib.Path(sys.argv[1])
    pairs = [(file, "fixture") for file in sorted(folder.glob("[!.]*/[!.]*.yaml"))]
    if not pairs:
        sys.exit(f"error: there are no fixtures FOLDER/NAME.yaml in {folder}")
    pairs += [(file, "acceptance") for file in folder.glob("acceptance.yaml")]
    loaded = {}
    for name in ("fixture", "acceptance"):
        loaded[name] = json.loads((schemas / f"{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(loaded[name])
    count = 0
    for file, name in pairs:
        for number, message in sorted(set(problems(file, loaded[name]))):
            print(f"{file.relative_to(folder)}:{number}: {message}")
            count += 1
    if count:
        sys.exit(f"{count} problems in {len(pairs)} files")
    print(f"{len(pairs)} files have the form that their schemas ask for")


main()
