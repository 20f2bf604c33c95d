"""Keyrings, as specified in `Fixtures/KEYRING.md`."""

import base64
import fcntl
import hmac
import json
import os
import sys
import time
import uuid

from errors import Failure, Unsupported
from values import untag

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "keyring"))
try:
    import open_keyring
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
except ImportError:  # without the package cryptography
    open_keyring = None


def found_at(path):
    """Returns the keyring at the path and its spare copy, if they are readable."""
    if not open_keyring:
        raise Unsupported("keyrings without the Python package cryptography")
    found, failure = [], Failure("keyringMissing", "no keyring at the path")
    for name in (path, path + "~"):
        try:
            with open(name, "rb") as file:
                found.append(open_keyring.Keyring(file.read(open_keyring.MIB + 1)))
        except FileNotFoundError:
            pass
        except open_keyring.Refused as refused:
            if name == path:
                failure = Failure(refused.code, str(refused))
                if refused.code == "newerFormat":
                    break
    if not found:
        raise failure
    return found


def secret_of(form):
    """Returns the kind of a key that opens a slot, and its bytes."""
    if not open_keyring:
        raise Unsupported("keyrings without the Python package cryptography")
    kind, value = next(item for item in form.items() if item[0] != "slot")
    if kind == "raw":
        secret = bytes.fromhex(value)
    elif kind == "recoveryCode":
        try:
            secret = open_keyring.recovery_bytes(value) if value.strip() else b""
        except open_keyring.Refused as refused:
            raise Failure(refused.code, str(refused)) from None
    else:
        secret = value.encode() if isinstance(value, str) else untag(value).data
    if not secret:
        raise Failure("noKey", "the key is empty")
    if kind in ("keyFile", "raw") and len(secret) < 32:
        raise Failure("invalidKey", "a key file and a raw key have 32 bytes or more")
    return kind, secret


def answer(slot):
    """Returns a slot as JSON of the protocol."""
    words = {number: word for word, number in open_keyring.KINDS.items()}
    return {"name": slot.name, "kind": words[slot.kind]}


def encoded(data):
    return base64.b64encode(data).decode()


def new_id():
    return str(uuid.uuid4()).upper()


