"""Elements and members of properties that are stored as JSON."""

import math

from values import canonical_decimal, read_json


class Part:
    """A part of a property stored as JSON, used like a property. Its type is not stored."""

    kind, type = "part", "JSON"

    def __init__(self, p, keys):
        self.property, self.keys = p, keys
        self.name = ".".join([p.name, *keys])

    def read(self, row):
        """Returns the part; None if it is missing or null."""
        value = row[self.property.name]
        value = None if value is None else read_json(value)
        for key in self.keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def elements(self, row):
        value = self.read(row)
        return value if isinstance(value, list) else []

    def count(self, row):
        value = self.read(row)
        return len(value) if isinstance(value, (list, dict)) else None


def as_kind(value, kind):
    """Returns a value of JSON as conditions compare it; None if it has another kind."""
    if kind == "nil":
        return None if value is None else True
    if kind == "bool":
        return int(value) if isinstance(value, bool) else None
    if isinstance(value, bool) or not isinstance(value, str if kind == "text" else (int, float)):
        return None
    return value


def constant(value):
    """Returns the kind of a value and its form in JSON; None if it is not a single value."""
    if value.kind == "nil":
        return "nil", None
    if value.kind in ("text", "uuid", "url"):
        return "text", value.data
    if value.kind == "bool":
        return "bool", int(value.data)
    if value.kind == "int":
        return "number", value.data
    if value.kind == "decimal":
        digits = canonical_decimal(value.data)
        return None if digits is None else ("text", digits)
    if value.kind in ("double", "date", "literal"):
        number = float(value.data)
        if not math.isnan(number) and (value.kind in ("double", "date") or math.isfinite(number)):
            return "number", number
    return None


def kind_of_property(p):
    return {"text": "text", "url": "text", "uuid": "text", "int": "number", "double": "number",
            "date": "number", "bool": "bool"}.get(p.kind)
