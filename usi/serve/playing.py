"""The game that is played in the browser: the engine's moves, the clock, saving, and the stored games
that may be resumed."""
import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from random import Random, choice
from typing import Any

from engine import BLACK, WHITE, Position
from engine.errors import UserError, whole
from engine.records.handicaps import EVEN, HANDICAP_NAMES, HANDICAPS, names_of_sides
from engine.records.japanese import SIDE_NAMES
from engine.records.record import GameRecord
from engine.records.writing import encoded
from search import Limits, Settings
from search.analysis import result_of
from search.limits import LastLines, Result
from search.skill import FULL_LEVEL, Skill, WeakSearch
from usi.commands.analyze.report import score_json
from usi.commands.play.game import Ending, GameClock, GameInPlay, names_of_players, settings_of_play
from usi.commands.play.typed import read_move
from usi.console.terminal import MOVETIME_MS
from usi.files.journal import typed
from usi.files.writing import write_file, write_new
from usi.serve.desk import Desk, Rank
from usi.serve.faults import told_fault
from usi.serve.memory import Memory
from usi.words.language import naming_sides_of
from usi.words.reasons import reason

GAMES = "games"             # the folder of the memory that has them
KEPT_GAMES = 20             # that may be resumed
MAX_MINUTES, MAX_SECONDS = 600, 3600
PACE_MS = 900               # an engine that answers at once is no company
MOST_MOVES = 2000
LONGEST_NAME = 40

Report = Callable[[dict[str, Any]], None]


def board_changed() -> UserError:
    """The error for a request about a board that has changed since the page showed it."""
    return UserError("the board has changed since; look at it once more")


@dataclass(frozen=True)
class Wanted:
    """The settings of a new game, as the page sends them."""

    color: str = "black"                    # the person's: black, white or random
    handicap: str = EVEN                    # its Japanese name
    level: int = FULL_LEVEL
    main: float = 0                         # minutes
    byoyomi: float = 0                      # seconds
    increment: float = 0
    sfen: str = ""                          # to go on from, with moves
    moves: tuple[str, ...] = ()
    name: str = ""                          # of the person, for the record

    def clock(self) -> GameClock:
        """The clock. Raises UserError for times out of range."""
        for name, value, most in (("main", self.main, MAX_MINUTES), ("byoyomi", self.byoyomi, MAX_SECONDS),
                                  ("increment", self.increment, MAX_SECONDS)):
            if not 0 <= value <= most:
                raise UserError("{name}={value}: a clock has 0 to {most}", name=name, value=value, most=most)
        return GameClock(round(self.main * 60_000), round(self.byoyomi * 1000), round(self.increment * 1000))

    def record(self) -> GameRecord:
        """The record with which the game begins. Raises UserError for a malformed position or move."""
        if self.handicap not in HANDICAPS:
            raise UserError("'{handicap}' is no handicap", handicap=self.handicap)
        if len(self.moves) > MOST_MOVES:
            raise UserError("{count} moves; {most} are the most", count=len(self.moves), most=MOST_MOVES)
        start = GameRecord(Position(self.sfen).sfen if self.sfen else HANDICAPS[self.handicap], list(self.moves))
        start.position()
        return start


@dataclass(frozen=True)
class _Kept:
    """A game as it is stored."""

    id: str
    sfen: str
    moves: tuple[str, ...]
    times: tuple[float, ...]                # seconds of each move
    person: int
    level: int
    clock: tuple[int, int, int]             # main, byoyomi, increment
    left: tuple[int, int]
    used: tuple[int, int]
    spent: int                              # of the turn under way
    terminal: str | None
    began: str
    name: str
    file: str | None                        # its file in the folder
    digest: str | None                      # of what was written there last


