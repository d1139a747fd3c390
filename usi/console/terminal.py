"""What the commands for people share: options, progress, and the interrupt key."""
import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import click

from eval.evaluator import Evaluator
from search import Searcher
from search.threads import start_deep, wait_for_end
from usi.console.ranges import AMOUNT, DEPTH, MEGABYTES, THREADS
from usi.words.language import _, translated
from usi.words.memory import fewer_threads, less_memory
from usi.words.wording import Style, fold

T = TypeVar("T")


class Stoppable(Protocol):
    """What has a search that another thread can end."""

    def stop(self) -> None: ...


MOVETIME_MS = 1000      # of a search that nothing else limits

evaluation_option: Callable[[Any], Any] = click.option(
    "--eval-file", "evaluation", metavar="FILE|tables|material", help="Evaluation: a weights file, the packaged "
    "tables, or material alone [default: the packaged network]")
threads_option: Callable[[Any], Any] = click.option(
    "--threads", type=THREADS, default=1, show_default=True, help="Search threads.")
hash_option: Callable[[Any], Any] = click.option(
    "--hash", "hash_mb", type=MEGABYTES, default=64, show_default=True, metavar="MB",
    help="Memory of the transposition table.")
depth_option: Callable[[Any], Any] = click.option(
    "--depth", type=DEPTH, metavar="PLIES", help="Maximum depth of each search.")
nodes_option: Callable[[Any], Any] = click.option(
    "--nodes", type=AMOUNT, metavar="N", help="Maximum nodes of each search.")
movetime_option: Callable[[Any], Any] = click.option(
    "--movetime", type=AMOUNT, metavar="MS", help="Maximum milliseconds of each search.")
style_option: Callable[[Any], Any] = click.option(
    "--lines", "style", type=click.Choice(["japanese", "usi"]), help="How moves are shown: ▲７六歩(77) or 7g7f "
    "[default: japanese, or usi where the output cannot show it]")


def make_searcher(hash_mb: int, threads: int, evaluator: Evaluator) -> Searcher:
    """A searcher for a command; says so if there is less memory than asked for."""
    searcher = Searcher(1, evaluator=evaluator)
    obtained_mb = searcher.resize_hash(hash_mb)
    if obtained_mb != hash_mb:
        click.echo(translated(less_memory("--hash", hash_mb, obtained_mb)), err=True)
    obtained = searcher.set_threads(threads)
    if obtained != threads:
        click.echo(translated(fewer_threads("--threads", threads, obtained)), err=True)
    return searcher


def shown_style(asked: str | None) -> Style:
    """The style asked for, or the one that standard output can show."""
    if asked:
        return "japanese" if asked == "japanese" else "usi"
    try:
        "▲７六歩".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "usi"
    return "japanese"


def columns() -> int | None:
    """How wide the terminal is that standard output is on; None if it is on none, and lines may have any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_colours() -> bool:
    """Whether standard output is a terminal with colours, and the user wants them (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def show(*lines: str, indent: int = 4, colours: Mapping[str, str] | None = None) -> None:
    """Print lines, folded between words where the terminal is narrower; the first of the words in `colours` in its
    colour."""
    width = columns()
    for line in lines:
        text = line if width is None else "\n".join(fold(line, width, indent))
        click.echo(_coloured(text, colours) if colours and has_colours() else text)


def _coloured(text: str, colours: Mapping[str, str]) -> str:
    words = "|".join(map(re.escape, colours))
    return re.sub(rf"(?<!\S)(?:{words})(?!\S)", lambda word: click.style(word[0], fg=colours[word[0]]), text, count=1)


def progress(text: str) -> None:
    """Show `text` in place of the last such text, on a terminal that can clear a line, and shortened to fit one."""
    if sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        width = shutil.get_terminal_size().columns - 1
        text = fold(text, width)[0][:width]
        click.echo(f"\r{text}\x1b[K", nl=False, err=True)


class TimeLeft:
    """Time left for a job of many parts, estimated from the parts that are done."""

    def __init__(self, parts: int, now: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._now = now
        self._began = now()

    def after(self, done: int) -> str:
        """A comma and the time, or nothing before the first part is done, and after the last."""
        if not 0 < done < self._parts:
            return ""
        return _(", {time} left", time=duration((self._now() - self._began) / done * (self._parts - done)))


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(seconds) for seconds in (4.4, 89, 600, 7200)]
    ['4 s', '89 s', '10 min', '2.0 h']
    """
    if seconds < 90:
        return _("{seconds:.0f} s", seconds=seconds)
    return (_("{minutes:.0f} min", minutes=seconds / 60) if seconds < 5400 else
            _("{hours:.1f} h", hours=seconds / 3600))


@contextmanager
def interrupts(*searches: Stoppable) -> Iterator[threading.Event]:
    """While the block runs, Ctrl-C sets the event and ends these at once, which then answer."""
    interrupted = threading.Event()

    def handle(*_signal: object) -> None:
        interrupted.set()
        for search in searches:
            search.stop()

    ordinary = signal.signal(signal.SIGINT, handle)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, ordinary)


@contextmanager
def ended_by_interrupts(searcher: Searcher) -> Iterator[None]:
    """The same where there is nothing left to say then: the block ends with KeyboardInterrupt, after the search."""
    with interrupts(searcher) as interrupted:
        yield
        if interrupted.is_set():
            raise KeyboardInterrupt


def in_background(work: Callable[[], T]) -> T:
    """What `work` returns or raises. It is long and hears of no signal: Ctrl-C leaves it alone, to end with the
    process."""
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    start_deep(thread)
    wait_for_end(thread)
    return outcome.result()
