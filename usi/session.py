"""The session with a GUI: the main thread obeys commands, a second one thinks, and each `go` gets one answer."""
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TextIO

from engine import Position
from eval.loading import MATERIAL, tables_named, weights_file
from search import Info, Limits, Searcher, Settings
from usi.book.choice import Choice
from usi.book.own import OwnBook
from usi.diagram import diagram
from usi.mate import solve
from usi.options import OPTIONS, Button, Options
from usi.perft import count
from usi.protocol import (
    format_bestmove,
    format_choice,
    format_info,
    parse_command,
    parse_go,
    parse_ponderhit,
    parse_setoption,
)
from usi.wire import Wire

KEEP_ALIVE_S = 4.0          # a GUI gives up on an engine that stays silent while it loads
IGNORED_NAMED = 10          # words of a garbled command, lest it be answered by as many lines
LAST_WORD_S = 0.8           # what a search may take to end when the whole process must end within a second


@dataclass(frozen=True)
class _Evaluation:
    """What a name stands for, so that it is seen when its file has changed."""

    name: str
    changed: int | None     # the file's time, in nanoseconds
    size: int | None

    @classmethod
    def of(cls, name: str) -> "_Evaluation":
        path = weights_file(name)
        try:
            status = path.stat() if path else None
        except (OSError, ValueError):       # it will be complained about when it is opened
            status = None
        return cls(name, status and status.st_mtime_ns, status and status.st_size)

    def __str__(self) -> str:
        return "material alone" if self.name == MATERIAL else f"'{self.name}'" if self.name else "the packaged tables"


