"""Tests the page of a vault in a browser; see Scripts/inspector --help."""

import argparse
import http.client
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time

import interruption
from webdriver import Browser

# A value that must never be in an address, an output or an error.
SECRET = "Zaphod-" + secrets.token_hex(4)


def described(name, properties, object_id="generated", **more):
    return {
        "name": name,
        "table": name,
        "objectID": object_id,
        "indexes": [],
        "properties": [
            {
                "name": n,
                "column": n,
                "type": t.rstrip("?"),
                **({"optional": True} if t.endswith("?") else {}),
            }
            for n, t in properties.items()
        ],
        **more,
    }


def reference(name, target, column="objectID", on_delete="noAction"):
    return {
        "name": name,
        "properties": [name],
        "target": target,
        "targetColumns": [column],
        "onDelete": on_delete,
    }


CLASSES = [
    described("School", {"name": "String", "city": "String", "founded": "Date?"}, ["name"]),
    described(
        "Teacher",
        {"name": "String", "school": "String?", "salary": "Decimal?"},
        references=[reference("school", "School", "name", "nullify")],
    ),
    described(
        "Room",
        {"number": "String", "floor": "Int", "school": "String?"},
        ["number"],
        references=[reference("school", "School", "name", "cascade")],
    ),
    described(
        "Course",
        {
            "title": "String",
            "room": "String?",
            "teacher": "Int64?",
            "hours": "Double",
            "isOpen": "Bool",
            "tags": "JSON?",
        },
        references=[
            reference("room", "Room", "number", "nullify"),
            reference("teacher", "Teacher"),
        ],
    ),
    described(
        "Student",
        {
            "name": "String",
            "age": "Int?",
            "room": "String?",
            "mentor": "Int64?",
            "joined": "Date?",
            "photo": "Data?",
            "note": "String?",
        },
        references=[reference("room", "Room", "number", "nullify"), reference("mentor", "Student")],
    ),
    described(
        "Grade",
        {"student": "Int64", "course": "Int64", "value": "Double", "at": "Date"},
        references=[
            reference("student", "Student", on_delete="cascade"),
            reference("course", "Course", on_delete="deny"),
        ],
    ),
]

NAMES = [
    "Lena Vogt",
    "Bo Andersson",
    "Ayşe Yılmaz",
    "Miguel Santos",
    "Nora Lind",
    "Tom Weber",
    "Zoë Martin",
    "Ivan Petrov",
    "Sara Okafor",
    "Jun Tanaka",
]
ROWS = {
    "School": [
        {"name": "Lindenhof", "city": "Bern", "founded": "1931-04-20T00:00:00Z"},
        {"name": "Seefeld", "city": "Zürich", "founded": None},
    ],
    "Teacher": [
        {"name": "Ada Keller", "school": "Lindenhof", "salary": "7250.50"},
        {"name": "Karl Brunner", "school": "Seefeld", "salary": None},
    ],
    "Room": [
        {"number": number, "floor": int(number[0]), "school": "Lindenhof"}
        for number in ["101", "102", "204", "305"]
    ],
    "Course": [
        {
            "title": title,
            "room": room,
            "teacher": teacher,
            "hours": hours,
            "isOpen": hours > 2,
            "tags": tags,
        }
        for title, room, teacher, hours, tags in [
            ("Physics", "204", 1, 3.5, ["science"]),
            ("Drawing", "101", 2, 2, []),
            ("History", None, 2, 2.5, ["essay", "sources"]),
        ]
    ],
    "Student": [
        {
            "name": NAMES[i % 10] if i else SECRET,
            "age": 7 + i % 11 if i % 13 else None,
            "room": ["101", "102", "204", None][i % 4],
            "mentor": 1 if i % 5 == 4 else None,
            "joined": f"202{i % 5}-08-{1 + i % 28:02}T07:30:00Z",
            "photo": "iVBORw0KGgoAAAANSUhEUgAA" * 40 if i % 7 == 3 else None,
            "note": "Sits near the window and needs large print. " * 9 if i % 9 == 2 else None,
        }
        for i in range(130)
    ],
    "Grade": [
        {
            "student": 1 + i % 60,
            "course": 1 + i % 3,
            "value": 4 + i % 5 / 2,
            "at": f"2025-0{1 + i % 6}-11T10:00:00Z",
        }
        for i in range(240)
    ],
}