class ServedGame:
    """One game between the person and the engine. `report` gets its state after every change, and faults, whose text is
    a phrase. The person's clock only runs while a page shows the game."""

    def __init__(self, kept: _Kept, desk: Desk, memory: Memory, folder: Path, report: Report,
                 pace_ms: int = PACE_MS) -> None:
        self.id = kept.id
        self.person = kept.person
        self.level = kept.level
        self._name = kept.name
        self._began = kept.began
        self._desk, self._memory, self._folder, self._report = desk, memory, folder, report
        self._pace_ms = pace_ms
        self._file, self._digest = kept.file, kept.digest
        rule = "CSARule27" if names_of_sides(kept.sfen) == SIDE_NAMES else "CSARule27H"
        times = dict(enumerate(kept.times, 1))
        main, byoyomi, increment = kept.clock
        start = GameRecord(kept.sfen, list(kept.moves), headers={"START_TIME": kept.began}, times=times)
        self._game = GameInPlay(start, GameClock(main, byoyomi, increment), rule)
        self._game.clock.left, self._game.clock.used = list(kept.left), list(kept.used)
        if kept.terminal and not self._game.ending:
            self._game.ending = Ending(kept.terminal, "")
        self._spent_ms = kept.spent             # of this turn, before it went on
        self._hints = 0                         # that are looked for
        self._since: float | None = None        # since when the turn goes on; None while the clock stands still
        self._flag: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._is_watched = False
        self._is_closed = False

    @classmethod
    def new(cls, wanted: Wanted, desk: Desk, memory: Memory, folder: Path, report: Report,
            pace_ms: int = PACE_MS) -> "ServedGame":
        """A new game with these settings. Raises UserError."""
        if wanted.color not in ("black", "white", "random"):
            raise UserError("'{side}' is no side", side=wanted.color)
        side = choice((BLACK, WHITE)) if wanted.color == "random" else BLACK if wanted.color == "black" else WHITE
        record, clock = wanted.record(), wanted.clock()
        now = datetime.now()
        kept = _Kept(f"{now:%Y%m%d-%H%M%S-%f}", record.initial_sfen, tuple(record.moves),
                     (0.0,) * len(record.moves), side, whole("level", wanted.level, 0, FULL_LEVEL),
                     (clock.main, clock.byoyomi, clock.increment), (clock.main, clock.main), (0, 0), 0, None,
                     f"{now:%Y/%m/%d %H:%M:%S}", wanted.name[:LONGEST_NAME], None, None)
        return cls(kept, desk, memory, folder, report, pace_ms)

    @classmethod
    def kept(cls, name: str, desk: Desk, memory: Memory, folder: Path, report: Report,
             pace_ms: int = PACE_MS) -> "ServedGame | None":
        """The stored game of this name; None if there is none that can be read."""
        try:
            return cls(typed(_Kept, memory.read(name)), desk, memory, folder, report, pace_ms)
        except (TypeError, ValueError):
            return None

    # -- What the pages see

    def told(self) -> dict[str, Any]:
        """The whole state, for a page."""
        game, clock = self._game, self._game.clock
        record = self.record()
        return {
            "event": "game", "id": self.id, "sfen": record.initial_sfen, "moves": record.moves,
            "times": [record.times.get(ply) for ply in range(1, len(record.moves) + 1)],
            "person": self.person, "level": self.level, "titles": list(names_of_sides(record.initial_sfen)),
            "handicap": HANDICAP_NAMES.get(record.initial_sfen), "turn": game.turn, "thinks": self._is_thinking,
            "end": game.ending and {"terminal": record.terminal, "winner": record.winner, "plies": len(record.moves)},
            "canTakeBack": game.plies_back(self.person) is not None,
            "canDeclare": not game.ending and game.turn == self.person and game.position.can_declare(game.rule),
            "clock": {"limited": clock.is_limited, "left": list(clock.left), "used": list(clock.used),
                      "byoyomi": clock.byoyomi, "increment": clock.increment, "main": clock.main,
                      "spent": self._elapsed_ms(), "runs": self._since is not None},
            "file": self._file,
        }

    def summary(self) -> dict[str, Any]:
        """The game's entry in the list of games that may be resumed."""
        record = self.record()
        return {"id": self.id, "began": self._began, "plies": len(record.moves), "level": self.level,
                "person": self.person, "handicap": HANDICAP_NAMES.get(record.initial_sfen),
                "titles": list(names_of_sides(record.initial_sfen)),
                "end": record.terminal and {"terminal": record.terminal, "winner": record.winner,
                                            "plies": len(record.moves)}}

    def watch(self, is_watched: bool) -> None:
        """Set whether a page shows the game. While none does, the clock stands still, but the engine thinks on."""
        self._is_watched = is_watched
        if is_watched:
            self._go_on()
        else:
            self._stand_still()
            self.keep()

    def close(self) -> None:
        """Stop the engine and store the game. Requests that are still running, such as a hint, change and report
        nothing any more."""
        self._is_closed = True
        self._stop_thinking()
        self._stand_still()
        self.keep()

    # -- What the person does. UserError, in words, where it cannot be done.

    def move(self, text: str, ply: int) -> None:
        """Play the person's move, in USI or as people write it, as the one after `ply` moves."""
        self._require_turn()
        if ply != len(self._game.position.moves):
            raise board_changed()
        with self._naming():
            move = read_move(self._game.position, text, has_commands=False)
        self._game.make_move(move, self._end_turn())
        self._changed()

    def resign(self) -> None:
        """Resign for the person, whose turn it must be: in records the side to move resigns."""
        self._require_turn()
        self._game.resign(self._end_turn())
        self._changed()

    def declare(self) -> None:
        """Win by declaration."""
        self._require_turn()
        with self._naming():
            self._game.declare(self._elapsed_ms())
        self._end_turn()
        self._changed()

    def take_back(self) -> None:
        """Go back to the person's turn before this one; after the end of a game, to the person's last turn."""
        if (plies := self._game.plies_back(self.person)) is None:
            raise UserError("there is no move of yours to take back")
        self._stop_thinking()
        self._end_turn()
        self._game.take_back(plies)
        self._changed()

    async def hint(self) -> dict[str, Any]:
        """The line that the engine would play, of which the page shows the first moves. The person's clock stands still
        meanwhile."""
        self._require_turn()
        self._hints += 1
        self._stand_still()
        moves = list(self._game.position.moves)
        try:
            async with self._desk.turn(Rank.ANSWER) as engine:
                lines = LastLines()
                position = self._game.position.copy()
                result = await result_of(engine.analyst.start(
                    position, Limits(movetime=MOVETIME_MS), Settings(entering_king_rule=self._game.rule), lines.hear))
        finally:
            self._hints -= 1
            self._go_on()
            self._tell()
        if self._is_closed or list(self._game.position.moves) != moves:
            raise board_changed()
        line = lines.lines[0].pv if lines.lines else tuple(filter(None, [result.bestmove]))
        return {"event": "hint", "ply": len(moves), "pv": list(line), "declares": result.outcome == "declaration",
                **score_json(result.score if self.person == BLACK else -result.score, None)}

    # -- The engine

    @property
    def _is_thinking(self) -> bool:
        return self._thinking is not None and not self._thinking.done()

    def _stop_thinking(self) -> None:
        if self._thinking:
            self._thinking.cancel()
            self._thinking = None

    async def _think(self) -> None:
        """Find the engine's move, and play it once the person had time to look."""
        game, began = self._game, time.monotonic()
        result = await self._search()
        allowed = game.clock.allowed(game.turn)
        pace = self._pace_ms if allowed is None else min(self._pace_ms, allowed // 10)
        await asyncio.sleep(max(0.0, pace / 1000 - (time.monotonic() - began)))
        spent = round(1000 * (time.monotonic() - began))
        self._thinking = None
        if result.outcome == "declaration":
            game.declare(spent)
        elif result.bestmove:
            game.make_move(result.bestmove, spent)
        self._changed()

    async def _search(self) -> Result:
        game = self._game
        limits = Limits(clock=game.clock.shown()) if game.clock.is_limited else Limits(movetime=MOVETIME_MS)
        settings, skill = settings_of_play(game.rule), Skill.of_level(self.level)
        async with self._desk.turn(Rank.PLAY) as engine:
            if skill is None:
                return await result_of(engine.player.start(game.position, limits, settings))
            weak = WeakSearch(skill, Random())
            return weak.played(await result_of(engine.player.start(
                game.position, limits, skill.settings(settings), weak.hear)))[0]

    # -- The course of the game

    def _changed(self) -> None:
        """Store and show the game after a move or an end, and begin the next turn."""
        self._spent_ms = 0
        self.keep()
        self._let_go_on()

    def _thought(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()):
            self._report({"event": "error", "of": "", "text": told_fault(error)})

    def begin(self) -> None:
        """Resume the game where it stood."""
        self._let_go_on()

    def _let_go_on(self) -> None:
        """Start the engine or the person's clock, by whose turn it is, and show the game."""
        if self._is_closed:
            return
        if not self._game.ending and self._game.turn != self.person and not self._is_thinking:
            self._thinking = asyncio.ensure_future(self._think())
            self._thinking.add_done_callback(self._thought)
        self._go_on()
        self._tell()

    def _tell(self) -> None:
        if not self._is_closed:
            self._report(self.told())

    def _require_turn(self) -> None:
        if self._game.ending:
            raise UserError("the game is over")
        if self._game.turn != self.person:
            raise UserError("it is not your turn")

    def _naming(self) -> Any:
        return naming_sides_of(self._game.position.initial_sfen)

    # -- The person's clock

    def _elapsed_ms(self) -> int:
        return self._spent_ms + (0 if self._since is None else round(1000 * (time.monotonic() - self._since)))

    def _stand_still(self) -> None:
        """Stop the person's clock."""
        self._spent_ms = self._elapsed_ms()
        self._since = None
        if self._flag:
            self._flag.cancel()
            self._flag = None

    def _end_turn(self) -> int:
        """The milliseconds that the finished turn took."""
        self._stand_still()
        spent, self._spent_ms = self._spent_ms, 0
        return spent

    def _go_on(self) -> None:
        """Run the person's clock, which ends the game in time, if it is the person's turn and a page shows the game."""
        game = self._game
        if self._is_closed or not self._is_watched or self._since is not None or self._hints:
            return
        if game.ending or game.turn != self.person:
            return
        self._since = time.monotonic()
        if (allowed := game.clock.allowed(game.turn)) is not None:
            self._flag = asyncio.get_running_loop().call_later(
                max(0.0, (allowed - self._spent_ms) / 1000), self._fall)

    def _fall(self) -> None:
        self._game.run_out_of_time(self._end_turn())
        self._changed()

    # -- Keeping it

    def record(self) -> GameRecord:
        """The record of the game so far."""
        return self._game.record(names_of_players(self.person, self.level, self._name))

    def keep(self) -> None:
        """Store the game, and once there is a move its record in the folder."""
        record, clock = self.record(), self._game.clock
        try:
            if record.moves:
                self._write(record)
            kept = _Kept(self.id, record.initial_sfen, tuple(record.moves),
                         tuple(record.times.get(ply, 0) for ply in range(1, len(record.moves) + 1)), self.person,
                         self.level, (clock.main, clock.byoyomi, clock.increment),
                         (clock.left[0], clock.left[1]), (clock.used[0], clock.used[1]), self._elapsed_ms(),
                         record.terminal, self._began, self._name, self._file, self._digest)
            self._memory.write(f"{GAMES}/{self.id}", vars(kept))
            self._memory.write("current", {"game": self.id})
        except OSError as error:
            self._report({"event": "error", "of": "", "text": reason(error)})

    def _write(self, record: GameRecord) -> None:
        """Write the record to the game's own file, or to a new one if somebody has changed that file."""
        path = self._folder / (self._file or f"Gakushi-{self.id[:15]}.kifu")
        data = encoded(path, record)
        with suppress(OSError):
            if self._file and sha256(path.read_bytes()).hexdigest() == self._digest:
                write_file(path, data)
                self._digest = sha256(data).hexdigest()
                return
        self._file = write_new(path, data).name
        self._digest = sha256(data).hexdigest()
