"""The session with a GUI, as a state machine: how commands change the state, and which jobs they start. Threads are
left to `Thinking`."""
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from engine import MAX_PLY, Position
from engine.errors import Phrase, UserError
from engine.pieces import SIDES
from engine.system.cpu import VERSION
from search import Limits, Searcher
from search.bench import BENCH_DEPTH
from search.skill import Skill, WeakSearch
from usi.book.choice import BookChoice
from usi.book.own import OwnBook
from usi.session.jobs import Bench, BookAnswer, Guess, Job, Makeshift, MateSearch, MoveSearch, Perft, PonderSearch
from usi.session.loading import OwnSearcher, bare_searcher
from usi.session.options import OPTIONS, Button, Options, String
from usi.session.protocol import Go, Until, parse_command, parse_go, parse_ponderhit, parse_setoption
from usi.session.thinking import Thinking
from usi.session.wire import Wire
from usi.words.reasons import reason
from usi.words.typed import did_you_mean, whole_number
from usi.words.wording import diagram

IGNORED_NAMED = 10          # the most ignored words of a command to report
LAST_WORD_S = 0.8           # what a search may take to end when the whole process must end within a second
ANSWERS = {"usi": "usiok", "isready": "readyok"}       # that a GUI waits for
ENDS = ("stop", "ponderhit", "gameover")                # commands after which a `go` is answered
# Further commands of the protocol, and the remark for each.
LACKING = {
    "debug": "debug is not supported; DebugLogFile logs every line: setoption name DebugLogFile value FILE",
    "register": "register is not needed: everybody may use this engine",
}
# For people at a terminal: a GUI never asks.
HELP = (
    "position startpos moves 7g7f 3c3d, or position sfen SFEN; then go movetime 1000, go depth 12, go infinite, stop",
    "d shows the board; moves, eval, key, side describe it; go perft 3, bench measure; go mate 5000 solves",
    "usi lists the options, getoption shows them; setoption name Threads value 2 sets one; isready, usinewgame, quit",
    "all about them: docs/USI.md; for a game or an analysis without a GUI: engine play, engine analyze, engine --help",
)


