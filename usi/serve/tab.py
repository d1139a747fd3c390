"""One tab of the browser: what it asks for, and what it is told."""
import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.errors import UserError
from engine.records.handicaps import ENGLISH_NAMES, HANDICAPS
from engine.system.cpu import VERSION
from usi.files.journal import typed
from usi.serve.playing import Wanted
from usi.serve.service import Service
from usi.words.language import speaking, translate
from usi.words.reasons import reason

LATEST = ("game", "lines", "progress")      # of these a tab that is slow to read gets the last alone


@dataclass(frozen=True)
class Hello:
    """The first message of a page, and again when the reader chooses another language."""

    page: str
    language: str


@dataclass(frozen=True)
class OfGame:
    """A request about the game on the board."""

    game: str


@dataclass(frozen=True)
class Move:
    game: str
    ply: int
    move: str


@dataclass(frozen=True)
class Nothing:
    """A request without particulars."""


class Tab:
    """A connection to one page. It hears what the page asks for and holds what is to be sent until it is taken."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._language = "en"
        self._messages: list[dict[str, Any]] = []
        self._has_messages = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._plays = False
        self._answers: dict[str, tuple[type, Callable[[Any], Coroutine[Any, Any, None] | None]]] = {
            "hello": (Hello, self._hello), "new": (Wanted, service.new_game), "move": (Move, self._move),
            "resign": (OfGame, lambda asked: service.require_game(asked.game).resign()),
            "declare": (OfGame, lambda asked: service.require_game(asked.game).declare()),
            "back": (OfGame, lambda asked: service.require_game(asked.game).take_back()),
            "hint": (OfGame, self._hint), "resume": (OfGame, lambda asked: service.resume(asked.game)),
            "games": (Nothing, lambda _asked: self.tell({"event": "games", "games": service.kept_games()})),
        }

    def hear(self, message: Any) -> None:
        """Do what a message asks for. ValueError if it is none of our pages'."""
        try:
            do = message.pop("do")
            kind, answer = self._answers[do]
            asked: Any = typed(kind, message)
        except (AttributeError, KeyError, TypeError):
            raise ValueError("no message of a page of ours") from None
        with speaking(self._language):      # also in what the answer begins
            try:
                begun = answer(asked)
            except (UserError, OSError) as error:
                self._tell_fault(error)
                return
            if begun:
                self.begin(begun)

    def begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do this until it is done or the tab is gone. Its faults are shown on the page."""
        task = asyncio.ensure_future(self._done(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _done(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (UserError, OSError, MemoryError) as error:
            self._tell_fault(error)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message as soon as the page takes it."""
        if message["event"] in LATEST:
            self._messages = [each for each in self._messages if each["event"] != message["event"]]
        self._messages.append(message)
        self._has_messages.set()

    def _tell_fault(self, error: Exception) -> None:
        with speaking(self._language):
            self.tell({"event": "error", "text": reason(error).told(translate)})

    async def next_message(self) -> dict[str, Any]:
        """What is to be sent next."""
        while not self._messages:
            self._has_messages.clear()
            await self._has_messages.wait()
        return self._messages.pop(0)

    async def close(self) -> None:
        """The page is gone: whatever was done for it alone stops."""
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
                   "handicaps": [{"ja": name, "en": ENGLISH_NAMES.get(name)} for name in HANDICAPS]})
        if asked.page == "play" and not self._plays:
            self._plays = True
            self._service.sit_down(self.tell)

    def _move(self, asked: Move) -> None:
        self._service.require_game(asked.game).move(asked.move, asked.ply)

    async def _hint(self, asked: OfGame) -> None:
        self.tell(await self._service.require_game(asked.game).hint())
