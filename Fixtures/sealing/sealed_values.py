#!/usr/bin/env python3
"""Opens and seals values as specified in ../SEALING.md, without any code of ObjectVault.

    sealed_values.py FILE [--seal]

FILE is a JSON object: `keys` has sealing keys in hexadecimal digits by number, and `values` a list
of objects with `table`, `column`, `objectID` (a list of values), `findable`, `sealed` in hexadecimal
digits and, for a value with an erasable key, this `key` in hexadecimal digits. A value is an object with `integer`, `real` (its 8 bytes in hexadecimal digits),
`text` or `blob` (hexadecimal digits). Prints the same object with the opened `value` of each, its
`index` if it is findable, and the `codes` of the keys. With --seal, it seals each `value` instead.
The exit code is 1 if a value does not open.
"""

import hmac
import json
import os
import struct
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def part(content):
    return struct.pack(">I", len(content)) + content


def derived(key, info):
    extracted = hmac.new(bytes(32), key, "sha256").digest()
    return hmac.new(extracted, info + b"\x01", "sha256").digest()


def encoded(value):
    (kind, content), = value.items()
    if kind == "integer":
        return b"\x01" + struct.pack(">q", content)
    if kind == "real":
        return b"\x02" + bytes.fromhex(content)
    return b"\x03" + content.encode() if kind == "text" else b"\x04" + bytes.fromhex(content)


def decoded(data):
    if data[0] == 1:
        return {"integer": struct.unpack(">q", data[1:])[0]}
    if data[0] == 2:
        return {"real": data[1:].hex()}
    return {"text": data[1:].decode()} if data[0] == 3 else {"blob": data[1:].hex()}


class Keys:
    def __init__(self, keys):
        self.keys = {int(number): bytes.fromhex(key) for number, key in keys.items()}

    def of_values(self, number, form):
        key = derived(self.keys[number], b"objectvault sealed value v1")
        if "key" not in form:
            return key
        return derived(key + bytes.fromhex(form["key"]), b"objectvault erasable value v1")

    def of_indexes(self, number):
        return derived(self.keys[number], b"objectvault sealed index v1")

    def codes(self):
        return {str(number): hmac.new(self.of_indexes(number), b"OVSC", "sha256").hexdigest()
                for number in self.keys}

    def index(self, form, value):
        message = (b"OVSI" + part(form["table"].encode()) + part(form["column"].encode())
                   + part(value))
        return hmac.new(self.of_indexes(min(self.keys)), message, "sha256").digest()

    def open(self, form):
        sealed, start = bytes.fromhex(form["sealed"]), 37 if form["findable"] else 5
        if sealed[0] != version(form) or len(sealed) < start + 29:
            raise ValueError("no sealed value")
        number, = struct.unpack(">I", sealed[1:5])
        return AESGCM(self.of_values(number, form)).decrypt(
            sealed[start:start + 12], sealed[start + 12:], context(form, sealed[:start]))

    def seal(self, form):
        value, number = encoded(form["value"]), max(self.keys)
        header = bytes([version(form)]) + struct.pack(">I", number)
        if form["findable"]:
            header += self.index(form, value)
        nonce = os.urandom(12)
        return header + nonce + AESGCM(self.of_values(number, form)).encrypt(
            nonce, value, context(form, header))


def version(form):
    return 2 if form["findable"] else 3 if "key" in form else 1


def context(form, header):
    parts = [encoded(each) for each in form["objectID"]]
    return (b"OVSV" + part(header) + part(form["table"].encode()) + part(form["column"].encode())
            + struct.pack(">I", len(parts)) + b"".join(map(part, parts)))


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        given = json.load(file)
    keys = Keys(given["keys"])
    for form in given["values"]:
        if arguments[1:] == ["--seal"]:
            form["sealed"] = keys.seal(form).hex()
            continue
        try:
            value = keys.open(form)
        except (InvalidTag, ValueError, KeyError):
            sys.exit("a value of column '%s' does not open" % form["column"])
        form["value"] = decoded(value)
        if form["findable"]:
            form["index"] = keys.index(form, value).hex()
    given["codes"] = keys.codes()
    json.dump(given, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
