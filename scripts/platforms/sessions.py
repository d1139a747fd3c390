"""Sessions with an engine of another system, as GUIs there have them: by Windows' line ends, with files whose names
have Japanese letters and spaces. Each says what it has seen; ValueError for what is not as it should be."""
import re
import signal

from scripts.platforms.pythons import Python
from scripts.platforms.targets import ROOT, Target
from usi.client import EngineSilent, UsiClient

ENGINE = ("-m", "usi")
FOLDER = "将棋 の 本"
SECONDS = 600           # for what takes a moment: the machine may be very busy


def client_of(python: Python, target: Target) -> UsiClient:
    """An engine there; it is greeted, so that its options are known."""
    client = UsiClient([*python.command, *ENGINE], cwd=ROOT, env=python.variables(target.built),
                       encoding=python.encoding)
    client.usi(SECONDS)
    return client


def ended(client: UsiClient, how: str) -> int:
    """Its exit status."""
    try:
        return client.wait(SECONDS)
    except EngineSilent as fault:
        raise ValueError(f"{how}: the engine is {fault}") from None


def logged(python: Python, target: Target) -> str:
    """A search, and a log of it in a folder named as many are."""
    log = target.folder / FOLDER / "記録.txt"
    log.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    with client_of(python, target) as client:
        client.send(f"setoption name DebugLogFile value {log}", "isready", "position startpos moves 7g7f", "go depth 6",
                    end="\r\n")
        answer = client.wait_for("bestmove", SECONDS).text
        client.close_input()
        status = ended(client, "end of input")
    if status or not re.fullmatch(r"bestmove \d[a-i]\d[a-i]( ponder .*)?", answer):
        raise ValueError(f"a session ended with status {status}, after {answer!r}")
    if answer not in log.read_text(encoding="utf-8"):
        raise ValueError(f"{log} lacks {answer!r}")
    return f"a session in {python.encoding}: {answer}, logged in '{log.relative_to(ROOT)}'"


def interrupted(python: Python, target: Target) -> str:
    """Ctrl-C, as qemu and Wine hand it on."""
    with client_of(python, target) as client:
        client.send("isready", "go infinite", end="\r\n")
        client.wait_for("info", SECONDS)
        client.process.send_signal(signal.SIGINT)
        answer = client.wait_for("bestmove", SECONDS).text
        status = ended(client, "Ctrl-C")
    if status:
        raise ValueError(f"Ctrl-C ended the engine with status {status}")
    return f"Ctrl-C in a search: {answer}, and the engine ends"


def deserted(python: Python, target: Target) -> str:
    """A GUI that dies while the engine searches."""
    with client_of(python, target) as client:
        client.send("isready", "go infinite", end="\r\n")
        client.wait_for("info", SECONDS)
        client.close_input()
        status = ended(client, "end of input")
    return f"input closed in a search: the engine ends, with status {status}"
