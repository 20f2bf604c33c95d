"""Writes a manual page for each command, from the help of the tool as JSON on standard input.

The JSON is what the argument parser prints for --experimental-dump-help. The pages are in the man
macros, section 1, one file for each command: objectvault.1, objectvault-query.1 and so on.
"""

import json
import pathlib
import sys


def text(words):
    """Returns the text with roff commands and escapes quoted."""
    lines = words.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(words):
    """Returns the paragraphs. Indented lines and columns are unchanged."""
    parts = []
    for part in words.strip().split("\n\n"):
        if "  " in part:
            parts.append(".PP\n.nf\n" + text(part) + "\n.fi")
        else:
            parts.append(".PP\n" + text(part))
    return "\n".join(parts)


def name(argument):
    """Returns the name of an option with its hyphens."""
    preferred = argument["preferredName"]
    return ("--" if preferred["kind"] == "long" else "-") + preferred["name"]


def usage(argument):
    """Returns the synopsis of an argument."""
    value = "\\fI" + text(argument.get("valueName", "")) + "\\fR"
    if argument["kind"] == "positional":
        word = value
    elif argument["kind"] == "flag":
        word = "\\fB" + text(name(argument)) + "\\fR"
    else:
        word = "\\fB" + text(name(argument)) + "\\fR " + value
    if argument["isRepeating"]:
        word += " ..."
    return "[" + word + "]" if argument["isOptional"] else word


def description(argument):
    """Returns the description of an argument."""
    lines = [".TP"]
    value = "\\fI" + text(argument.get("valueName", "")) + "\\fR"
    if argument["kind"] == "positional":
        lines.append(value)
    else:
        names = ", ".join(
            "\\fB" + text(("--" if each["kind"] == "long" else "-") + each["name"]) + "\\fR"
            for each in argument["names"]
        )
        lines.append(names if argument["kind"] == "flag" else names + " " + value)
    words = argument.get("abstract", "")
    if argument.get("allValues"):
        words += " Values: " + ", ".join(argument["allValues"]) + "."
    if argument.get("defaultValue") and argument["kind"] != "flag":
        words += " Default: " + argument["defaultValue"] + "."
    lines.append(text(words.strip()) or "\\&")
    return "\n".join(lines)


def page(command, path):
    """Returns the page of a command. `path` has the names of its parent commands and its own."""
    full = " ".join(path)
    arguments = [each for each in command.get("arguments", []) if each["shouldDisplay"]]
    subcommands = [each for each in command.get("subcommands", []) if each["shouldDisplay"]]
    lines = [
        '.TH "' + "\\-".join(path).upper() + '" 1',
        ".SH NAME",
        "\\-".join(path) + " \\- " + text(command.get("abstract", "").rstrip(".")),
        ".SH SYNOPSIS",
        "\\fB" + text(full) + "\\fR",
    ]
    if subcommands:
        lines.append("\\fIsubcommand\\fR ...")
    lines += [usage(each) for each in arguments]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", paragraphs(command["discussion"])]
    section = None
    for argument in arguments:
        title = argument.get("sectionTitle") or "Arguments and options"
        if title != section:
            section = title
            lines.append('.SH "' + text(title).upper() + '"')
        lines.append(description(argument))
    if subcommands:
        lines.append(".SH SUBCOMMANDS")
        for each in subcommands:
            lines += [
                ".TP",
                "\\fB" + "\\-".join(path + [each["commandName"]]) + "\\fR(1)",
                text(each.get("abstract", "")),
            ]
    if len(path) > 1:
        lines += [".SH SEE ALSO", "\\fB" + "\\-".join(path[:-1]) + "\\fR(1)"]
    return "\n".join(lines) + "\n"


def write(command, path, folder):
    """Writes the page of a command and those of its subcommands."""
    path = path + [command["commandName"]]
    (folder / ("-".join(path) + ".1")).write_text(page(command, path), encoding="utf-8")
    for each in command.get("subcommands", []):
        if each["shouldDisplay"] and each["commandName"] != "help":
            write(each, path, folder)


write(json.load(sys.stdin)["command"], [], pathlib.Path(sys.argv[1]))
