"""Tests the key provider programs with real services; see Scripts/providers --help."""

import argparse
import base64
import contextlib
import hashlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

import interruption

PIN = "1234"
# A session bus that starts no services by itself.
BUS_CONFIGURATION = """<busconfig>
  <type>session</type>
  <listen>unix:path={}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Failed(Exception):
    """A test that failed, with its reason."""


def require(condition, reason):
    """Raises an error with a reason unless a condition is true."""
    if not condition:
        raise Failed(reason)


def run(*arguments, status=0, **options):
    """Runs a program, requires its exit status, and returns its output and errors."""
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=120, **options)
    require(status is None or result.returncode == status,
            f"{arguments[0]} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result


class Services:
    """Services that this script started, in a temporary folder with private sockets."""

    def __init__(self, folder):
        self.folder = folder
        self.started = []

    def path(self, name):
        """Returns the path of a file in the folder."""
        return os.path.join(self.folder, name)

    def start(self, *arguments, ready, text=""):
        """Starts a service, passes it a text, and waits until a path exists."""
        log = open(self.path(os.path.basename(arguments[0]) + ".log"), "ab")
        process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=log, stderr=log)
        log.close()
        self.started.append(process)
        process.stdin.write(text.encode())
        process.stdin.close()
        for _ in range(200):
            require(process.poll() is None, f"{arguments[0]} ended: see {log.name}")
            if os.path.exists(ready):
                return process
            time.sleep(0.05)
        raise Failed(f"{arguments[0]} is not ready after 10 seconds")

    def stop(self):
        """Ends all services."""
        for process in reversed(self.started):
            self.end(process)

    def end(self, process):
        """Ends one service."""
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Program:
    """A key provider program, in the role of its host."""

    def __init__(self, path):
        self.path = path

    def request(self, command, value, settings="", answers=None):
        """Sends a request; returns the keyword and the decoded value of the response."""
        def encode(data):
            return " " + base64.b64encode(data).decode() if data else ""

        lines = [f"objectvault-key 1 {command}"]
        if command != "describe":
            lines += ["interactive " + ("no" if answers is None else "yes"),
                      "label" + encode(b"end-to-end test"), "settings" + encode(settings.encode())]
        lines += [("secret" if command == "wrap" else "wrapped") + encode(value), "end"]
        process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            require(process.stdout.readline() == "objectvault-key 1\n", f"{self.path}: greeting")
            process.stdin.write("\n".join(lines) + "\n")
            process.stdin.flush()
            while True:
                words = process.stdout.readline().split()
                require(words, f"{self.path} did not respond")
                if words[0] != "prompt":
                    break
                answer = "answer" + encode(answers.pop(0).encode()) if answers else "refused"
                process.stdin.write(answer + "\n")
                process.stdin.flush()
        finally:
            process.stdin.close()
            process.wait(30)
            errors = process.stderr.read()
            process.stdout.close()
            process.stderr.close()
        require(process.returncode == 0 and not errors, f"{self.path}: {errors}")
        return " ".join(words[:-1]), base64.b64decode(words[-1])

    def wrap(self, secret, settings="", answers=None):
        """Returns the wrapped bytes of a secret."""
        kind, wrapped = self.request("wrap", secret, settings, answers)
        require(kind == "wrapped", f"wrap: {kind}: {wrapped.decode(errors='replace')}")
        require(secret not in wrapped, "the wrapped bytes contain the secret")
        return wrapped

    def expect_secret(self, wrapped, secret, answers=None):
        """Requires that wrapped bytes become the secret."""
        kind, value = self.request("unwrap", wrapped, answers=answers)
        require(kind == "secret" and value == secret, f"unwrap: {kind}: {value}")

    def expect_error(self, kind, text, wrapped, answers=None):
        """Requires that unwrapping fails with a kind of error and a text."""
        found, value = self.request("unwrap", wrapped, answers=answers)
        require(found == f"error {kind}" and text in value.decode(),
                f"expected {kind} with '{text}', not {found}: {value}")

    def expect_damage_detected(self, wrapped, answers=None, places=None):
        """Requires that no damaged bytes become a secret, other than by luck in free text."""
        for place in places or range(0, len(wrapped), max(1, len(wrapped) // 12)):
            damaged = bytearray(wrapped)
            damaged[place] ^= 0x10
            kind, value = self.request("unwrap", bytes(damaged),
                                       answers=list(answers) if answers is not None else None)
            require(kind.startswith("error"), f"damage of byte {place} was not detected")
        kind, _ = self.request("unwrap", wrapped[:-1], answers=answers)
        require(kind.startswith("error"), "a missing byte was not detected")


def test_secret_service(services, program, vaults):
    """Stores secrets in gnome-keyring on a private session bus."""
    bus, configuration = services.path("bus"), services.path("bus.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(BUS_CONFIGURATION.format(bus))
    services.start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile",
                   ready=bus)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
    for name in ("XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME"):
        os.environ[name] = services.path(name.lower())
        os.makedirs(os.environ[name], mode=0o700)
    secret = os.urandom(32)
    kind, text = program.request("wrap", secret)
    require(kind == "error missing", f"without a service: {kind}: {text}")
    daemon = ("gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock",
              f"--control-directory={services.path('control')}")
    keyring = services.start(*daemon, text="password of the test",
                             ready=services.path("control"))
    wait_for_service()

    wrapped = program.wrap(secret)
    program.expect_secret(wrapped, secret)
    kind, text = program.request("describe", wrapped)
    require(b"Secret Service" in text, f"describe: {text}")
    program.expect_damage_detected(wrapped)
    kind, text = program.request("wrap", secret, "collection=other")
    require(kind == "error missing", f"another collection: {kind}: {text}")
    kind, text = program.request("wrap", secret, "other=1")
    require(kind == "error failed", f"another setting: {kind}: {text}")
    with vaults.vault("secret-service") as vault:
        lock_collection()
        program.expect_error("locked", "Unlock the keyring", wrapped)
        kind, text = program.request("wrap", secret)
        require(kind == "error locked", f"wrap in a locked collection: {kind}: {text}")
        vault.expect_failure("is locked")
        services.end(keyring)
        services.start(*daemon, text="password of the test", ready=services.path("control"))
        wait_for_service()
        vault.expect_opens()
    program.expect_secret(wrapped, secret)


def wait_for_service():
    """Waits until the service has its name on the bus."""
    for _ in range(100):
        answer = call_service("org.freedesktop.Secret.Service.ReadAlias", "string:default")
        if "collection" in answer.stdout:
            return
        time.sleep(0.1)
    raise Failed(f"the keyring service has no default collection: {answer.stderr}")


def call_service(method, *arguments):
    """Calls the Secret Service on the session bus."""
    return run("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
               "/org/freedesktop/secrets", method, *arguments, status=None)


def lock_collection():
    """Locks the default collection."""
    answer = call_service("org.freedesktop.Secret.Service.ReadAlias", "string:default")
    collection = answer.stdout.split('"')[1]
    call_service("org.freedesktop.Secret.Service.Lock", f"array:objpath:{collection}")


def test_tpm2(services, program, vaults):
    """Seals secrets with an emulated TPM."""
    secret = os.urandom(32)
    os.environ["OBJECTVAULT_TPM2_TCTI"] = f"swtpm:path={services.path('none')}"
    kind, text = program.request("wrap", secret)
    require(kind == "error missing", f"without a TPM: {kind}: {text}")
    socket, state = services.path("tpm"), services.path("tpm-state")
    os.mkdir(state)
    services.start("swtpm", "socket", "--tpm2", "--tpmstate", f"dir={state}",
                   "--server", f"type=unixio,path={socket}",
                   "--ctrl", f"type=unixio,path={socket}.ctrl",
                   "--flags", "not-need-init,startup-clear", ready=f"{socket}.ctrl")
    os.environ["OBJECTVAULT_TPM2_TCTI"] = os.environ["TPM2TOOLS_TCTI"] = f"swtpm:path={socket}"

    wrapped, bound = program.wrap(secret), program.wrap(secret, "pcrs=16,7")
    for each in (wrapped, bound):
        program.expect_secret(each, secret)
        program.expect_damage_detected(each)
    kind, text = program.request("describe", bound)
    require(b"7, 16" in text, f"describe: {text}")
    for settings in ("pcrs=24", "pcrs=a", "pcrs=7,7", "pin=1"):
        kind, text = program.request("wrap", secret, settings)
        require(kind == "error failed", f"{settings}: {kind}: {text}")
    kind, text = program.request("wrap", bytes(129))
    require(kind == "error failed", f"129 bytes: {kind}: {text}")
    # Many requests leave no object or session in the TPM.
    for _ in range(5):
        program.expect_secret(bound, secret)
    for kind in ("handles-transient", "handles-loaded-session"):
        require(not run("tpm2_getcap", kind).stdout.strip(), f"the TPM has {kind}")

    with vaults.vault("tpm2", "pcrs=16") as vault:
        digest = hashlib.sha256(b"another boot loader").hexdigest()
        run("tpm2_pcrextend", f"16:sha256={digest}")
        program.expect_error("locked", "PCRs have other values", bound)
        program.expect_secret(wrapped, secret)
        vault.expect_failure("PCRs have other values")
        run("tpm2_pcrreset", "16")
        vault.expect_opens()
        program.expect_secret(bound, secret)
        run("tpm2_clear", "-c", "platform")
        for each in (wrapped, bound):
            program.expect_error("failed", "was cleared", each)
        vault.expect_failure("was cleared")


def test_pkcs11(services, program, vaults):
    """Encrypts secrets with keys on a software token."""
    os.environ["SOFTHSM2_CONF"] = services.path("softhsm2.conf")
    os.mkdir(services.path("tokens"))
    with open(os.environ["SOFTHSM2_CONF"], "w", encoding="utf-8") as file:
        file.write(f"directories.tokendir = {services.path('tokens')}\nlog.level = ERROR\n")
    secret = os.urandom(32)
    wrapping, pair = "pkcs11:token=vaults;object=wrapping", "pkcs11:token=vaults;object=pair"
    kind, text = program.request("wrap", secret, wrapping, [PIN])
    require(kind == "error missing", f"without the token: {kind}: {text}")
    run("softhsm2-util", "--init-token", "--free", "--label", "vaults", "--so-pin", "12345678",
        "--pin", PIN)
    tool = ("pkcs11-tool", "--module", find_module(), "--login", "--pin", PIN, "--token-label",
            "vaults")
    run(*tool, "--keygen", "--key-type", "AES:32", "--label", "wrapping", "--id", "01",
        "--usage-decrypt")
    run(*tool, "--keypairgen", "--key-type", "rsa:2048", "--label", "pair", "--id", "02",
        "--usage-decrypt")

    for uri, name in ((wrapping, b"AES-GCM"), (pair, b"RSA-OAEP")):
        wrapped = program.wrap(secret, uri, [PIN])
        program.expect_secret(wrapped, secret, [PIN])
        kind, text = program.request("describe", wrapped)
        require(name in text and uri.encode() in text, f"describe: {text}")
        program.expect_damage_detected(wrapped, [PIN], range(len(uri) + 6, len(wrapped), 9))
        program.expect_error("locked", "PIN is wrong", wrapped, ["4321"])
        program.expect_error("locked", "person", wrapped)
        program.expect_error("cancelled", "", wrapped, [])
    # A changed keyring must not make the program load a library.
    evil = (wrapping + "?module-path=/tmp/evil.so").encode()
    damaged = b"OVP1" + len(evil).to_bytes(2, "big") + evil + wrapped[6 + len(pair):]
    program.expect_error("failed", "names a module", damaged, [PIN])
    for uri in ("", "pkcs11:object=wrapping", "pkcs11:token=vaults", wrapping + "?pin-value=1234",
                wrapping + "?module-name=softhsm2", wrapping + ";other=1"):
        kind, text = program.request("wrap", secret, uri, [PIN])
        require(kind == "error failed", f"{uri}: {kind}: {text}")
    kind, text = program.request("wrap", secret, "pkcs11:token=vaults;object=none", [PIN])
    require(kind == "error missing", f"another key: {kind}: {text}")

    with vaults.vault("pkcs11", wrapping, [PIN]) as vault:
        vault.expect_failure("PIN is wrong", ["4321"])
        vault.expect_opens([PIN])
        run(*tool, "--delete-object", "--type", "secrkey", "--label", "wrapping")
        vault.expect_failure("no such AES key", [PIN])


def find_module():
    """Returns the path of the SoftHSM module."""
    for folder in ("/usr/lib/softhsm", "/usr/lib64", "/usr/local/lib/softhsm"):
        path = os.path.join(folder, "libsofthsm2.so")
        if os.path.exists(path):
            return path
    raise Failed("libsofthsm2.so is in no usual folder")


def on_terminal(arguments, answers):
    """Runs a program on a terminal and types each answer after its prompt.

    An answer can be a function of the process and the terminal that returns it. Returns the exit
    status and the text of the terminal.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.execv(arguments[0], arguments)
    text, answers, searched = b"", list(answers), 0
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if answers and answers[0][0] in text[searched:]:
            searched = len(text)
            answer = answers.pop(0)[1]
            os.write(terminal, (answer(process, terminal) if callable(answer) else answer) + b"\r")
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    else:
        os.kill(process, signal.SIGKILL)
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), text.decode(errors="replace")


