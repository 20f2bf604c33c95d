"""Compiles the text of a condition to a function of a row.

The whole grammar is in one file, from the tokens to the evaluation, as in `Guides/Conditions.md`.
"""

import base64
import datetime
import decimal
import functools
import math
import re
import time
import unicodedata
from typing import NamedTuple

from errors import Failure, Unsupported
from parts import Part, as_kind, constant, kind_of_property
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
  | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?)
  | (?P<escaped>\#[^\W\d]\w*|`(?:[^`]|``)+`)
  | (?P<name>[^\W\d]\w*)
  | (?P<key>%K)
  | (?P<argument>%(?:@|l{0,2}[diuf]|[hz]?[diu]|[egxXoscC])|\?)
  | (?P<numbered>\$\d+)
  | (?P<named>\$[^\W\d]\w*)
  | (?P<options>\[\s*[cCdD]{1,2}\s*\])
  | (?P<operator>&&|\|\||==|!=|<>|<=|=<|>=|=>|[=<>!(){},.@+*/%\[\]-])
""", re.VERBOSE)
SYMBOLS = {"=": "==", "<>": "!=", "=<": "<=", "=>": ">="}
CALCULATIONS = ("+", "-", "*", "/", "%")
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
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
        return self.kind in ("name", "escaped", "key", "argument", "numbered", "named", "text",
                             "number", "data") or self.kind == "keyword" and self.text in CONSTANTS


class Operand(NamedTuple):
    offset: int
    property: object = None
    value: object = None


class Computed(NamedTuple):
    """A value that is computed from a property; `read(row)` returns it."""
    name: str
    kind: str
    type: str
    read: object


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
        self.now = round(time.time(), 3)
        self.number_arguments()
        meaning = self.either()
        if self.token.kind != "end":
            raise self.error(self.token.offset, "an end was expected")
        self.unsupported = None
        self.holds = meaning()
        if self.used < len(self.arguments) and not self.is_numbered:
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
            if match and match.group()[0] in "+-%." and match.lastgroup in (
                    "number", "argument", "key") and (last.is_operand or last.text == ")"):
                if match.group() == "%@":
                    raise self.error(offset, "an operator was expected")
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

    def number_arguments(self):
        """Checks that the placeholders are either all numbered without gaps or all unnumbered."""
        places = [t for t in self.tokens if t.kind in ("argument", "key", "numbered")]
        self.is_numbered = bool(places) and places[0].kind == "numbered"
        for token in places:
            if (token.kind == "numbered") != self.is_numbered:
                raise self.error(token.offset, "two styles of placeholders")
        if self.is_numbered:
            numbers = {int(token.text[1:]) for token in places}
            if numbers != set(range(len(numbers))):
                last = max(places, key=lambda token: (int(token.text[1:]), -token.offset))
                raise self.error(last.offset, "the numbers have a gap")
            self.used = len(numbers)
            if len(self.arguments) > self.used:
                raise self.error(self.end, "more arguments than numbers")

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

    def begins_operand(self):
        """Returns whether the parenthesis at this token is closed before an operator."""
        depth = 0
        for place in range(self.place, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[place].text, 0) * (
                self.tokens[place].kind == "operator")
            if depth == 0:
                break
        else:
            return False
        after = self.tokens[place + 1]
        return after.kind == "name" and after.text.upper() == "IS" or (
            after.kind in ("operator", "keyword") and after.text in (
                *CALCULATIONS, *COMPARISONS, *TEXT_OPERATORS, "IN", "BETWEEN", "NOT"))

    def primary(self):
        if self.token[:2] == ("operator", "(") and self.begins_operand():
            return self.comparison()
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
            if self.is_json(self.token):
                return self.quantified(quantifier.text, place)
            self.comparison()
            if self.tokens[self.place - 1].kind in ("name", "escaped") and self.token.kind == "end":
                raise self.error(self.token.offset, "an operator was expected")
            raise self.error(place, "the class has no associations")
        return self.comparison()

    def comparison(self):
        left = self.operand()
        if self.is_word("IS"):
            return self.nil_test(left)
        negated = self.take("NOT", "!")
        if negated:
            return self.inverse(self.test(left, TEXT_OPERATORS))
        return self.test(left, (*COMPARISONS, *TEXT_OPERATORS))

    def is_word(self, *words):
        return self.token.kind == "name" and self.token.text.upper() in words

    def nil_test(self, left):
        self.place += 1
        negated = self.take("NOT", "!")
        token = self.take("NIL", "NULL")
        if not token:
            raise self.error(self.token.offset, "nil was expected")
        equals, nil = Token("operator", "==", token.offset), Operand(token.offset, None, NIL)
        meaning = lambda: self.compare(left(), equals, (), nil)  # noqa: E731
        return self.inverse(meaning) if negated else meaning

    def test(self, left, operators):
        lists = ("{", "argument", "numbered", "named")
        if self.take("BETWEEN"):
            place, bounds = self.token.offset, self.list(lists)
            return lambda: self.between(left(), place, bounds)
        if self.take("IN"):
            if self.is_json(self.token):
                term = self.operand()
                return lambda: self.elements("ANY", term(), "==", (), left())
            place, elements = self.token.offset, self.list(lists)
            return lambda: self.member(left(), place, elements)
        operator = self.take(*operators)
        if not operator and self.tokens[self.place - 1].text in ("NOT", "!"):
            raise self.error(self.token.offset, "an operator was expected")
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
        token = getattr(operand, "keywords", {}).get("token", self.token)
        if token.kind not in ("name", "escaped", "key"):
            place = token if token.kind == "keyword" else self.token
            raise self.error(place.offset, "a value alone is no condition")
        if self.token.kind not in ("end", "operator", "keyword"):
            raise self.error(self.token.offset, "an operator was expected")

        def meaning():
            p = operand().property
            if isinstance(p, Part):
                return lambda row: as_kind(p.read(row), "bool") == 1
            if p.kind != "bool":
                raise self.error(token.offset, "only a Bool can stand alone")
            return lambda row: row[p.name] == 1

        return meaning

    def operand(self):
        operand = self.term()
        while True:
            operator = self.take(*CALCULATIONS)
            if not operator:
                return operand
            if not self.token.is_operand and self.token.text not in ("(", "-"):
                raise self.error(self.token.offset, "a property or a value was expected")
            operand = functools.partial(
                self.shifted, left=operand, symbol=operator.text, right=self.term())

    def shifted(self, left, symbol, right):
        """Adds an interval to a date; other calculations are unsupported."""
        left, right = left(), right()
        kinds = [operand.value.kind if operand.value else None for operand in (left, right)]
        if "interval" not in kinds:
            raise Unsupported("calculations")
        date, interval = (left, right) if kinds[1] == "interval" else (right, left)
        if kinds[0] == kinds[1] or symbol != "+" and (symbol, kinds[1]) != ("-", "interval"):
            raise self.error(interval.offset, "no date for the interval")
        if not math.isfinite(interval.value.data):
            raise self.error(interval.offset, "the interval is too long")
        value = date.value
        seconds = value and (
            iso_seconds(value.data) if value.kind == "text" else
            float(value.data) if value.kind in ("int", "double", "date", "literal") else None)
        if seconds is None or not math.isfinite(seconds):
            raise self.error(date.offset, "an interval is added to a date")
        amount = interval.value.data
        moved = rounded_date(seconds + (-amount if symbol == "-" else amount))
        return Operand(left.offset, None, Value("date", moved))

    def term(self):
        if self.take("("):
            term = self.nested(self.operand)
            self.expect(")")
            return term
        minus = self.take("-")
        if minus:
            for near in (self.tokens[self.place - 2], self.token):
                if near.text[:1] == "-" and abs(near.offset - minus.offset) == 1:
                    raise self.error(minus.offset, "no comment begins here")
            term = self.nested(self.term)
            token = getattr(term, "keywords", {}).get("token", minus)
            return functools.partial(self.negated, term, minus.offset, token.kind == "number")
        token = self.token
        self.place += 1
        if token.kind == "name" and self.token.text == "(" and token.text.lower() in (
                "now", "lowercase", "uppercase"):
            return self.call(token)
        if token.kind == "name" and self.token[:2] == ("operator", "("):
            raise self.error(token.offset, "the function does not exist")
        if token.kind == "number" and self.token.kind == "name":
            if self.is_word("MONTH", "MONTHS", "YEAR", "YEARS"):
                raise self.error(self.token.offset, "a unit without a length")
            unit = UNITS.get(re.sub("s$", "", self.token.text.lower()))
            if unit:
                self.place += 1
                value = Value("interval", float(token.text) * unit)
                return lambda: Operand(token.offset, None, value)
        if not token.is_operand:
            raise self.error(token.offset, "a property or a value was expected")
        if self.token.text in (".", "[") and self.token.kind == "operator" and self.is_json(token):
            return self.part(token)
        if self.token.text == "[" and self.token.kind == "operator":
            self.refuse_path(token)
        path = self.take(".")
        if path and token.kind != "name":
            raise self.error(path.offset, "no path goes on like this")
        while path:
            self.take("@")
            if self.token.kind not in ("name", "escaped"):
                raise self.error(self.token.offset, "a name was expected")
            self.place += 1
            is_length = self.tokens[self.place - 3][:2] == token[:2] and (
                self.tokens[self.place - 1].text == "length")
            path = self.take(".") or token
            if path is token:
                return functools.partial(
                    self.length if is_length else self.refuse_path, token=token)
        return functools.partial(self.resolved, token=token)

    def part(self, token):
        """Parses the names after a property that is stored as JSON."""
        keys = []
        while True:
            if self.take("["):
                key = self.token
                if key.kind != "text":
                    raise self.error(key.offset, "the name of a member was expected")
                self.place += 1
                keys.append(self.value(key).data)
                self.expect("]")
                continue
            if not self.take("."):
                break
            aggregate = self.take("@")
            name = self.token
            if name.kind not in ("name", "escaped"):
                raise self.error(name.offset, "a name was expected")
            self.place += 1
            if aggregate:
                return functools.partial(self.count, token, keys, name.text)
            text = name.text[1:-1].replace("``", "`") if name.text[0] == "`" else name.text
            keys.append(text.lstrip("#") if name.kind == "escaped" else text)
        return functools.partial(self.part_operand, keys, token=token)

    def part_operand(self, keys, token):
        return Operand(token.offset, Part(self.of.by_name[token.text], keys))

    def count(self, token, keys, aggregate):
        if aggregate != "count":
            raise self.error(token.offset, "only elements can be counted")
        part = Part(self.of.by_name[token.text], keys)
        return Operand(token.offset, Computed(part.name, "int", "Int", part.count))

    def quantified(self, quantifier, place):
        """Parses a test of the elements of a list after ANY, ALL or NONE."""
        term = self.term()
        nil = Operand(place, None, NIL)
        if self.is_word("IS"):
            self.place += 1
            symbol = "!=" if self.take("NOT", "!") else "=="
            if not self.take("NIL", "NULL"):
                raise self.error(self.token.offset, "nil was expected")
            return lambda: self.elements(quantifier, term(), symbol, (), nil)
        if self.take("BETWEEN", "IN"):
            is_list = self.tokens[self.place - 1].text == "IN" and self.token.text == "{"
            members = self.list(("{", "argument", "numbered", "named"))
            return lambda: self.any_element(quantifier, term(), members if is_list else None, place)
        operator = self.take(*COMPARISONS, *TEXT_OPERATORS)
        if not operator:
            raise self.error(
                place if self.token.text == "(" else self.token.offset, "an operator was expected")
        options = set()
        if self.token.kind == "options":
            options = set(self.token.text.lower()) & {"c", "d"}
            self.place += 1
        right = self.operand()

        def meaning():
            if operator.text == "MATCHES":
                raise self.error(place, "MATCHES does not test elements")
            return self.elements(quantifier, term(), operator.text, options, right())

        return meaning

    def any_element(self, quantifier, operand, members, place):
        if members is None or quantifier == "ALL":
            raise self.error(place, "the operator does not test elements")
        tests = [self.elements("ANY", operand, "==", (), member()) for member in members]
        return lambda row: any(test(row) for test in tests) == (quantifier != "NONE")

    def elements(self, quantifier, operand, symbol, options, right):
        """Returns the test of the elements of a list that is stored as JSON."""
        p = operand.property
        part = p if isinstance(p, Part) else Part(p, [])
        known = constant(right.value) if right.value else None
        kind = kind_of_property(right.property) if right.property else known and known[0]
        if not kind:
            raise self.error(right.offset, "elements cannot be compared with it")
        if kind != "text" and (options or symbol in TEXT_OPERATORS) or (
                kind == "nil" and symbol not in ("==", "!=")):
            raise self.error(right.offset, "the operator is for text or needs a value")
        self.check_order(right, symbol)
        b = reader(right.property) if right.property else lambda row: known[1]

        def passes(row, element):
            y = b(row)
            test = self.built(
                symbol, options, lambda row: as_kind(element, "nil" if y is None else kind),
                lambda row: y)
            return test(row)

        def holds(row):
            held = [passes(row, element) for element in part.elements(row)]
            return all(held) if quantifier == "ALL" else any(held) == (quantifier != "NONE")

        return holds

    def check_order(self, operand, symbol):
        if operand.value and operand.value.kind == "decimal" and symbol not in ("==", "!="):
            raise self.error(operand.offset, "a Decimal is stored as text, without an order")

    def compare_part(self, left, symbol, options, right):
        """Compares a member with a value or a property, which determines its type."""
        kind = "text"
        sides = [left.property, right.property]
        if symbol not in TEXT_OPERATORS:
            other = right if isinstance(left.property, Part) else left
            known = constant(other.value) if other.value else None
            kind = kind_of_property(other.property) if other.property else known and known[0]
            if not kind:
                raise self.error(
                    (right if other.property else other).offset, "a member has no such type")
            if options and kind not in ("text", "nil"):
                raise self.error((left if other.property else other).offset, "options are for text")
            if kind == "nil" and symbol not in ("==", "!="):
                raise self.error(other.offset, "nil has no order")
            self.check_order(other, symbol)

        def side(operand):
            p = operand.property
            if isinstance(p, Part):
                return lambda row: as_kind(p.read(row), kind)
            if p and (kind_of_property(p) or "json") != kind:
                raise self.error(operand.offset, "the operator is for text")
            if p:
                return reader(p)
            known = constant(operand.value)
            if not known or known[0] != kind:
                raise self.error(operand.offset, "the operator is for text")
            return lambda row: known[1]

        if symbol == "MATCHES":
            self.unsupported = "MATCHES"
        return self.built(symbol, options, side(left), side(right))

    def call(self, token):
        """Parses now(), lowercase(…) or uppercase(…)."""
        opening = self.take("(")
        word = token.text.lower()
        operand = None if word == "now" else self.nested(self.operand)
        if self.token.kind == "end":
            raise self.error(opening.offset, "the parenthesis is never closed")
        self.expect(")")
        if word == "now":
            return lambda: Operand(token.offset, None, Value("date", self.now))
        case = str.lower if word[0] == "l" else str.upper
        return functools.partial(self.cased, token.offset, operand, case)

    def cased(self, offset, operand, case):
        operand = operand()
        p, value = operand.property, operand.value
        if isinstance(p, Part):
            part = p
            p = Computed(p.name, "text", "String", lambda row: as_kind(part.read(row), "text"))
        elif (p.kind if p else value.kind) not in TEXTS or isinstance(p, Computed):
            raise self.error(operand.offset, "the function is for text")

        def converted(text):
            return None if text is None else "".join(case(scalar) for scalar in text)

        if value:
            return Operand(offset, None, Value("text", converted(value.data)))
        return Operand(offset, Computed(
            p.name, "text", "String", lambda row: converted(reader(p)(row))))

    def length(self, token):
        p = self.property_named(token.text, token.offset).property
        if p.kind not in TEXTS:
            raise self.error(token.offset, "only a text has a length")
        return Operand(token.offset, Computed(
            p.name, "int", "Int",
            lambda row: None if row[p.name] is None else len(row[p.name])))

    def negated(self, operand, offset, is_literal):
        operand = operand()
        value = operand.value
        if value and value.kind == "interval":
            return Operand(offset, None, Value("interval", -value.data))
        if not is_literal:
            raise Unsupported("calculations")
        if value.kind == "literal":
            text = value.data
            return Operand(offset, None, Value(
                "literal", text[1:] if text.startswith("-") else "-" + text.lstrip("+")))
        return Operand(offset, None, Value("int", -value.data))

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
        if token.kind == "numbered":
            number = int(text[1:])
            if number >= len(self.arguments):
                raise self.error(token.offset, "no argument is left for it")
            return self.arguments[number]
        if token.kind == "text":
            return Value("text", text[1:-1].replace(text[0] * 2, text[0]))
        if token.kind == "number":
            if re.fullmatch(r"[+-]?\d+", text):
                if not -2**63 <= int(text) < 2**63:
                    raise self.error(token.offset, "an integer beyond 64 bits")
                return Value("int", int(text))
            return Value("literal", re.sub(r"^([+-]?)\.", r"\g<1>0.", text))
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

    def is_json(self, token):
        found = self.of.by_name.get(token.text) if token.kind == "name" else None
        return found is not None and found.kind == "json"

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
        if symbol == "CONTAINS" and left.property and left.property.kind == "json":
            return self.elements("ANY", left, "==", options, right)
        if not left.property and not right.property:
            raise self.error(left.offset, "one side must be a property")
        if any(isinstance(operand.property, Part) for operand in (left, right)):
            return self.compare_part(left, symbol, options, right)
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
        return self.built(symbol, options, a, b)

    @staticmethod
    def built(symbol, options, a, b):
        """Returns a comparison of two functions of a row."""
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
    if isinstance(p, Computed):
        return p.read
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
    """Returns the seconds since 1970 of an ISO 8601 date, or None. A missing zone is UTC."""
    match = re.fullmatch(
        r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)([.,]\d+)?(Z|[+-]\d\d(?::?\d\d)?)?)?",
        text, re.I | re.ASCII)
    if not match:
        return None
    date, time, fraction, zone = match.groups()
    time, zone = time or "00:00", zone or "Z"
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
