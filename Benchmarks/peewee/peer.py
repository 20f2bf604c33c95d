"""The peer for peewee on sqlcipher3, which contains its own SQLCipher.

Usage: peer.py peewee WORKLOAD ROWS PATH

BENCHMARK_CIPHER is the cipher format of the other peers, 3 or 4. BENCHMARK_DATA is the library with
the data, which is built from the same source for all peers.
"""

import ctypes
import datetime
import json
import os
import resource
import sys
import time

import peewee
from playhouse.sqlcipher_ext import SqlCipherDatabase
from sqlcipher3 import dbapi2

OPENINGS = 200
KEY = "4B019C2E77A05D13E836C4590FB2816AD324F9409E1568CB32875CE10ABD7643"


class Sample(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char * 32),
        ("email", ctypes.c_char * 32),
        ("age", ctypes.c_int64),
        ("score", ctypes.c_double),
        ("joined", ctypes.c_double),
        ("avatar", ctypes.c_uint8 * 64),
        ("note", ctypes.c_char * 40),
        ("has_note", ctypes.c_bool),
    ]


data = ctypes.CDLL(os.environ["BENCHMARK_DATA"])
data.workload_choice.restype = ctypes.c_int64
data.workload_size.restype = ctypes.c_int64
TRANSACTIONS, FETCHES, LOOKUPS, QUERIES, UPDATES, OWNERS, COUNTS, AGGREGATES, TEXTS = range(9)


def set_up(connection):
    pragmas = [("key", f"\"x'{KEY}'\"")]
    if os.environ.get("BENCHMARK_CIPHER") == "3":
        pragmas.append(("cipher_compatibility", "3"))
    pragmas += [
        ("cipher_page_size", "4096"), ("temp_store", "MEMORY"), ("foreign_keys", "ON"),
        ("journal_mode", "WAL"), ("synchronous", "NORMAL"),
        ("cache_size", -1024 * int(os.environ.get("BENCHMARK_CACHE_MIB", "64"))),
    ]
    for name, value in pragmas:
        connection.execute(f"PRAGMA {name} = {value}")


class RawKeyDatabase(SqlCipherDatabase):
    """A database with a raw key. peewee has no API for it, because it quotes the passphrase."""

    def _connect(self):
        connection = dbapi2.connect(self.database, isolation_level=None)
        set_up(connection)
        self._add_conn_hooks(connection)
        return connection


database = RawKeyDatabase(None, passphrase="unused")


class Base(peewee.Model):
    class Meta:
        database = database
        legacy_table_names = False


class Timestamp(peewee.FloatField):
    def db_value(self, value):
        return value.timestamp()

    def python_value(self, value):
        return datetime.datetime.fromtimestamp(value, datetime.timezone.utc)


class Person(Base):
    objectID = peewee.AutoField(column_name="objectID")
    name = peewee.TextField()
    email = peewee.TextField(index=True)
    age = peewee.IntegerField()
    score = peewee.DoubleField()
    joined = Timestamp()
    avatar = peewee.BlobField()
    note = peewee.TextField(null=True)

    class Meta:
        table_name = "Person"


class Pet(Base):
    objectID = peewee.AutoField(column_name="objectID")
    name = peewee.TextField()
    owner = peewee.ForeignKeyField(Person, column_name="owner", on_delete="CASCADE", null=True)

    class Meta:
        table_name = "Pet"


def values(number):
    sample = Sample()
    data.workload_person(ctypes.c_int64(number), ctypes.byref(sample))
    return {
        "name": sample.name.decode(),
        "email": sample.email.decode(),
        "age": sample.age,
        "score": sample.score,
        "joined": datetime.datetime.fromtimestamp(sample.joined, datetime.timezone.utc),
        "avatar": bytes(sample.avatar),
        "note": sample.note.decode() if sample.has_note else None,
    }


def choice(k, count):
    return data.workload_choice(ctypes.c_int64(k), ctypes.c_int64(count))


def size(which, rows):
    return data.workload_size(which, ctypes.c_int64(rows))


def warm():
    database.execute_sql("SELECT sum(length(avatar)) FROM Person").fetchone()
    database.execute_sql("SELECT count(*) FROM Person").fetchone()


