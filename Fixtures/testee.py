#!/usr/bin/env python3
"""An ObjectVault testee in Python, made from the written contract alone.

It speaks the protocol of `Fixtures/README.md` over standard input and output, keeps objects as
`Fixtures/STORAGE.md` says, in files that SQLCipher encrypts, and reads conditions as
`Guides/Conditions.md` says. It shares no code with the library: a fixture that both pass tests the
contract. Conditions are evaluated here over the decoded rows, not by the engine.

It needs Python 3.9 and `sqlcipher3`; `Scripts/testee` provides both. What it does not do it answers
with `unsupported`: several threads, MATCHES, some rows of a table that is damaged, writing within
`read`, a first page that was cut, and URLs that would have to be escaped.
"""

import base64
import datetime
import decimal
import functools
import hashlib
import hmac
import json
import math
import os
import re
import struct
import sys
import traceback
import unicodedata
import uuid
from typing import NamedTuple

from sqlcipher3 import dbapi2 as engine


class Failure(Exception):
    """What an operation failed with: a code of the contract."""

    def __init__(self, code, message, offset=None):
        super().__init__(message)
        self.code, self.message, self.offset = code, message, offset


class Unsupported(Exception):
    """The testee does not do this."""


# Values: tagged in the protocol, (kind, data) here, storage classes in the file.


class Value(NamedTuple):
    kind: str
    data: object


NIL = Value("nil", None)
UNTAG = {
    "nil": lambda data: None,
    "int": int,
    "double": lambda data: parse_double(data),
    "date": lambda data: parse_double(data),
    "data": lambda data: base64.b64decode(data, validate=True),
    "list": lambda data: [untag(element) for element in data],
    "text": str, "decimal": str, "uuid": str, "url": str, "json": str,
}


NUMBER = r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?"


def parse_double(text):
    return float.fromhex(text) if "0x" in text.lower() else float(text)


def untag(json_value):
    """The value that JSON of the protocol stands for."""
    if isinstance(json_value, bool):
        return Value("bool", json_value)
    if isinstance(json_value, int):
        return Value("int", json_value)
    if isinstance(json_value, str):
        return Value("text", json_value)
    if isinstance(json_value, list):
        return Value("list", [untag(element) for element in json_value])
    (kind, data), = json_value.items()
    return Value(kind, UNTAG[kind](data))


def tag(kind, data):
    """A value as JSON of the protocol."""
    if data is None:
        return {"nil": True}
    if kind == "int":
        return data if abs(data) <= 2**53 else {"int": str(data)}
    if kind in ("double", "date"):
        return {kind: repr(float(data))}
    if kind == "data":
        return {"data": base64.b64encode(data).decode()}
    if kind == "bool":
        return bool(data)
    return data if kind == "text" else {kind: data}


INTEGERS = {
    "Int": (-2**63, 2**63 - 1), "Int64": (-2**63, 2**63 - 1), "Int32": (-2**31, 2**31 - 1),
    "Int16": (-2**15, 2**15 - 1), "Int8": (-2**7, 2**7 - 1), "UInt": (0, 2**63 - 1),
    "UInt64": (0, 2**63 - 1), "UInt32": (0, 2**32 - 1), "UInt16": (0, 2**16 - 1),
    "UInt8": (0, 2**8 - 1),
}
KINDS = {
    "Bool": "bool", "Float": "double", "Double": "double", "String": "text", "Character": "text",
    "Data": "data", "Date": "date", "UUID": "uuid", "URL": "url", "Decimal": "decimal",
    "JSON": "json", **{name: "int" for name in INTEGERS},
}
COLUMN_TYPES = {
    "bool": "INTEGER", "int": "INTEGER", "double": "REAL", "date": "REAL", "data": "BLOB"}
NUMBERS = ("int", "double", "decimal")
TEXTS = ("text", "uuid", "url")


def rounded_date(seconds):
    """Seconds rounded to the microsecond, ties away from zero."""
    if not math.isfinite(seconds) or abs(seconds) * 1e6 >= 2**53:
        return seconds + 0.0
    return math.copysign(math.floor(abs(seconds) * 1e6 + 0.5) / 1e6, seconds) + 0.0


