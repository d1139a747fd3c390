"""A headless browser in which tests open pages, act as a reader does, and see what a reader sees."""
import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from tests.processes import SECONDS

NEEDS_CHROMIUM = pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")

PATIENCE_S = 120    # for a short wait, on a machine that may be very busy

KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Escape": 27, "Enter": 13, "Tab": 9}


class Browser:
    """One page of Chromium, moved by its DevTools protocol through a pipe: JSON, each message ended by a zero byte."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._received: deque[dict[str, Any]] = deque()
        self._buffer = b""
        self._count = 0
        self._session: str | None = None        # none while it is the browser itself that is asked
        self.errors: list[str] = []             # of the page's program, uncaught
        self.tab = self._new_tab()[1]

    def _new_tab(self) -> tuple[str, str]:
        """The names of a new tab and of the session with it, which is the current one from now on."""
        self._session = None
        target: str = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        return target, session

    @contextmanager
    def another_tab(self) -> Iterator[str]:
        """Open another tab, on which the calls of the block act until `look_at` names another; it closes at the end."""
        before = self._session
        target, session = self._new_tab()
        try:
            yield session
        finally:
            self._session = None
            self.call("Target.closeTarget", targetId=target)
            self._session = before

    def look_at(self, tab: str) -> None:
        """Let further calls act on this tab: the first one, `tab`, or one of `another_tab`."""
        self._session = tab

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask the browser, or the page, and wait for the answer."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self._received.append(answer)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            read = os.read(self._in, 1 << 16)
            assert read, "the browser has ended"
            self._buffer += read
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(message["params"]["exceptionDetails"]))
        return message

    def _wait_for(self, event: str) -> None:
        while True:
            message = self._received.popleft() if self._received else self._receive()
            if message.get("method") == event:
                return

    def open(self, page: Path | str, width: int = 1280, height: int = 900, dark: bool = False, language: str = "en",
             fragment: str = "") -> None:
        """Open a file, or an address, in a window of this size, for a reader with these settings; a `fragment` follows
        its address."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setUserAgentOverride", userAgent="test", acceptLanguage=language)
        self._received.clear()
        self.call("Page.navigate", url="about:blank")      # another fragment alone would load nothing
        self._wait_for("Page.loadEventFired")
        self.call("Page.navigate", url=(page if isinstance(page, str) else page.as_uri()) + fragment)
        self._wait_for("Page.loadEventFired")

    def see(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str) -> Any:
        """The value of an expression in the page, or in the next page, as soon as it is true."""
        looking = f"""new Promise((resolve, reject) => {{
            const began = performance.now(), look = () => {{
                let found = null;
                try {{ found = (() => {expression})(); }} catch {{ /* not yet */ }}
                if (found) resolve(found);
                else if (performance.now() - began > {1000 * PATIENCE_S}) reject(new Error("never: " + {
                    json.dumps(expression)}));
                else setTimeout(look, 20);
            }};
            look();
        }})"""
        while True:
            try:
                return self.see(looking)
            except AssertionError as error:
                if "context" not in str(error) and "navigated" not in str(error):     # which the next page ends
                    raise

    def text(self, selector: str) -> str:
        """The visible text of an element; "" if it is hidden."""
        found = self.see(f"document.querySelector({json.dumps(selector)})?.innerText.trim()")
        assert found is not None, f"nothing on the page is {selector}"
        return str(found)

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.see(
            f"[...document.querySelectorAll({json.dumps(selector)})].map(each => each.innerText.trim())")
        return found

    def is_visible(self, selector: str) -> bool:
        return bool(self.see(f"document.querySelector({json.dumps(selector)}).checkVisibility()"))

    def press(self, key: str) -> None:
        """Press and release a key: a letter, or one of KEYS."""
        code = KEYS.get(key, ord(key[0].upper()))
        text = {"text": key if len(key) == 1 else "\r"} if len(key) == 1 or key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector: str, x: float = 0.5, y: float = 0.5, number: int = 0) -> None:
        """Click with the mouse on an element, at this share of its width and height, after scrolling to it."""
        left, top = self._place(selector, x, y, number)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=left, y=top, button="left", clickCount=1)

    def _place(self, selector: str, x: float, y: float, number: int) -> tuple[float, float]:
        """The place on the screen of this share of an element, after scrolling to it."""
        name = json.dumps(selector)
        box = self.see(f"""(() => {{
            const found = document.querySelectorAll({name})[{number}];
            found.scrollIntoView({{block: "center"}});
            const {{left, top, width, height}} = found.getBoundingClientRect();
            return [left + {x} * width, top + {y} * height, width];
        }})()""")
        assert box[2], f"{selector} is not to be seen"
        return box[0], box[1]

    def tap(self, selector: str, x: float = 0.5, y: float = 0.5, number: int = 0) -> None:
        """Touch an element with a finger, as `click` does with the mouse."""
        left, top = self._place(selector, x, y, number)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": left, "y": top}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def picture(self) -> bytes:
        """The page as a PNG, as tall as it is."""
        height = self.see("document.documentElement.scrollHeight")
        width = self.see("innerWidth")
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        return base64.b64decode(shot["data"])


@contextmanager
def chromium(folder: Path) -> Iterator[Browser]:
    """A browser that keeps its files in `folder` and ends with the block."""
    (for_browser, to_browser), (from_browser, for_us) = os.pipe(), os.pipe()
    ends = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (for_browser, for_us)]
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
               "--remote-debugging-pipe", f"--user-data-dir={folder}/profile"]
    with open(folder / "chromium.log", "wb") as log:        # Chromium reads from 3 and writes to 4
        process = subprocess.Popen(["bash", "-c", f'exec "$0" "$@" 3<&{ends[0]} 4>&{ends[1]}', *command],
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=ends,
                                   start_new_session=True)
    for each in (for_browser, for_us, *ends):
        os.close(each)

    def end() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    timer = Timer(SECONDS, end)
    timer.start()
    try:
        browser = Browser(to_browser, from_browser)
        yield browser
        assert browser.errors == []
    finally:
        timer.cancel()
        end()
        process.wait()
        os.close(to_browser)
        os.close(from_browser)
