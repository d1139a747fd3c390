"""A USI client that judges every line it gets the way strict GUIs and runners do."""
import contextlib
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.weights import tempo_only
from usi_judge import judge

PATIENCE_S = 60.0       # only a broken engine makes a test wait so long; a slow machine does not fail
ENGINE = [str(Path(sys.executable).with_name("engine"))]    # the console command of the environment under test


class Client:
    """One engine process. `expect` and `silence` check the form of every line they pass."""

    def __init__(self, command: list[str], **popen: Any) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[bytes] = []
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _read_errors(self) -> None:
        assert self.process.stderr
        self._errors.extend(self.process.stderr)

    def send(self, *lines: str, end: str = "\n") -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(line + end for line in lines).encode("utf-8", "surrogateescape"))
        self.process.stdin.flush()

    def line(self, timeout: float = PATIENCE_S) -> str:
        """The next line; queue.Empty after `timeout` seconds, EOFError at the end of the output."""
        raw = self._lines.get(timeout=timeout)
        if not raw:
            raise EOFError("the engine's output has ended")
        assert raw.endswith(b"\n"), raw
        line = raw[:-1].decode("ascii")
        judge(line)
        return line

    def expect(self, start: str, timeout: float = PATIENCE_S) -> list[str]:
        """The lines up to the first that starts with `start`, that one included."""
        lines = [self.line(timeout)]
        deadline = time.monotonic() + timeout
        while not lines[-1].startswith(start):
            lines.append(self.line(max(deadline - time.monotonic(), 0.001)))
        return lines

    def raw_until(self, start: str) -> list[str]:
        """As `expect`, for commands beyond the protocol, whose lines have their own forms."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith(start):
            lines.append(self._lines.get(timeout=PATIENCE_S).decode("ascii").rstrip("\n"))
            assert lines[-1] or len(lines) < 1000
        return lines

    def silence(self, seconds: float, allow: str = "info") -> None:
        """Nothing arrives for so long but lines that start with `allow`."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self.line(left)
            except queue.Empty:
                return
            assert line.startswith(allow), line

    def ready(self, *options: str) -> None:
        """Through `usi`, options "NAME VALUE", and `isready`; a small table unless told otherwise."""
        self.send("usi")
        self.expect("usiok")
        settings = ("USI_Hash 16", "Threads 1", *options)
        self.send(*(f"setoption name {name} value {value}" for name, _, value in (o.partition(" ") for o in settings)))
        self.send("isready")
        self.expect("readyok")

    def bestmove(self, *commands: str, timeout: float = PATIENCE_S) -> str:
        self.send(*commands)
        return self.expect("bestmove", timeout)[-1].split()[1]

    def settle(self) -> list[str]:
        """All that was still on its way, up to the answer to one more `isready`."""
        self.send("isready")
        return self.expect("readyok")[:-1]

    def wait(self, timeout: float = PATIENCE_S) -> int:
        """The exit status; the rest of the output is judged too."""
        status = self.process.wait(timeout)
        for thread in self._threads:
            thread.join()
        while True:
            try:
                self.line(0.001)
            except (EOFError, queue.Empty):
                return status

    def talk_to_the_end(self) -> None:
        """Ask on and on, until the engine has ended by itself."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                self.send("isready")
            except BrokenPipeError:
                break
            time.sleep(0.05)
        self.process.wait(PATIENCE_S)

    def errors(self) -> bytes:
        """What came on stderr, once the process has ended."""
        return b"".join(self._errors)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


Start = Callable[..., Client]


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that adds to material 12 centipawns for being on the move."""
    path = tmp_path_factory.mktemp("weights") / "default.weights"
    tempo_only(path, 12)
    return path


@pytest.fixture
def client() -> Iterator[Client]:
    """A fresh engine that has been told nothing."""
    fresh = Client(ENGINE)
    yield fresh
    fresh.close()


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts an engine by any command."""
    clients: list[Client] = []

    def started(command: list[str], **popen: Any) -> Client:
        clients.append(Client(command, **popen))
        return clients[-1]

    yield started
    for client in clients:
        client.close()


@pytest.fixture
def engine(client: Client) -> Client:
    """An engine that has said `readyok`, and thinks about each move itself: no book answers for it."""
    client.send("setoption name USI_OwnBook value false")
    client.ready()
    return client
