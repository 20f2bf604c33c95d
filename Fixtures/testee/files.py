"""Files, their cipher formats, and connections to them."""

import hashlib
import hmac
import os
import re
import struct
from typing import NamedTuple

from sqlcipher3 import dbapi2 as engine

from errors import Failure, Unsupported
from keyrings import new_id, OpenKeyring
from values import UNTAG, untag


class Format(NamedTuple):
    hash: str
    rounds: int
    seal: int  # bytes of a page's MAC
    reserve: int  # bytes at the end of each page


FORMATS = {4: Format("sha512", 256000, 64, 80), 3: Format("sha1", 64000, 20, 48),
           2: Format("sha1", 4000, 20, 48), 1: Format("sha1", 4000, 0, 16)}
PAGE_SIZES = (4096, 1024, 2048, 8192, 16384, 32768, 65536, 512)


class Key:
    def __init__(self, form):
        kind, secret = next(item for item in form.items() if item[0] != "at")
        self.form, self.salt, self.raw, self.passphrase = form, None, None, None
        self.keyring = None
        if kind == "passphrase":
            self.passphrase = secret.encode() if isinstance(secret, str) else UNTAG["data"](
                secret["data"])
        if self.passphrase == b"" or secret == "":
            raise Failure("noKey", "the key is empty")
        if kind == "raw":
            if not re.fullmatch(r"[0-9A-Fa-f]{64}(?:[0-9A-Fa-f]{32})?", secret):
                raise Failure("invalidKey", "a raw key has 64 or 96 hexadecimal digits")
            self.raw, self.salt = bytes.fromhex(secret)[:32], bytes.fromhex(secret)[32:] or None
        self.derived = {}

    def place(self, path):
        """Returns the path of the vault's keyring, if the key is in one."""
        return self.form.get("at", path + ".keyring") if "keyring" in self.form else None

    def unlock(self, path):
        """Opens the keyring of the vault at the path, if the key is in one."""
        if "keyring" in self.form:
            self.keyring = OpenKeyring.opened(self.place(path), self.form["keyring"])

    def announce(self, path, number, page_size, salt, vault_id=None):
        """Returns the 32-byte key of a new file, and records it in the keyring."""
        if "keyring" not in self.form:
            return self.stretched(number, salt)
        if not self.keyring:
            place = self.place(path)
            if os.path.exists(place) or os.path.exists(place + "~"):
                self.unlock(path)
                if self.keyring.form["vault"] != vault_id:
                    raise Failure("keyringMismatch", "there is a keyring of another vault")
            else:
                self.keyring = OpenKeyring.made(
                    place, vault_id or new_id(), self.form["keyring"])
        data_key = self.keyring.add_epoch(salt, number, page_size)
        self.keyring.store()
        return data_key

    def confirm(self, salt):
        """Records that the file was created."""
        if self.keyring:
            self.keyring.make_current(salt)
            self.keyring.store()

    def stretched(self, number, salt):
        """Returns the 32-byte key of a file with this salt."""
        if self.keyring:
            return self.keyring.data_key(salt)
        if self.raw:
            return self.raw
        of = FORMATS[number]
        at = (of.hash, of.rounds, salt)
        if at not in self.derived:
            self.derived[at] = hashlib.pbkdf2_hmac(of.hash, self.passphrase, salt, of.rounds, 32)
        return self.derived[at]


DEFAULT_KEY = {"raw": bytes(range(1, 33)).hex()}


def seals(content, number, page_size, secret, salt, page):
    """Returns whether the page, counted from 1, is authenticated."""
    of = FORMATS[number]
    data = content[(page - 1) * page_size:page * page_size]
    if not of.seal or len(data) < page_size or page_size <= 512:
        return False
    mac_key = hashlib.pbkdf2_hmac(of.hash, secret, bytes(b ^ 0x3A for b in salt), 2, 32)
    end = page_size - of.reserve + 16
    sealed = data[16 if page == 1 else 0:end] + struct.pack("<I", page)
    return hmac.compare_digest(
        hmac.new(mac_key, sealed, of.hash).digest(), data[end:end + of.seal])


