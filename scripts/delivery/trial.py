"""Whether an engine that was built for others does what it does here."""
import os
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.delivery.interpreters import run
from usi.client import UsiClient, UsiFault

SIGNATURE = Path(__file__).parents[2] / "tests" / "bench.txt"
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
COMMANDS = (("--help",), ("--version",), ("completion", "bash"), ("perft", "3"), ("mate", MATE_IN_ONE), ("eval",),
            ("eval", "--eval-file", "tables"), ("ttstats", "--depth", "3", "--hash", "1"), ("doctor", "--help"))


@dataclass(frozen=True)
class Engine:
    """How it is started here."""

    command: Sequence[str | Path]       # the program, and before it what runs programs of its system
    variables: Mapping[str, str] = field(default_factory=dict)      # … which cannot do without these

    @contextmanager
    def bare(self) -> Iterator[dict[str, str]]:
        """An environment with nothing in it but what the system cannot do without, and nothing of the user's."""
        with tempfile.TemporaryDirectory() as home:
            kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
            yield {"XDG_CACHE_HOME": home, "LOCALAPPDATA": home, **kept, **self.variables}

    def __str__(self) -> str:
        return str(self.command[-1])


def bench(engine: Engine) -> str:
    """Its speed, in words. OSError if it does not run, ValueError if it searches other nodes than it should."""
    with engine.bare() as variables:
        printed = run(*engine.command, "bench", environment=variables)
    nodes, speed = (re.search(rf"^{label}: (\d+)", printed, re.MULTILINE)
                    for label in ("Nodes searched", "Nodes/second"))
    expected = SIGNATURE.read_text(encoding="ascii").strip()
    if not nodes or not speed or nodes[1] != expected:
        raise ValueError(f"{engine} bench searched {nodes[1] if nodes else 'no'} nodes, and it should {expected}")
    return f"bench {nodes[1]} nodes, as it should, {int(speed[1]) // 1000} knps"


def start(engine: Engine) -> str:
    """When it says usiok and readyok, in words. OSError if it does not."""
    began, times = time.monotonic(), []
    with engine.bare() as variables, UsiClient(engine.command, env=variables) as client:
        for ask, answer in ((client.usi, "usiok"), (client.isready, "readyok")):
            try:
                ask()
            except UsiFault as fault:
                raise OSError(f"{engine} does not say {answer}: {fault}") from None
            times.append(f"{answer} after {time.monotonic() - began:.2f} s")
    return ", ".join(times)


def every_command(engine: Engine) -> str:
    """OSError if one of its commands, with which it can be tried in a moment, fails."""
    with engine.bare() as variables:
        for arguments in COMMANDS:
            run(*engine.command, *arguments, environment=variables)
        book = Path(variables["XDG_CACHE_HOME"], "some.db")     # this one has processes of its own
        run(*engine.command, "book", "think", "--out", book, "--positions", "3", "--nodes", "500", "--jobs", "2",
            environment=variables)
    return f"{len(COMMANDS) + 1} commands work"