class Vaults:
    """Creates vaults with a slot of a provider."""

    def __init__(self, tool, folder):
        self.tool = tool
        self.folder = folder

    def create(self, name):
        """Creates a vault with a keyring; returns its path and that of a key file."""
        vault = os.path.join(self.folder, f"{name}.vault")
        key = os.path.join(self.folder, f"{name}.key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(base64.b64encode(os.urandom(32)))
        run(self.tool, "create", vault, "--keyring", "--slot", "words", "--key-file", key)
        return vault, key

    @contextlib.contextmanager
    def vault(self, provider, settings="", pins=()):
        """Adds a slot of the provider to a new vault and opens the vault with it."""
        vault = Vault(self.tool, *self.create(provider), provider)
        arguments = ["keys", "add", vault.path, "device", "--key-file", vault.key,
                     "--new-provider", provider]
        if settings:
            arguments += ["--new-provider-settings", settings]
        # A new slot is also opened once.
        status, output = vault.run(arguments, [*pins, *pins])
        require(status == 0, f"keys add: {output}")
        listed = run(self.tool, "keys", "list", vault.path).stdout
        require("device" in listed and provider in listed, f"keys list: {listed}")
        vault.expect_opens(pins)
        yield vault


class Vault:
    """A vault with a slot of a provider."""

    def __init__(self, tool, path, key, provider):
        self.tool, self.path, self.key = tool, path, key
        self.options = ["--provider", provider, "--slot", "device"]

    def run(self, arguments, pins):
        """Runs the tool on a terminal if it prompts for a PIN, and without one otherwise."""
        if pins:
            prompts = [(b"PIN of the token 'vaults': ", pin.encode()) for pin in pins]
            return on_terminal([self.tool, *arguments], prompts)
        result = subprocess.run([self.tool, *arguments], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                timeout=120, start_new_session=True)
        return result.returncode, result.stdout

    def keyring(self):
        """Returns the bytes of the keyring."""
        with open(f"{self.path}.keyring", "rb") as file:
            return file.read()

    def expect_opens(self, pins=()):
        """Requires that the slot opens the vault."""
        status, output = self.run(["classes", self.path, *self.options], pins)
        require(status == 0, f"classes: {output}")

    def expect_failure(self, text, pins=()):
        """Requires an error with a text, an unchanged keyring, and another slot that opens."""
        before = self.keyring()
        os.environ["NEW"] = "0b" * 32
        new = ["--new-kind", "raw", "--new-key-env", "NEW"]
        for words in (["classes", self.path], ["keys", "add", self.path, "new", *new]):
            status, output = self.run([*words, *self.options], pins)
            flat = " ".join(output.split())
            require(status != 0 and text in flat, f"expected '{text}', not {status}: {output}")
            require(self.keyring() == before, f"{words[0]} changed the keyring")
        run(self.tool, "classes", self.path, "--key-file", self.key)


def test_shares(services, program, vaults):
    """Divides the recovery code of a vault and restores it."""
    shares = os.path.join(os.path.dirname(program.path), "objectvault-shares")
    vault, key = vaults.create("shares")
    output = run(vaults.tool, "keys", "recovery", vault, "--key-file", key).stdout
    code = re.search(r"([0-9A-Z]{6}-){7}[0-9A-Z]{6}", output).group()
    printed = run(shares, "split", "--shares", "5", "--needed", "3", "--vault", "shares",
                  input=code + "\n").stdout
    texts = printed.split("\n\n")
    require(len(texts) == 5, f"split: {len(texts)} shares")
    restored = run(shares, "combine", input="\n\n".join([texts[3], texts[0], texts[2]])).stdout
    require(restored == code + "\n", "combine: another code")
    for texts_given, text in ((texts[:2], "more share is needed"),
                              ([texts[0], texts[0], texts[1]], "is entered twice"),
                              ([texts[0].replace("of 5", "of 6"), *texts[1:3]], "differs")):
        errors = run(shares, "combine", input="\n\n".join(texts_given), status=1).stderr
        require(text in errors, f"expected '{text}', not {errors}")
    if os.path.exists("/dev/full"):
        for arguments, given in ((("split", "--shares", "2", "--needed", "2"), code),
                                 (("combine",), "\n\n".join(texts[:3]))):
            with open("/dev/full", "w", encoding="ascii") as full:
                written = subprocess.run([shares, *arguments], input=given + "\n", stdout=full,
                                         stderr=subprocess.PIPE, text=True, check=False)
            require(written.returncode == 1 and "cannot be written" in written.stderr,
                    f"{arguments[0]} to a full disk: {written.returncode}, {written.stderr}")
    path = services.path("code.txt")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
        file.write(restored)
    run(vaults.tool, "keys", "test", vault, "--recovery-code", "--key-file", path)

    typed = ["".join(text.split("Code:")[1].split()).encode() for text in texts]
    wrong = typed[1][:-1] + (b"0" if typed[1][-1:] != b"0" else b"1")
    status, screen = on_terminal(
        [shares, "combine"],
        [(b"Share 1: ", typed[4]), (b"Share 2: ", wrong), (b"mistyped", typed[1]),
         (b"Share 3: ", typed[2])])
    require(status == 0 and code in screen, f"combine on a terminal: {screen}")
    require(not any(share.decode() in screen for share in typed), "a share was shown")
    require("Group 12 of 12" in screen, f"the mistyped group was not named: {screen}")
    status, screen = on_terminal([shares, "split", "--shares", "2", "--needed", "2"],
                                 [(b"Recovery code: ", code.encode())])
    require(status == 0 and code not in screen, f"split on a terminal: {screen}")

    def suspend(process, terminal):
        """Suspends and continues the program, and sets the terminal meanwhile as a shell does."""
        os.kill(process, signal.SIGSTOP)
        os.waitpid(process, os.WUNTRACED)
        settings = termios.tcgetattr(terminal)
        settings[3] |= termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, settings)
        os.kill(process, signal.SIGCONT)
        end = time.monotonic() + 5
        while termios.tcgetattr(terminal)[3] & termios.ECHO and time.monotonic() < end:
            time.sleep(0.01)
        return code.encode()

    status, screen = on_terminal([shares, "split", "--shares", "2", "--needed", "2"],
                                 [(b"Recovery code: ", suspend)])
    require(status == 0 and code not in screen, f"split after a suspension: {screen}")


def main():
    """Runs all tests, and prints one line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--programs", required=True)
    options = parser.parse_args()
    interruption.handle()
    programs = os.path.abspath(options.programs)
    failures = 0
    for name, test in (("pkcs11", test_pkcs11), ("tpm2", test_tpm2),
                       ("secret-service", test_secret_service), ("shares", test_shares)):
        environment = dict(os.environ)
        os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
        with tempfile.TemporaryDirectory(prefix="objectvault-providers-") as folder:
            services = Services(folder)
            try:
                test(services, Program(os.path.join(programs, f"objectvault-key-{name}")),
                     Vaults(os.path.abspath(options.tool), folder))
                print(f"{name}: passed", flush=True)
            except (Failed, OSError, subprocess.SubprocessError) as error:
                failures += 1
                print(f"{name}: FAILED: {error}", flush=True)
            finally:
                services.stop()
                os.environ.clear()
                os.environ.update(environment)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
