"""Limits on memory and real time: how much of a large wrong file is held, and how long a busy machine delays us."""
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LARGE = 256 << 20       # bytes


def hollow(path: Path, beginning: bytes = b"", size: int = LARGE) -> Path:
    """A file whose beginning is followed by zeros that take no room on the disk."""
    path.write_bytes(beginning)
    os.truncate(path, size)
    return path


@contextmanager
def little_memory() -> Iterator[None]:
    """Assert that the block never holds more than a fraction of such a file."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < LARGE // 10
    finally:
        tracemalloc.stop()


# -- Real time on a machine that does other things as well: ------------------------------------------------------------

MULTIPLE = 4        # factor on the measured time, which varies from moment to moment
WATCHED_S = 0.3


def stall() -> float:
    """The longest time in seconds, measured over WATCHED_S, for which this thread did not get a processor."""
    end = (now := time.monotonic()) + WATCHED_S
    worst = 0.0
    while now < end:
        last, now = now, time.monotonic()
        worst = max(worst, now - last)
    return worst


def start_up() -> float:
    """The seconds that a process takes which only imports what our commands import."""
    begin = time.monotonic()
    subprocess.run([sys.executable, "-c", "import click, numpy"], check=True)
    return time.monotonic() - begin


def assert_in_time(limit: float, seconds: Callable[[], float], overhead: Callable[[], float] = stall) -> None:
    """Assert that one of three tries takes less than `limit` seconds, relative to the machine's speed at that
    moment."""
    tries: list[tuple[float, float]] = []       # what it took, what was allowed
    while not tries or tries[-1][0] >= tries[-1][1]:
        assert len(tries) < 3, f"(took, allowed) in seconds: {tries}"
        before = overhead()
        taken = seconds()
        tries.append((taken, limit + MULTIPLE * max(before, overhead())))
