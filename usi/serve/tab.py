"""One tab of the browser: its requests, and the messages to it."""
import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine import Position
from engine.errors import UserError, whole
from engine.records.handicaps import ENGLISH_NAMES, HANDICAPS
from engine.records.record import GameRecord
from engine.system.cpu import VERSION
from usi.files.journal import typed
from usi.serve.faults import told_fault
from usi.serve.judging import judged
from usi.serve.lessons import attacked, games, is_done, problems, solved, survey
from usi.serve.looking import deeper, live, telling_end, whole_game
from usi.serve.playing import MOST_MOVES, Wanted
from usi.serve.service import Service
from usi.serve.studies import Study, formats
from usi.serve.trees import Variation
from usi.words.language import speaking, translate

MOST_LIVE_LINES = 10
MOST_MOVETIME = 600_000     # ms of a look
LATEST = ("game", "lines", "progress", "judging")      # events of which a tab that reads slowly gets only the latest


@dataclass(frozen=True)
class Hello:
    """The first message of a page, sent again when the reader chooses another language."""

    page: str
    language: str


@dataclass(frozen=True)
class OfGame:
    """A request about the game on the board."""

    game: str


@dataclass(frozen=True)
class Move:
    """A request to play the person's move; `ply` is the number of moves before it."""

    game: str
    ply: int
    move: str


@dataclass(frozen=True)
class Nothing:
    """A request without fields."""


@dataclass(frozen=True)
class OfStudy:
    """A request about a study."""

    study: str


@dataclass(frozen=True)
class File:
    """A request to open a file of the folder."""

    file: str


@dataclass(frozen=True)
class Look:
    """A request for live analysis of the position after these moves; its lines come back with this `number`."""

    number: int
    sfen: str
    moves: tuple[str, ...]
    lines: int


@dataclass(frozen=True)
class Whole:
    """A request for the analysis of a whole game, with the milliseconds for a first look."""

    study: str
    movetime: int


@dataclass(frozen=True)
class Deeper:
    """A request for another look at a move."""

    study: str
    ply: int


@dataclass(frozen=True)
class Judge:
    """A request to judge a move that the reader tries in place of the game's."""

    study: str
    ply: int
    move: str


@dataclass(frozen=True)
class Learned:
    """The result of an exercise, for the reader's progress."""

    key: str
    found: bool


@dataclass(frozen=True)
class Attack:
    """A request for the outcome of the attacker's move in a mate problem, after these moves."""

    sfen: str
    moves: tuple[str, ...]
    move: str


@dataclass(frozen=True)
class Solve:
    """A request for the solution of a mate problem, after these moves."""

    sfen: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class All:
    """A request for the analysis of all games in the folder, with the milliseconds for a first look."""

    movetime: int


@dataclass(frozen=True)
class Change:
    """A request to store the moves and variations that the page has."""

    study: str
    moves: tuple[str, ...]
    lines: tuple[Variation, ...]


@dataclass(frozen=True)
class Save:
    """A request to save a study in the folder."""

    study: str
    name: str
    analysed: bool


