"""The state that all tabs share: the engine, the folder, and the game that is played."""
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.errors import UserError
from usi.serve.desk import Desk, Engine
from usi.serve.lessons import LessonProgress
from usi.serve.memory import Memory
from usi.serve.playing import GAMES, KEPT_GAMES, PACE_MS, ServedGame, Wanted, board_changed
from usi.serve.studies import Collection, Study

Report = Callable[[dict[str, Any]], None]


class Service:
    """One person's board: made when the server starts, and shared by all tabs."""

    def __init__(self, load: Callable[[], Engine], memory: Memory, folder: Path, evaluation: str,
                 pace_ms: int = PACE_MS, named: str = "") -> None:
        """`load` makes the engine when it is first needed, and `evaluation` names its evaluation. Games are saved in
        `folder`; the file `named` there may be opened whatever its name ends in."""
        self.desk = Desk(load)
        self.memory = memory
        self.folder = folder
        self.collection = Collection(folder, memory, evaluation, named)
        self.progress = LessonProgress(memory)
        self.game: ServedGame | None = None
        self._pace_ms = pace_ms
        self._players: set[Report] = set()      # of tabs that show the game

    def open(self) -> None:
        """Load the game that was played last. Called in the server's event loop."""
        current = self.memory.read("current")
        if current and isinstance(current.get("game"), str):
            self.game = self._kept_game(current["game"])

    async def close(self) -> None:
        """Store the game, and stop the engine."""
        if self.game:
            self.game.close()
        await self.desk.close()

    # -- The game

    def sit_down(self, report: Report) -> None:
        """Let a tab show the game, and send it the state after every change."""
        self._players.add(report)
        if self.game:
            self.game.watch(True)
            self.game.begin()
        else:
            report({"event": "game", "id": None})

    def stand_up(self, report: Report) -> None:
        """Remove a tab that is gone."""
        self._players.discard(report)
        if self.game and not self._players:
            self.game.watch(False)

    def new_game(self, wanted: Wanted) -> None:
        """Begin another game. The one before stays stored. Raises UserError for settings that no game has."""
        self._play(ServedGame.new(wanted, self.desk, self.memory, self.folder, self._tell_players, self._pace_ms))

    def resume(self, game: str) -> None:
        """Resume a game that is stored, or on the board. Raises UserError if it is not there."""
        if self.game and self.game.id == game:
            self.game.begin()
            return
        found = self._kept_game(game)
        if not found:
            raise UserError("this game is no longer there")
        self._play(found)

    def kept_games(self) -> list[dict[str, Any]]:
        """The games that may be resumed, the latest first."""
        names = [name.partition("/")[2] for name in self.memory.names(GAMES)[:KEPT_GAMES]]
        return [game.summary() for name in names if (game := self._kept_game(name))]

    def require_game(self, game: str) -> ServedGame:
        """The game on the board. Raises UserError if the tab shows another one."""
        if not self.game or self.game.id != game:
            raise board_changed()
        return self.game

    def study_of(self, game: str) -> Study:
        """A study of a played game, for the analysis page. Raises UserError if the game is not there."""
        found = self.game if self.game and self.game.id == game else self._kept_game(game)
        if not found:
            raise UserError("this game is no longer there")
        return self.collection.begin(found.record())

    def _kept_game(self, game: str) -> ServedGame | None:
        if f"{GAMES}/{game}" not in self.memory.names(GAMES):       # a page may say anything
            return None
        return ServedGame.kept(f"{GAMES}/{game}", self.desk, self.memory, self.folder, self._tell_players,
                               self._pace_ms)

    def _play(self, game: ServedGame) -> None:
        if self.game:
            self.game.close()
        self.game = game
        game.keep()
        game.watch(bool(self._players))
        game.begin()

    def _tell_players(self, message: dict[str, Any]) -> None:
        for report in list(self._players):
            report(message)
