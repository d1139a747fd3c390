"""Shared by the commands for people: the options of a search, what a terminal shows, and the interrupt key."""
import json
import os
import re
import shutil
import signal
import sys
import threading
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
from usi.console.options import option_of
from usi.console.settings import DEPTH, MEGABYTES, MS, NODES, THREADS, OneOf, evaluation_setting, setting
from usi.console.streams import unguarded
from usi.words.language import translate
from usi.words.reasons import fewer_threads, less_memory
from usi.words.visible import visible
from usi.words.wording import Style, fold

T = TypeVar("T")


class Stoppable(Protocol):
    """A search that another thread can stop."""

    def stop(self) -> None: ...


MOVETIME_MS = 1000      # of a search without other limits


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

    movetime: int | None = setting("Maximum milliseconds of each search.", MS, None)
    nodes: int | None = setting("Maximum nodes of each search.", NODES, None)
    depth: int | None = setting("Maximum depth of each search.", DEPTH, None)
    threads: int = setting("Search threads.", THREADS, 1)
    hash_mb: int = setting("Memory of the transposition table.", MEGABYTES, 64, "--hash")
    evaluation: str | None = evaluation_setting()
    style: str | None = setting("Form of the moves shown: ▲７六歩(77) or 7g7f [default: japanese, or usi where the "
                                "output cannot show it]", OneOf(["japanese", "usi"]), None, "--lines")

    def limits(self, movetime: int | None) -> Limits:
        """The limits of each search; `movetime` if no option limits it."""
        if self.movetime is None and self.nodes is None and self.depth is None:
            return Limits(movetime=movetime)
        return Limits(movetime=self.movetime, nodes=self.nodes, depth=self.depth)

    def searcher(self) -> Searcher:
        """A searcher with these options. Raises OSError and UserError as `eval.loading` raises them."""
        return make_searcher(self.hash_mb, self.threads, load_evaluator(self.evaluation))


json_option = click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the lines.")
evaluation_option = option_of(SearchOptions, "evaluation")
style_option = option_of(SearchOptions, "style")


def shown_style(asked: str | None) -> Style:
    """The style of moves that was asked for, or else the one that standard output can show."""
    if asked:
        return "japanese" if asked == "japanese" else "usi"
    try:
        "▲７六歩".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "usi"
    return "japanese"


def columns() -> int | None:
    """The width of the terminal on standard output in columns; None if it is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_colours() -> bool:
    """Whether standard output is a terminal with colours, and the user wants them (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def show(*lines: str, indent: int = 4, colours: Mapping[str, str] | None = None) -> None:
    """Print lines, folded between words where the terminal is narrower. In each line the first word that `colours`
    names gets its colour."""
    width = columns()
    for line in lines:
        text = line if width is None else "\n".join(fold(line, width, indent))
        if colours and has_colours():
            click.echo(_coloured(visible(text), colours), file=unguarded(sys.stdout))
        else:
            click.echo(text)


def show_json(data: object) -> None:
    """Print a JSON object for programs."""
    click.echo(json.dumps(data, indent=2))


def _coloured(text: str, colours: Mapping[str, str]) -> str:
    words = "|".join(map(re.escape, colours))
    return re.sub(rf"(?<!\S)(?:{words})(?!\S)", lambda word: click.style(word[0], fg=colours[word[0]]), text, count=1)


@contextmanager
def interrupts(*searches: Stoppable) -> Iterator[threading.Event]:
    """Let Ctrl-C set the yielded event and stop these searches during the block; they still answer."""
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
    """Stop the search at Ctrl-C during the block, and raise KeyboardInterrupt at its end."""
    with interrupts(searcher) as interrupted:
        yield
        if interrupted.is_set():
            raise KeyboardInterrupt


def in_background(work: Callable[[], T]) -> T:
    """The result of `work`, which runs in a thread because it cannot be interrupted. Ctrl-C ends the wait; the thread
    ends with the process."""
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
