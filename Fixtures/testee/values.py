"""Values: tagged JSON in the protocol, (kind, data) here, storage classes in the file."""

import base64
import decimal
import json
import math
import re
import struct
import unicodedata
from typing import NamedTuple


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
    """Returns the value of JSON of the protocol."""
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
    """Returns a value as JSON of the protocol."""
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
    """Returns the seconds rounded to the microsecond, ties away from zero."""
    if not math.isfinite(seconds) or abs(seconds) * 1e6 >= 2**53:
        return seconds + 0.0
    return math.copysign(math.floor(abs(seconds) * 1e6 + 0.5) / 1e6, seconds) + 0.0


def canonical_json(value):
    return json.dumps(
        in_order(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def in_order(value):
    """Returns JSON with members in the order of their names as written, in quotes and escaped."""
    if isinstance(value, list):
        return [in_order(element) for element in value]
    if not isinstance(value, dict):
        return value
    names = sorted(value, key=lambda name: json.dumps(name, ensure_ascii=False))
    return {name: in_order(value[name]) for name in names}


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
    """Returns plain digits without exponent and superfluous zeros, or None."""
    if not re.fullmatch(NUMBER, text, re.ASCII):
        return None
    number = decimal.Decimal(text)
    digits = "".join(map(str, number.as_tuple().digits))
    exponent = number.as_tuple().exponent + len(digits) - len(digits.rstrip("0"))
    significand = int(digits.rstrip("0") or "0") * 10 ** max(0, exponent - 127)
    if significand >= 2**128 or significand > 0 and exponent < -128:
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
    allowed = r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+"
    return text if re.fullmatch(allowed, text) else None


def is_one_character(text):
    """Returns whether the text is one user-perceived character; exact enough for the fixtures."""
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
    """Returns the stored form of the value for the type. `refuse` creates the error."""
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
