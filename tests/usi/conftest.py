"""A USI client that judges every line it gets the way strict GUIs and runners do."""
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import pytest

from tests.fuzz.protocol_model import check_form
from tests.threads import EngineThreads
from usi.client import EngineGone, EngineSilent, UsiClient
from usi.client import client as client_module
from usi.session.options import OPTIONS, Button, Options
from usi.session.session import Session
from usi.session.wire import KEEP_ALIVE, Wire, lines_of

PATIENCE_S = 60.0       # only a broken engine makes a test wait so long; a slow machine does not fail
ENGINE = [str(Path(sys.executable).with_name("engine"))]    # the console command of the environment under test


# What sets every option to its default; the table and the threads are those of READY.
DEFAULTS = tuple(
    f"setoption name {option.name} value {'<empty>' if option.default == '' else option.default}"
    for option in OPTIONS if not isinstance(option, Button) and option.name not in ("USI_Hash", "Threads"))
READY = ("setoption name USI_Hash value 16", "setoption name Threads value 1", "setoption name USI_OwnBook value false")


def options(**values: object) -> Options:
    """The options of a session in which these were set, without a remark."""
    known = Options()
    for name, value in values.items():
        assert known.set(known.find(name), str(value).lower() if isinstance(value, bool) else str(value)) is None
    return known


class Client(UsiClient):
    """One engine. `expect` and `silence` check the form of every line they pass."""

    def __init__(self, command: list[str], **popen: Any) -> None:
        super().__init__(command, strict=True, **popen)
        self._beyond = False

    def check_form(self, text: str) -> None:
        if not self._beyond:
            check_form(text)

    def expect(self, start: str, timeout: float = PATIENCE_S) -> list[str]:
        """The lines up to and including the first that starts with `start`."""
        deadline = time.monotonic() + timeout
        lines: list[str] = []
        while not lines or not lines[-1].startswith(start):
            lines.append(self.line(max(deadline - time.monotonic(), 0.001)).text)
        return lines

    def raw_until(self, start: str) -> list[str]:
        """Like `expect`, for commands beyond the protocol, whose lines have their own forms."""
        self._beyond = True
        try:
            return self.expect(start)
        finally:
            self._beyond = False

    def silence(self, seconds: float, allow: str = "info") -> None:
        """Assert that for this long nothing arrives but lines that start with `allow`."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self.line(left).text
            except EngineSilent:
                return
            assert line.startswith(allow), line

    def unanswered(self) -> None:
        """Assert that the request is still unanswered, although later questions have been answered."""
        for _ in range(2):
            self.send("isready")
            assert all(line.startswith("info") for line in self.expect("readyok")[:-1] if line)
            self.silence(0.02)

    def ready(self, *options: str) -> None:
        """Send `usi`, options "NAME VALUE", and `isready`; the table is small unless an option says otherwise."""
        self.send("usi")
        self.expect("usiok")
        settings = ("USI_Hash 16", "Threads 1", *options)
        self.send(*(f"setoption name {name} value {value}" for name, _, value in (o.partition(" ") for o in settings)))
        self.send("isready")
        self.expect("readyok")

    def bestmove(self, *commands: str, timeout: float = PATIENCE_S) -> str:
        self.send(*commands)
        return self.expect("bestmove", timeout)[-1].split()[1]

    def set(self, *options: str) -> None:
        """Set options "NAME VALUE", and assert that none is complained about."""
        self.send(*("setoption name " + option.replace(" ", " value ", 1) for option in options))
        assert self.settle() == []

    def settle(self) -> list[str]:
        """The outstanding lines, up to the answer to one more `isready`, without the remarks of an engine that loads
        slowly."""
        self.send("isready")
        return [line for line in self.expect("readyok")[:-1] if line != KEEP_ALIVE]

    def wait(self, seconds: float = PATIENCE_S) -> int:
        """The exit status. The rest of the output is checked, too."""
        status = super().wait(seconds)
        with suppress(EngineGone):
            while True:
                self.line(0)
        return status


@pytest.fixture
def japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the environment of a Japanese user."""
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


Start = Callable[..., Client]

IN_PROCESS: list[str] = []      # in place of a command


def serve(given: TextIO, said: TextIO, *_: object) -> int:
    """The session that the command `engine` begins, between the same pipes, but in a thread of this process."""
    source = os.dup(given.fileno())     # which is read to its end, also after `quit`: by then the other is closed

    def lines() -> Iterator[str]:
        try:
            yield from lines_of(source)
        finally:
            os.close(source)

    Session(Wire(lines(), said)).run()
    return 0


@pytest.fixture(scope="session")
def threads() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client_module, "GROUPS", EngineThreads(lambda command: None if command else serve))
        yield


@pytest.fixture
def start(threads: None) -> Iterator[Start]:
    """Starts an engine by any command, in a process of its own, or by IN_PROCESS."""
    clients: list[Client] = []

    def started(command: list[str], **popen: Any) -> Client:
        clients.append(Client(command, **popen))
        return clients[-1]

    yield started
    for client in clients:
        client.kill()


@pytest.fixture
def client(start: Start) -> Client:
    """A fresh engine, which has got no command."""
    return start(IN_PROCESS)


@pytest.fixture(scope="session")
def kept(threads: None) -> Iterator[list[Client]]:
    """At most one engine, that goes from test to test."""
    clients: list[Client] = []
    yield clients
    for client in clients:
        client.kill()


@pytest.fixture
def engine(kept: list[Client]) -> Iterator[Client]:
    """An engine that has said `readyok`, and thinks about each move itself: no book answers for it. It is not new, but
    every option is reset. Tests that end an engine, or need its start, take `client`."""
    client = kept.pop() if kept else Client(IN_PROCESS)
    client.send("stop", *DEFAULTS, *READY, "setoption name Clear_Hash", "position startpos")
    client.settle()
    yield client
    if client.running:
        kept.append(client)
    else:
        client.kill()