class OpenKeyring:
    """An opened keyring with its master key, which can be changed and stored."""

    def __init__(self, path, form, master, slot=None):
        self.path, self.form, self.master, self.slot = path, form, master, slot

    @classmethod
    def made(cls, path, vault_id, key):
        """Creates a keyring with one slot, which this key opens."""
        kind, secret = secret_of(key)
        form = {"objectvault": "keyring", "version": 1, "vault": vault_id, "generation": 0,
                "slots": [], "epochs": [], "code": encoded(bytes(32))}
        made = cls(path, form, os.urandom(32))
        form["slots"].append(made.slot_form(key.get("slot", "main"), kind, secret))
        return made

    @classmethod
    def opened(cls, path, key):
        """Opens the keyring at the path with the key, or its spare copy if necessary."""
        found = found_at(path)
        kind, secret = secret_of(key)
        for keyring in found:
            try:
                return cls.tried(path, keyring, key.get("slot"), kind, secret)
            except open_keyring.Refused as refused:
                # The spare copy replaces parts that are not authenticated.
                if refused.code != "keyringTampered" or keyring is found[-1]:
                    raise Failure(refused.code, str(refused)) from None

    @classmethod
    def tried(cls, path, keyring, name, kind, secret):
        of_kind = [each for each in keyring.slots if each.kind == open_keyring.KINDS[kind]]
        for slot in [keyring.slot(name)] if name is not None else of_kind:
            try:
                return cls(path, keyring.form, keyring.master(slot, kind, secret), slot)
            except open_keyring.Refused as refused:
                if refused.code != "wrongKey":
                    raise
        raise open_keyring.Refused("wrongKey", "the key opens no slot")

    @property
    def read(self):
        return open_keyring.Keyring(json.dumps(self.form).encode())

    def data_key(self, salt):
        """Returns the key of the file with this salt."""
        keyring = self.read
        for epoch in keyring.epochs:
            if epoch.salt == salt:
                return keyring.data_key(epoch, self.master)
        raise Failure("keyringMismatch", "the keyring has no key for this file")

    # Changes.

    def sealed(self, key, wrapping_key, context):
        nonce = os.urandom(12)
        return {"nonce": encoded(nonce), "key": encoded(
            AESGCM(wrapping_key).encrypt(nonce, key, context))}

    def slot_form(self, name, kind, secret, identifier=None):
        if not 1 <= len(name.encode()) <= 100 or any(c < " " or c == "\x7f" for c in name):
            raise Failure("invalidArgument", "no name of a slot")
        number = open_keyring.KINDS[kind]
        n, r, p = (1 << 17, 8, 1) if number in open_keyring.STRETCHED else (0, 0, 0)
        form = {"id": identifier or new_id(), "kind": number, "name": name,
                "created": int(time.time()),
                "salt": encoded(os.urandom(32)), "n": n, "r": r, "p": p,
                "nonce": encoded(bytes(12)), "key": encoded(bytes(48))}
        slot = open_keyring.Slot(form)
        return {**form, **self.sealed(
            self.master, slot.wrapping_key(secret), slot.context(self.vault))}

    @property
    def vault(self):
        return uuid.UUID(self.form["vault"]).bytes

    def place_of(self, name):
        for place, slot in enumerate(self.form["slots"]):
            if slot["name"] == name:
                return place
        raise Failure("noSuchSlot", "no slot '%s'" % name)

    def add_slot(self, name, key):
        if any(slot["name"] == name for slot in self.form["slots"]):
            raise Failure("invalidArgument", "a slot has that name")
        self.form["slots"].append(self.slot_form(name, *secret_of(key)))

    def remove_slot(self, name):
        place = self.place_of(name)
        if len(self.form["slots"]) == 1:
            raise Failure("invalidArgument", "the last slot stays")
        del self.form["slots"][place]

    def write_slot(self, name, key, new_name=None):
        """Writes a slot again, with another key or another name."""
        place = self.place_of(name)
        if new_name not in (None, name) and any(
                slot["name"] == new_name for slot in self.form["slots"]):
            raise Failure("invalidArgument", "a slot has that name")
        self.form["slots"][place] = self.slot_form(
            new_name or name, *secret_of(key), self.form["slots"][place]["id"])

    def add_epoch(self, salt, number, page_size):
        """Adds a pending epoch and returns its data key."""
        data_key = os.urandom(32)
        self.form["epochs"].append(self.epoch_form(
            {"id": new_id(), "salt": salt.hex(), "format": number, "pageSize": page_size,
             "state": "pending"}, data_key))
        return data_key

    def epoch_form(self, form, data_key):
        epoch = open_keyring.Epoch(
            {**form, "nonce": encoded(bytes(12)), "key": encoded(bytes(48))})
        wrapping_key = open_keyring.hkdf(self.master, b"", "objectvault epoch v1")
        return {**form, **self.sealed(data_key, wrapping_key, epoch.context(self.vault))}

    def make_current(self, salt):
        for epoch in self.form["epochs"]:
            if epoch["salt"] == salt.hex():
                epoch["state"] = "current"
            elif epoch["state"] == "current":
                epoch["state"] = "retired"
        self.form["epochs"] = [
            epoch for epoch in self.form["epochs"] if epoch["state"] != "pending"]

    def with_new_master(self, kept):
        """Returns the keyring with a new master key and only these slots."""
        keyring, form = self.read, {**self.form, "slots": [], "epochs": [], "sealing": []}
        made = OpenKeyring(self.path, form, os.urandom(32))
        for key in kept:
            if "slot" not in key:
                raise Failure("invalidArgument", "a key that stays names its slot")
            OpenKeyring.opened(self.path, key)
            made.add_slot(key["slot"], key)
        if not kept:
            raise Failure("invalidArgument", "a keyring needs a slot")
        # Values that were sealed stay readable.
        wrapping_key = open_keyring.hkdf(made.master, b"", "objectvault sealing wrap v1")
        for number, sealing_key in enumerate(keyring.sealing_keys(self.master), 1):
            form["sealing"].append(
                made.sealed(sealing_key, wrapping_key, keyring.sealing_context(number)))
        for epoch, old in zip(keyring.epochs, self.form["epochs"]):
            bare = {name: old[name] for name in ("id", "salt", "format", "pageSize", "state")}
            form["epochs"].append(made.epoch_form(bare, keyring.data_key(epoch, self.master)))
        return made

    def store(self):
        """Writes the keyring and its spare copy as the next generation."""
        self.form["generation"] += 1
        key = open_keyring.hkdf(self.master, b"", "objectvault keyring v1")
        slots = self.form["slots"]
        self.form["version"] = (
            3 if self.form.get("sealing") else 2 if any(slot["kind"] > 4 for slot in slots) else 1)
        # Without a code the dates would be unknown.
        self.form["datesCode"] = encoded(bytes(32))
        self.form["code"] = encoded(
            hmac.new(key, self.read.authenticated(), "sha256").digest())
        key = open_keyring.hkdf(self.master, b"", "objectvault dates v1")
        self.form["datesCode"] = encoded(hmac.new(key, self.read.dates(), "sha256").digest())
        folder = os.open(os.path.dirname(self.path), os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            for name in (self.path + "~", self.path):
                with open(os.open(name + ".new", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600),
                          "wb") as file:
                    file.write(json.dumps(self.form, indent=2).encode() + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name + ".new", name)
                os.fsync(folder)
        finally:
            os.close(folder)
