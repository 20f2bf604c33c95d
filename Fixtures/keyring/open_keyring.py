#!/usr/bin/env python3
"""Opens keyrings as specified in ../KEYRING.md, without any code of ObjectVault.

    open_keyring.py KEYRING SECRETS

SECRETS is a JSON file: a list of objects with `slot`, the name of a slot, and the secret that opens
it as `passphrase` or `recoveryCode` (text), `keyFile` or `raw` (base64). Prints the contents of the
keyring as JSON, with SHA-256 digests instead of keys. The exit code is 1 if the keyring or a secret
is rejected.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import struct
import sys
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VERSION = 1
KINDS = {"passphrase": 1, "recoveryCode": 2, "keyFile": 3, "raw": 4}
STRETCHED = (1, 2)
PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
STATES = ("current", "pending", "retired")
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
MIB = 1 << 20


class Refused(Exception):
    """An error with a code of Fixtures/README.md."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code


def malformed(what):
    return Refused("keyringMalformed", what)


# Bytes.

def part(content):
    """Returns a byte string with its length before it."""
    return struct.pack(">I", len(content)) + content


def u32(number):
    return struct.pack(">I", number)


def u64(number):
    return struct.pack(">Q", number)


def hkdf(secret, salt, purpose):
    """Returns one block of HKDF-SHA-256 (RFC 5869), which has 32 bytes."""
    extracted = hmac.new(salt or bytes(32), secret, "sha256").digest()
    return hmac.new(extracted, purpose.encode() + b"\x01", "sha256").digest()


def unwrap(key, nonce, sealed, context):
    """Decrypts with AES-256-GCM, or returns None if the key or the context is different."""
    try:
        return AESGCM(key).decrypt(nonce, sealed, context)
    except InvalidTag:
        return None


# Recovery codes.