def canonical_json(value):
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def read_json(text):
    def refuse(word):
        raise ValueError(word)

    def number(digits):
        return float(digits) + 0.0

    def members(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a member is there twice")
        return dict(pairs)

    return json.loads(
        text, parse_float=number, parse_constant=refuse, object_pairs_hook=members)


def canonical_decimal(text):
    """Plain digits without an exponent and zeros to spare, or None."""
    if not re.fullmatch(NUMBER, text, re.ASCII):
        return None
    number = decimal.Decimal(text)
    if len("".join(map(str, number.as_tuple().digits)).strip("0")) > 38:
        return None
    digits = format(number, "f")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "0" if number == 0 else digits


def canonical_uuid(text):
    pattern = r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    return text.upper() if re.fullmatch(pattern, text) else None


def canonical_url(text):
    if not text:
        return None
    if not re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", text):
        raise Unsupported("a URL with characters that must be escaped")
    return text


def is_one_character(text):
    """Whether the text is one character as users see them, as far as this needs to know."""
    if len(text) == 1 or text == "\r\n":
        return True
    if not text:
        return False
    if all(0x1F1E6 <= ord(scalar) <= 0x1F1FF for scalar in text):
        return len(text) == 2
    joined = False
    for scalar in text[1:]:
        extends = (
            unicodedata.category(scalar).startswith("M") or scalar == "\u200d"
            or 0x1F3FB <= ord(scalar) <= 0x1F3FF)
        if not extends and not joined:
            return False
        joined = scalar == "\u200d"
    return True


def to_storage(kind, type_name, value, refuse):
    """What a property of the type keeps for the value; `refuse` makes the error."""
    data = value.data
    if kind == value.kind == "bool":
        return int(data)
    if kind == "int" and value.kind == "int":
        low, high = INTEGERS[type_name]
        if not low <= data <= high:
            raise refuse("the number is out of its range")
        return data
    if kind in ("double", "date") and value.kind in ("int", "double", "date"):
        if value.kind == "date" and kind != "date":
            raise refuse("it is no date")
        if math.isnan(data) or value.kind == "int" and int(float(data)) != data:
            raise refuse("the number cannot be kept exactly")
        if kind == "date":
            return rounded_date(float(data))
        if type_name == "Float" and float32(data) != data:
            raise refuse("the number needs more precision than Float has")
        return float(data) + 0.0
    if kind == value.kind == "data":
        return data
    if kind == "decimal" and value.kind == "int":
        return str(data)
    if value.kind in ("text", kind):
        if kind == "text":
            if type_name == "Character" and not is_one_character(data):
                raise refuse("the text is not one character")
            return checked_text(data, refuse)
        if kind in ("uuid", "url", "decimal"):
            canonical = {"uuid": canonical_uuid, "url": canonical_url,
                         "decimal": canonical_decimal}[kind](data)
            if canonical is None:
                raise refuse("the text is no %s" % type_name)
            return canonical
        if kind == "json":
            try:
                return checked_text(canonical_json(read_json(data)), refuse)
            except ValueError:
                raise refuse("the text is no JSON") from None
    raise refuse("the value is not of that type")


def checked_text(text, refuse):
    try:
        text.encode()
    except UnicodeEncodeError:
        raise refuse("the text is not Unicode") from None
    return text


def float32(number):
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return None


# Classes: what a fixture or a file says of them, and their tables.


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def ascii_lower(text):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


class Property:
    def __init__(self, name, type_name, optional, column, default=None, renamed_from=()):
        self.name, self.type, self.optional, self.column = name, type_name, optional, column
        self.default, self.renamed_from = default, list(renamed_from)
        self.kind = KINDS[type_name]
        self.column_type = COLUMN_TYPES.get(self.kind, "TEXT")

    def encode(self, value):
        """The value as the column keeps it."""
        if value.kind == "nil":
            return None
        return to_storage(self.kind, self.type, value, lambda reason: Failure(
            "invalidValue", "property '%s' is %s, and %s" % (self.name, self.type, reason)))


    def decode(self, stored):
        """A value of the column as JSON of the protocol: of the type, or else as it is kept."""
        kept = {type(None): "nil", bytes: "data", str: "text", int: "int", float: "double"}[
            type(stored)]
        fits = stored in (0, 1) if self.kind == "bool" else True
        storage = {"bool": "int", "int": "int", "double": "double", "date": "double",
                   "data": "data"}.get(self.kind, "text")
        return tag(self.kind if fits and kept == storage else kept, stored)


class Class:
    """A class, its table and its SQL."""

    def __init__(self, name, table, properties, object_id, indexes):
        self.name, self.table, self.properties, self.indexes = name, table, properties, indexes
        self.generated = not object_id
        self.object_id = object_id
        self.by_name = {p.name: p for p in properties}
        if self.generated:
            self.by_name["objectID"] = Property("objectID", "Int", True, "objectID")
            self.object_id = ["objectID"]

    @staticmethod
    def of_fixture(label, form):
        properties = []
        for name, of in form["properties"].items():
            of = {"type": of} if isinstance(of, str) else of
            optional = of["type"].endswith("?")
            made = Property(
                name, of["type"].rstrip("?"), optional, of.get("column", name),
                renamed_from=of.get("renamedFrom", ()))
            if "default" in of:
                try:
                    made.default = made.encode(untag(of["default"]))
                except Failure as failure:
                    raise Failure("invalidClass", "its default: " + failure.message) from None
            properties.append(made)
        object_id = form.get("objectID") or []
        object_id = [object_id] if isinstance(object_id, str) else list(object_id)
        name = form.get("name", label)
        indexes = [(list(i["properties"]), i.get("unique", False)) for i in form.get("indexes", ())]
        return Class(name, form.get("table", name), properties, object_id, indexes)

    def validate(self):
        def invalid(reason):
            return Failure("invalidClass", "class '%s': %s" % (self.name, reason))

        for name in [self.table] + [p.column for p in self.properties]:
            if not name or "\0" in name:
                raise invalid("a name that is empty or has a NUL")
            if ascii_lower(name).startswith(("sqlite_", "objectvault_", "ov_")):
                raise invalid("'%s' is reserved" % name)
        columns = [ascii_lower(p.column) for p in self.properties]
        if self.generated:
            columns.append("objectid")
        elif not self.properties:
            raise invalid("it has no properties")
        if len(set(columns)) < len(columns):
            raise invalid("two columns of one name")
        for name in self.object_id + [name for index in self.indexes for name in index[0]]:
            if name not in self.by_name:
                raise invalid("no property '%s'" % name)
        if len(set(self.object_id)) < len(self.object_id):
            raise invalid("its objectID names a property twice")
        if any(p.optional for p in self.id_properties) and not self.id_is_rowid:
            raise invalid("its objectID may be nil")
        if len(self.properties) > 990:
            raise invalid("it has more than 990 properties")
        names = [ascii_lower(name) for name, _ in self.index_statements]
        if any(not names for names, _ in self.indexes) or len(set(names)) < len(names):
            raise invalid("an index of nothing, or two of one name")

    @property
    def id_properties(self):
        return [self.by_name[name] for name in self.object_id]

    @property
    def id_is_rowid(self):
        return len(self.object_id) == 1 and self.id_properties[0].kind == "int"

    @property
    def row(self):
        """The properties in the order rows are read: those of the class, then a generated ID."""
        return self.properties + (self.id_properties if self.generated else [])

    @property
    def create_table(self):
        parts = ['"objectID" INTEGER PRIMARY KEY AUTOINCREMENT'] if self.generated else []
        for p in self.properties:
            text = "%s %s" % (quoted(p.column), p.column_type)
            if self.object_id == [p.name]:
                text += " PRIMARY KEY NOT NULL"
            else:
                text += "" if p.optional else " NOT NULL"
                if p.default is not None and not (
                        isinstance(p.default, str) and "\0" in p.default):
                    text += " DEFAULT " + self.literal(p.default)
            parts.append(text)
        if len(self.object_id) > 1:
            columns = ", ".join(quoted(p.column) for p in self.id_properties)
            parts.append("PRIMARY KEY (%s)" % columns)
        return "CREATE TABLE %s (%s)" % (quoted(self.table), ", ".join(parts))

    @staticmethod
    def literal(stored):
        if isinstance(stored, str):
            return "'%s'" % stored.replace("'", "''")
        if isinstance(stored, bytes):
            return "x'%s'" % stored.hex()
        if isinstance(stored, float) and math.isinf(stored):
            return "9e999" if stored > 0 else "-9e999"
        return repr(stored)

    @property
    def index_statements(self):
        statements = []
        for names, unique in self.indexes:
            columns = [self.by_name[name].column for name in names]
            index = "%s%s__%s" % ("ovu_" if unique else "ov_", self.table, "_".join(columns))
            statements.append((index, "CREATE %sINDEX %s ON %s (%s)" % (
                "UNIQUE " if unique else "", quoted(index), quoted(self.table),
                ", ".join(map(quoted, columns)))))
        return statements

    @property
    def description(self):
        """The JSON of `objectvault_classes`."""
        def member(p):
            form = {"name": p.name, "column": p.column, "type": p.type}
            if p.optional:
                form["optional"] = True
            if p.default is not None:
                form["default"] = stored_to_json(p.default)
            if p.renamed_from:
                form["renamedFrom"] = p.renamed_from
            return form

        return json.dumps({
            "name": self.name, "table": self.table,
            "objectID": "generated" if self.generated else self.object_id,
            "properties": [member(p) for p in self.properties],
            "indexes": [{"properties": names, "unique": bool(u)} for names, u in self.indexes],
        }, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def of_description(text):
        try:
            form = json.loads(text)
            properties = [
                Property(p["name"], p["type"], p.get("optional", False), p["column"],
                         stored_from_json(p["default"]) if "default" in p else None,
                         p.get("renamedFrom", ()))
                for p in form["properties"]]
            object_id = form["objectID"]
            return Class(form["name"], form["table"], properties,
                         [] if object_id == "generated" else object_id,
                         [(i["properties"], i["unique"]) for i in form["indexes"]])
        except (ValueError, KeyError, TypeError):
            raise Failure("damaged", "a description of a class cannot be read") from None


def stored_to_json(stored):
    if isinstance(stored, bytes):
        return {"blob": base64.b64encode(stored).decode()}
    if isinstance(stored, float):
        return {"real": stored if math.isfinite(stored) else "inf" if stored > 0 else "-inf"}
    return {"integer": stored} if isinstance(stored, int) else {"text": stored}


def stored_from_json(form):
    (kind, data), = form.items()
    return {"null": lambda: None, "integer": lambda: int(data), "real": lambda: float(data),
            "text": lambda: data, "blob": lambda: base64.b64decode(data)}[kind]()


def affinity(declared):
    declared = declared.upper()
    if "INT" in declared:
        return "INTEGER"
    if any(word in declared for word in ("CHAR", "CLOB", "TEXT")):
        return "TEXT"
    if not declared or "BLOB" in declared:
        return "BLOB"
    return "REAL" if any(word in declared for word in ("REAL", "FLOA", "DOUB")) else "NUMERIC"


# Conditions: text to a function of a row.

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<data>[xX]'[^']*')
  | (?P<text>'(?:[^']|'')*'(?!')|"(?:[^"]|"")*"(?!"))
  | (?P<number>[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?)
  | (?P<escaped>\#[^\W\d]\w*|`(?:[^`]|``)+`)
  | (?P<name>[^\W\d]\w*)
  | (?P<key>%K)
  | (?P<argument>%(?:@|l{0,2}[diuf]|[hz]?[diu]|[egxXoscC])|\?)
  | (?P<named>\$[^\W\d]\w*)
  | (?P<options>\[\s*[cCdD]{1,2}\s*\])
  | (?P<operator>&&|\|\||==|!=|<>|<=|=<|>=|=>|[=<>!(){},.@])
""", re.VERBOSE)
SYMBOLS = {"=": "==", "<>": "!=", "=<": "<=", "=>": ">="}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
TEXT_OPERATORS = ("LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH", "MATCHES")
CONSTANTS = {"NIL": None, "NULL": None, "TRUE": True, "YES": True, "FALSE": False, "NO": False}
KEYWORDS = {"AND", "OR", "NOT", "IN", "BETWEEN", "ANY", "SOME", "ALL", "NONE", "TRUEPREDICATE",
            "FALSEPREDICATE", *CONSTANTS, *TEXT_OPERATORS}


class Token(NamedTuple):
    kind: str
    text: str
    offset: int


class Operand(NamedTuple):
    offset: int
    property: object = None
    value: object = None


class Condition:
    """A condition of a class: `holds(row)`. Parsing comes first and gives functions that make the
    meaning, so that a text that is no condition is told before names and values that do not fit."""

    def __init__(self, of, text, arguments=(), named=None):
        self.of = of
        self.arguments, self.used = [untag(a) for a in arguments], 0
        self.named = {name: untag(value) for name, value in (named or {}).items()}
        self.end = len(text.encode())
        if self.end > 65536:
            raise self.error(0, "longer than 64 KiB")
        self.tokens, self.place, self.depth = list(self.tokenize(text)), 0, 0
        meaning = self.either()
        if self.token.kind != "end":
            raise self.error(self.token.offset, "an end was expected")
        self.unsupported = None
        self.holds = meaning()
        if self.used < len(self.arguments):
            raise self.error(self.end, "more arguments than places for them")
        if self.unsupported:
            raise Unsupported(self.unsupported)

    @staticmethod
    def error(offset, message):
        return Failure("invalidCondition", message, offset)

    def tokenize(self, text):
        place = offset = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match and text[place] in "$#":
                raise self.error(offset + 1, "a name must follow")
            if not match and text[place] == "'" and text[place - 1:place] in ("x", "X"):
                offset -= 1
            if not match:
                raise self.error(offset, "no condition goes on like this")
            if match.lastgroup != "space":
                kind, word = match.lastgroup, match.group()
                if kind == "number" and not word[-1].isdigit():
                    raise self.error(offset + len(word), "digits were expected")
                if kind == "number" and re.match(r"\w", text[match.end():]):
                    raise self.error(offset + len(word), "a number runs into a name")
                if kind == "name" and word.upper() in KEYWORDS:
                    kind, word = "keyword", word.upper()
                elif kind == "operator":
                    word = SYMBOLS.get(word, word)
                yield Token(kind, word, offset)
            place = match.end()
            offset += len(match.group().encode())
        yield Token("end", "", offset)

    @property
    def token(self):
        return self.tokens[self.place]

    def take(self, *words):
        """Goes past the token when it is one of these operators or keywords."""
        token = self.token
        if token.kind in ("operator", "keyword") and token.text in words:
            self.place += 1
            return token
        return None

    def expect(self, word):
        if not self.take(word):
            raise self.error(self.token.offset, "'%s' was expected" % word)

    def joined(self, words, term, test):
        """Terms with one operator between them."""
        terms = [term()]
        while self.take(*words):
            terms.append(term())

        def meaning():
            held = [term() for term in terms]
            return held[0] if len(held) == 1 else lambda row: test(term(row) for term in held)

        return meaning

    def either(self):
        return self.joined(("||", "OR"), self.both, any)

    def both(self):
        return self.joined(("&&", "AND"), self.negation, all)

    def nested(self, parse):
        self.depth += 1
        if self.depth > 200:
            raise self.error(self.tokens[self.place - 1].offset, "nested deeper than 200")
        try:
            return parse()
        finally:
            self.depth -= 1

    def negation(self):
        if self.take("!", "NOT"):
            return self.inverse(self.nested(self.negation))
        return self.primary()

    @staticmethod
    def inverse(meaning):
        def inverted():
            term = meaning()
            return lambda row: not term(row)

        return inverted

    def primary(self):
        opening = self.take("(")
        if opening:
            meaning = self.nested(self.either)
            if self.token.kind == "end":
                raise self.error(opening.offset, "the parenthesis is never closed")
            self.expect(")")
            return meaning
        if self.take("TRUEPREDICATE"):
            return lambda: lambda row: True
        if self.take("FALSEPREDICATE"):
            return lambda: lambda row: False
        quantifier = self.take("ANY", "SOME", "ALL", "NONE")
        if quantifier:
            place = self.token.offset
            self.comparison()
            if self.tokens[self.place - 1].kind in ("name", "escaped") and self.token.kind == "end":
                raise self.error(self.token.offset, "an operator was expected")
            raise self.error(place, "the class has no associations")
        return self.comparison()

    def comparison(self):
        left = self.operand()
        if self.take("BETWEEN"):
            place, bounds = self.token.offset, self.list(("{", "argument", "named"))
            return lambda: self.between(left(), place, bounds)
        negated = self.take("NOT", "!")
        if negated or self.token[:2] == ("keyword", "IN"):
            self.expect("IN")
            place, elements = self.token.offset, self.list(("{", "argument", "named"))
            meaning = lambda: self.member(left(), place, elements)  # noqa: E731
            return self.inverse(meaning) if negated else meaning
        operator = self.take(*COMPARISONS, *TEXT_OPERATORS)
        if not operator:
            return self.truth(left)
        options = set()
        if self.token.kind == "options":
            options = set(self.token.text.lower()) & {"c", "d"}
            self.place += 1
        right = self.operand()
        return lambda: self.compare(left(), operator, options, right())

    def truth(self, operand):
        """A Bool property alone."""
        token = operand.keywords["token"]
        if token.kind not in ("name", "escaped", "key"):
            place = token if token.kind == "keyword" else self.token
            raise self.error(place.offset, "a value alone is no condition")
        if self.token.kind not in ("end", "operator", "keyword"):
            raise self.error(self.token.offset, "an operator was expected")

        def meaning():
            p = operand().property
            if p.kind != "bool":
                raise self.error(token.offset, "only a Bool can stand alone")
            return lambda row: row[p.name] == 1

        return meaning

    def operand(self):
        token = self.token
        self.place += 1
        if token.kind not in ("name", "escaped", "key", "argument", "named", "text", "number",
                              "data") and token[:2] not in (("keyword", word) for word in CONSTANTS):
            raise self.error(token.offset, "a property or a value was expected")
        path = self.take(".")
        if path and token.kind != "name":
            raise self.error(path.offset, "no path goes on like this")
        while path:
            self.take("@")
            if self.token.kind not in ("name", "escaped"):
                raise self.error(self.token.offset, "a name was expected")
            self.place += 1
            path = self.take(".") or token
            if path is token:
                return functools.partial(self.refuse_path, token=token)
        return functools.partial(self.resolved, token=token)

    def refuse_path(self, token):
        self.property_named(token.text, token.offset)
        raise self.error(token.offset, "'%s' is no association" % token.text)

    def resolved(self, token):
        """What an operand's token means."""
        if token.kind in ("name", "escaped"):
            text = token.text
            if text.startswith("#"):
                text = text[1:]
            elif text.startswith("`"):
                text = text[1:-1].replace("``", "`")
            return self.property_named(text, token.offset)
        if token.kind == "key":
            value = self.argument(token)
            if value.kind != "text":
                raise self.error(token.offset, "%K takes the name of a property")
            return self.property_named(value.data, token.offset)
        return Operand(token.offset, None, self.value(token))

    def property_named(self, name, offset):
        found = self.of.by_name.get(name)
        if not found:
            raise Failure("noSuchProperty", "no property '%s'" % name, offset)
        return Operand(offset, found)

    def argument(self, token):
        if self.used == len(self.arguments):
            raise self.error(token.offset, "no argument is left for it")
        self.used += 1
        return self.arguments[self.used - 1]

    def value(self, token):
        text = token.text
        if token.kind == "text":
            return Value("text", text[1:-1].replace(text[0] * 2, text[0]))
        if token.kind == "number":
            if re.fullmatch(r"[+-]?\d+", text):
                if not -2**63 <= int(text) < 2**63:
                    raise self.error(token.offset, "an integer beyond 64 bits")
                return Value("int", int(text))
            return Value("literal", text)
        if token.kind == "data":
            digits = re.match("[0-9A-Fa-f]*", text[2:]).end()
            if digits < len(text) - 3:
                raise self.error(token.offset + 2 + digits, "no hexadecimal digit")
            if digits % 2:
                raise self.error(token.offset, "bytes are pairs of hexadecimal digits")
            return Value("data", bytes.fromhex(text[2:-1]))
        if token.kind == "named":
            if text[1:] not in self.named:
                raise self.error(token.offset, "no value for it")
            return self.named[text[1:]]
        if token.kind == "argument":
            value, letter = self.argument(token), text[-1].lower()
            expected = ("int",) if letter in "diuxo" else NUMBERS if letter in "feg" else (
                "text",) if letter == "s" else (value.kind,)
            if value.kind not in expected:
                raise self.error(token.offset, "an argument of another type")
            return value
        constant = CONSTANTS[text]
        return NIL if constant is None else Value("bool", constant)

    def list(self, begins):
        """The elements of a list, as operands; or the one argument that is a list."""
        token = self.token
        if token.kind not in begins and token.text not in begins:
            raise self.error(token.offset, "a list was expected")
        if not self.take("{"):
            self.place += 1
            return token
        elements = []
        while not self.take("}"):
            if self.token.kind == "end":
                raise self.error(token.offset, "the list is never closed")
            if elements:
                self.expect(",")
            elements.append(self.operand())
        return elements

    # Meaning.

    def compare(self, left, operator, options, right):
        symbol, searches = operator.text, operator.text in TEXT_OPERATORS
        if not left.property and not right.property:
            raise self.error(left.offset, "one side must be a property")
        for operand in (left, right):
            if operand.value and operand.value.kind == "nil" and symbol not in ("==", "!="):
                raise self.error(operand.offset, "nil has neither an order nor a text")
            kind = operand.property.kind if operand.property else "text"
            if symbol in ("<", "<=", ">", ">=") and kind in ("data", "json"):
                raise self.error(operand.offset, "bytes and composites have no order")
            if searches and kind not in TEXTS or options and not searches and kind not in (
                    "text", "url"):
                raise self.error(operand.offset, "the operator is for text")
        if symbol == "MATCHES":
            self.unsupported = "MATCHES"
        a, b = self.pair(left, right, searches or bool(options))
        fold = folding(options)
        test = {
            "==": lambda x, y: x == y, "!=": lambda x, y: x != y,
            "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
            ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
            "CONTAINS": lambda x, y: y in x, "BEGINSWITH": lambda x, y: x.startswith(y),
            "ENDSWITH": lambda x, y: x.endswith(y), "MATCHES": None,
            "LIKE": lambda x, y: is_like(x, y, "c" in options),
        }[symbol]

        def holds(row):
            x, y = a(row), b(row)
            if x is None or y is None:
                return symbol == "==" and x is y or symbol == "!=" and x is not y
            return test(fold(x), fold(y)) if options else test(x, y)

        return holds

    def pair(self, left, right, searched):
        """Both sides as functions of a row, in one type."""
        if not left.property:
            return self.pair(right, left, searched)[::-1]
        if right.property:
            kinds = {left.property.kind, right.property.kind}
            if len(kinds) > 1 and kinds not in ({"int", "double"}, {"int", "decimal"}):
                raise self.error(right.offset, "the properties' types cannot be compared")
            return reader(left.property), reader(right.property)
        if searched and left.property.kind != "text" and right.value.kind == "text":
            text = right.value.data
            constant = text.upper() if left.property.kind == "uuid" else text
        else:
            constant = self.coerced(left.property, right)
        return reader(left.property), lambda row: constant

    def between(self, left, place, bounds):
        bounds = self.operands(bounds)
        if len(bounds) != 2:
            raise self.error(place, "BETWEEN takes a list of two")
        low, high = (self.compare(left, Token("operator", symbol, place), (), bound)
                     for symbol, bound in zip((">=", "<="), bounds))
        return lambda row: low(row) and high(row)

    def operands(self, elements):
        """The elements of a list in the text, or of the argument that is one."""
        if not isinstance(elements, Token):
            return [element() for element in elements]
        value = self.value(elements)
        if value.kind != "list":
            raise self.error(elements.offset, "a list was expected")
        return [Operand(elements.offset, None, element) for element in value.data]

    def member(self, left, place, elements):
        operands = self.operands(elements)
        if not left.property:
            raise self.error(left.offset, "one side must be a property")
        equals = Token("operator", "==", place)
        tests = [self.compare(left, equals, (), operand) for operand in operands]
        return lambda row: any(test(row) for test in tests)

    def coerced(self, p, operand):
        """The value as a property's type compares it."""
        value, kind = operand.value, p.kind
        wrong = self.error(operand.offset, "'%s' is %s" % (p.name, p.type))
        if isinstance(value.data, float) and math.isnan(value.data):
            raise Failure("invalidValue", "NaN is no value", operand.offset)
        if value.kind == "nil":
            return None
        if kind in NUMBERS:
            if value.kind not in (*NUMBERS, "literal", "text"):
                raise wrong
            number = plain_number(
                value, exact=kind == "decimal" or kind == "int" and value.kind != "double")
            if number is None or number != number or (
                    abs(number) == math.inf and (kind, value.kind) not in (
                        ("double", "double"), ("int", "double"))):
                raise wrong
            if p.type == "Float" and math.isfinite(number):
                rounded = float32(float(number))
                return number if rounded is None or math.isinf(rounded) else rounded
            return number
        if kind == "date":
            if value.kind == "text":
                seconds = iso_seconds(value.data)
            elif value.kind in ("int", "double", "date", "literal"):
                seconds = float(value.data)
            else:
                raise wrong
            if seconds is None or seconds != seconds or (
                    value.kind == "literal" and math.isinf(seconds)):
                raise wrong
            return rounded_date(seconds)
        if kind == "bool":
            words = {"TRUE": 1, "YES": 1, "1": 1, "FALSE": 0, "NO": 0, "0": 0}
            word = str(value.data).upper()
            if value.kind not in ("bool", "int", "text") or word not in words:
                raise wrong
            return words[word]
        if kind == "json" and value.kind == "list":
            return canonical_json(plain_json(value))
        if kind == "json" and value.kind == "text":
            raise wrong
        if kind in ("text", "url") and value.kind == "text":
            return value.data
        if value.kind == "literal":
            raise wrong
        return to_storage(kind, p.type, value, lambda reason: wrong)


def reader(p):
    name = p.name
    if p.kind == "decimal":
        return lambda row: None if row[name] is None else decimal.Decimal(row[name])
    return lambda row: row[name]


def plain_number(value, exact=False):
    """A number of any kind as one that Python compares exactly; None for what is none."""
    if value.kind == "int":
        return value.data
    if value.kind == "double":
        return decimal.Decimal(repr(value.data)) if exact else value.data
    text = value.data
    if text is None or not re.fullmatch(NUMBER, text, re.ASCII):
        return None
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return decimal.Decimal(text) if exact or value.kind == "decimal" else float(text)


def plain_json(value):
    if value.kind == "list":
        return [plain_json(element) for element in value.data]
    if value.kind == "json":
        return read_json(value.data)
    if value.kind == "data":
        return base64.b64encode(value.data).decode()
    if value.kind in ("nil", "bool", "int", "text"):
        return value.data
    if value.kind == "double" and math.isfinite(value.data):
        return value.data + 0.0
    raise Unsupported("a %s within a list that is compared" % value.kind)


def iso_seconds(text):
    """Seconds since 1970 of ISO 8601 text with a zone, or None."""
    match = re.fullmatch(
        r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)([.,]\d+)?(Z|[+-]\d\d(?::?\d\d)?)", text, re.I)
    if not match:
        return None
    date, time, fraction, zone = match.groups()
    zone = "+00:00" if zone in "zZ" else zone[:3] + ":" + (zone[-2:] if zone[3:] else "00")
    try:
        moment = datetime.datetime.fromisoformat("%sT%s%s" % (date, time, zone))
    except ValueError:
        return None
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    fraction = decimal.Decimal("0" + (fraction or ".0").replace(",", "."))
    micros = (fraction * 10**6).to_integral_value(decimal.ROUND_HALF_UP)
    return ((moment - epoch) // datetime.timedelta(seconds=1) * 10**6 + int(micros)) / 1e6


def folding(options):
    def fold(text):
        if "d" in options:
            text = "".join(
                c for c in unicodedata.normalize("NFD", text)
                if not unicodedata.category(c).startswith("M"))
        if "c" in options:
            text = "".join(simple_fold(c) for c in text)
        return text

    return fold


def simple_fold(scalar):
    """Unicode's simple case folding of one scalar."""
    for folded in (scalar.casefold(), scalar.lower()):
        if len(folded) == 1:
            return folded
    return scalar


def is_like(text, pattern, folded):
    """LIKE, in time that the product of the lengths bounds."""
    if not folded:
        text, pattern = ascii_lower(text), ascii_lower(pattern)
    parts, escaped = [], False  # scalars; None for one of any kind, True for any text
    for scalar in pattern:
        if escaped or scalar not in "%_\\":
            parts.append(scalar)
            escaped = False
        elif scalar == "\\":
            escaped = True
        else:
            parts.append(True if scalar == "%" else None)
    parts += ["\\"] if escaped else []
    at = part = retry = 0
    any_text = None
    while at < len(text):
        if part < len(parts) and parts[part] is True:
            any_text, retry, part = part, at, part + 1
        elif part < len(parts) and parts[part] in (None, text[at]):
            at, part = at + 1, part + 1
        elif any_text is not None:
            retry += 1
            at, part = retry, any_text + 1
        else:
            return False
    return all(rest is True for rest in parts[part:])


# Files: their cipher formats, and connections to them.


class Format(NamedTuple):
    hash: str
    rounds: int
    seal: int  # bytes of a page's MAC
    reserve: int  # bytes at the end of each page


FORMATS = {4: Format("sha512", 256000, 64, 80), 3: Format("sha1", 64000, 20, 48),
           2: Format("sha1", 4000, 20, 48), 1: Format("sha1", 4000, 0, 16)}
PAGE_SIZES = (4096, 1024, 2048, 8192, 16384, 32768, 65536, 512)


class Key:
    def __init__(self, form):
        (kind, secret), = form.items()
        self.form, self.salt, self.raw, self.passphrase = form, None, None, None
        if kind == "passphrase":
            self.passphrase = secret.encode() if isinstance(secret, str) else UNTAG["data"](
                secret["data"])
        if self.passphrase == b"" or secret == "":
            raise Failure("noKey", "the key is empty")
        if kind == "raw":
            if not re.fullmatch(r"[0-9A-Fa-f]{64}(?:[0-9A-Fa-f]{32})?", secret):
                raise Failure("invalidKey", "a raw key has 64 or 96 hexadecimal digits")
            self.raw, self.salt = bytes.fromhex(secret)[:32], bytes.fromhex(secret)[32:] or None
        self.derived = {}

    def stretched(self, number, salt):
        """The 32 bytes that encrypt pages of a file with this salt."""
        if self.raw:
            return self.raw
        of = FORMATS[number]
        at = (of.hash, of.rounds, salt)
        if at not in self.derived:
            self.derived[at] = hashlib.pbkdf2_hmac(of.hash, self.passphrase, salt, of.rounds, 32)
        return self.derived[at]


DEFAULT_KEY = {"raw": bytes(range(1, 33)).hex()}


def seals(content, number, page_size, secret, salt, page):
    """Whether the page, counted from 1, authenticates."""
    of = FORMATS[number]
    data = content[(page - 1) * page_size:page * page_size]
    if not of.seal or len(data) < page_size or page_size <= 512:
        return False
    mac_key = hashlib.pbkdf2_hmac(of.hash, secret, bytes(b ^ 0x3A for b in salt), 2, 32)
    end = page_size - of.reserve + 16
    sealed = data[16 if page == 1 else 0:end] + struct.pack("<I", page)
    return hmac.compare_digest(
        hmac.new(mac_key, sealed, of.hash).digest(), data[end:end + of.seal])


def connect(path, number, page_size, secret, salt, read_only, timeout):
    mode = "ro" if read_only else "rwc"
    connection = engine.connect(
        "file:%s?mode=%s" % (re.sub(r"[%?#]", lambda m: "%%%02x" % ord(m.group()), path), mode),
        uri=True, isolation_level=None, timeout=timeout)
    for pragma in (
            "cipher_log_level = NONE", "key = \"x'%s%s'\"" % (secret.hex(), salt.hex()),
            "cipher_compatibility = %d" % number, "cipher_page_size = %d" % page_size,
            "temp_store = MEMORY", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute("PRAGMA " + pragma).fetchall()
    return connection


def recognise(path, key):
    """The format, the page size and the stretched key of an encrypted file."""
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"SQLite format 3\0"):
        raise Failure("notEncrypted", "the file is plain SQLite")
    if len(content) < 512:
        raise Failure("truncated", "the file is shorter than a page")
    salt = key.salt or content[:16]
    for pages in (range(1, 2), range(2, 17)):
        for number in (4, 3, 2):
            secret = key.stretched(number, salt)
            for size in PAGE_SIZES:
                if any(seals(content, number, size, secret, salt, page) for page in pages):
                    if pages[0] > 1:
                        raise Failure("damaged", "its first page does not authenticate")
                    if key.salt and content[:16] != key.salt:
                        raise Failure("damaged", "the salt in the file is not the key's")
                    logged = any(os.path.exists(path + end) for end in ("-wal", "-journal"))
                    if len(content) % size and not logged:
                        raise Failure("truncated", "the file ends within a page")
                    whole = all(seals(content, number, size, secret, salt, page)
                                for page in range(1, len(content) // size + 1))
                    return number, size, secret, salt, whole
    for size in PAGE_SIZES:  # format 1 has no MAC: what its first page says must make sense
        secret = key.stretched(1, salt)
        connection = connect(path, 1, size, secret, salt, True, 5)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            return 1, size, secret, salt, True
        except engine.DatabaseError:
            pass
        finally:
            connection.close()
    if len(content) % 512:
        raise Failure("truncated", "the file ends within a page")
    if len(content) < 4096:
        raise Unsupported("telling a first page that was cut from a wrong key")
    raise Failure("wrongKey", "the key does not open the file")


SQLITE_CODES = {5: "busy", 6: "busy", 8: "readOnly", 10: "inputOutput", 11: "damaged",
                13: "diskFull", 14: "cannotOpen", 19: "constraint", 26: "damaged"}


def failure_of(error):
    """What the engine's error is in the contract."""
    code, message = getattr(error, "sqlite_errorcode", 0) or 0, str(error)
    if code & 0xFF == 19 and "UNIQUE" in message or code in (1555, 2067, 2579):
        return Failure("duplicate", message)
    if "no such table" in message:
        return Failure("invalidated", message)
    return Failure(SQLITE_CODES.get(code & 0xFF, "internalError"), message)


def inode(path):
    """Which file stands at the path, or None."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_dev, about.st_ino


class File:
    """An open file: one connection, whatever number of handles uses it."""

    open_files = {}

    def __init__(self, path, key, options):
        self.path, self.key, self.removed, self.scopes, self.users = path, key, {}, [], 0
        self.announced = []
        self.read_only = options.get("readOnly", False)
        timeout = untag(options.get("busyTimeout", 5)).data
        exists = os.path.exists(path)
        may_create = options.get("create", "ifMissing") == "ifMissing" and not self.read_only
        if not exists and not may_create:
            raise Failure("noSuchFile", "no file at the path")
        if exists and os.path.isdir(path) or not os.path.isdir(os.path.dirname(path)):
            raise Failure("cannotOpen", "no file can stand there")
        is_new = not exists or os.path.getsize(path) == 0
        if is_new and not may_create:
            raise Failure("empty", "the file has no bytes")
        if is_new:
            self.format = 3 if options.get("cipherFormat") == "portable" else 4
            self.page_size, salt, whole = 4096, key.salt or os.urandom(16), True
            secret = key.stretched(self.format, salt)
            try:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            except OSError as error:
                raise Failure("cannotOpen", str(error)) from None
        else:
            self.format, self.page_size, secret, salt, whole = recognise(path, key)
        self.connection = connect(
            path, self.format, self.page_size, secret, salt, self.read_only, timeout)
        try:
            self.first_use(is_new)
        except engine.DatabaseError as error:
            self.connection.close()
            failure = failure_of(error)
            if failure.code == "damaged" and whole:
                raise Failure("truncated", "the file is shorter than it says") from None
            raise failure from None
        except Failure:
            self.connection.close()
            raise
        self.identity, self.log = inode(path), inode(path + "-wal")
        File.open_files[path] = self

    def first_use(self, is_new):
        self.query("SELECT count(*) FROM sqlite_master")
        if is_new:
            with_tables(self)
        pages = self.query("PRAGMA page_count")[0][0]
        if self.query("PRAGMA application_id")[0][0] == 0x4F564C54 and not self.read_only:
            self.query("PRAGMA journal_mode = WAL")
            self.query("PRAGMA user_version")
        elif os.path.getsize(self.path) < pages * self.page_size and not os.path.exists(
                self.path + "-wal"):
            raise Failure("truncated", "the file is shorter than it says")
        if self.has_table("objectvault_info"):
            version = self.query("SELECT value FROM objectvault_info WHERE key = 'format_version'")
            if version and not (version[0][0].isdigit() and int(version[0][0]) <= 1):
                raise Failure("newerFormat", "format %s of the vault's tables" % version[0][0])

    def query(self, sql, values=()):
        return self.connection.execute(sql, values).fetchall()

    def has_table(self, name):
        return bool(self.query(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)))

    def check_identity(self):
        if inode(self.path) != self.identity:
            raise Failure("replaced", "another program removed or replaced the file")

    def close(self):
        File.open_files.pop(self.path, None)
        self.connection.close()
        # The engine leaves the log of a file that is gone. Whatever stands there must not get it.
        if self.log and inode(self.path) != self.identity and inode(self.path + "-wal") == self.log:
            for suffix in ("-wal", "-shm"):
                if os.path.exists(self.path + suffix):
                    os.remove(self.path + suffix)

    def scope(self, body, keeps=True, reading=False):
        """Runs the body in a transaction, or in a savepoint of the one that is open."""
        depth = len(self.scopes)
        if depth and not self.connection.in_transaction:
            raise Failure("transactionAborted", "the engine undid the enclosing transaction")
        if "read" in self.scopes and not reading:
            raise Unsupported("writing within read")
        if self.read_only and not reading:
            raise Failure("readOnly", "the vault is open for reading only")
        removed, announced = dict(self.removed), len(self.announced)
        begin = "BEGIN" if reading else "BEGIN IMMEDIATE"
        self.query("SAVEPOINT s%d" % depth if depth else begin)
        self.scopes.append("read" if reading else "write")
        try:
            if reading:
                self.query("SELECT count(*) FROM sqlite_master")
            result = body()
            if not self.connection.in_transaction:
                raise Failure("transactionAborted", "the engine undid the transaction")
            if keeps:
                self.query("RELEASE s%d" % depth if depth else "COMMIT")
                return result
        except BaseException:
            keeps = False
            raise
        finally:
            self.scopes.pop()
            if not keeps:
                self.removed = removed
                del self.announced[announced:]
                if self.connection.in_transaction:
                    self.query("ROLLBACK TO s%d" % depth if depth else "ROLLBACK")
                    if depth:
                        self.query("RELEASE s%d" % depth)
        return result

    def rekey(self, key):
        """Copies the file page by page under the new key, and puts the copy in its place."""
        if self.query("PRAGMA journal_mode = DELETE") != [("delete",)]:
            raise Failure("busy", "another process has the file open")
        salt, copy = key.salt or os.urandom(16), self.path + ".rekeyed"
        secret = key.stretched(self.format, salt)
        try:
            self.query("PRAGMA locking_mode = EXCLUSIVE")
            self.query("BEGIN EXCLUSIVE")
            self.query("COMMIT")
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            target = connect(copy, self.format, self.page_size, secret, salt, False, 5)
            self.connection.backup(target)
            if target.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise Failure("damaged", "the copy is not whole")
            target.close()
            self.connection.close()
            os.replace(copy, self.path)
            self.key = key
        finally:
            if os.path.exists(copy):
                os.remove(copy)
        self.connection = connect(self.path, self.format, self.page_size, secret, salt, False, 5)
        self.first_use(False)
        self.identity, self.log = inode(self.path), inode(self.path + "-wal")


def with_tables(file):
    """Marks the file as a vault and makes the library's own tables."""
    file.query("PRAGMA application_id = %d" % 0x4F564C54)
    file.query('CREATE TABLE IF NOT EXISTS objectvault_info '
               '("key" TEXT PRIMARY KEY NOT NULL, "value" TEXT NOT NULL)')
    file.query('CREATE TABLE IF NOT EXISTS objectvault_classes ("table" TEXT PRIMARY KEY NOT NULL, '
               '"name" TEXT NOT NULL, "description" TEXT NOT NULL)')
    file.connection.executemany(
        "INSERT OR IGNORE INTO objectvault_info VALUES (?, ?)",
        [("vault_id", str(uuid.uuid4()).upper()), ("format_version", "1")])


# Stores: the objects of one class in a file.


class Store:
    def __init__(self, file, of, foreign=False):
        self.file, self.of = file, of
        if not foreign:
            of.validate()
            self.install()
        self.removals = file.removed.get(of.table, 0)
        names = {p.column.lower() for p in of.row}
        rowid = next((n for n in ("rowid", "_rowid_", "oid") if n not in names), None)
        without, = file.query(
            "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
            (of.table,))[0]
        self.order = rowid if rowid and not without else ", ".join(
            quoted(p.column) for p in of.id_properties)
        self.select = "SELECT %s FROM %s" % (
            ", ".join(quoted(p.column) for p in of.row), quoted(of.table))
        self.has_id = " WHERE " + " AND ".join(
            quoted(p.column) + " = ?" for p in of.id_properties)

    def install(self):
        file, of = self.file, self.of
        spelt = file.query("SELECT name FROM sqlite_master WHERE type = 'table' "
                           "AND name = ? COLLATE NOCASE", (of.table,))
        if spelt and spelt[0][0] != of.table:
            raise Failure("invalidClass", "a table's name differs in case only")
        if spelt:
            self.compare()
        elif file.read_only:
            raise Failure("noSuchClass", "the file has no such table")
        owner = spelt and file.has_table("objectvault_classes") and file.query(
            'SELECT name FROM objectvault_classes WHERE "table" = ?', (of.table,))
        if owner and owner[0][0] != of.name:
            raise Failure("invalidClass", "the table is that of class '%s'" % owner[0][0])
        made = {name for name, in file.query(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", (of.table,))}
        missing = [sql for name, sql in of.index_statements if name not in made]
        described = file.has_table("objectvault_classes") and file.query(
            'SELECT description FROM objectvault_classes WHERE "table" = ?', (of.table,))
        same = described and json.loads(described[0][0]) == json.loads(of.description)
        if file.read_only or spelt and not missing and same:
            return

        def make():
            with_tables(file)
            for sql in ([] if spelt else [of.create_table]) + missing:
                file.query(sql)
            file.query("INSERT OR REPLACE INTO objectvault_classes VALUES (?, ?, ?)",
                       (of.table, of.name, of.description))

        file.scope(make)
        if not file.scopes:
            file.query("PRAGMA journal_mode = WAL")

    def compare(self):
        """Finds whether the table in the file can keep the objects of the class."""
        columns = {c[1]: c for c in self.file.query("PRAGMA table_info(%s)" % quoted(self.of.table))}
        key = [c[1] for c in sorted(columns.values(), key=lambda c: c[5]) if c[5]]
        fits = key == [p.column for p in self.of.id_properties]
        for p in self.of.row:
            _, _, declared, not_null, _, in_key = columns.get(p.column, (0, 0, None, 0, 0, 0))
            kind = None if declared is None else affinity(declared)
            fits &= kind == p.column_type or kind == "NUMERIC" and p.column_type == "REAL"
            fits &= bool(in_key) or p.optional != bool(not_null)
        known = {p.column for p in self.of.row}
        fits &= all(c[1] in known or not c[3] or c[4] is not None for c in columns.values())
        if not fits:
            raise Failure("schemaMismatch", "class '%s' differs from the file's" % self.of.name)

    def check(self):
        if self.removals != self.file.removed.get(self.of.table, 0):
            raise Failure("invalidated", "the table was removed")

    # Objects are lists of stored values in the order of the class's rows.

    def row_of(self, form, complete=True, stored_before=False, written=()):
        """The stored values of an object of the protocol: all that it needs, where complete, or
        those that are written."""
        for name in form:
            if name not in self.of.by_name:
                raise Failure("noSuchProperty", "no property '%s'" % name)
        row = [p.encode(untag(form[p.name])) if p.name in form else p.default for p in self.of.row]
        if stored_before:
            self.given_id(row)
        for p, stored in zip(self.of.row, row):
            generated = self.of.id_is_rowid and p.name in self.of.object_id
            if stored is None and not p.optional and not generated and (
                    complete or p.name in form or p.name in written):
                raise Failure("invalidValue", "property '%s' needs a value" % p.name)
        return row

    def object_of(self, row):
        return {p.name: p.decode(stored) for p, stored in zip(self.of.row, row)}

    def id_in(self, row):
        named = dict(zip((p.name for p in self.of.row), row))
        return [named[name] for name in self.of.object_id]

    def id_of(self, form):
        """An objectID of the protocol as stored values."""
        parts = form if isinstance(form, list) else [form]
        if len(parts) != len(self.of.object_id):
            raise Failure("invalidArgument", "the objectID has %d parts" % len(self.of.object_id))
        return [p.encode(untag(part)) for p, part in zip(self.of.id_properties, parts)]

    def id_answer(self, ids):
        parts = [p.decode(stored) for p, stored in zip(self.of.id_properties, ids)]
        return parts if len(parts) > 1 else parts[0]

    def given_id(self, row):
        ids = self.id_in(row)
        if None in ids:
            raise Failure("noObjectID", "the object has no objectID")
        return ids

    def numbers_are_used_up(self):
        """Whether the last number of 64 bits was given, after which the engine gives none."""
        return self.file.has_table("sqlite_sequence") and self.file.query(
            "SELECT 1 FROM sqlite_sequence WHERE name = ? AND (seq = ? OR EXISTS "
            "(SELECT 1 FROM %s WHERE %s = ?))" % (
                quoted(self.of.table), quoted(self.of.id_properties[0].column)),
            (self.of.table, 2**63 - 1, 2**63 - 1))

    def insert(self, row, verb="INSERT"):
        has_number = None not in self.id_in(row)
        if self.of.generated and not has_number and self.numbers_are_used_up():
            raise Failure("constraint", "no number is left for the objectID")
        cursor = self.file.connection.execute("%s INTO %s (%s) VALUES (%s)" % (
            verb, quoted(self.of.table), ", ".join(quoted(p.column) for p in self.of.row),
            ", ".join("?" * len(row))), row)
        if self.of.id_is_rowid:
            low, high = INTEGERS[self.of.id_properties[0].type]
            if not low <= cursor.lastrowid <= high:
                raise Failure("invalidValue", "the next number is out of the objectID's range")
            row[[p.name for p in self.of.row].index(self.of.object_id[0])] = cursor.lastrowid
        return row

    def update(self, row, only=None):
        """Writes properties of a stored object. Returns whether there was a row."""
        ids = self.given_id(row)
        names = [p.name for p in self.of.properties if p.name not in self.of.object_id]
        names = (names if only is None else only) or self.of.object_id
        values = dict(zip((p.name for p in self.of.row), row))
        return self.file.connection.execute("UPDATE %s SET %s%s" % (
            quoted(self.of.table),
            ", ".join(quoted(self.of.by_name[name].column) + " = ?" for name in names),
            self.has_id), [values[name] for name in names] + ids).rowcount > 0

    def save(self, row):
        if None in self.id_in(row) or not self.update(row):
            self.insert(row)
        return row

    def remove(self, ids):
        if not self.file.connection.execute(
                "DELETE FROM " + quoted(self.of.table) + self.has_id, ids).rowcount:
            raise Failure("noSuchObject", "nothing is stored under the objectID")

    def find(self, ids):
        rows = self.file.query(self.select + self.has_id, ids)
        return rows[0] if rows else None

    def matching(self, asked):
        """The rows that a query means, in its order and range."""
        conditions = [Condition(self.of, c["where"], c.get("arguments", ()), c.get("named"))
                      for c in [asked] + asked.get("and", []) if "where" in c]
        names = [p.name for p in self.of.row]
        keys = []
        for key in asked.get("sort", ()):
            p = self.of.by_name.get(key[key.startswith("-"):])
            if not p:
                raise Failure("noSuchProperty", "no property '%s'" % key)
            if p.kind in ("data", "json"):
                raise Failure("invalidArgument", "'%s' has no order" % p.name)
            keys.append((names.index(p.name), reader(p), key.startswith("-")))
        offset = untag(asked.get("offset", 0)).data
        length = untag(asked["length"]).data if "length" in asked else None
        if offset < 0 or length is not None and length < 0:
            raise Failure("invalidArgument", "a range begins at 0 or later")
        try:
            rows = self.file.query("%s ORDER BY %s" % (self.select, self.order))
        except engine.DatabaseError as error:
            if conditions and failure_of(error).code == "damaged":
                raise Unsupported("asking a damaged table for some rows: it reads all") from None
            raise
        try:
            if conditions:
                rows = [row for row in rows
                        if all(c.holds(dict(zip(names, row))) for c in conditions)]
            for _, read, down in reversed(keys):
                rows.sort(key=lambda row: order_key(read(dict(zip(names, row)))), reverse=down)
        except (TypeError, decimal.InvalidOperation):
            raise Unsupported("a row holds a value of another kind than its column") from None
        return rows[offset:] if length is None else rows[offset:offset + length]


def order_key(value):
    return (value is not None, 0 if value is None else value)


# The protocol.


class Handle:
    def __init__(self, path, options):
        self.path, self.options, self.file, self.closed = path, options, None, False
        self.key, self.stores, self.gone = Key(options.get("key", DEFAULT_KEY)), {}, False
        self.events, self.heard = [], 0

    def opened(self):
        """The file, opened at the first use."""
        if self.closed:
            raise Failure("closed", "the handle was closed")
        if self.gone:
            raise Failure("invalidated", "the file was removed")
        if not self.file:
            file = File.open_files.get(self.path)
            if file and file.key.form != self.key.form:
                raise Failure("wrongKey", "the file is open under another key")
            if file and file.read_only and not self.options.get("readOnly"):
                raise Unsupported("writing to a file that is open for reading only")
            self.file = file or File(self.path, self.key, self.options)
            self.file.users += 1
            self.heard = len(self.file.announced)
        self.file.check_identity()
        return self.file

    def close(self):
        self.listen()
        if self.file and not self.gone:
            self.file.users -= 1
            if not self.file.users:
                self.file.close()
        if not self.closed and not self.gone:
            self.events.append("closed")
        self.file, self.closed = None, True

    def listen(self):
        """Takes what the file announced since, and is committed."""
        if self.file and not self.file.scopes:
            self.events += self.file.announced[self.heard:]
            self.heard = len(self.file.announced)


class Testee:
    def __init__(self):
        self.folder, self.classes, self.handles = "", {}, {}

    def answer(self, request):
        """The answer to a request or a step, without its id."""
        operation = request["operation"]
        perform = getattr(self, "do_" + operation, None)
        try:
            if not perform or request.get("thread"):
                return {"unsupported": operation if not perform else "threads"}
            result = perform(**request["arguments"])
            if operation in ("transaction", "read"):
                return result
            return {} if result is None else {"returns": result}
        except (Failure, engine.Error) as error:
            failure = error if isinstance(error, Failure) else failure_of(error)
            fails = {"code": failure.code, "message": failure.message}
            if failure.offset is not None:
                fails["offset"] = failure.offset
            return {"fails": fails}
        except Unsupported as reason:
            return {"unsupported": str(reason)}

    def at(self, path):
        return os.path.realpath(os.path.join(self.folder, path))

    def handle(self, name):
        if name not in self.handles:
            raise Failure("internalError", "no handle '%s' was opened" % name)
        return self.handles[name]

    def file(self, name):
        return self.handle(name).opened()

    def store(self, label, name):
        """The store of a class, made at its first use on the handle."""
        handle = self.handle(name)
        file = handle.opened()
        if label not in handle.stores:
            handle.stores[label] = Store(file, Class.of_fixture(label, self.classes[label]))
        handle.stores[label].check()
        return handle.stores[label]

    def writing(self, label, name, body):
        store = self.store(label, name)
        if self.handle(name).options.get("readOnly"):
            raise Failure("readOnly", "the vault is open for reading only")
        return store.file.scope(lambda: body(store))

    def do_begin(self, format, folder, classes):
        self.do_end()
        if format != 1:
            raise Failure("newerFormat", "fixtures of format %s" % format)
        self.folder, self.classes = folder, classes
        version = engine.connect(":memory:").execute("PRAGMA cipher_version").fetchone()[0]
        return {"name": "testee.py", "engine": "SQLCipher " + version.split()[0]}

    def do_end(self):
        for handle in self.handles.values():
            handle.close()
        self.handles = {}

    def do_open(self, handle="main", path="main.vault", lazily=False, **options):
        if handle in self.handles:
            self.handles.pop(handle).close()
        made = Handle(self.at(path), options)
        if not lazily:
            made.opened()
        self.handles[handle] = made

    def do_close(self, handle="main"):
        self.handle(handle).close()

    def do_removeVault(self, path=None, handle="main"):
        if path is None and self.handle(handle).gone:
            raise Failure("invalidated", "the file was removed already")
        path = self.handle(handle).path if path is None else self.at(path)
        if not os.path.exists(path):
            raise Failure("noSuchFile", "no file at the path")
        file = File.open_files.get(path)
        if file and file.scopes:
            raise Failure("invalidArgument", "a vault cannot be removed in its own transaction")
        if file:
            file.close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        for each in self.handles.values():
            if each.path == path and each.file and not each.gone:
                each.listen()
                each.events.append("removed")
            each.gone |= each.path == path

    def do_events(self, handle="main"):
        handle = self.handle(handle)
        handle.listen()
        heard, handle.events = handle.events, []
        return heard

    def do_cipher(self, handle="main"):
        file = self.file(handle)
        return {"format": file.format, "pageSize": file.page_size}

    def described(self, file):
        if not file.has_table("objectvault_classes"):
            return []
        return [Class.of_description(text) for text, in file.query(
            "SELECT description FROM objectvault_classes")]

    def do_classes(self, handle="main"):
        file = self.file(handle)
        described = self.described(file)
        tables = {name for name, in file.query(
            "SELECT name FROM sqlite_master WHERE type = 'table'")}
        other = [name for name in tables - {of.table for of in described}
                 if not ascii_lower(name).startswith(("sqlite_", "objectvault_"))
                 and any(c[5] for c in file.query("PRAGMA table_info(%s)" % quoted(name)))]
        return {"described": sorted(of.name for of in described), "other": sorted(other)}

    def do_rekey(self, key, handle="main"):
        file, key = self.file(handle), Key(key)
        if file.scopes:
            raise Unsupported("rekey within a transaction")
        if file.read_only:
            raise Failure("readOnly", "the vault is open for reading only")
        file.rekey(key)
        for each in self.handles.values():
            if each.file is file:
                each.key = key

    def do_store(self, handle="main", **arguments):
        label = arguments["class"]
        owner, file = self.handle(handle), self.file(handle)
        if arguments.get("from", "fixture") == "fixture":
            owner.stores.pop(label, None)
            self.store(label, handle)
            return
        form = self.classes.get(label, {})
        name = form.get("name", label)
        for of in self.described(file):
            if name in (of.name, of.table):
                owner.stores[label] = Store(file, of)
                return
        columns = file.query("PRAGMA table_info(%s)" % quoted(name))
        key = [c[1] for c in sorted(columns, key=lambda c: c[5]) if c[5]]
        if not key:
            raise Failure("noSuchClass", "no class and no table with a primary key '%s'" % name)
        types = {"INTEGER": "Int", "REAL": "Double", "NUMERIC": "Double", "BLOB": "Data"}
        owner.stores[label] = Store(file, Class(name, name, [
            Property(c[1], types.get(affinity(c[2]), "String"), not c[3] and not c[5], c[1])
            for c in columns], key, []), foreign=True)

    def do_removeStore(self, handle="main", **arguments):
        file, form = self.file(handle), self.classes[arguments["class"]]
        of = Class.of_fixture(arguments["class"], form)

        def drop():
            if not file.has_table(of.table):
                raise Failure("noSuchClass", "the file has no such table")
            file.query("DROP TABLE " + quoted(of.table))
            if file.has_table("objectvault_classes"):
                file.query('DELETE FROM objectvault_classes WHERE "table" = ?', (of.table,))
            file.removed[of.table] = file.removed.get(of.table, 0) + 1
            file.announced.append("storeRemoved " + of.name)

        file.scope(drop)

    # Operations on objects. `class` is a keyword, so they take it out of a dictionary.

    def do_insert(self, object, handle="main", verb="INSERT", **a):
        return self.writing(a["class"], handle, lambda s: s.object_of(
            s.insert(s.row_of(object), verb)))

    def do_replace(self, **arguments):
        return self.do_insert(verb="INSERT OR REPLACE", **arguments)

    def do_save(self, object, handle="main", **a):
        return self.writing(
            a["class"], handle, lambda s: s.object_of(s.save(s.row_of(object))))

    def do_insertMany(self, objects, handle="main", **a):
        return self.writing(a["class"], handle, lambda s: [
            s.id_answer(s.id_in(s.insert(s.row_of(form)))) for form in objects])

    def do_saveMany(self, objects, handle="main", **a):
        return self.writing(a["class"], handle, lambda s: [
            s.id_answer(s.id_in(s.save(s.row_of(form)))) for form in objects])

    def do_update(self, object, only=None, **a):
        self.do_updateMany([object], only=only, **a)

    def do_updateMany(self, objects, only=None, handle="main", **a):
        def body(store):
            for name in only or ():
                if name not in store.of.by_name:
                    raise Failure("noSuchProperty", "no property '%s'" % name)
                if name in store.of.object_id:
                    raise Failure("invalidArgument", "'%s' is of the objectID" % name)
            for form in objects:
                row = store.row_of(
                    form, complete=only is None, stored_before=True, written=only or ())
                if only != [] and not store.update(row, only):
                    raise Failure("noSuchObject", "nothing is stored under the objectID")

        self.writing(a["class"], handle, body)

    def do_changeID(self, id, to, handle="main", **a):
        def body(store):
            assigned = ", ".join(quoted(p.column) + " = ?" for p in store.of.id_properties)
            if not store.file.connection.execute("UPDATE %s SET %s%s" % (
                    quoted(store.of.table), assigned, store.has_id),
                    store.id_of(to) + store.id_of(id)).rowcount:
                raise Failure("noSuchObject", "nothing is stored under the objectID")

        self.writing(a["class"], handle, body)

    def do_remove(self, object, **a):
        self.do_removeMany([object], **a)

    def do_removeMany(self, objects, handle="main", **a):
        self.writing(a["class"], handle, lambda s: [
            s.remove(s.given_id(s.row_of(form, complete=False))) for form in objects] and None)

    def do_removeByID(self, id, **a):
        self.do_removeByIDs([id], **a)

    def do_removeByIDs(self, ids, handle="main", **a):
        self.writing(
            a["class"], handle, lambda s: [s.remove(s.id_of(id)) for id in ids] and None)

    def do_removeAll(self, handle="main", **a):
        return self.writing(a["class"], handle, lambda s: s.file.connection.execute(
            "DELETE FROM " + quoted(s.of.table)).rowcount)

    def do_removeWhere(self, handle="main", **a):
        def body(store):
            rows = store.matching(a)
            for row in rows:
                store.remove(store.id_in(row))
            return len(rows)

        return self.writing(a["class"], handle, body)

    def do_find(self, id, handle="main", **a):
        store = self.store(a["class"], handle)
        row = store.find(store.id_of(id))
        return store.object_of(row) if row else tag("nil", None)

    def do_findMany(self, ids, handle="main", **a):
        store = self.store(a["class"], handle)
        found = [store.find(store.id_of(id)) for id in ids]
        return [store.object_of(row) for row in found if row]

    def do_contains(self, id, handle="main", **a):
        store = self.store(a["class"], handle)
        return store.find(store.id_of(id)) is not None

    def asked(self, handle, a):
        store = self.store(a["class"], handle)
        return store, store.matching(a)

    def do_query(self, handle="main", **a):
        store, rows = self.asked(handle, a)
        return [store.object_of(row) for row in rows]

    def do_ids(self, handle="main", **a):
        store, rows = self.asked(handle, a)
        return [store.id_answer(store.id_in(row)) for row in rows]

    def do_first(self, **a):
        return (self.do_query(**a) or [tag("nil", None)])[0]

    def do_count(self, handle="main", **a):
        return len(self.asked(handle, a)[1])

    def do_exists(self, handle="main", **a):
        return bool(self.asked(handle, a)[1])

    def do_values(self, properties, handle="main", **a):
        store, rows = self.asked(handle, a)
        for name in properties:
            if name not in store.of.by_name:
                raise Failure("noSuchProperty", "no property '%s'" % name)
        if not properties:
            raise Failure("invalidArgument", "no property is named")
        places = [[p.name for p in store.of.row].index(name) for name in properties]
        return [[store.of.row[at].decode(row[at]) for at in places] for row in rows]

    # Transactions.

    def do_transaction(self, steps, end="commit", handle="main"):
        if self.handle(handle).options.get("readOnly"):
            raise Failure("readOnly", "the vault is open for reading only")
        return self.scope(steps, handle, end == "commit", False)

    def do_read(self, steps, handle="main"):
        return self.scope(steps, handle, True, True)

    def scope(self, steps, handle, keeps, reading):
        answers = []

        class Ended(Exception):
            """A step failed that may not, or is not done here."""

        def body():
            for step in steps:
                answers.append(self.answer(step))
                if "unsupported" in answers[-1] or (
                        "fails" in answers[-1] and not step.get("mayFail")):
                    raise Ended

        try:
            self.file(handle).scope(body, keeps, reading)
        except Ended:
            if "unsupported" in answers[-1]:
                return answers[-1]
            return {"returns": answers, "fails": answers[-1]["fails"]}
        return {"returns": answers}

    def do_crash(self):
        os.kill(os.getpid(), 9)


def main():
    sys.setrecursionlimit(20_000)
    testee = Testee()
    for line in sys.stdin.buffer:
        request = {}
        try:
            request = json.loads(line)
            answer = testee.answer(request)
        except Exception as error:  # no request, or a defect of the testee: it fails, and says so
            traceback.print_exc()
            answer = {"fails": {"code": "internalError", "message": repr(error)}}
        if isinstance(request, dict) and "id" in request:
            answer = {"id": request["id"], **answer}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
