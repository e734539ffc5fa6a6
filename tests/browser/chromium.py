"""Drives a headless Chromium over its debugging pipe, with nothing but the standard library.

Commands and events of the Chrome DevTools Protocol are JSON, each ended by a zero byte; the browser
reads them from descriptor 3 and writes to descriptor 4.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import time
from base64 import b64decode
from contextlib import contextmanager

PATIENCE_S = 60.0
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # of root, as whom tests run in containers, Chromium has none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no name outside is found
)


def program():
    """Where Chromium is, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


class Browser:
    """The process and its pipe; answers by the number of their command, events as they come."""

    def __init__(self, pid, to_browser, from_browser):
        self.pid, self.to, self.come = pid, to_browser, from_browser
        self.rest, self.number, self.listeners = b"", 0, {}

    def command(self, method, session=None, **params):
        """The result of one command; events that come before it go to their listeners."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        number, end = self.number, time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            answer = self._next(end - time.monotonic())
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            listener = self.listeners.get(answer.get("sessionId"))
            if listener and "method" in answer:
                listener(answer["method"], answer["params"])
        raise TimeoutError(f"{method} had no answer")

    def _next(self, patience):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.come], [], [], max(patience, 0))
            assert ready, "Chromium is silent"
            part = os.read(self.come, 1 << 20)
            assert part, "Chromium has ended"
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    @contextmanager
    def page(self, path, *, width=1280, height=1000, media=""):
        """A tab with a file in it, once its script says that it is ready."""
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        self.listeners[session] = tab.listen
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.command(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        tab.command("Emulation.setDeviceMetricsOverride", **size)
        tab.command("Emulation.setEmulatedMedia", media=media)
        tab.command("Page.navigate", url=path.absolute().as_uri())
        tab.wait("document.body?.dataset.ready || document.body?.dataset.error")
        try:
            yield tab
        finally:
            del self.listeners[session]
            self.command("Target.closeTarget", targetId=target)


class Tab:
    """One page: what it says and asks for is kept in `messages` and `requests`."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.messages, self.requests = [], []

    def command(self, method, **params):
        return self.browser.command(method, self.session, **params)

    def listen(self, method, params):
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method in (
            "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"
        ):  # fmt: skip
            self.messages.append(json.dumps(params))

    def evaluate(self, script):
        """The value of an expression of JavaScript, awaited."""
        found = self.command(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, script):
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if value := self.evaluate(script):
                return value
            time.sleep(0.02)
        raise TimeoutError(f"never true: {script}")

    def settle(self):
        """Lets the page draw what it has to."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")

    def middle(self, expression):
        """The middle of an element, scrolled into sight."""
        return self.evaluate(
            f"(() => {{ const e = {expression}; e.scrollIntoView({{block: 'center'}}); "
            "const b = e.getBoundingClientRect(); "
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )

    def hover(self, expression):
        """Moves the mouse onto an element."""
        x, y = self.middle(expression)
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x - 1, y=y)
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def leave(self):
        """Moves the mouse to the corner of the page."""
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
        self.settle()

    def tap(self, expression):
        """Touches an element with one finger and lifts it."""
        x, y = self.middle(expression)
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def press(self, key, code):
        """Presses a key."""
        what = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        for kind in ("rawKeyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, **what)
        self.settle()

    def screenshot(self, path):
        """Writes the whole page as a picture."""
        taken = self.command("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(b64decode(taken["data"]))

    def pdf(self, path):
        """Prints the page to a file, on the paper that its style asks for."""
        printed = self.command("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        path.write_bytes(b64decode(printed["data"]))


@contextmanager
def running(folder):
    """A browser whose profile is in `folder`."""
    for_browser, to_browser = os.pipe()
    from_browser, of_browser = os.pipe()
    inner = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (for_browser, of_browser)]
    os.close(for_browser)
    os.close(of_browser)
    command = [program(), *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    actions = [
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, inner[0], 3),
        (os.POSIX_SPAWN_DUP2, inner[1], 4),
    ]
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setpgroup=0)
    for end in inner:
        os.close(end)
    browser = Browser(pid, to_browser, from_browser)
    try:
        yield browser
        browser.command("Browser.close")
    finally:
        os.close(to_browser)
        os.close(from_browser)
        _end(pid)


def _end(pid):
    """Waits for the browser to end, and ends it where it does not."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        time.sleep(0.05)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