class Vault:
    """A vault with classes that refer to each other."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.path = os.path.join(folder, "school.vault")
        self.key = os.path.join(folder, "words.key")
        with open(os.open(self.key, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        self.run("create")
        self.run("migrate", self.file("schema.json", {"classes": CLASSES}))
        for name, rows in ROWS.items():
            self.run("import", name, self.file(f"{name}.json", rows))

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            json.dump(content, file)
        return path

    @property
    def options(self):
        return ["--key-file", self.key, "--raw-key"]

    def run(self, command, *arguments):
        subprocess.run(
            [self.program, command, self.path, *arguments, *self.options],
            check=True,
            stdout=subprocess.DEVNULL,
        )


class Inspector:
    """A running 'objectvault-inspect inspect --web'."""

    def __init__(self, vault, *arguments):
        self.process = subprocess.Popen(
            [vault.program, "inspect", vault.path, "--web", *arguments, *vault.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output = ""
        while "Control-C" not in self.output:
            line = self.process.stdout.readline()
            assert line, self.output
            self.output += line
        self.address = re.search(r"http://\S+", self.output).group()
        self.port = int(re.search(r":(\d+)/", self.address).group(1))
        self.token = self.address.split("#")[1]

    def request(self, method="POST", path="/session", body=None, **changes):
        """Returns the status, the headers and the body of a request without a browser."""
        headers = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
        }
        headers.update({name.replace("_", "-"): value for name, value in changes.items()})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        content = json.dumps(body).encode() if body is not None else b""
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(content)))
        connection.endheaders(content)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read().decode()

    def enter(self):
        """Exchanges the token, and returns the path of the page and the cookie."""
        status, headers, body = self.request(body=self.token)
        assert status == 200, body
        return json.loads(body), headers["Set-Cookie"].split(";")[0]

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=10)
        self.output += rest
        return self.process.returncode


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def test_protocol(vault):
    """The token, the cookie, hosts, origins, limits, and the end."""
    inspector = Inspector(vault)
    path, cookie = inspector.enter()
    check(inspector.request(body=inspector.token)[0] == 403, "the token was accepted twice")
    check(inspector.request(body="x" * 43)[0] == 403, "a wrong token was accepted")
    operation = path + "objects"
    content = {"class": "Student", "condition": f"name == '{SECRET}'"}
    status, headers, body = inspector.request(path=operation, body=content, Cookie=cookie)
    check(status == 200 and SECRET in body, f"the operation failed: {status} {body[:300]}")
    check(headers["Cache-Control"] == "no-store", "the answer may be stored")
    check("default-src 'none'" in headers["Content-Security-Policy"], "the policy is missing")
    for status, changes in [
        (403, {"Cookie": None}),
        (403, {"Cookie": "inspector=wrong"}),
        (421, {"Host": f"rebound.example:{inspector.port}"}),
        (421, {"Host": "127.0.0.1"}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": None}),
        (403, {"Origin": "null"}),
        (415, {"Content_Type": "text/plain"}),
        (403, {"Sec_Fetch_Site": "cross-site"}),
    ]:
        found = inspector.request(path=operation, body=content, **{"Cookie": cookie, **changes})
        check(found[0] == status, f"{changes} has the status {found[0]}, not {status}")
        check(SECRET not in found[2], f"{changes} returned a value")
    for name in ["insert", "update", "plan", "remove"]:
        found = inspector.request(
            path=path + name, body={"class": "School", "values": {}}, Cookie=cookie
        )
        check(found[0] == 403, f"{name} has the status {found[0]} in a vault that is only read")
    found = inspector.request(path=operation, body={"class": "x" * 300_000}, Cookie=cookie)
    check(found[0] == 413, f"a large body has the status {found[0]}")
    check(inspector.request("GET", path + "?q=1")[0] == 404, "a query was accepted")
    check(inspector.request("PUT", path)[0] == 405, "PUT was accepted")
    check(inspector.end() == 0, f"Control-C ended with {inspector.process.returncode}")
    check(SECRET not in inspector.output and cookie not in inspector.output, "a value was printed")


def test_parent(vault):
    """The inspector ends with the program that started it."""
    command = [vault.program, "inspect", vault.path, "--web", *vault.options]
    shell = subprocess.Popen(
        ["sh", "-c", '"$@" & echo $!; wait', "sh", *command], stdout=subprocess.PIPE, text=True
    )
    number = int(shell.stdout.readline())
    while "Control-C" not in shell.stdout.readline():
        pass
    shell.kill()
    shell.wait()
    for _ in range(100):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        if open(f"/proc/{number}/stat").read().split(") ")[1][0] == "Z":
            return
        time.sleep(0.05)
    os.kill(number, signal.SIGKILL)
    raise AssertionError("the inspector continued without its parent")


def enter(browser, inspector):
    browser.open(inspector.address)
    browser.wait("document.querySelectorAll('#classes a').length === 6", "the list of classes")


def no_messages(browser):
    found = browser.messages()
    check(not found, f"the console has messages: {found}")


def test_keyboard(vault, browser):
    """From the classes to an object and along a reference, with the keyboard only."""
    inspector = Inspector(vault)
    enter(browser, inspector)
    check("#" not in browser.address_now(), "the token is still in the address")
    browser.wait("document.querySelector('[data-count=Grade]').textContent === '240'", "the count")

    def tab_to(text):
        for _ in range(80):
            if browser.focused().replace("\n", " ").startswith(text):
                return
            browser.press("tab")
        raise AssertionError(f"'{text}' cannot be reached with the keyboard")

    tab_to("Student")
    browser.press("enter")
    browser.wait("document.querySelector('.objects tbody tr')", "a list of objects")
    tab_to("condition")
    browser.press("na")
    browser.wait("!document.getElementById('suggestions').hidden", "completion")
    browser.press("down", "enter")
    browser.wait("document.getElementById('condition').value === 'name '", "the completed name")
    browser.wait(
        "document.getElementById('suggestions').innerText.includes('BEGINSWITH')", "operators"
    )
    browser.press("BEGINSWITH 'Lena' && mentor.")
    browser.wait(
        "document.getElementById('suggestions').innerText.includes('joined')",
        "the names of an association",
    )
    browser.press("name == 1", "escape", "enter")
    browser.wait("document.getElementById('mistake').textContent.length > 20", "an error")
    browser.run("const f = document.getElementById('condition'); f.value = ''; f.focus()")
    browser.press("nam == 'x'", "escape", "enter")
    browser.wait(
        "document.getElementById('mistake').textContent.includes(\"'name'\")",
        "a suggestion for a wrong name",
    )
    check(
        browser.run("return document.querySelector('#mistake mark').textContent") == "nam",
        "the mistake is not marked",
    )
    browser.run("const f = document.getElementById('condition'); f.value = ''; f.focus()")
    browser.press(f"name == '{SECRET}'", "escape", "enter")
    browser.wait("document.querySelectorAll('.objects tbody tr').length === 1", "one object")
    tab_to("Explain")
    browser.press("enter")
    browser.wait("document.querySelector('.explanation').innerText.includes('SELECT')", "explain")
    check(
        SECRET not in browser.run("return document.querySelector('.explanation').innerText"),
        "the explanation contains a value",
    )
    tab_to("1")
    browser.press("enter")
    browser.wait("document.querySelector('.properties')", "an object")
    check(
        SECRET in browser.run("return document.querySelector('.properties').innerText"),
        "the object lacks its name",
    )
    tab_to("room")
    browser.press("enter")
    browser.wait("document.querySelector('h1').innerText === 'Object of Room'", "the reference")
    check(
        SECRET not in browser.address_now() and "101" not in browser.address_now(),
        "the address contains a value",
    )
    no_messages(browser)
    inspector.end()


def test_refresh(vault, browser):
    """A commit of another process appears without an action."""
    inspector = Inspector(vault)
    enter(browser, inspector)
    browser.run("location.hash = '#/class/School'")
    browser.wait("document.querySelectorAll('.objects tbody tr').length === 2", "two schools")
    vault.run("import", "School", vault.file("more.json", [{"name": "Rosenau", "city": "Basel"}]))
    browser.wait(
        "document.querySelector('.result').innerText.includes('Rosenau')", "the new object"
    )
    browser.wait("document.querySelector('[data-count=School]').textContent === '3'", "its count")
    no_messages(browser)
    inspector.end()
    browser.wait("document.getElementById('banner').innerText.includes('has ended')", "the end")
    browser.messages()


def test_changes(vault, browser):
    """With --write objects are inserted, changed and removed."""
    inspector = Inspector(vault, "--write")
    enter(browser, inspector)
    browser.run("location.hash = '#/class/Teacher'")
    browser.wait("document.querySelectorAll('.objects tbody tr').length === 2", "two teachers")
    browser.run(
        "[...document.querySelectorAll('button')].find(b => b.innerText === 'New object').click()"
    )
    browser.wait("document.querySelector('.values')", "the form")
    browser.run("document.querySelector('.values textarea').focus()")
    browser.press("Eva Frei")
    browser.run("document.querySelector('.values .main').click()")
    browser.wait(
        "document.querySelector('.properties')?.innerText.includes('Eva Frei')", "the object"
    )
    browser.run(
        "[...document.querySelectorAll('button')].find(b => b.innerText === 'Edit').click()"
    )
    browser.wait("document.querySelector('.values textarea')", "the form")
    browser.run("document.querySelector('.values textarea').focus()")
    browser.press("end", "-Moser")
    browser.run("document.querySelector('.values .main').click()")
    browser.wait(
        "document.querySelector('.properties')?.innerText.includes('Eva Frei-Moser')", "the change"
    )
    browser.run(
        "[...document.querySelectorAll('button')].find(b => b.innerText === 'Remove').click()"
    )
    browser.wait("document.querySelector('dialog[open]')", "the question")
    browser.run("document.querySelector('dialog .danger').click()")
    browser.wait("document.querySelectorAll('.objects tbody tr').length === 2", "the list")
    change_next_to_line_ends(vault, browser)
    no_messages(browser)
    inspector.end()


def change_next_to_line_ends(vault, browser):
    """A form changes no ends of lines, which its elements cannot show."""
    teacher = {"name": "Ida\r\nRoth", "salary": "1"}
    vault.run("import", "Teacher", vault.file("more.json", [teacher]))
    browser.wait("document.querySelectorAll('.objects tbody tr').length === 3", "the new object")
    browser.run("document.querySelector('.objects tbody tr:last-child a').click()")

    def change(field, text, shown):
        browser.wait("document.querySelector('.properties')", "the object")
        browser.run(
            "[...document.querySelectorAll('button')].find(b => b.innerText === 'Edit').click()"
        )
        browser.wait("document.querySelector('.values')", "the form")
        browser.run(
            "const f = document.querySelector(arguments[0]); f.focus(); f.setSelectionRange(0, 0)",
            f".values {field}",
        )
        # On the first line of a text area.
        browser.press("end", text)
        browser.run("document.querySelector('.values .main').click()")
        browser.wait(f"document.querySelector('.properties')?.innerText.includes('{shown}')", shown)
        return browser.run(
            "return [...document.querySelectorAll('.properties dt')]"
            ".find(t => t.textContent.startsWith('name')).nextElementSibling.textContent"
        )

    name = change("input:not([type=checkbox])", "234", "1234")
    check(name == "Ida\r\nRoth", f"another property changed the name to {name!r}")
    name = change("textarea", "-Maria", "Ida-Maria")
    check(name == "Ida-Maria\r\nRoth", f"an edited name is {name!r}")


def test_narrow(vault, browser):
    """No view of a narrow window scrolls to the side."""
    inspector = Inspector(vault, "--write")
    browser.command(
        "Emulation.setDeviceMetricsOverride",
        width=320,
        height=640,
        deviceScaleFactor=1,
        mobile=False,
    )
    enter(browser, inspector)
    for view, what in [
        ("#/", "svg"),
        ("#/class/Student", ".objects tbody tr"),
        ("#/object/1", ".properties"),
        ("#/sizes", ".sizes"),
    ]:
        browser.run("location.hash = arguments[0]", view)
        browser.wait(f"document.querySelector('{what}')", view)
        width = browser.run("return document.documentElement.scrollWidth")
        check(width <= 320, f"{view} is {width} pixels wide")
    browser.command("Emulation.clearDeviceMetricsOverride")
    no_messages(browser)
    inspector.end()


def take_pictures(vault, browser, folder):
    inspector = Inspector(vault, "--write")
    enter(browser, inspector)

    def take(name, width, height, dark=False, hash=None, wait=None, then=None):
        browser.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        browser.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        browser.run("location.hash = '#/sizes'; ")
        browser.wait("document.querySelector('.sizes')", "sizes")
        browser.run("location.hash = arguments[0]", hash)
        browser.wait(f"document.querySelector('{wait}')", hash)
        if then:
            then()
        time.sleep(0.5)
        browser.picture(os.path.join(folder, f"{name}.png"))

    def condition(text, *keys):
        def perform():
            browser.run("const f = document.getElementById('condition'); f.value = ''; f.focus()")
            browser.press(text, *keys)

        return perform

    def press(text):
        return lambda: browser.run(
            "[...document.querySelectorAll('button')]"
            ".find(b => b.innerText === arguments[0]).click()",
            text,
        )

    row = ".objects tbody tr"
    take("wide-schema", 1280, 860, hash="#/", wait="svg")
    take(
        "wide-objects",
        1280,
        860,
        hash="#/class/Student",
        wait=row,
        then=condition("age > 9 && mentor.na"),
    )
    take(
        "wide-error",
        1280,
        860,
        hash="#/class/Course",
        wait=row,
        then=condition("hours > 2 && titel CONTAINS 'a'", "escape", "enter"),
    )
    take("wide-object", 1280, 860, hash="#/object/4", wait=".properties")
    take("wide-edit", 1280, 860, hash="#/object/4", wait=".properties", then=press("Edit"))
    take("wide-remove", 1280, 860, hash="#/object/4", wait=".properties", then=press("Remove"))
    take("wide-sizes", 1280, 860, hash="#/sizes", wait=".sizes")
    take("dark-schema", 1280, 860, True, "#/", "svg")
    take(
        "dark-objects",
        1280,
        860,
        True,
        "#/class/Student",
        row,
        lambda: (condition("age > 12", "escape")(), press("Explain")()),
    )
    take("narrow-schema", 320, 640, hash="#/", wait="svg")
    take("narrow-objects", 320, 640, hash="#/class/Student", wait=row, then=condition("", "escape"))
    take("narrow-object", 320, 640, True, "#/object/4", ".properties")
    inspector.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    interruption.handle()
    failures = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        vault = Vault(options.program, folder)
        browser = Browser(tempfile.mkdtemp(dir=folder))
        tests = [(test, (vault,)) for test in [test_protocol, test_parent]]
        tests += [
            (test, (vault, browser))
            for test in [test_keyboard, test_refresh, test_changes, test_narrow]
        ]
        if options.screenshots:
            tests.append((take_pictures, (vault, browser, options.screenshots)))
        try:
            for test, arguments in tests:
                began = time.monotonic()
                try:
                    test(*arguments)
                    verdict = "passed"
                except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
                    verdict = f"FAILED: {error}"
                    failures += 1
                print(f"{test.__name__} {verdict} ({time.monotonic() - began:.1f} s)", flush=True)
        finally:
            browser.end()
    return 1 if failures else 0


if __name__ == "__main__":
    # A shell ignores Control-C for its background jobs, and so would the programs started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
