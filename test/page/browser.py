"""A browser without a window, over WebDriver: what test/page/views.py needs.

Chromium is driven by its chromedriver with nothing but Python's own library.
"""
import base64
import json
import os
import socket
import subprocess
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, width=1400, height=900, dark=False):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--log-level=OFF"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.call("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        profile = os.path.join(os.environ.get("TMPDIR", "/tmp"), "profile")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--disable-extensions",
                     "--no-first-run", "--hide-scrollbars",
                     f"--user-data-dir={profile}",
                     f"--window-size={width},{height}"]
        if dark:
            arguments.append("--force-dark-mode")
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments}}}})
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Content-Type": "application/json"},
            method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    def do(self, method, path, body=None):
        return self.call(method, self.session + path, body)

    def open(self, path):
        self.do("POST", "/url", {"url": "about:blank"})
        self.do("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def js(self, code, *args):
        return self.do("POST", "/execute/sync",
                       {"script": code, "args": list(args)})

    def find(self, css):
        return self.do("POST", "/element",
                       {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.do("POST", f"/element/{self.find(css)}/click", {})

    def keys(self, text):
        acts = []
        for c in text:
            acts += [{"type": "keyDown", "value": c},
                     {"type": "keyUp", "value": c}]
        self.do("POST", "/actions", {"actions": [
            {"type": "key", "id": "keyboard", "actions": acts}]})

    def log(self):
        """What the console said since last time."""
        return [e["message"] for e in
                self.do("POST", "/se/log", {"type": "browser"})]

    def shot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.do("GET", "/screenshot")))

    def close(self):
        try:
            self.do("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