def connect(path, number, page_size, secret, salt, read_only, timeout):
    mode = "ro" if read_only else "rwc"
    connection = engine.connect(
        "file:%s?mode=%s" % (re.sub(r"[%?#]", lambda m: "%%%02x" % ord(m.group()), path), mode),
        uri=True, isolation_level=None, timeout=timeout)
    for pragma in (
            "cipher_log_level = NONE", "key = \"x'%s%s'\"" % (secret.hex(), salt.hex()),
            "cipher_compatibility = %d" % number, "cipher_page_size = %d" % page_size,
            "temp_store = MEMORY", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute("PRAGMA " + pragma).fetchall()
    return connection


def decrypted(blocks, secret, vector):
    """Decrypts whole blocks of a page without authenticating them."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    return Cipher(algorithms.AES(secret), modes.CBC(vector)).decryptor().update(blocks)


def recognise(path, key, minimum=2):
    """Returns the format, the page size and the derived key of an encrypted file."""
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"SQLite format 3\0"):
        raise Failure("notEncrypted", "the file is plain SQLite")
    if len(content) < 512:
        raise Failure("truncated", "the file is shorter than a page")
    salt = key.salt or content[:16]
    for pages in (range(1, 2), range(2, 17)):
        for number in (4, 3, 2):
            secret = key.stretched(number, salt)
            for size in PAGE_SIZES:
                if any(seals(content, number, size, secret, salt, page) for page in pages):
                    if pages[0] > 1:
                        raise Failure("damaged", "its first page does not authenticate")
                    if key.salt and content[:16] != key.salt:
                        raise Failure("damaged", "the salt in the file is not the key's")
                    logged = any(os.path.exists(path + end) for end in ("-wal", "-journal"))
                    if len(content) % size and not logged:
                        raise Failure("truncated", "the file ends within a page")
                    whole = all(seals(content, number, size, secret, salt, page)
                                for page in range(1, len(content) // size + 1))
                    return number, size, secret, salt, whole
    for size in PAGE_SIZES:  # format 1 has no MAC: its first page must be plausible
        secret = key.stretched(1, salt)
        connection = connect(path, 1, size, secret, salt, True, 5)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            # A header that reserves bytes for MACs may belong to a file that lost them.
            room = decrypted(content[16:32], secret, content[size - 16:size])[4]
            if minimum > 1 or room >= FORMATS[2].reserve:
                raise Failure("unauthenticated", "the pages are not authenticated")
            return 1, size, secret, salt, True
        except engine.DatabaseError:
            pass
        finally:
            connection.close()
    # The 20 bytes from 72 on are zero in every header, in every format.
    if any(not any(decrypted(content[64:96], key.stretched(number, salt), content[48:64])[8:28])
           for number in (4, 3, 2)):
        raise Unsupported("telling other cipher settings from damage")
    if len(content) % 512:
        raise Failure("truncated", "the file ends within a page")
    if len(content) < 4096:
        raise Unsupported("telling a first page that was cut from a wrong key")
    raise Failure("wrongKey", "the key does not open the file")


SQLITE_CODES = {5: "busy", 6: "busy", 8: "readOnly", 10: "inputOutput", 11: "damaged",
                13: "diskFull", 14: "cannotOpen", 19: "constraint", 26: "damaged"}


def failure_of(error):
    """Returns the error of the contract for an error of the engine."""
    code, message = getattr(error, "sqlite_errorcode", 0) or 0, str(error)
    if code & 0xFF == 19 and "UNIQUE" in message or code in (1555, 2067, 2579):
        return Failure("duplicate", message)
    if code & 0xFF == 19 and "FOREIGN KEY" in message:
        return Failure("danglingReference", message)
    if "no such table" in message:
        return Failure("invalidated", message)
    return Failure(SQLITE_CODES.get(code & 0xFF, "internalError"), message)


def inode(path):
    """Returns the identity of the file at the path, or None."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_dev, about.st_ino


class File:
    """An open file with one connection for all of its handles."""

    open_files = {}

    def __init__(self, path, key, options):
        self.path, self.key, self.removed, self.scopes, self.users = path, key, {}, [], 0
        self.announced = []
        # The highest generated IDs by table, and those of the operation in progress.
        self.given, self.giving = {}, {}
        self.read_only = options.get("readOnly", False)
        timeout = untag(options.get("busyTimeout", 5)).data
        self.check_minimum(options, 4)
        exists = os.path.exists(path)
        may_create = options.get("create", "ifMissing") == "ifMissing" and not self.read_only
        if not exists and not may_create:
            raise Failure("noSuchFile", "no file at the path")
        if exists and os.path.isdir(path) or not os.path.isdir(os.path.dirname(path)):
            raise Failure("cannotOpen", "no file can stand there")
        is_new = not exists or os.path.getsize(path) == 0
        if is_new and not may_create:
            raise Failure("empty", "the file has no bytes")
        if is_new:
            self.format = 3 if options.get("cipherFormat") == "portable" else 4
            self.page_size, salt, whole = 4096, key.salt or os.urandom(16), True
            secret = key.announce(path, self.format, self.page_size, salt)
            try:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            except OSError as error:
                raise Failure("cannotOpen", str(error)) from None
        else:
            key.unlock(path)
            self.format, self.page_size, secret, salt, whole = recognise(
                path, key, untag(options.get("minimumCipherFormat", 2)).data)
        self.connection = connect(
            path, self.format, self.page_size, secret, salt, self.read_only, timeout)
        self.salt = salt
        try:
            self.check_minimum(options, self.format)
            self.first_use(is_new)
        except engine.DatabaseError as error:
            self.connection.close()
            failure = failure_of(error)
            if failure.code == "damaged" and whole:
                raise Failure("truncated", "the file is shorter than it says") from None
            raise failure from None
        except Failure:
            self.connection.close()
            raise
        self.identity, self.log = inode(path), inode(path + "-wal")
        File.open_files[path] = self

    @staticmethod
    def check_minimum(options, format):
        """Raises an error if the format is older than the caller accepts."""
        minimum = untag(options.get("minimumCipherFormat", 2)).data
        if not 1 <= minimum <= 4:
            raise Failure("invalidArgument", "formats are 1 to 4")
        if format < minimum:
            raise Failure("unauthenticated" if format == 1 else "unsupportedCipherSettings",
                          "the format is older than the caller accepts")

    def first_use(self, is_new):
        self.query("SELECT count(*) FROM sqlite_master")
        if is_new:
            with_tables(self, self.key.keyring and self.key.keyring.form["vault"])
            self.key.confirm(self.salt)
        pages = self.query("PRAGMA page_count")[0][0]
        if self.query("PRAGMA application_id")[0][0] == 0x4F564C54 and not self.read_only:
            self.query("PRAGMA journal_mode = WAL")
            self.query("PRAGMA user_version")
        elif os.path.getsize(self.path) < pages * self.page_size and not os.path.exists(
                self.path + "-wal"):
            raise Failure("truncated", "the file is shorter than it says")
        if self.has_table("objectvault_info"):
            version = self.query("SELECT value FROM objectvault_info WHERE key = 'format_version'")
            if version and not (version[0][0].isdigit() and int(version[0][0]) <= 1):
                raise Failure("newerFormat", "format %s of the vault's tables" % version[0][0])
            if self.key.keyring:
                self.check_keyring(self.key.keyring.form)

    def check_keyring(self, form):
        about = self.about()
        if about.get("vault_id", form["vault"].upper()) != form["vault"].upper():
            raise Failure("keyringMismatch", "the keyring belongs to another vault")
        if int(about.get("keyring_generation", 0)) > form["generation"]:
            raise Failure("keyringRolledBack", "the keyring is an older one")

    def about(self):
        """Returns the vault information of the file, or nothing in a file of another program."""
        if not self.has_table("objectvault_info"):
            return {}
        return dict(self.query("SELECT key, value FROM objectvault_info"))

    def note_generation(self, generation):
        """Prevents older keyrings from opening the file."""
        about = self.about()
        if about and int(about.get("keyring_generation", 0)) < generation:
            self.scope(lambda: self.query(
                "INSERT OR REPLACE INTO objectvault_info VALUES ('keyring_generation', ?)",
                (str(generation),)))

    def state(self):
        """Returns a value that differs after each change."""
        return self.connection.total_changes, self.query("PRAGMA schema_version")

    def count_commit(self, before):
        """Increments the commit counter, if the file has one and has changed since `before`."""
        if self.state() != before and self.has_table("objectvault_info"):
            self.query(
                "UPDATE objectvault_info SET value = value + 1 WHERE key = 'commit_counter'")

    def query(self, sql, values=()):
        return self.connection.execute(sql, values).fetchall()

    def has_table(self, name):
        return bool(self.query(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)))

    def check_transaction(self):
        """Fails if the engine has undone the open transaction."""
        if self.scopes and not self.connection.in_transaction:
            raise Failure("transactionAborted", "the engine undid the enclosing transaction")

    def check_identity(self):
        if inode(self.path) != self.identity:
            raise Failure("replaced", "another program removed or replaced the file")

    def close(self):
        File.open_files.pop(self.path, None)
        self.connection.close()
        # The engine leaves the log of a deleted file. Another file at the path must not use it.
        if self.log and inode(self.path) != self.identity and inode(self.path + "-wal") == self.log:
            for suffix in ("-wal", "-shm"):
                if os.path.exists(self.path + suffix):
                    os.remove(self.path + suffix)

    def scope(self, body, keeps=True, reading=False):
        """Runs the body in a transaction, or in a savepoint of the open transaction."""
        self.check_transaction()
        depth = len(self.scopes)
        if "read" in self.scopes and not reading:
            raise Unsupported("writing within read")
        if self.read_only and not reading:
            raise Failure("readOnly", "the vault is open for reading only")
        removed, announced = dict(self.removed), len(self.announced)
        begin = "BEGIN" if reading else "BEGIN IMMEDIATE"
        self.query("SAVEPOINT s%d" % depth if depth else begin)
        before = None if depth or reading else self.state()
        self.scopes.append("read" if reading else "write")
        try:
            if reading:
                self.query("SELECT count(*) FROM sqlite_master")
            result = body()
            if not self.connection.in_transaction:
                raise Failure("transactionAborted", "the engine undid the transaction")
            if keeps:
                if before:
                    self.count_commit(before)
                self.query("RELEASE s%d" % depth if depth else "COMMIT")
                return result
        except BaseException:
            keeps = False
            raise
        finally:
            self.scopes.pop()
            if not keeps:
                self.removed = removed
                del self.announced[announced:]
                if self.connection.in_transaction:
                    self.query("ROLLBACK TO s%d" % depth if depth else "ROLLBACK")
                    if depth:
                        self.query("RELEASE s%d" % depth)
        return result

    def rekey(self, key):
        """Copies the file page by page with the new key, and replaces the file with the copy."""
        if self.query("PRAGMA journal_mode = DELETE") != [("delete",)]:
            raise Failure("busy", "another process has the file open")
        salt, copy = key.salt or os.urandom(16), self.path + ".rekeyed"
        old = self.key.place(self.path)
        secret = key.announce(
            self.path, self.format, self.page_size, salt, self.about().get("vault_id"))
        try:
            self.query("PRAGMA locking_mode = EXCLUSIVE")
            self.query("BEGIN EXCLUSIVE")
            self.query("COMMIT")
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            target = connect(copy, self.format, self.page_size, secret, salt, False, 5)
            self.connection.backup(target)
            if target.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise Failure("damaged", "the copy is not whole")
            target.close()
            self.connection.close()
            os.replace(copy, self.path)
            key.confirm(salt)
            if old and old != key.place(self.path):
                os.replace(old, old + ".retired")
                if os.path.exists(old + "~"):
                    os.remove(old + "~")
            self.key, self.salt = key, salt
        finally:
            if os.path.exists(copy):
                os.remove(copy)
        self.connection = connect(self.path, self.format, self.page_size, secret, salt, False, 5)
        self.first_use(False)
        self.identity, self.log = inode(self.path), inode(self.path + "-wal")


def with_tables(file, vault_id=None):
    """Marks the file as a vault and creates the library's internal tables."""
    file.query("PRAGMA application_id = %d" % 0x4F564C54)
    file.query('CREATE TABLE IF NOT EXISTS objectvault_info '
               '("key" TEXT PRIMARY KEY NOT NULL, "value" TEXT NOT NULL)')
    file.query('CREATE TABLE IF NOT EXISTS objectvault_classes ("table" TEXT PRIMARY KEY NOT NULL, '
               '"name" TEXT NOT NULL, "description" TEXT NOT NULL)')
    file.connection.executemany(
        "INSERT OR IGNORE INTO objectvault_info VALUES (?, ?)",
        [("vault_id", vault_id or new_id()), ("format_version", "1")])
