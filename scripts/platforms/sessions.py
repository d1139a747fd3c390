"""Sessions with an engine of another system, as GUIs there have them: by Windows' line ends, with files whose names
have Japanese letters and spaces. Each says what it has seen; ValueError for what is not as it should be."""
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from scripts.platforms.pythons import Python
from scripts.platforms.targets import ROOT, Target

ENGINE = ("-m", "usi")
FOLDER = "将棋 の 本"
SECONDS = 600           # for what takes a moment: the machine may be very busy


class Client:
    """The GUI's end of a process that speaks USI."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.input = process.stdin
        self.output = process.stdout

    def say(self, *lines: str) -> None:
        self.input.write("".join(f"{line}\r\n" for line in lines))
        self.input.flush()

    def until(self, word: str) -> str:
        """The first line that begins so."""
        heard = []
        for line in self.output:
            heard.append(line.strip())
            if heard[-1].startswith(word):
                return heard[-1]
        raise ValueError(f"the engine ended before it said {word!r}, after {heard[-3:]}")

    def status(self) -> int:
        """How it ends."""
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise ValueError(f"the engine has not ended after {SECONDS} s") from None


@contextmanager
def client_of(python: Python, target: Target) -> Iterator[Client]:
    with python.start(ENGINE, target.built) as process:
        try:
            yield Client(process)
        finally:
            process.kill()


def logged(python: Python, target: Target) -> str:
    """A search, and a log of it in a folder named as many are."""
    log = target.folder / FOLDER / "記録.txt"
    log.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    with client_of(python, target) as client:
        client.say(f"setoption name DebugLogFile value {log}", "usi", "isready", "position startpos moves 7g7f",
                   "go depth 6")
        answer = client.until("bestmove")
        client.input.close()
        status = client.status()
    if status or not re.fullmatch(r"bestmove \d[a-i]\d[a-i]( ponder .*)?", answer):
        raise ValueError(f"a session ended with status {status}, after {answer!r}")
    if answer not in log.read_text(encoding="utf-8"):
        raise ValueError(f"{log} lacks {answer!r}")
    return f"a session in {python.encoding}: {answer}, logged in '{log.relative_to(ROOT)}'"


def interrupted(python: Python, target: Target) -> str:
    """Ctrl-C, as qemu and Wine hand it on."""
    with client_of(python, target) as client:
        client.say("isready", "go infinite")
        client.until("info depth")
        client.process.send_signal(signal.SIGINT)
        answer = client.until("bestmove")
        status = client.status()
    if status:
        raise ValueError(f"Ctrl-C ended the engine with status {status}")
    return f"Ctrl-C in a search: {answer}, and the engine ends"


def deserted(python: Python, target: Target) -> str:
    """A GUI that dies, and both pipes with it."""
    with client_of(python, target) as client:
        client.say("isready", "go infinite")
        client.until("info depth")
        client.output.close()
        client.input.close()
        status = client.status()
    return f"both pipes closed in a search: the engine ends, with status {status}"
