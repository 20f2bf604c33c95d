"""Classes as fixtures and files describe them, and their tables."""

import base64
import json
import math

from errors import Failure, Unsupported
from values import COLUMN_TYPES, KINDS, tag, to_storage, untag


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
        """Returns the value as the column stores it."""
        if value.kind == "nil":
            return None
        return to_storage(self.kind, self.type, value, lambda reason: Failure(
            "invalidValue", "property '%s' is %s, and %s" % (self.name, self.type, reason)))


    def decode(self, stored):
        """Returns a stored value as JSON of the protocol: typed if possible, else as stored."""
        kept = {type(None): "nil", bytes: "data", str: "text", int: "int", float: "double"}[
            type(stored)]
        fits = stored in (0, 1) if self.kind == "bool" else True
        storage = {"bool": "int", "int": "int", "double": "double", "date": "double",
                   "data": "data"}.get(self.kind, "text")
        return tag(self.kind if fits and kept == storage else kept, stored)


class Class:
    """A class with its table and its SQL."""

    # Whether the class declares a version or a previous name.
    has_history = False

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
        if "references" in form or "owned" in form:
            raise Unsupported("associations")
        if "search" in form:
            raise Unsupported("searching for words")
        if any(key in form for key in ("columnOrder", "withoutRowID", "insertionTime")) or any(
                key in of for of in form["properties"].values() if isinstance(of, dict)
                for key in ("columnType", "length", "constraints")):
            raise Unsupported("definitions of columns and tables")
        if any("shared" in of for of in form["properties"].values() if isinstance(of, dict)):
            raise Unsupported("shared bytes")
        if any("sealed" in of for of in form["properties"].values() if isinstance(of, dict)):
            raise Unsupported("sealed values")
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
        made = Class(name, form.get("table", name), properties, object_id, indexes)
        made.has_history = "version" in form or "renamedFrom" in form
        return made

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
        """Returns the properties in row order: those of the class, then a generated ID."""
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
        """Returns the JSON of `objectvault_classes`."""
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
