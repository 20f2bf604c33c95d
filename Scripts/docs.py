"""Prepares guides and symbol graphs for Scripts/docs.

docs.py articles GUIDES CATALOGUE   writes each guide into the catalogue as an article
docs.py graphs CORE MODULE          prepares the symbol graphs of a module
"""

import json
import pathlib
import re
import sys


# Of a guide that is split by this, every second part is a block of code.
CODE = re.compile(r"(^ *```.*?^ *```)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)?[\w/]+\.md)?(?:#([\w-]+))?\)")


def anchors(text):
    """Returns the headings of a guide by the anchors that code hosts generate for them."""
    found = {}
    for part in CODE.split(text)[::2]:
        for title in re.findall(r"^##+ (.*)", part, re.MULTILINE):
            title = title.replace("`", "")
            found[re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")] = title
    return found


def articles(guides, catalogue):
    """Writes the guides as articles, with links in the form of DocC."""
    texts = {guide.name: guide.read_text() for guide in pathlib.Path(guides).glob("*.md")}
    headings = {name: anchors(text) for name, text in texts.items()}
    for name, text in texts.items():

        def link(match):
            label, file, anchor = match.groups()
            if file and file.startswith("../"):
                # The other files of the repository are not part of the website.
                path = file.removeprefix("../")
                return f"`{path}`" if label.endswith(".md") else f"{label} (`{path}`)"
            target = (file or name).removesuffix(".md")
            if anchor:
                # An unknown anchor remains as it is, and DocC reports it.
                title = headings.get(file or name, {}).get(anchor, anchor)
                target += "#" + re.sub(r"[\s-]+", "-", title)
            return f"<doc:{target}>" if label == file else f"[{label}](doc:{target})"

        parts = CODE.split(text)
        parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
        (pathlib.Path(catalogue) / name).write_text("".join(parts))


def read(folder):
    return {path: json.loads(path.read_text()) for path in pathlib.Path(folder).glob("*.json")}


def names(folder):
    """Returns the names of the symbols at the top level of a module."""
    symbols = [symbol for graph in read(folder).values() for symbol in graph["symbols"]]
    return {symbol["pathComponents"][0] for symbol in symbols}


def is_async(symbol):
    return any(
        part["kind"] == "keyword" and part["spelling"] == "async"
        for part in symbol.get("declarationFragments", [])
    )


def graphs(core, module):
    """Prepares the symbol graphs of a module, so that the links in its comments are resolved.

    A link to a function leads to the synchronous form, and a link to a symbol of Core leads to the
    documentation of Core.
    """
    foreign = names(core) - names(module)

    def link(match):
        return f"``/ObjectVaultCore/{match[1]}``" if match[2] in foreign else match[0]

    for path, graph in read(module).items():
        for symbol in graph["symbols"]:
            if is_async(symbol):
                symbol["pathComponents"][-1] += "-async"
            for line in symbol.get("docComment", {}).get("lines", []):
                line["text"] = re.sub(r"``((\w+)[^`]*)``", link, line["text"])
        path.write_text(json.dumps(graph))


if __name__ == "__main__":
    {"articles": articles, "graphs": graphs}[sys.argv[1]](*sys.argv[2:])
