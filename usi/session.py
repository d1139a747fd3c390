"""The session with a GUI, as a state machine: what each command changes, and what is done about it. It knows no thread:
`Thinking` has them."""
from collections.abc import Callable
from dataclasses import replace
from random import Random

from engine import MAX_PLY, Position
from engine.cpu import VERSION
from engine.notation.pieces import KING, SIDES, WHITE_PIECE
from search import Limits, Searcher
from search.skill import Skill, WeakSearch
from usi.book.choice import Choice
from usi.book.own import OwnBook
from usi.diagram import diagram
from usi.jobs import BENCH_DEPTH, Bench, BookAnswer, MateSearch, MoveSearch, Perft, PonderSearch
from usi.loading import OwnSearcher
from usi.memory import shortage
from usi.options import OPTIONS, Button, Options
from usi.protocol import parse_command, parse_go, parse_ponderhit, parse_setoption
from usi.reasons import reason
from usi.suggestions import did_you_mean
from usi.thinking import Thinking
from usi.wire import Wire

IGNORED_NAMED = 10          # words of a garbled command, lest it be answered by as many lines
LAST_WORD_S = 0.8           # what a search may take to end when the whole process must end within a second
# For who types: a GUI never asks.
HELP = (
    "position startpos moves 7g7f 3c3d, or position sfen SFEN; then go movetime 1000, go depth 12, go infinite, stop",
    "d shows the board; moves, eval, key, side tell of the position; go perft 3, bench measure; go mate 5000 solves",
    "usi lists the options, getoption shows them; setoption name Threads value 2 sets one; isready, usinewgame, quit",
    "all about them: docs/USI.md; for a game or an analysis without a GUI: engine play, engine analyze, engine --help",
)


