"""Stores, each for the objects of one class in a file."""

import decimal
import json
import unicodedata

from sqlcipher3 import dbapi2 as engine

from errors import Failure, Unsupported
from values import INTEGERS, untag
from classes import affinity, quoted
from conditions import Condition, folding, reader
from files import failure_of, with_tables


class Store:
    def __init__(self, file, of, foreign=False):
        self.file, self.of = file, of
        if not foreign:
            of.validate()
            if of.has_history:
                raise Unsupported("classes with a history")
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
        if not spelt and any(
                unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", of.table)
                for name, in file.query("SELECT name FROM sqlite_master WHERE type = 'table'")):
            raise Failure("invalidClass", "a table's name differs in its Unicode form only")
        if spelt and file.has_table("objectvault_classes") and file.query(
                'SELECT 1 FROM objectvault_classes WHERE "table" = ?', (of.table,)):
            try:
                self.compare()
            except Failure:
                raise Unsupported("classes that changed") from None
        elif spelt:
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
        stored = json.loads(described[0][0]) if described else {}
        # Removed properties are no part of the class.
        stored.pop("removed", None)
        declared = json.loads(of.description)
        same = stored == declared
        if any(index not in declared["indexes"] for index in stored.get("indexes", ())):
            raise Unsupported("classes that changed")
        if file.read_only or spelt and not missing and same:
            return

        def make():
            with_tables(file)
            if not spelt:
                file.query(of.create_table)
                # A new table generates IDs from 1.
                file.given.pop(of.table, None)
            try:
                for sql in missing:
                    file.query(sql)
            except engine.IntegrityError as error:
                raise Failure("upgradeRefused", str(error)) from None
            except engine.OperationalError as error:
                raise Failure("invalidClass", "another table's index: %s" % error) from None
            file.query("INSERT OR REPLACE INTO objectvault_classes VALUES (?, ?, ?)",
                       (of.table, of.name, of.description))
            if described:
                # Changes the schema version, so that other programs compare their classes again.
                file.query("CREATE VIEW objectvault_version AS SELECT 1")
                file.query("DROP VIEW objectvault_version")

        file.scope(make)
        if not file.scopes:
            file.query("PRAGMA journal_mode = WAL")

    def compare(self):
        """Checks whether the table in the file can store the objects of the class."""
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
        """Returns the stored values of an object of the protocol. Every property needs a value if
        `complete`, otherwise only those that are written."""
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
        """Returns an object ID of the protocol as stored values."""
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
        """Returns whether the largest 64-bit ID was generated, so that no other can follow."""
        return self.file.has_table("sqlite_sequence") and self.file.query(
            "SELECT 1 FROM sqlite_sequence WHERE name = ? AND (seq = ? OR EXISTS "
            "(SELECT 1 FROM %s WHERE %s = ?))" % (
                quoted(self.of.table), quoted(self.of.id_properties[0].column)),
            (self.of.table, 2**63 - 1, 2**63 - 1))

    def insert(self, row, verb="INSERT"):
        has_number = None not in self.id_in(row)
        if self.of.id_is_rowid and not has_number:
            self.skip_given(row)
        if self.of.generated and not has_number and self.numbers_are_used_up():
            raise Failure("constraint", "no number is left for the objectID")
        cursor = self.file.connection.execute("%s INTO %s (%s) VALUES (%s)" % (
            verb, quoted(self.of.table), ", ".join(quoted(p.column) for p in self.of.row),
            ", ".join("?" * len(row))), row)
        if self.of.id_is_rowid:
            low, high = INTEGERS[self.of.id_properties[0].type]
            if not low <= cursor.lastrowid <= high:
                raise Failure("invalidValue", "the next number is out of the objectID's range")
            row[self.id_position] = cursor.lastrowid
            if not has_number:
                highest = self.file.giving.get(self.of.table, cursor.lastrowid)
                self.file.giving[self.of.table] = max(highest, cursor.lastrowid)
        return row

    @property
    def id_position(self):
        return [p.name for p in self.of.row].index(self.of.object_id[0])

    def skip_given(self, row):
        """Generates an ID after all earlier ones, including those that were rolled back."""
        given = self.file.given.get(self.of.table)
        if given is None or given >= INTEGERS[self.of.id_properties[0].type][1]:
            return
        stored = self.file.query("SELECT max(%s) FROM %s" % (
            quoted(self.of.id_properties[0].column), quoted(self.of.table)))
        if self.file.has_table("sqlite_sequence"):
            stored += self.file.query(
                "SELECT seq FROM sqlite_sequence WHERE name = ?", (self.of.table,))
        if all(number is None or number < given for number, in stored):
            row[self.id_position] = given + 1

    def update(self, row, only=None):
        """Writes properties of a stored object, and returns whether it exists."""
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
        """Returns the rows that a query selects, in its order and range."""
        conditions = [Condition(self.of, c["where"], c.get("arguments", ()), c.get("named"))
                      for c in [asked] + asked.get("and", []) if "where" in c]
        names = [p.name for p in self.of.row]
        keys = []
        for key in asked.get("sort", ()):
            name, options = key[key.startswith("-"):], ""
            for suffix in ("[cd]", "[c]", "[d]"):
                if name.endswith(suffix):
                    name, options = name[:-len(suffix)], suffix
            p = self.of.by_name.get(name)
            if not p:
                raise Failure("noSuchProperty", "no property '%s'" % key)
            if p.kind in ("data", "json"):
                raise Failure("invalidArgument", "'%s' has no order" % p.name)
            if options and p.kind != "text":
                raise Failure("invalidArgument", "'%s' is no text" % p.name)
            keys.append((folded(reader(p), options), key.startswith("-")))
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
            for read, down in reversed(keys):
                rows.sort(key=lambda row: order_key(read(dict(zip(names, row)))), reverse=down)
        except (TypeError, decimal.InvalidOperation):
            raise Unsupported("a row holds a value of another kind than its column") from None
        return rows[offset:] if length is None else rows[offset:offset + length]


def folded(read, options):
    """Returns a function that reads a value of a row and folds it as the options require."""
    def read_folded(row):
        value = read(row)
        return None if value is None else folding(options)(value)

    return read_folded if options else read


def order_key(value):
    return (value is not None, 0 if value is None else value)