class Session:
    """Commands from `source` are obeyed until `quit` or its end, answers go to `sink`.

    `make_searcher(MB of hash, threads)` is called at the first command that needs a searcher, since that takes time.
    """

    def __init__(self, source: TextIO, sink: TextIO, make_searcher: Callable[[int, int], Searcher] = Searcher) -> None:
        self._wire = Wire(source, sink)
        self._options = Options()
        self._position = Position()
        self._book = OwnBook(self._wire.say)
        self._reciting = False                              # the task is the answer from the book
        self._make_searcher = make_searcher
        self._searcher: Searcher | None = None
        self._configured: tuple[int, int] | None = None     # (MB of hash, threads) the searcher was asked for
        self._evaluation: str | None = None         # that the options asked for last
        self._in_use: _Evaluation | None = None     # None: nothing could be loaded yet
        self._must_clear = False
        self._task: threading.Thread | None = None          # the search (or perft) that runs, or ran last
        self._stopping = threading.Event()
        self._after_guess: tuple[Position, Limits] | None = None    # of the search that follows a stochastic ponder
        self._obey: dict[str, Callable[[str], None]] = {
            "usi": self._usi, "isready": self._isready, "usinewgame": self._usinewgame, "setoption": self._setoption,
            "position": self._set_position, "go": self._go, "stop": self._stop, "ponderhit": self._ponderhit,
            "gameover": self._stop, "d": self._display, "eval": self._evaluate,
        }

    def run(self) -> None:
        """Obey until `quit` or the end of the input; in the main thread Ctrl-C is `quit`, too."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._wire.interrupt)
        try:
            for line in self._wire.lines():
                word, arguments = parse_command(line)
                if word == "quit":
                    break
                if word in self._obey:
                    self._obey[word](arguments)
                elif word:
                    self._wire.say(f"unknown command '{line}'")
        finally:
            self._end(LAST_WORD_S)
            self._book.open(None)

    # Before and between games

    def _usi(self, _arguments: str) -> None:
        name = f"id name Gakushi {version('gakushi')}"
        self._wire.send(name, "id author The Gakushi developers", *map(str, OPTIONS), "usiok")

    def _isready(self, _arguments: str) -> None:
        with self._signs_of_life():
            self._ready_searcher(look_again=True)
            self._book.open(self._options.book_source(), look_again=True)
        self._wire.send("readyok")

    def _usinewgame(self, _arguments: str) -> None:
        self._end()
        self._must_clear = True
        if self._searcher:      # otherwise there is nothing to clear yet, and `isready` is the place to load
            self._ready_searcher()

    def _setoption(self, arguments: str) -> None:
        try:
            name, value = parse_setoption(arguments)
            option = self._options.find(name)
            remark = self._options.set(option, value)
            if option.name == "DebugLogFile":
                self._wire.log_to(self._options.text("DebugLogFile"))
        except (ValueError, OSError) as error:
            self._wire.say(str(error))
            return
        if remark:
            self._wire.say(remark)
        if isinstance(option, Button):
            self._must_clear = True

    def _ready_searcher(self, look_again: bool = False) -> Searcher:
        """The searcher as the options want it. What changes its memory waits while it searches. With `look_again`, a
        weights file that has changed, or could not be loaded, is loaded again."""
        if self._searcher is None:
            self._searcher = self._make_searcher(1, 1)   # the options say how much it really gets
        if self._busy():
            return self._searcher
        if look_again or self._evaluation != self._options.evaluation():
            self._evaluation = self._options.evaluation()
            self._load_tables(self._searcher, self._evaluation)
        wanted = self._options.number("USI_Hash"), self._options.number("Threads")
        if wanted != self._configured:
            hash_mb, threads = wanted
            obtained = self._searcher.resize_hash(hash_mb)
            if obtained != hash_mb:
                self._wire.say(f"USI_Hash {hash_mb} MB cannot be allocated, {obtained} MB is used")
            obtained = self._searcher.set_threads(threads)
            if obtained != threads:
                self._wire.say(f"Threads {threads} need more memory than there is, {obtained} are used")
            self._configured = wanted
        if self._must_clear:
            self._searcher.clear()
            self._must_clear = False
        return self._searcher

    def _load_tables(self, searcher: Searcher, name: str) -> None:
        """Evaluate by the tables of this name; if they cannot be had, as before, or at first by the packaged ones."""
        wanted = _Evaluation.of(name)
        if wanted == self._in_use:
            return
        for candidate in dict.fromkeys((wanted, _Evaluation.of(""))):
            try:
                searcher.set_tables(tables_named(candidate.name))
                self._in_use = candidate
            except (OSError, ValueError, MemoryError) as error:
                self._wire.say(str(error) or f"no memory to load '{candidate.name}'")
            if self._in_use:
                break
        if self._in_use != wanted:
            self._wire.say(f"evaluating by {self._in_use or 'material alone'}")

    @contextmanager
    def _signs_of_life(self) -> Iterator[None]:
        """Blank lines go out while the block runs."""
        loaded = threading.Event()

        def beat() -> None:
            while not loaded.wait(KEEP_ALIVE_S):
                self._wire.send("")

        pulse = threading.Thread(target=beat, daemon=True)
        pulse.start()
        try:
            yield
        finally:
            loaded.set()
            pulse.join()

    # The position

    def _set_position(self, arguments: str) -> None:
        try:
            self._position = Position.from_usi(arguments)
        except ValueError as error:
            self._wire.say(f"position kept as it was: {error}")

    def _display(self, _arguments: str) -> None:
        self._wire.send(*diagram(self._position.sfen), f"sfen: {self._position.sfen}")

    def _evaluate(self, _arguments: str) -> None:
        self._wire.send(f"eval: {self._ready_searcher().evaluate(self._position)}")

    # Thinking

    def _go(self, arguments: str) -> None:
        self._end()
        go = parse_go(arguments)
        self._name_ignored(go.ignored, f"go {arguments}")
        if go.perft is not None:
            self._start(self._perft, self._position.copy(), go.perft)
            return
        limits = replace(go.limits, searchmoves=self._legal(go.limits.searchmoves))
        if limits.ponder and self._options.flag("Stochastic_Ponder") and self._position.moves:
            self._after_guess = self._position.copy(), replace(limits, ponder=False)
            position = self._position.copy()
            position.pop()
            self._start(self._warm_up, self._armed_searcher(), position, self._options.settings())
        else:
            self._search(self._position.copy(), limits)

    def _name_ignored(self, words: tuple[str, ...], command: str) -> None:
        for word in list(dict.fromkeys(words))[:IGNORED_NAMED]:
            self._wire.say(f"'{word}' ignored in '{command}'")

    def _legal(self, moves: tuple[str, ...]) -> tuple[str, ...]:
        if not moves:
            return ()
        legal = set(self._position.legal_moves())
        wanted = dict.fromkeys(moves)
        for move in [move for move in wanted if move not in legal][:IGNORED_NAMED]:
            self._wire.say(f"searchmoves: '{move}' is not legal here")
        return tuple(move for move in wanted if move in legal)

    def _search(self, position: Position, limits: Limits) -> None:
        choice = self._choice(position, limits)
        self._reciting = choice is not None
        if choice:
            self._start(self._recite, choice, limits.ponder)
            return
        task = self._think if limits.mate is None else self._solve
        self._start(task, self._armed_searcher(), position, limits, self._options.settings())

    def _choice(self, position: Position, limits: Limits) -> Choice | None:
        """The book's answer, if this is a move of a game, and not analysis or a search to so many nodes or plies."""
        if (limits.infinite or limits.mate is not None or limits.depth or limits.nodes
                or self._options.flag("ConsiderationMode")):
            return None
        self._book.open(self._options.book_source())
        return self._book.choose(position, self._options.book_settings(), limits.searchmoves)

    def _armed_searcher(self) -> Searcher:
        """The searcher, told that a stop may now come before its thread has got going."""
        searcher = self._ready_searcher()
        searcher.arm()
        return searcher

    def _stop(self, _arguments: str) -> None:
        self._end()

    def _ponderhit(self, arguments: str) -> None:
        hit = parse_ponderhit(arguments)
        self._name_ignored(hit.ignored, f"ponderhit {arguments}")
        if self._after_guess:
            (position, limits), self._after_guess = self._after_guess, None
            self._halt()
            self._search(position, limits.with_times_of(hit.times) if hit.times else limits)
        elif self._reciting:
            self._halt()
        elif self._searcher and self._busy():
            self._searcher.ponderhit(hit.times)

    def _busy(self) -> bool:
        return self._task is not None and self._task.is_alive()

    def _start(self, task: Callable[..., None], *arguments: object) -> None:
        def run() -> None:
            # A GUI that is gone needs no answer; the main thread meets the same, or the end of its input.
            with suppress(BrokenPipeError):
                task(*arguments)

        self._stopping.clear()
        self._task = threading.Thread(target=run, daemon=True)
        self._task.start()

    def _end(self, timeout_s: float | None = None) -> None:
        """End what runs, if anything does, and wait for its answer, or as long as `timeout_s`."""
        self._halt(timeout_s)
        if self._after_guess and not self._busy():
            # The guess was searched from the position before this one, so it left no move to answer with.
            (position, _), self._after_guess = self._after_guess, None
            self._search(position, Limits(depth=1))
            self._halt(timeout_s)

    def _halt(self, timeout_s: float | None = None) -> None:
        self._stopping.set()
        if self._searcher:
            self._searcher.stop()
        if self._task:
            self._task.join(timeout_s)

    # In the thread of the search

    def _think(self, searcher: Searcher, position: Position, limits: Limits, settings: Settings) -> None:
        self._wire.send(format_bestmove(searcher.search(position, limits, settings, self._report)))

    def _recite(self, choice: Choice, ponder: bool) -> None:
        self._wire.send(*format_choice(choice))
        if ponder:
            self._stopping.wait()
        self._wire.send(format_bestmove(choice))

    def _warm_up(self, searcher: Searcher, position: Position, settings: Settings) -> None:
        """Fill the table, without a word, from the position before the move that the GUI guessed."""
        searcher.search(position, Limits(infinite=True), settings, None)

    def _solve(self, searcher: Searcher, position: Position, limits: Limits, settings: Settings) -> None:
        answer = solve(searcher, position, limits, settings, self._stopping.is_set)
        self._wire.send(f"checkmate {answer}")

    def _perft(self, position: Position, depth: int) -> None:
        total = 0
        for move in position.legal_moves():
            position.push(move)
            leaves = count(position, depth - 1, self._stopping.is_set)
            position.pop()
            if self._stopping.is_set():
                return
            total += leaves
            self._wire.send(f"{move}: {leaves}")
        self._wire.send(f"Nodes searched: {total}")

    def _report(self, info: Info) -> None:
        self._wire.send(format_info(info))
