"""A small client of the WebDriver protocol (W3C) for a headless Chromium."""

import base64
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request

KEYS = {"enter": "\ue007", "tab": "\ue004", "down": "\ue015", "escape": "\ue00c", "end": "\ue010"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window of a browser that is started for a test and ended with it."""

    def __init__(self, profile, width=1280, height=860):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=profile,
            start_new_session=True,
        )
        self.address = self.session = None
        try:
            self.start(profile, width, height)
        except BaseException:
            self.end()
            raise

    def start(self, profile, width, height):
        """Starts the browser when its driver is ready."""
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.address = "http://127.0.0.1:" + line.split("port ")[1].strip(" .\n")
                break
        arguments = [
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            f"--user-data-dir={profile}",
            f"--window-size={width},{height}",
        ]
        if os.getuid() == 0:
            arguments.append("--no-sandbox")
        answer = self.call(
            "POST",
            "/session",
            {
                "capabilities": {
                    "alwaysMatch": {
                        "browserName": "chrome",
                        "goog:loggingPrefs": {"browser": "ALL"},
                        "goog:chromeOptions": {"args": arguments},
                    }
                }
            },
        )
        self.session = f"/session/{answer['sessionId']}"

    def call(self, method, path, content=None):
        body = json.dumps(content or {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            self.address + path, body, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def post(self, path, content=None):
        return self.call("POST", self.session + path, content)

    def open(self, address):
        self.post("/url", {"url": address})

    def address_now(self):
        return self.call("GET", self.session + "/url")

    def run(self, script, *arguments):
        """Returns the result of a script in the page; promises are awaited."""
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, what, seconds=10):
        """Waits until an expression in the page is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                found = self.run(f"return {script}")
            except AssertionError:
                found = None
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(
            f"{what} does not appear; the page shows: "
            + self.run("return document.body.innerText")[:600]
        )

    def press(self, *keys):
        """Presses keys one after the other; a name of KEYS is one key."""
        actions = []
        for key in keys:
            for one in [KEYS[key]] if key in KEYS else key:
                actions += [{"type": "keyDown", "value": one}, {"type": "keyUp", "value": one}]
        self.post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def focused(self):
        """Returns the text or the label of the focused element."""
        return self.run(
            "const e = document.activeElement;"
            "return e.innerText || e.id || e.getAttribute('aria-label') || e.tagName"
        )

    def command(self, name, **parameters):
        """Sends a command of the Chrome DevTools protocol."""
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def messages(self):
        """Returns the messages of the console since the last call."""
        return [
            f"{entry['level']}: {entry['message']}"
            for entry in self.post("/se/log", {"type": "browser"})
        ]

    def picture(self, path):
        data = self.command("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def end(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            # Without a session, for example while it is created, the browser is still running.
            os.killpg(self.driver.pid, signal.SIGKILL)
            self.driver.wait()
