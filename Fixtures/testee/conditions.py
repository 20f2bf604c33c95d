"""Compiles the text of a condition to a function of a row.

The whole grammar is in one file, from the tokens to the evaluation, as in `Guides/Conditions.md`.
"""

import base64
import datetime
import decimal
import functools
import math
import re
import unicodedata
from typing import NamedTuple

from errors import Failure, Unsupported
from values import (
    canonical_json,
    float32,
    NIL,
    NUMBER,
    NUMBERS,
    read_json,
    rounded_date,
    TEXTS,
    to_storage,
    untag,
    Value,
)
from classes import ascii_lower


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
  | (?P<operator>&&|\|\||==|!=|<>|<=|=<|>=|=>|[=<>!(){},.@+*/-])
""", re.VERBOSE)
SYMBOLS = {"=": "==", "<>": "!=", "=<": "<=", "=>": ">="}
CALCULATIONS = ("+", "-", "*", "/")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
TEXT_OPERATORS = ("LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH", "MATCHES")
CONSTANTS = {"NIL": None, "NULL": None, "TRUE": True, "YES": True, "FALSE": False, "NO": False}
KEYWORDS = {"AND", "OR", "NOT", "IN", "BETWEEN", "ANY", "SOME", "ALL", "NONE", "TRUEPREDICATE",
            "FALSEPREDICATE", *CONSTANTS, *TEXT_OPERATORS}


class Token(NamedTuple):
    kind: str
    text: str
    offset: int

    @property
    def is_operand(self):
        return self.kind in ("name", "escaped", "key", "argument", "named", "text", "number",
                             "data") or self.kind == "keyword" and self.text in CONSTANTS


class Operand(NamedTuple):
    offset: int
    property: object = None
    value: object = None


class Condition:
    """A condition of a class: `holds(row)`. Parsing returns functions that check names and types
    later, so that syntax errors are reported before type mismatches and unknown names."""

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
        last = Token("end", "", 0)
        while place < len(text):
            match = TOKEN.match(text, place)
            # After a value, a sign is an operator.
            if match and match.lastgroup == "number" and match.group()[0] in CALCULATIONS and (
                    last.is_operand or last.text == ")"):
                match = TOKEN.match(text[:place + 1], place)
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
                last = Token(kind, word, offset)
                yield last
            place = match.end()
            offset += len(match.group().encode())
        yield Token("end", "", offset)

    @property
    def token(self):
        return self.tokens[self.place]

    def take(self, *words):
        """Consumes the token if it is one of these operators or keywords."""
        token = self.token
        if token.kind in ("operator", "keyword") and token.text in words:
            self.place += 1
            return token
        return None

    def expect(self, word):
        if not self.take(word):
            raise self.error(self.token.offset, "'%s' was expected" % word)

    def joined(self, words, term, test):
        """Parses terms with one operator between them."""
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
        """Parses a single Bool property."""
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
        operand = self.term()
        if self.take(*CALCULATIONS):
            if not self.token.is_operand and self.token.text != "(":
                raise self.error(self.token.offset, "a property or a value was expected")
            raise Unsupported("calculations")
        return operand

    def term(self):
        if self.take("("):
            term = self.nested(self.operand)
            self.expect(")")
            return term
        token = self.token
        self.place += 1
        if not token.is_operand:
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
        """Returns the meaning of the token of an operand."""
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
        """Parses the elements of a list, or the one argument that is a list."""
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

    # Evaluation.

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
        """Returns both sides as functions of a row, with the same type."""
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
        """Returns the elements of a list in the text or of a list argument."""
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
        """Returns the value in the form that the property's type compares."""
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
    """Returns a number in a form that Python compares exactly, or None if it is not a number."""
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
    """Returns the seconds since 1970 of ISO 8601 text with a time zone, or None."""
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
    """Returns Unicode's simple case folding of one scalar."""
    for folded in (scalar.casefold(), scalar.lower()):
        if len(folded) == 1:
            return folded
    return scalar


def is_like(text, pattern, folded):
    """Evaluates LIKE, in time that is proportional to the product of the lengths at most."""
    if not folded:
        text, pattern = ascii_lower(text), ascii_lower(pattern)
    parts, escaped = [], False  # scalars; None matches one scalar, True matches any text
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
