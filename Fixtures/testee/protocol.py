"""The protocol: requests and their answers."""

import math
import os

from sqlcipher3 import dbapi2 as engine

from errors import Failure, Unsupported
from values import tag, untag
from classes import affinity, ascii_lower, Class, Property, quoted
from files import DEFAULT_KEY, failure_of, File, Key
import keyrings
from keyrings import OpenKeyring
from conditions import reader
from stores import Store


class Handle:
    def __init__(self, path, options):
        self.path, self.options, self.file, self.closed = path, options, None, False
        self.key, self.stores, self.gone = Key(options.get("key", DEFAULT_KEY)), {}, False
        self.events, self.heard = [], 0

    def opened(self):
        """Returns the file. The first use opens it."""
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
            if file:
                File.check_minimum(self.options, file.format)
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
        """Receives the committed changes that the file announced since the last call."""
        if self.file and not self.file.scopes:
            self.events += self.file.announced[self.heard:]
            self.heard = len(self.file.announced)


class Testee:
    def __init__(self):
        self.folder, self.classes, self.handles = "", {}, {}

    @staticmethod
    def failing(error):
        """Returns the answer for an error of the vault or the engine."""
        failure = error if isinstance(error, Failure) else failure_of(error)
        fails = {"code": failure.code, "message": failure.message}
        if failure.offset is not None:
            fails["offset"] = failure.offset
        return {"fails": fails}

    def answer(self, request):
        """Returns the answer to a request or a step, without its id."""
        operation = request["operation"]
        perform = getattr(self, "do_" + operation, None)
        try:
            if not perform or request.get("thread"):
                return {"unsupported": operation if not perform else "threads"}
            if "partition" in request["arguments"]:
                raise Unsupported("partitions")
            result = perform(**request["arguments"])
            if operation in ("transaction", "read"):
                return result
            return {} if result is None else {"returns": result}
        except (Failure, engine.Error) as error:
            return self.failing(error)
        except Unsupported as reason:
            return {"unsupported": str(reason)}
        except MemoryError:
            # The newest engines return this on a connection that read a damaged page.
            return {"unsupported": "using a connection that met a damaged page"}

    def at(self, path):
        return os.path.realpath(os.path.join(self.folder, path))

    def handle(self, name):
        if name not in self.handles:
            raise Failure("internalError", "no handle '%s' was opened" % name)
        return self.handles[name]

    def file(self, name):
        return self.handle(name).opened()

    def store(self, label, name):
        """Returns the store of a class. The first use on the handle creates it."""
        handle = self.handle(name)
        file = handle.opened()
        file.check_transaction()
        if label not in handle.stores:
            handle.stores[label] = Store(file, Class.of_fixture(label, self.classes[label]))
        handle.stores[label].check()
        return handle.stores[label]

    def writing(self, label, name, body):
        store = self.store(label, name)
        if self.handle(name).options.get("readOnly"):
            raise Failure("readOnly", "the vault is open for reading only")
        file = store.file
        file.giving = {}
        result = file.scope(lambda: body(store))
        for table, number in file.giving.items():
            file.given[table] = max(file.given.get(table, number), number)
        return result

    def do_begin(self, format, folder, classes):
        self.do_end()
        if format != 1:
            raise Failure("newerFormat", "fixtures of format %s" % format)
        self.folder, self.classes = folder, classes
        version = engine.connect(":memory:").execute("PRAGMA cipher_version").fetchone()[0]
        return {"name": "Python testee", "engine": "SQLCipher " + version.split()[0]}

    def do_end(self):
        for handle in self.handles.values():
            handle.close()
        self.handles = {}

    def do_open(self, handle="main", path="main.vault", lazily=False, **options):
        if handle in self.handles:
            self.handles.pop(handle).close()
        if "at" in options.get("key", {}):
            options["key"] = {**options["key"], "at": self.at(options["key"]["at"])}
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

    def do_rotate(self, unlockedBy, keeping=None, handle="main"):
        file = self.file(handle)
        if not file.key.keyring:
            raise Failure("invalidArgument", "the key is in no keyring")
        if file.scopes:
            raise Unsupported("rotating within a transaction")
        form = {"keyring": unlockedBy, "at": file.key.place(file.path)}
        key = Key(form)
        key.unlock(file.path)
        if keeping is not None:
            key.keyring = key.keyring.with_new_master(keeping)
            key.form = {**form, "keyring": keeping[0]}
        file.rekey(key)
        file.note_generation(key.keyring.form["generation"])
        for each in self.handles.values():
            if each.file is file:
                each.key = key

    def do_freshness(self, handle="main"):
        file = self.file(handle)
        about = file.about()
        if file.scopes or not about:
            raise Failure("invalidArgument", "in a transaction, or no vault")
        if "commit_counter" in about:
            return int(about["commit_counter"])
        if file.read_only:
            raise Failure("readOnly", "nobody counts yet")
        # The transaction that creates the counter is the first that is counted.
        file.scope(lambda: file.query(
            "INSERT INTO objectvault_info VALUES ('commit_counter', '0')"))
        return 1

    def keyring(self, path, at, key=None):
        place = self.at(path) + ".keyring" if at is None else self.at(at)
        return place if key is None else OpenKeyring.opened(place, key)

    def changed_keyring(self, path, at, key):
        """Returns the keyring to change, which the vault must accept."""
        keyring = self.keyring(path, at, key)
        file = File.open_files.get(self.at(path))
        if file:
            file.check_keyring(keyring.form)
        else:
            key = Key({"keyring": key, "at": keyring.path})
            File(self.at(path), key, {"create": "never"}).close()
        return keyring

    def do_slots(self, path="main.vault", at=None):
        return [keyrings.answer(slot) for slot in keyrings.found_at(
            self.keyring(path, at))[0].slots]

    def do_testSlot(self, key, path="main.vault", at=None):
        return keyrings.answer(self.keyring(path, at, key).slot)

    def do_addSlot(self, name, key, unlockedBy, path="main.vault", at=None):
        keyring = self.changed_keyring(path, at, unlockedBy)
        keyring.add_slot(name, key)
        keyring.store()

    def do_removeSlot(self, name, unlockedBy, path="main.vault", at=None):
        keyring = self.changed_keyring(path, at, unlockedBy)
        keyring.remove_slot(name)
        keyring.store()
        if unlockedBy.get("slot") == name or keyring.slot.name == name:
            unlockedBy = None
        self.note_generation(keyring, path, unlockedBy)

    def note_generation(self, keyring, path, unlockedBy):
        """Records in the vault that older keyrings must not open it."""
        file = File.open_files.get(self.at(path))
        if file:
            return file.note_generation(keyring.form["generation"])
        if unlockedBy is None:
            raise Unsupported("noting the generation with the key of the slot that went")
        key = Key({"keyring": unlockedBy, "at": keyring.path})
        file = File(self.at(path), key, {"create": "never"})
        file.note_generation(keyring.form["generation"])
        file.close()

    def do_renameSlot(self, name, to, key, path="main.vault", at=None):
        keyring = self.changed_keyring(path, at, {**key, "slot": name})
        keyring.write_slot(name, key, to)
        keyring.store()

    def do_changeKey(self, to, unlockedBy, name=None, path="main.vault", at=None):
        keyring = self.changed_keyring(path, at, unlockedBy)
        name = keyring.slot.name if name is None else name
        keyring.write_slot(name, to)
        keyring.store()
        self.note_generation(keyring, path, {**to, "slot": name})

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

    # Operations on objects. `class` is a keyword, so that it is an element of a dictionary.

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
            if store.of.id_is_rowid and store.file.has_table("sqlite_sequence"):
                number = store.id_of(to)[0]
                store.file.query(
                    "UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?",
                    (number, store.of.table, number))

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

    def do_updateWhere(self, set, handle="main", **a):
        def body(store):
            values = store.row_of(set, complete=False)
            for name in set:
                if name in store.of.object_id:
                    raise Failure("invalidArgument", "'%s' is of the objectID" % name)
            names = [p.name for p in store.of.row]
            rows = store.matching(a)
            for row in rows:
                row = [new if name in set else old
                       for name, old, new in zip(names, row, values)]
                store.update(row, list(set))
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

    def do_distinct(self, properties, handle="main", **a):
        bare = [key[key.startswith("-"):].split("[")[0] for key in a.get("sort", ())]
        if not set(bare) <= set(properties):
            raise Failure("invalidArgument", "the order is one of other properties")
        whole = {k: v for k, v in a.items() if k not in ("offset", "length")}
        whole["sort"] = list(a.get("sort", ())) + list(properties)
        found = []
        for row in self.do_values(properties, handle, **whole):
            if row not in found:
                found.append(row)
        return found[untag(a.get("offset", 0)).data:][
            :untag(a["length"]).data if "length" in a else None]

    def do_page(self, number, size, handle="main", **a):
        number, size = untag(number).data, untag(size).data
        if number < 1 or size < 1:
            raise Failure("invalidArgument", "pages are counted from 1")
        ids = self.do_ids(handle, **a)
        return {"ids": ids[(number - 1) * size:][:size], "totalItems": len(ids),
                "totalPages": -(-len(ids) // size)}

    def numbers(self, property, handle, a, ordered):
        """Returns a property and its values other than nil."""
        store, rows = self.asked(handle, a)
        p = store.of.by_name.get(property)
        if not p:
            raise Failure("noSuchProperty", "no property '%s'" % property)
        if p.kind in ("data", "json") or not ordered and p.kind not in ("int", "double", "decimal"):
            raise Failure("invalidArgument", "'%s' has none" % property)
        read, names = reader(p), [p.name for p in store.of.row]
        values = [read(dict(zip(names, row))) for row in rows]
        return p, [value for value in values if value is not None]

    @staticmethod
    def decoded(p, value):
        if value is not None and p.kind == "decimal":
            text = "%f" % value
            value = text.rstrip("0").rstrip(".") if "." in text else text
        return p.decode(value)

    def do_min(self, property, handle="main", **a):
        p, values = self.numbers(property, handle, a, True)
        return self.decoded(p, min(values, default=None))

    def do_max(self, property, handle="main", **a):
        p, values = self.numbers(property, handle, a, True)
        return self.decoded(p, max(values, default=None))

    def do_sum(self, property, handle="main", **a):
        p, values = self.numbers(property, handle, a, False)
        if p.kind == "double":
            return tag("double", math.fsum(values))
        total = sum(values)
        if p.kind == "int" and not -2**63 <= total < 2**63:
            raise Failure("overflow", "the sum of '%s' is too large" % property)
        return self.decoded(p, total)

    def do_average(self, property, handle="main", **a):
        p, values = self.numbers(property, handle, a, False)
        if p.kind == "decimal":
            raise Failure("invalidArgument", "the mean of decimals is none")
        return tag("double", math.fsum(values) / len(values) if values else None)

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
            """A step that must succeed and failed, or is not supported."""

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
        except (Failure, engine.Error) as error:
            return {"returns": answers, **self.failing(error)}
        return {"returns": answers}

    def do_crash(self):
        os.kill(os.getpid(), 9)
