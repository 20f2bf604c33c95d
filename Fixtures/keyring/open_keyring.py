#!/usr/bin/env python3
"""Opens keyrings as specified in ../KEYRING.md, without any code of ObjectVault.

    open_keyring.py KEYRING SECRETS

SECRETS is a JSON file: a list of objects with `slot`, the name of a slot, and the secret that opens
it as `passphrase`, `recoveryCode` or `identity` (text), `keyFile` or `raw` (base64), or `provided`
(base64: the secret as the provider of the slot decrypts it). Prints the contents of the keyring as
JSON, with SHA-256 digests instead of keys. The exit code is 1 if the keyring or a secret
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
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

VERSION = 3
PLAINTEXT_HEADER = 32
KINDS = {"passphrase": 1, "recoveryCode": 2, "keyFile": 3, "raw": 4, "identity": 5, "provided": 6}
STRETCHED = (1, 2)
PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
STATES = ("current", "pending", "retired")
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
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


# Public key encryption (RFC 9180): base mode of DHKEM(X25519, HKDF-SHA256) with HKDF-SHA256 and
# AES-256-GCM.

KEM_SUITE = b"KEM\x00\x20"
SUITE = b"HPKE\x00\x20\x00\x01\x00\x02"


def labelled_extract(suite, salt, label, secret):
    return hmac.new(salt or bytes(32), b"HPKE-v1" + suite + label + secret, "sha256").digest()


def labelled_expand(suite, key, label, info, count):
    info = struct.pack(">H", count) + b"HPKE-v1" + suite + label + info
    return hmac.new(key, info + b"\x01", "sha256").digest()[:count]


def open_sealed(private, encapsulated, sealed, info, context):
    """Opens a message of one recipient, or returns None."""
    own = X25519PrivateKey.from_private_bytes(private)
    try:
        agreed = own.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    except ValueError:  # a secret of zeros
        return None
    key = labelled_extract(KEM_SUITE, b"", b"eae_prk", agreed)
    shared = labelled_expand(
        KEM_SUITE, key, b"shared_secret", encapsulated + public_of(private), 32)
    schedule = (b"\x00" + labelled_extract(SUITE, b"", b"psk_id_hash", b"")
                + labelled_extract(SUITE, b"", b"info_hash", info))
    secret = labelled_extract(SUITE, shared, b"secret", b"")
    return unwrap(labelled_expand(SUITE, secret, b"key", schedule, 32),
                  labelled_expand(SUITE, secret, b"base_nonce", schedule, 12), sealed, context)


def public_of(private):
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes(
        Encoding.Raw, PublicFormat.Raw)


def polymod(values):
    check = 1
    for value in values:
        top, check = check >> 25, (check & 0x1ffffff) << 5 ^ value
        for bit, generator in enumerate(
                (0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3)):
            check ^= generator if top >> bit & 1 else 0
    return check


def bech32_bytes(text, prefix):
    """Returns the 32 bytes of a text in Bech32 (BIP 173)."""
    text = text.strip()
    if text not in (text.lower(), text.upper()) or len(text) != len(prefix) + 59:
        raise Refused("invalidKey", "the case or the length of the text")
    start, text = text[:len(prefix) + 1].lower(), text[len(prefix) + 1:].lower()
    if start != prefix + "1" or any(each not in BECH32 for each in text):
        raise Refused("invalidKey", "the prefix or a character of the text")
    values = [BECH32.index(each) for each in text]
    expanded = [ord(each) >> 5 for each in prefix] + [0] + [ord(each) & 31 for each in prefix]
    if polymod(expanded + values) != 1 or values[51] & 15:
        raise Refused("invalidKey", "the checksum of the text")
    bits = 0
    for value in values[:52]:
        bits = bits << 5 | value
    return (bits >> 4).to_bytes(32, "big")


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


def content(form, name, count, most=None):
    """Returns a byte string with `count` bytes, or with `count` to `most` bytes."""
    try:
        value = base64.b64decode(field(form, name, str), validate=True)
    except (binascii.Error, ValueError):
        raise malformed("the bytes '%s'" % name) from None
    if not count <= len(value) <= (most or count):
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
        self.name, self.sealed = field(form, "name", str), content(form, "key", 48)
        self.cost = tuple(number(form, name) for name in "nrp")
        self.created = number(form, "created") if "created" in form else 0
        if not 1 <= self.created < 1 << 53:
            self.created = 0
        if self.kind not in KINDS.values():
            raise malformed("the kind of the slot '%s'" % self.name)
        if self.kind != 5:
            self.salt, self.nonce = content(form, "salt", 32), content(form, "nonce", 12)
        if self.kind == 5:
            self.recipient = content(form, "recipient", 32)
            self.encapsulated = content(form, "encapsulated", 32)
        if self.kind == 6:
            self.provider, self.provided = field(form, "provider", str), content(
                form, "provided", 1, 16 << 10)
            if not re.fullmatch(r"[a-z0-9-]{1,32}", self.provider):
                raise malformed("the provider of the slot '%s'" % self.name)
        if self.kind > 4 and (not 1 <= len(self.name.encode()) <= 100
                              or re.search(r"[\x00-\x1f\x7f]", self.name)):
            raise malformed("the name of a slot")
        n, r, p = self.cost
        if self.kind in STRETCHED:
            bounded = (n & (n - 1) == 0 and 1 << 16 <= n <= 1 << 20 and 8 <= r <= 32
                       and 1 <= p <= 4 and 128 * r * (n + p + 2) <= 1024 * MIB + MIB)
        else:
            bounded = self.cost == (0, 0, 0)
        if not bounded:
            raise malformed("the cost of the slot '%s'" % self.name)

    def context(self, vault):
        start = b"OVKR" + u32(1 if self.kind < 5 else 2) + part(vault) + part(self.id)
        start += bytes([self.kind])
        if self.kind < 5:
            return start + b"".join(map(u64, self.cost)) + part(self.name.encode())
        if self.kind == 5:
            return start + part(self.name.encode()) + part(self.recipient) + part(self.encapsulated)
        return (start + part(self.name.encode()) + part(self.provider.encode())
                + part(self.provided) + part(self.salt))

    def authenticated(self):
        start = part(self.id) + bytes([self.kind]) + part(self.name.encode())
        if self.kind < 5:
            return (start + part(self.salt) + b"".join(map(u64, self.cost)) + part(self.nonce)
                    + part(self.sealed))
        if self.kind == 5:
            return start + part(self.recipient) + part(self.encapsulated) + part(self.sealed)
        return (start + part(self.provider.encode()) + part(self.provided) + part(self.salt)
                + part(self.nonce) + part(self.sealed))

    def wrapping_key(self, secret):
        if self.kind not in STRETCHED:
            return hkdf(secret, self.salt, "objectvault slot v1")
        n, r, p = self.cost
        return hashlib.scrypt(
            secret, salt=self.salt, n=n, r=r, p=p, dklen=32, maxmem=128 * r * (n + p + 2) + MIB)

    def master(self, secret, vault):
        """Returns the master key, or None if the secret is wrong."""
        if self.kind != 5:
            return unwrap(
                self.wrapping_key(secret), self.nonce, self.sealed, self.context(vault))
        if public_of(secret) != self.recipient:
            return None
        return open_sealed(secret, self.encapsulated, self.sealed, b"objectvault recipient v1",
                           self.context(vault))


class Epoch:
    def __init__(self, form):
        self.id = identifier(form, "id")
        self.nonce, self.sealed = content(form, "nonce", 12), content(form, "key", 48)
        salt = field(form, "salt", str)
        if not re.fullmatch(r"[0-9A-Fa-f]{32}", salt):
            raise malformed("the salt of an epoch")
        self.salt, self.format = bytes.fromhex(salt), number(form, "format", 32)
        self.page_size, self.state = number(form, "pageSize", 32), field(form, "state", str)
        self.header = number(form, "plaintextHeader", 32) if "plaintextHeader" in form else 0
        if self.header and (self.header != PLAINTEXT_HEADER or self.format != 4):
            raise malformed("the plaintext header of an epoch")
        self.version = 2 if self.header else 1
        if (self.format not in (1, 2, 3, 4) or self.page_size not in PAGE_SIZES
                or self.state not in STATES):
            raise malformed("an epoch")

    def context(self, vault):
        return (b"OVEP" + u32(self.version) + part(vault) + part(self.id) + part(self.salt)
                + u32(self.format) + u32(self.page_size) + self.bound_header())

    def authenticated(self):
        return (part(self.id) + part(self.nonce) + part(self.sealed) + part(self.salt)
                + u32(self.format) + u32(self.page_size) + part(self.state.encode())
                + self.bound_header())

    def bound_header(self):
        """Returns the plaintext header as it is bound, which is nothing if there is none."""
        return u32(self.header) if self.header else b""


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
        if version < 1 or not 1 <= len(slots) <= 64 or len(epochs) > 64:
            raise malformed("the version, or the number of slots or epochs")
        if any(type(each) is not dict for each in slots + epochs):
            raise malformed("a slot or an epoch")
        self.form = form
        self.vault, self.generation = identifier(form, "vault"), number(form, "generation")
        self.slots, self.epochs = [Slot(each) for each in slots], [Epoch(each) for each in epochs]
        sealing = field(form, "sealing", list) if "sealing" in form else []
        if len(sealing) > 1000 or any(type(each) is not dict for each in sealing):
            raise malformed("the sealing keys")
        self.sealing = [
            (content(each, "nonce", 12), content(each, "key", 48)) for each in sealing]
        self.code = content(form, "code", 32)
        # Dates without their code are unknown.
        self.dates_code = content(form, "datesCode", 32) if "datesCode" in form else None
        if self.dates_code is None:
            for slot in self.slots:
                slot.created = 0
        self.version = max(
            2 if any(slot.kind > 4 for slot in self.slots) else 1,
            *(epoch.version for epoch in self.epochs), 3 if self.sealing else 1)
        if version != self.version:
            raise malformed("the version, which its content does not have")
        if self.generation > 1 << 62:
            raise malformed("more changes than any keyring has")
        if sum(n * r * p for n, r, p in (each.cost for each in self.slots)) > 1 << 26:
            raise malformed("more work than all slots together may ask for")
        if len({slot.name.encode() for slot in self.slots}) < len(slots):
            raise malformed("two slots have one name")

    def authenticated(self):
        return (b"OVKD" + u32(self.version) + part(self.vault) + u64(self.generation)
                + u32(len(self.slots)) + b"".join(each.authenticated() for each in self.slots)
                + u32(len(self.epochs)) + b"".join(each.authenticated() for each in self.epochs)
                + (u32(len(self.sealing)) if self.sealing else b"")
                + b"".join(part(nonce) + part(sealed) for nonce, sealed in self.sealing))

    def dates(self):
        return (b"OVDT" + part(self.code) + u32(len(self.slots))
                + b"".join(u64(slot.created) for slot in self.slots))

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
        if kind == "provided" and len(secret) != 32:
            raise Refused("providerFailed", "the secret of a provider has 32 bytes")
        key = slot.master(secret, self.vault)
        if key is None:
            raise Refused("wrongKey", "the slot '%s' does not open" % slot.name)
        code = hmac.new(hkdf(key, b"", "objectvault keyring v1"), self.authenticated(), "sha256")
        if not hmac.compare_digest(code.digest(), self.code):
            raise Refused("keyringTampered", "the whole does not authenticate")
        if self.dates_code is not None:
            dates = hmac.new(hkdf(key, b"", "objectvault dates v1"), self.dates(), "sha256")
            if not hmac.compare_digest(dates.digest(), self.dates_code):
                raise Refused("keyringTampered", "the dates do not authenticate")
        return key

    def data_key(self, epoch, master):
        key = unwrap(hkdf(master, b"", "objectvault epoch v1"), epoch.nonce, epoch.sealed,
                     epoch.context(self.vault))
        if key is None:
            raise Refused("keyringTampered", "a data key does not open")
        return key

    def sealing_context(self, number):
        return b"OVSK" + u32(1) + part(self.vault) + u32(number)

    def sealing_keys(self, master):
        """Returns the sealing keys, the first with the number 1."""
        keys = []
        for nonce, sealed in self.sealing:
            key = unwrap(hkdf(master, b"", "objectvault sealing wrap v1"), nonce, sealed,
                         self.sealing_context(len(keys) + 1))
            if key is None:
                raise Refused("keyringTampered", "a sealing key does not open")
            keys.append(key)
        return keys + [hkdf(master, b"", "objectvault sealing v1")]


def secret_of(form):
    """Returns the kind of a secret and the bytes for the key derivation."""
    (kind, value), = ((kind, form[kind]) for kind in KINDS if kind in form)
    if kind == "passphrase":
        return kind, value.encode()
    if kind == "identity":
        return kind, bech32_bytes(value, "ovidentity")
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
            "master": digest(master)})
        if kind != "identity":
            slots[-1]["wrappingKey"] = digest(slot.wrapping_key(secret))
        if slot.created:
            slots[-1]["created"] = slot.created
    for epoch in keyring.epochs:
        epochs.append({
            "salt": epoch.salt.hex(), "format": epoch.format, "pageSize": epoch.page_size,
            "state": epoch.state, "context": epoch.context(keyring.vault).hex(),
            "dataKey": digest(keyring.data_key(epoch, master)),
            **({"plaintextHeader": epoch.header} if epoch.header else {})})
    return {
        "vault": str(uuid.UUID(bytes=keyring.vault)).upper(), "generation": keyring.generation,
        "authenticated": digest(keyring.authenticated()), "slots": slots, "epochs": epochs,
        **({"sealingKeys": [digest(key) for key in keyring.sealing_keys(master)]}
           if keyring.sealing else {})}


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