def times(a, b):
    """Returns the product in the field of 32 elements defined by x^5 + x^2 + 1."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = a << 1 ^ (0b100101 if a & 16 else 0), b >> 1
    return product


def power(exponent):
    return 1 if exponent == 0 else times(power(exponent - 1), 2)


def check_of(group, values):
    check = power(group + 6)
    for position, value in enumerate(values):
        check ^= times(value, power(position + 1))
    return check


def recovery_bytes(typed):
    """Returns the 25 bytes of a recovery code as typed."""
    text = re.sub(r"[- \t\r\n]", "", typed).upper()
    text = text.replace("O", "0").replace("I", "1").replace("L", "1")
    for at, character in enumerate(text):
        if character not in ALPHABET:
            raise Refused("invalidKey", "group %d of 8" % (min(at // 6, 7) + 1))
    if len(text) != 48:
        raise Refused("invalidKey", "%d characters" % len(text))
    bits = 0
    for group in range(8):
        values = [ALPHABET.index(character) for character in text[group * 6:group * 6 + 6]]
        if check_of(group, values[:5]) != values[5]:
            raise Refused("invalidKey", "group %d of 8" % (group + 1))
        for value in values[:5]:
            bits = bits << 5 | value
    return bits.to_bytes(25, "big")


# The document.

def field(form, name, of):
    value = form.get(name)
    if type(value) is not of:
        raise malformed("the field '%s'" % name)
    return value


def number(form, name, bits=64):
    value = field(form, name, int)
    if not 0 <= value < 1 << bits:
        raise malformed("the number '%s'" % name)
    return value


def content(form, name, count):
    try:
        value = base64.b64decode(field(form, name, str), validate=True)
    except (binascii.Error, ValueError):
        raise malformed("the bytes '%s'" % name) from None
    if len(value) != count:
        raise malformed("the length of '%s'" % name)
    return value


def identifier(form, name):
    text = field(form, name, str)
    if not re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", text):
        raise malformed("the identifier '%s'" % name)
    return uuid.UUID(text).bytes


class Slot:
    def __init__(self, form):
        self.id, self.kind = identifier(form, "id"), number(form, "kind", 8)
        self.name, self.salt = field(form, "name", str), content(form, "salt", 32)
        self.cost = tuple(number(form, name) for name in "nrp")
        self.nonce, self.sealed = content(form, "nonce", 12), content(form, "key", 48)
        if self.kind not in KINDS.values():
            raise malformed("the kind of the slot '%s'" % self.name)
        n, r, p = self.cost
        if self.kind in STRETCHED:
            bounded = (n & (n - 1) == 0 and 1 << 16 <= n <= 1 << 20 and 8 <= r <= 32
                       and 1 <= p <= 4 and 128 * r * (n + p + 2) <= 1024 * MIB + MIB)
        else:
            bounded = self.cost == (0, 0, 0)
        if not bounded:
            raise malformed("the cost of the slot '%s'" % self.name)

    def context(self, vault):
        return (b"OVKR" + u32(VERSION) + part(vault) + part(self.id) + bytes([self.kind])
                + b"".join(map(u64, self.cost)) + part(self.name.encode()))

    def authenticated(self):
        return (part(self.id) + bytes([self.kind]) + part(self.name.encode()) + part(self.salt)
                + b"".join(map(u64, self.cost)) + part(self.nonce) + part(self.sealed))

    def wrapping_key(self, secret):
        if self.kind not in STRETCHED:
            return hkdf(secret, self.salt, "objectvault slot v1")
        n, r, p = self.cost
        return hashlib.scrypt(
            secret, salt=self.salt, n=n, r=r, p=p, dklen=32, maxmem=128 * r * (n + p + 2) + MIB)


class Epoch:
    def __init__(self, form):
        self.id = identifier(form, "id")
        self.nonce, self.sealed = content(form, "nonce", 12), content(form, "key", 48)
        salt = field(form, "salt", str)
        if not re.fullmatch(r"[0-9A-Fa-f]{32}", salt):
            raise malformed("the salt of an epoch")
        self.salt, self.format = bytes.fromhex(salt), number(form, "format", 32)
        self.page_size, self.state = number(form, "pageSize", 32), field(form, "state", str)
        if (self.format not in (1, 2, 3, 4) or self.page_size not in PAGE_SIZES
                or self.state not in STATES):
            raise malformed("an epoch")

    def context(self, vault):
        return (b"OVEP" + u32(VERSION) + part(vault) + part(self.id) + part(self.salt)
                + u32(self.format) + u32(self.page_size))

    def authenticated(self):
        return (part(self.id) + part(self.nonce) + part(self.sealed) + part(self.salt)
                + u32(self.format) + u32(self.page_size) + part(self.state.encode()))


class Keyring:
    """A keyring file, read and checked against all limits."""

    def __init__(self, data):
        if len(data) > MIB:
            raise malformed("it is larger than 1 MiB")
        try:
            form = json.loads(data.decode("utf-8"))
        except (UnicodeDecodeError, ValueError, RecursionError):
            raise malformed("it is no JSON") from None
        if type(form) is not dict or form.get("objectvault") != "keyring":
            raise malformed("it is no keyring")
        version = number(form, "version", 32)
        if version > VERSION:
            raise Refused("newerFormat", "version %d" % version)
        slots, epochs = field(form, "slots", list), field(form, "epochs", list)
        if version != VERSION or not 1 <= len(slots) <= 64 or len(epochs) > 64:
            raise malformed("the version, or the number of slots or epochs")
        if any(type(each) is not dict for each in slots + epochs):
            raise malformed("a slot or an epoch")
        self.form = form
        self.vault, self.generation = identifier(form, "vault"), number(form, "generation")
        self.slots, self.epochs = [Slot(each) for each in slots], [Epoch(each) for each in epochs]
        self.code = content(form, "code", 32)
        if self.generation > 1 << 62:
            raise malformed("more changes than any keyring has")
        if sum(n * r * p for n, r, p in (each.cost for each in self.slots)) > 1 << 26:
            raise malformed("more work than all slots together may ask for")
        if len({slot.name.encode() for slot in self.slots}) < len(slots):
            raise malformed("two slots have one name")

    def authenticated(self):
        return (b"OVKD" + u32(VERSION) + part(self.vault) + u64(self.generation)
                + u32(len(self.slots)) + b"".join(each.authenticated() for each in self.slots)
                + u32(len(self.epochs)) + b"".join(each.authenticated() for each in self.epochs))

    def slot(self, name):
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise Refused("noSuchSlot", "no slot '%s'" % name)

    def master(self, slot, kind, secret):
        """Returns the master key, if the secret opens the slot and the keyring is authenticated."""
        if KINDS[kind] != slot.kind:
            raise Refused("wrongKey", "the slot '%s' is of another kind" % slot.name)
        if kind in ("keyFile", "raw") and len(secret) < 32:
            raise Refused("invalidKey", "a %s has 32 bytes or more" % kind)
        key = unwrap(
            slot.wrapping_key(secret), slot.nonce, slot.sealed, slot.context(self.vault))
        if key is None:
            raise Refused("wrongKey", "the slot '%s' does not open" % slot.name)
        code = hmac.new(hkdf(key, b"", "objectvault keyring v1"), self.authenticated(), "sha256")
        if not hmac.compare_digest(code.digest(), self.code):
            raise Refused("keyringTampered", "the whole does not authenticate")
        return key

    def data_key(self, epoch, master):
        key = unwrap(hkdf(master, b"", "objectvault epoch v1"), epoch.nonce, epoch.sealed,
                     epoch.context(self.vault))
        if key is None:
            raise Refused("keyringTampered", "a data key does not open")
        return key


def secret_of(form):
    """Returns the kind of a secret and the bytes for the key derivation."""
    (kind, value), = ((kind, form[kind]) for kind in KINDS if kind in form)
    if kind == "passphrase":
        return kind, value.encode()
    return kind, recovery_bytes(value) if kind == "recoveryCode" else base64.b64decode(value)


def report(keyring, secrets):
    """Returns the contents that the secrets open, without secrets."""
    def digest(data):
        return hashlib.sha256(data).hexdigest()

    slots, epochs = [], []
    for form in secrets:
        slot = keyring.slot(form["slot"])
        kind, secret = secret_of(form)
        master = keyring.master(slot, kind, secret)
        slots.append({
            "slot": slot.name, "kind": kind, "context": slot.context(keyring.vault).hex(),
            "wrappingKey": digest(slot.wrapping_key(secret)), "master": digest(master)})
    for epoch in keyring.epochs:
        epochs.append({
            "salt": epoch.salt.hex(), "format": epoch.format, "pageSize": epoch.page_size,
            "state": epoch.state, "context": epoch.context(keyring.vault).hex(),
            "dataKey": digest(keyring.data_key(epoch, master))})
    return {
        "vault": str(uuid.UUID(bytes=keyring.vault)).upper(), "generation": keyring.generation,
        "authenticated": digest(keyring.authenticated()), "slots": slots, "epochs": epochs}


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], "rb") as file:
        data = file.read(MIB + 1)
    with open(arguments[1], encoding="utf-8") as file:
        secrets = json.load(file)
    try:
        print(json.dumps(report(Keyring(data), secrets), indent=2))
    except Refused as refused:
        sys.exit(str(refused))


if __name__ == "__main__":
    main(sys.argv[1:])