class Session:
    """Obeys the commands that come over `wire` until `quit` or their end. Each `go` gets one answer.

    The state is the options, the position, and the job that is being done: none, one that ends by itself or at the next
    command that ends it, or, for a stochastic ponder, one that another search has to follow. `make_searcher(MB of hash,
    threads)` is called at the first command that needs a searcher, since that takes time.
    """

    def __init__(self, wire: Wire, make_searcher: Callable[[int, int], Searcher] = Searcher,
                 thinking: Thinking | None = None) -> None:
        self._wire = wire
        self._options = Options()
        self._position = Position()
        self._book = OwnBook(wire.info_string)
        self._searcher = OwnSearcher(self._options, wire.info_string, make_searcher)
        self._thinking = thinking or Thinking(wire)
        self._random = Random()
        self._after_guess: tuple[Position, Limits] | None = None    # of the search that follows a stochastic ponder
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
                word, arguments = parse_command(line)
                if word == "quit":
                    break
                if word in self._obey:
                    self._obey[word](arguments)
                elif word:
                    self._wire.info_string(f"unknown command '{line}'{did_you_mean(word, [*self._obey, 'quit'])}")
        except MemoryError as error:
            self._wire.info_string(shortage(error))
            raise
        finally:
            self._end(LAST_WORD_S)
            self._book.open(None)

    # For who types

    def _help(self, _arguments: str) -> None:
        for line in HELP:
            self._wire.info_string(line)

    def _bench(self, arguments: str) -> None:
        """With the options as they are; what was learnt before is forgotten."""
        self._end()
        depth = int(arguments) if arguments.isascii() and arguments.isdecimal() else 0
        if arguments and not 1 <= depth < MAX_PLY:
            self._wire.info_string(f"bench takes a depth from 1 to {MAX_PLY - 1}, not '{arguments}'")
            return
        self._thinking.start(Bench(self._searcher.ready(), Limits(depth=depth or BENCH_DEPTH), self._wire))

    # Before and between games

    def _usi(self, _arguments: str) -> None:
        name = f"id name Gakushi {VERSION}"
        self._wire.send(name, "id author The Gakushi developers", *map(str, OPTIONS), "usiok")

    def _isready(self, _arguments: str) -> None:
        with self._wire.keep_alive():
            if not self._thinking.busy:     # else it is made ready before the next search
                # By now, and not by `usinewgame`: the clock may begin to run right after that.
                self._searcher.forget()
                self._searcher.ready(look_again=True)
            self._book.open(self._options.book_source(), look_again=True)
        self._wire.send("readyok")

    def _usinewgame(self, _arguments: str) -> None:
        self._end()
        self._searcher.forget()
        if self._searcher.current:      # otherwise there is nothing to forget yet, and `isready` is the place to load
            self._searcher.ready()

    def _setoption(self, arguments: str) -> None:
        try:
            name, value = parse_setoption(arguments)
            option = self._options.find(name)
            remark = self._options.set(option, value)
            if option.name == "DebugLogFile":
                self._wire.log_to(self._options.text("DebugLogFile"))
        except (ValueError, OSError) as error:
            self._wire.info_string(reason(error))
            return
        if remark:
            self._wire.info_string(remark)
        if isinstance(option, Button):
            self._searcher.forget()

    # The position

    def _set_position(self, arguments: str) -> None:
        try:
            self._position = Position.from_usi(arguments)
        except ValueError as error:
            self._wire.info_string(f"position kept as it was: {error}")

    def _display(self, _arguments: str) -> None:
        self._wire.send(*diagram(self._position.sfen), f"sfen: {self._position.sfen}")

    # YaneuraOu answers these, and clients written for it expect the same.

    def _side(self, _arguments: str) -> None:
        self._wire.send(SIDES[self._position.turn].lower())

    def _moves(self, _arguments: str) -> None:
        self._wire.send(" ".join(sorted(self._position.legal_moves())))

    def _key(self, _arguments: str) -> None:
        self._wire.send(f"{self._position.key:016x}")

    def _getoption(self, arguments: str) -> None:
        try:
            self._wire.send(*([self._options.shown_option(arguments)] if arguments else self._options.shown()))
        except ValueError as error:
            self._wire.info_string(str(error))

    def _evaluate(self, _arguments: str) -> None:
        searcher = (self._thinking.busy and self._searcher.current) or self._searcher.ready()
        self._wire.send(f"eval: {searcher.evaluate(self._position)}")

    # Thinking

    def _go(self, arguments: str) -> None:
        self._end()
        go = parse_go(arguments)
        self._name_ignored(go.ignored, f"go {arguments}")
        if go.perft is not None:
            self._thinking.start(Perft(self._position.copy(), go.perft, self._wire))
            return
        limits = replace(go.limits, searchmoves=self._legal(go.limits.searchmoves))
        if limits.ponder and self._options.flag("Stochastic_Ponder") and self._position.moves:
            self._after_guess = self._position.copy(), replace(limits, ponder=False)
            before = self._position.copy()
            before.pop()
            settings, skill = self._options.settings(), self._skill(limits)
            self._thinking.start(PonderSearch(self._searcher.ready(), before,
                                              skill.settings(settings) if skill else settings))
        else:
            self._think(self._position.copy(), limits, self._wire.received_at)

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

    def _think(self, position: Position, limits: Limits, asked_at: int) -> None:
        """Answer a `go`, or a `ponderhit`, that came at `asked_at`: from then on the clock runs."""
        settings = self._options.settings()
        if choice := self._choice(position, limits):
            self._thinking.start(BookAnswer(choice, limits.ponder, self._wire))
        elif limits.mate is not None:
            self._thinking.start(MateSearch(position, limits.mate, asked_at, self._options.number("USI_Hash"),
                                            self._options.flag("MateSkipUselessInterpositions"),
                                            self._options.number("PvInterval"), self._wire))
        else:
            self._name_missing_kings(position)
            skill = self._skill(limits)
            self._thinking.start(MoveSearch(self._searcher.ready(), position, limits, settings, asked_at,
                                            self._options.reporting(), self._options.number("ResignValue"), self._wire,
                                            WeakSearch(skill, self._random) if skill else None))

    def _skill(self, limits: Limits) -> Skill | None:
        """How weak to play; None for full strength, which analysis always has."""
        analysing = limits.infinite or self._options.flag("ConsiderationMode")
        return None if analysing else self._options.skill()

    def _name_missing_kings(self, position: Position) -> None:
        """A game needs both, though a search can do without; what comes of it may be no move at all."""
        board = position.placement.board
        missing = [name for side, name in enumerate(SIDES) if KING + WHITE_PIECE * side not in board]
        if missing:
            have = "has" if len(missing) == 1 else "have"
            self._wire.info_string(f"{' and '.join(missing)} {have} no king: a mate problem is asked by 'go mate'; "
                                   "where no piece can move, the answer is resign")

    def _choice(self, position: Position, limits: Limits) -> Choice | None:
        """The book's answer, if this is a move of a game, and not analysis or a search limited by nodes or depth."""
        if (limits.infinite or limits.mate is not None or limits.depth or limits.nodes
                or self._options.flag("ConsiderationMode")):
            return None
        self._book.open(self._options.book_source())
        return self._book.choose(position, self._options.book_settings(), limits.searchmoves)

    def _stop(self, _arguments: str) -> None:
        self._end()

    def _ponderhit(self, arguments: str) -> None:
        received_at = self._wire.received_at
        hit = parse_ponderhit(arguments)
        self._name_ignored(hit.ignored, f"ponderhit {arguments}")
        if self._after_guess:
            (position, limits), self._after_guess = self._after_guess, None
            self._thinking.end()
            self._think(position, limits.with_times_of(hit.times) if hit.times else limits, received_at)
        else:
            self._thinking.ponderhit(hit.times, received_at)

    def _end(self, timeout_s: float | None = None) -> None:
        """End what is being done, if anything is, and wait for its answer, or as long as `timeout_s`."""
        self._thinking.end(timeout_s)
        if self._after_guess and not self._thinking.busy:
            # The guess was searched from the position before this one, so it left no move to answer with.
            (position, _), self._after_guess = self._after_guess, None
            self._think(position, Limits(depth=1), self._wire.received_at)
            self._thinking.end(timeout_s)