class Session:
    """Carries out the commands that come over `wire` until `quit` or the end of input. Each `go` for a move or a mate
    gets one answer. The state is the options, the position, and the current job, which `Thinking` holds.
    `make_searcher(MB of hash, threads)` is called at the first command that needs a searcher, since it takes time.

    A command that raises anything is reported, and what a GUI waits for is sent all the same."""

    def __init__(self, wire: Wire, make_searcher: Callable[[int, int], Searcher] = bare_searcher,
                 thinking: Thinking | None = None) -> None:
        self._wire = wire
        self._options = Options()
        self._position = Position()
        self._book = OwnBook(wire.info_string)
        self._own_searcher = OwnSearcher(self._options, wire.info_string, make_searcher)
        self._thinking = thinking or Thinking(wire)
        self._random = Random()
        self._owed: list[tuple[Position, str]] = []     # each `go` that no job answers yet: its position and line
        self._obey: dict[str, Callable[[str], None]] = {
            "usi": self._usi, "isready": self._isready, "usinewgame": self._usinewgame, "setoption": self._setoption,
            "position": self._set_position, "go": self._go, "stop": self._stop, "ponderhit": self._ponderhit,
            "gameover": self._stop, "d": self._display, "eval": self._evaluate, "side": self._side,
            "moves": self._moves, "key": self._key, "getoption": self._getoption, "help": self._help,
            "bench": self._bench,
        }

    def run(self) -> None:
        try:
            for line in self._wire.lines():
                word = "".join(line.split(maxsplit=1)[:1])
                if word == "quit":
                    break
                if word == "go":
                    self._owed.append((self._position, line))
                with self._reporting(word):
                    self._carry_out(line)
        except MemoryError as error:    # of the thread that reads the commands
            self._wire.report(error)
            raise
        finally:
            with self._reporting("stop"):
                self._end(LAST_WORD_S)
                self._book.open(None)

    def _carry_out(self, line: str) -> None:
        word, arguments = parse_command(line)
        if word in self._obey:
            self._obey[word](arguments)
        elif word in LACKING:
            self._wire.info_string(LACKING[word])
        elif word:
            fault = Phrase("unknown command '{line}'", line=line)
            self._wire.info_string(str(did_you_mean(fault, word, [*self._obey, "quit"])))

    @contextmanager
    def _reporting(self, word: str) -> Iterator[None]:
        """Report an exception of the block, which carries out this command, and send the answer that a GUI expects."""
        try:
            yield
        except Exception as fault:
            if fault is self._wire.failure:     # there is nobody to tell
                raise
            self._wire.report(fault)
            if word in ANSWERS:
                self._wire.send(ANSWERS[word])
            elif word == "go" or word in ENDS:
                self._make_up(going=word == "go")

    def _make_up(self, going: bool) -> None:
        """End the current job, and answer each `go` that no job will answer. If `going`, the failing command was the
        last `go`, whose answer may have to wait."""
        self._thinking.end()
        while self._owed:
            position, line = self._owed[0]
            job = Makeshift(position.copy(), line, self._own_searcher.current)
            self._start(job, job.until if going and len(self._owed) == 1 else Until.FOUND)
            if self._owed:
                self._thinking.end()

    # For people who type

    def _help(self, _arguments: str) -> None:
        for line in HELP:
            self._wire.info_string(line)

    def _bench(self, arguments: str) -> None:
        """Run the bench with the present options. Hash table and histories are cleared first."""
        self._end()
        depth = whole_number(arguments) if arguments else BENCH_DEPTH
        if depth is None or not 1 <= depth < MAX_PLY:
            self._wire.info_string(f"bench takes a depth from 1 to {MAX_PLY - 1}, not '{arguments}'")
            return
        self._thinking.start(Bench(self._own_searcher.ready(), Limits(depth=depth), self._wire))

    # Before and between games

    def _usi(self, _arguments: str) -> None:
        name = f"id name Gakushi {VERSION}"
        self._wire.send(name, "id author The Gakushi developers", *map(str, OPTIONS), "usiok")

    def _isready(self, _arguments: str) -> None:
        with self._wire.keep_alive():
            if not self._thinking.busy:     # else it is made ready before the next search
                # Here and not at `usinewgame`, because the clock may begin to run right after that.
                self._own_searcher.forget()
                self._own_searcher.ready(look_again=True)
            self._book.open(self._options.book_source(), look_again=True)
        self._wire.send("readyok")

    def _usinewgame(self, _arguments: str) -> None:
        self._end()
        self._own_searcher.forget()
        if self._own_searcher.current:      # without a searcher there is nothing to clear, and loading is for `isready`
            self._own_searcher.ready()

    def _setoption(self, arguments: str) -> None:
        try:
            name, value = parse_setoption(arguments)
            option = self._options.find(name)
            if isinstance(option, String) and option.name == "DebugLogFile":
                self._wire.log_to(option.read(value))
            remark = self._options.set(option, value)
        except (ValueError, OSError) as error:
            self._wire.info_string(str(reason(error)))
            return
        if remark:
            self._wire.info_string(remark)
        if isinstance(option, Button):
            self._own_searcher.forget()

    # The position

    def _set_position(self, arguments: str) -> None:
        try:
            self._position = Position.from_usi(arguments)
        except UserError as error:
            self._wire.info_string(f"position kept as it was: {error}")

    def _display(self, _arguments: str) -> None:
        self._wire.send(*diagram(self._position.sfen), f"sfen: {self._position.sfen}")

    # Commands of YaneuraOu, for clients written for it.

    def _side(self, _arguments: str) -> None:
        self._wire.send(SIDES[self._position.turn].lower())

    def _moves(self, _arguments: str) -> None:
        self._wire.send(" ".join(sorted(self._position.legal_moves())))

    def _key(self, _arguments: str) -> None:
        self._wire.send(f"{self._position.key:016x}")

    def _getoption(self, arguments: str) -> None:
        try:
            self._wire.send(*([self._options.shown_option(arguments)] if arguments else self._options.shown()))
        except UserError as error:
            self._wire.info_string(str(error))

    def _evaluate(self, _arguments: str) -> None:
        searcher = (self._thinking.busy and self._own_searcher.current) or self._own_searcher.ready()
        self._wire.send(f"eval: {searcher.evaluate(self._position)}")

    # Thinking

    def _go(self, arguments: str) -> None:
        self._end()
        go = parse_go(arguments)
        self._name_ignored(go.ignored, f"go {arguments}")
        if go.perft is not None:
            self._start(Perft(self._position.copy(), go.perft, self._wire))
            return
        if go.mate is not None:
            self._solve(go.mate)
            return
        go = replace(go, limits=replace(go.limits, searchmoves=self._legal(go.limits.searchmoves)))
        if go.until is Until.HIT and self._options.flag("Stochastic_Ponder") and self._position.moves:
            self._ponder_before(Guess(self._position.copy(), go))
        else:
            self._search_move(self._position.copy(), go, self._wire.received_at)

    def _name_ignored(self, words: tuple[str, ...], command: str) -> None:
        for word in list(dict.fromkeys(words))[:IGNORED_NAMED]:
            self._wire.info_string(f"'{word}' ignored in '{command}'")

    def _legal(self, moves: tuple[str, ...]) -> tuple[str, ...]:
        if not moves:
            return ()
        legal = set(self._position.legal_moves())
        wanted = dict.fromkeys(moves)
        for move in [move for move in wanted if move not in legal][:IGNORED_NAMED]:
            self._wire.info_string(f"searchmoves: '{move}' is not legal here")
        return tuple(move for move in wanted if move in legal)

    def _solve(self, time_ms: int) -> None:
        self._start(MateSearch(self._position.copy(), time_ms, self._wire.received_at, self._options.number("USI_Hash"),
                               self._options.flag("MateSkipUselessInterpositions"), self._options.number("PvInterval"),
                               self._wire))

    def _search_move(self, position: Position, go: Go, asked_at: int) -> None:
        """Answer a `go` or a `ponderhit`. The clock runs from `asked_at`, when the command came."""
        if choice := self._choice(position, go):
            self._start(BookAnswer(choice, self._wire), go.until)
            return
        self._name_missing_kings(position)
        skill = self._skill(go)
        self._start(MoveSearch(self._own_searcher.ready(), position, go, self._options.settings(), asked_at,
                               self._options.reporting(), self._options.number("ResignValue"), self._wire,
                               WeakSearch(skill, self._random) if skill else None), go.until)

    def _start(self, job: Job, until: Until = Until.FOUND) -> None:
        """Start the job that answers a `go`."""
        self._thinking.start(job, until)
        self._owed.pop(0)

    def _ponder_before(self, guess: Guess) -> None:
        settings, skill = self._options.settings(), self._skill(guess.go)
        self._thinking.start(PonderSearch(self._own_searcher.ready(), guess,
                                          skill.settings(settings) if skill else settings), guess.go.until)

    def _skill(self, go: Go) -> Skill | None:
        """The strength limit; None for full strength, which analysis always has."""
        analysing = go.until is Until.STOP or self._options.flag("ConsiderationMode")
        return None if analysing else self._options.skill()

    def _name_missing_kings(self, position: Position) -> None:
        """Report missing kings: a game needs both, although a search does not, and may then find no move."""
        missing = [name for side, name in enumerate(SIDES) if not position.king_square(side)]
        if missing:
            have = "has" if len(missing) == 1 else "have"
            self._wire.info_string(f"{' and '.join(missing)} {have} no king: a mate problem is asked by 'go mate'; "
                                   "where no piece can move, the answer is resign")

    def _choice(self, position: Position, go: Go) -> BookChoice | None:
        """The book's answer, if this is a move of a game, and not analysis or a search limited by nodes or depth."""
        if go.until is Until.STOP or go.limits.depth or go.limits.nodes or self._options.flag("ConsiderationMode"):
            return None
        self._book.open(self._options.book_source())
        return self._book.choose(position, self._options.book_settings(), go.limits.searchmoves)

    def _stop(self, _arguments: str) -> None:
        self._end()

    def _ponderhit(self, arguments: str) -> None:
        received_at = self._wire.received_at
        hit = parse_ponderhit(arguments)
        self._name_ignored(hit.ignored, f"ponderhit {arguments}")
        if guess := self._thinking.guess:
            self._thinking.end()
            self._search_move(guess.position, guess.go.hit(hit.time), received_at)
        else:
            self._thinking.ponderhit(hit.time, received_at)

    def _end(self, timeout_s: float | None = None) -> None:
        """End the current job, if any, and wait for its answer, at most `timeout_s`."""
        guess = self._thinking.guess
        self._thinking.end(timeout_s)
        if guess and not self._thinking.busy:
            # The position before the expected move was searched, so there is no move to answer with.
            with self._reporting("stop"):
                self._search_move(guess.position, Go(Limits(depth=1)), self._wire.received_at)
            self._thinking.end(timeout_s)