class Tab:
    """A connection to one page: it carries out the page's requests and queues messages to it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._language = "en"
        self._messages: list[dict[str, Any]] = []
        self._has_messages = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._plays = False
        self._collection = service.collection
        self._live: asyncio.Task[None] | None = None            # the position that the page shows
        self._background: asyncio.Task[None] | None = None      # a whole game, or a deeper look
        self._answers: dict[str, tuple[type, Callable[[Any], Coroutine[Any, Any, None] | None]]] = {
            "hello": (Hello, self._hello), "new": (Wanted, service.new_game), "move": (Move, self._move),
            "resign": (OfGame, lambda asked: service.require_game(asked.game).resign()),
            "declare": (OfGame, lambda asked: service.require_game(asked.game).declare()),
            "back": (OfGame, lambda asked: service.require_game(asked.game).take_back()),
            "hint": (OfGame, self._hint), "resume": (OfGame, lambda asked: service.resume(asked.game)),
            "study": (OfStudy, self._study),
            "studyGame": (OfGame, lambda asked: self._show(service.study_of(asked.game))),
            "open": (File, lambda asked: self._opened(self._collection.open_file(asked.file))),
            "blank": (Nothing, lambda _asked: self._show(self._collection.begin(GameRecord()))),
            "folder": (Nothing, self._folder), "look": (Look, self._look), "rest": (Nothing, self._rest),
            "whole": (Whole, self._whole), "deeper": (Deeper, self._deeper), "judge": (Judge, self._judge),
            "halt": (Nothing, self._halt),
            "lessons": (Nothing, self._lessons), "all": (All, self._all), "learned": (Learned, self._learned),
            "mates": (Nothing, self._mates), "attack": (Attack, self._attack), "solve": (Solve, self._solve),
            "change": (Change, self._change), "save": (Save, self._save),
            "games": (Nothing, lambda _asked: self.tell({"event": "games", "games": service.kept_games()})),
        }

    def hear(self, message: Any) -> None:
        """Carry out a page's message. Raises ValueError if it is malformed."""
        try:
            do = message.pop("do")
            kind, answer = self._answers[do]
            asked: Any = typed(kind, message)
        except (AttributeError, KeyError, TypeError):
            raise ValueError("no message of a page of ours") from None
        with speaking(self._language):      # tasks that the answer starts inherit it
            try:
                begun = answer(asked)
            except Exception as error:
                self._tell_fault(error, do)
                return
            if begun:
                self.begin(begun, do)

    def begin(self, work: Coroutine[Any, Any, None], do: str = "") -> "asyncio.Task[None]":
        """Run work until it is done or the tab is gone. Its errors are shown on the page."""
        task = asyncio.ensure_future(self._done(work, do))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _done(self, work: Coroutine[Any, Any, None], do: str) -> None:
        try:
            await work
        except Exception as error:
            self._tell_fault(error, do)

    def tell(self, message: dict[str, Any]) -> None:
        """Queue a message for the page. The text of an error is a phrase."""
        if message["event"] == "error":
            with speaking(self._language):
                message = message | {"text": message["text"].told(translate)}
        if message["event"] in LATEST:
            self._messages = [each for each in self._messages if each["event"] != message["event"]]
        self._messages.append(message)
        self._has_messages.set()

    def _tell_fault(self, error: Exception, do: str) -> None:
        """Tell the page that its request `do` has failed; "" if the work itself reports its end."""
        self.tell({"event": "error", "of": do, "text": told_fault(error)})

    async def next_message(self) -> dict[str, Any]:
        """The next message to send."""
        while not self._messages:
            self._has_messages.clear()
            await self._has_messages.wait()
        return self._messages.pop(0)

    async def close(self) -> None:
        """Stop everything that runs for this page alone, because it is gone."""
        if self._plays:
            self._service.stand_up(self.tell)
        for task in list(self._tasks):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- What pages ask for

    def _hello(self, asked: Hello) -> None:
        self._language = "ja" if asked.language == "ja" else "en"
        self.tell({"event": "hello", "folder": str(self._service.folder), "version": VERSION,
                   "formats": formats(),
                   "handicaps": [{"ja": name, "en": ENGLISH_NAMES.get(name)} for name in HANDICAPS]})
        if asked.page == "play" and not self._plays:
            self._plays = True
            self._service.sit_down(self.tell)

    def _move(self, asked: Move) -> None:
        self._service.require_game(asked.game).move(asked.move, asked.ply)

    async def _hint(self, asked: OfGame) -> None:
        self.tell(await self._service.require_game(asked.game).hint())

    # -- Analysis

    def _study(self, asked: OfStudy) -> None:
        self._show(self._collection.study(asked.study))

    def _show(self, study: Study) -> None:
        self.tell(study.told())

    def _opened(self, studies: list[Study]) -> None:
        """Show the game of a file, or the list of them if there are several."""
        if len(studies) == 1:
            self._show(studies[0])
        else:
            self.tell({"event": "opened", "games": [study.title() for study in studies]})

    def _folder(self, _asked: Nothing) -> None:
        self.tell({"event": "folder", "folder": str(self._collection.folder), "files": list(self._collection.files())})

    def _look(self, asked: Look) -> None:
        self._rest(Nothing())
        if len(asked.moves) > MOST_MOVES:
            raise UserError("{count} moves; {most} are the most", count=len(asked.moves), most=MOST_MOVES)
        position = Position(asked.sfen)
        for move in asked.moves:
            position.push(move)
        self._live = self.begin(live(self._service.desk, position, whole("lines", asked.lines, 1, MOST_LIVE_LINES),
                                     asked.number, self.tell))

    def _rest(self, _asked: Nothing) -> None:
        if self._live:
            self._live.cancel()
            self._live = None

    def _whole(self, asked: Whole) -> None:
        study = self._collection.study(asked.study)
        self._halt(Nothing())
        self._background = self.begin(self._closing(study, whole_game(
            self._service.desk, study, whole("movetime", asked.movetime, 1, MOST_MOVETIME), self.tell)))

    def _deeper(self, asked: Deeper) -> None:
        study = self._collection.study(asked.study)
        self._halt(Nothing())
        self._background = self.begin(self._closing(study, deeper(self._service.desk, study, asked.ply, self.tell)))

    async def _judge(self, asked: Judge) -> None:
        study = self._collection.study(asked.study)
        self.tell(await judged(self._service.desk, study, asked.ply, asked.move, self.tell))

    async def _closing(self, study: Study, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            study.close()

    def _halt(self, _asked: Nothing) -> None:
        if self._background:
            self._background.cancel()
            self._background = None

    def _change(self, asked: Change) -> None:
        study = self._collection.study(asked.study)
        self._collection.change(study, asked.moves, asked.lines)
        self.tell({"event": "changed", "study": study.id, "done": len(study.analysis.looks)})

    def _save(self, asked: Save) -> None:
        path, lost = self._collection.save(self._collection.study(asked.study), asked.name, asked.analysed)
        self.tell({"event": "saved", "file": path.name, "lost": lost})

    # -- Learning

    async def _lessons(self, _asked: Nothing) -> None:
        self.tell(await asyncio.to_thread(survey, self._collection, self._service.progress))
        await self._service.desk.engine()       # so that the first answer need not wait for it

    def _all(self, asked: All) -> None:
        self._halt(Nothing())
        self._background = self.begin(self._analyse_all(whole("movetime", asked.movetime, 1, MOST_MOVETIME)))

    async def _analyse_all(self, movetime: int) -> None:
        """Analyse the folder's games that are not analysed yet, one after another."""
        with telling_end("", self.tell):
            found = await asyncio.to_thread(lambda: list(games(self._collection)))
            left = [study for study in found if not is_done(study)]
            for number, study in enumerate(left):
                def tell(message: dict[str, Any], number: int = number, name: str = study.name) -> None:
                    if message["event"] == "progress" and not message.get("over"):
                        self.tell(message | {"game": number + 1, "games": len(left), "name": name})

                await self._closing(study, whole_game(self._service.desk, study, movetime, tell))

    def _learned(self, asked: Learned) -> None:
        self._service.progress.note(asked.key, asked.found, time.time())

    async def _mates(self, _asked: Nothing) -> None:
        self.tell({"event": "mates", "problems": problems(self._service.progress)})
        await self._service.desk.engine()

    async def _attack(self, asked: Attack) -> None:
        self.tell(await attacked(self._service.desk, asked.sfen, asked.moves, asked.move))

    async def _solve(self, asked: Solve) -> None:
        self.tell(await solved(self._service.desk, asked.sfen, asked.moves))
