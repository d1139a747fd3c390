"""Shared by the commands for people: options, progress, and the interrupt key."""
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
from dataclasses import dataclass
from typing import Protocol, TypeVar

import click

from eval.evaluator import Evaluator
from eval.loading import load_evaluator
from search import Limits, Searcher
from search.threads import start_deep, wait_for_end
from usi.console.options import AMOUNT, DEPTH, MEGABYTES, THREADS, evaluation_setting, option_of, setting
from usi.console.streams import unguarded
from usi.words.language import _, translate
from usi.words.reasons import fewer_threads, less_memory
from usi.words.visible import visible
from usi.words.wording import Style, fold

T = TypeVar("T")


class Stoppable(Protocol):
    """A search that another thread can stop."""

    def stop(self) -> None: ...


MOVETIME_MS = 1000      # of a search that nothing else limits
REPORT_SECONDS = (0.1, 60)      # between two reports of progress on a terminal, and elsewhere
BAR = 20                # columns

def make_searcher(hash_mb: int, threads: int, evaluator: Evaluator) -> Searcher:
    """A searcher for a command; says so if there is less memory than asked for."""
    searcher = Searcher(1, evaluator=evaluator)
    obtained_mb = searcher.resize_hash(hash_mb)
    if obtained_mb != hash_mb:
        click.echo(less_memory("--hash", hash_mb, obtained_mb).told(translate), err=True)
    obtained = searcher.set_threads(threads)
    if obtained != threads:
        click.echo(fewer_threads("--threads", threads, obtained).told(translate), err=True)
    return searcher


@dataclass(frozen=True)
class SearchOptions:
    """Options of a command that searches and shows moves."""

    movetime: int | None = setting("Maximum milliseconds of each search.", AMOUNT, None, metavar="MS")
    nodes: int | None = setting("Maximum nodes of each search.", AMOUNT, None, metavar="N")
    depth: int | None = setting("Maximum depth of each search.", DEPTH, None, metavar="PLIES")
    threads: int = setting("Search threads.", THREADS, 1)
    hash_mb: int = setting("Memory of the transposition table.", MEGABYTES, 64, "--hash", metavar="MB")
    evaluation: str | None = evaluation_setting()
    style: str | None = setting("How moves are shown: ▲７六歩(77) or 7g7f [default: japanese, or usi where the output "
                                "cannot show it]", click.Choice(["japanese", "usi"]), None, "--lines")

    def limits(self, movetime: int | None) -> Limits:
        """The limits of each search; `movetime` if no option limits it."""
        if self.movetime is None and self.nodes is None and self.depth is None:
            return Limits(movetime=movetime)
        return Limits(movetime=self.movetime, nodes=self.nodes, depth=self.depth)

    def searcher(self) -> Searcher:
        """A searcher with these options. Raises OSError and UserError as `eval.loading` raises them."""
        return make_searcher(self.hash_mb, self.threads, load_evaluator(self.evaluation))


evaluation_option = option_of(SearchOptions, "evaluation")
style_option = option_of(SearchOptions, "style")


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
    """The width of the terminal on standard output; None if it is none, and lines may have any length."""
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
        if colours and has_colours():
            click.echo(_coloured(visible(text), colours), file=unguarded(sys.stdout))
        else:
            click.echo(text)


def _coloured(text: str, colours: Mapping[str, str]) -> str:
    words = "|".join(map(re.escape, colours))
    return re.sub(rf"(?<!\S)(?:{words})(?!\S)", lambda word: click.style(word[0], fg=colours[word[0]]), text, count=1)


def is_terminal() -> bool:
    """Whether standard error is a terminal that can clear a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def progress(text: str) -> None:
    """Show `text` in place of the last such text, if `is_terminal`, and shortened to fit a line."""
    if is_terminal():
        width = shutil.get_terminal_size().columns - 1
        text = fold(visible(text), width)[0][:width]
        click.echo(f"\r{text}\x1b[K", nl=False, file=unguarded(sys.stderr))


class Progress:
    """Progress of long work, on stderr: on a terminal a bar with rate and time left, elsewhere a line now and then."""

    def __init__(self, total: float | None, unit: str, done: float = 0,
                 now: Callable[[], float] = time.monotonic) -> None:
        """`total` is None if unknown; `done` was finished before; `unit` is a plural, in the reader's language."""
        self.total = total
        self._unit = unit
        self._first = done
        self._now = now
        self._began = now()
        self._told = self._began - REPORT_SECONDS[is_terminal()]

    def tell(self, done: float, *details: str) -> None:
        """Say it, if it is time."""
        on_terminal = is_terminal()
        if self._now() - self._told >= REPORT_SECONDS[not on_terminal]:
            self._told = self._now()
            if on_terminal:
                bar = f"[{'#' * round(BAR * done / self.total):{BAR}}] " if self.total else ""
                progress(bar + self.line(done, *details))
            else:
                click.echo(self.line(done, *details), err=True)

    def line(self, done: float, *details: str) -> str:
        """One line: the amount done, the details, the rate, and the time left."""
        rate = (done - self._first) / max(self._now() - self._began, 1e-9)
        told = f"{done} {self._unit}" if self.total is None else _(
            "{done} of {total} {unit}", done=done, total=self.total, unit=self._unit)
        speed = [f"{rate:.{0 if rate >= 10 else 1}f}/s"] if rate >= 0.1 else []
        return ", ".join([told, *filter(None, details), *speed]) + self.left(done)

    def left(self, done: float) -> str:
        """A comma and the time, or nothing before the first part is done, and after the last."""
        if self.total is None or not self._first < done < self.total:
            return ""
        each = (self._now() - self._began) / (done - self._first)
        return _(", {time} left", time=duration(each * (self.total - done)))


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
    """The result of `work`, run in a thread because it is long and cannot be interrupted: Ctrl-C ends the wait, and the
    thread ends with the process."""
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