def peak():
    """Returns the peak memory of the process in bytes."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(workload, operations, body, check=None):
    begin = time.perf_counter_ns()
    result = body()
    elapsed = time.perf_counter_ns() - begin
    print(json.dumps({
        "workload": workload, "operations": operations, "nanoseconds": elapsed,
        "peak": peak(),
        "check": check() if check else result, "other": 0,
    }))


def insert_all(people):
    with database.atomic():
        return sum(insert(person) for person in people)


def insert(person):
    person.save(force_insert=True)
    return person.objectID


def make_pets(owners):
    name = ctypes.create_string_buffer(32)

    def pet(number):
        data.workload_pet(ctypes.c_int64(number), name)
        return Pet(name=name.value.decode(), owner=number // 4 + 1)

    return [pet(number) for number in range(owners * 4)]


def run(workload, rows):
    if workload == "prepare":
        database.create_tables([Person, Pet])
        insert_all(Person(**values(number)) for number in range(rows))
    elif workload == "w1":
        database.create_tables([Person, Pet])
        people = [Person(**values(number)) for number in range(rows)]
        measure(workload, rows, lambda: insert_all(people))
    elif workload == "w12":
        database.create_tables([Person, Pet])
        people = (Person(**values(number)) for number in range(rows))
        measure(workload, rows, lambda: insert_all(people))
    elif workload == "w2":
        count = size(TRANSACTIONS, rows)
        people = [Person(**values(rows + number)) for number in range(count)]
        measure(workload, count, lambda: sum(insert_all([person]) for person in people))
    elif workload == "w3":
        warm()
        measure(workload, rows, lambda: sum(
            person.age for person in list(Person.select().order_by(Person.objectID))))
    elif workload in ("w4", "w4x"):
        warm()
        count = size(FETCHES, rows)

        def fetch():
            return sum(Person.get_by_id(choice(k, rows) + 1).age for k in range(count))

        def fetch_in_one():
            with database.atomic():
                return fetch()

        measure(workload, count, fetch_in_one if workload == "w4" else fetch)
    elif workload == "w5":
        warm()
        emails = [values(choice(k, rows))["email"] for k in range(size(LOOKUPS, rows))]

        def look_up():
            with database.atomic():
                return sum(Person.get(Person.email == email).age for email in emails)

        measure(workload, len(emails), look_up)
    elif workload == "w6":
        warm()
        count = size(QUERIES, rows)

        def ask(k):
            age, score = choice(2 * k, 100), choice(2 * k + 1, 1000)
            return sum(person.age for person in Person.select().where(
                (Person.age >= age) & (Person.score < score)
            ).order_by(Person.name, Person.objectID).limit(100))

        measure(workload, count, lambda: sum(ask(k) for k in range(count)))
    elif workload in ("w7", "w7p"):
        warm()
        count = size(UPDATES, rows)
        only = [Person.age, Person.score] if workload == "w7p" else None
        people = []
        for number in range(count):
            person = Person.get_by_id(2 * number + 1)
            for name, value in values(rows + number).items():
                if only is None or name in ("age", "score"):
                    setattr(person, name, value)
            people.append(person)

        def update():
            with database.atomic():
                return sum(person.save(only=only) for person in people)

        measure(workload, count, update)
    elif workload == "w8s":
        pets = make_pets(size(OWNERS, rows))
        measure(workload, len(pets), lambda: insert_all(pets))
    elif workload == "w8":
        owners = size(OWNERS, rows)
        insert_all(make_pets(owners))

        def count():
            return Person.select().count() + Pet.select().count()

        before = count()

        def remove():
            with database.atomic():
                for number in range(1, owners + 1):
                    Person.delete_by_id(number)

        measure(workload, owners, remove, lambda: before - count())
    elif workload == "w9":
        database.close()

        def open_each():
            for _ in range(OPENINGS):
                database.connect()
                database.execute_sql("PRAGMA user_version").fetchone()
                database.close()
            return OPENINGS

        measure(workload, OPENINGS, open_each)
        database.connect()
    elif workload == "w10c":
        warm()
        count = size(COUNTS, rows)
        measure(workload, count, lambda: sum(Person.select().count() for _ in range(count)))
    elif workload == "w10a":
        warm()
        count = size(AGGREGATES, rows)
        measure(workload, count, lambda: sum(
            int(Person.select(peewee.fn.AVG(Person.score)).where(
                Person.age >= choice(k, 100)).scalar() or 0) for k in range(count)))
    else:
        sys.exit(f"no such workload: {workload}")


if __name__ == "__main__":
    _, _, workload, rows, path = sys.argv
    database.init(path)
    database.connect()
    run(workload, int(rows))
    database.close()
