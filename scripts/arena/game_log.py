"""The file that a match is kept in and continued from: its conditions as JSON in the first line, then a game on each.
"""
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from scripts.games.played import PlayedGame
from usi.locking import lock

FIELDS = [field.name for field in fields(PlayedGame)]


def game_of(values: Mapping[str, Any]) -> PlayedGame:
    return PlayedGame(**{name: values[name] for name in FIELDS})


def read(path: Path) -> tuple[dict[str, Any], dict[int, PlayedGame]]:
    """The conditions of a match and its games by number; a last line that is not whole is left out.

    ValueError if the file holds something else, OSError if it cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    first, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    try:
        conditions: dict[str, Any] = json.loads(first)
        games = {values["number"]: game_of(values) for values in map(json.loads, lines)}
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{path} does not hold the games of a match") from None
    return conditions, games


class GameLog:
    """A match's file, open for more games."""

    def __init__(self, path: Path, conditions: Mapping[str, object]) -> None:
        """Open or begin the file. Raises ValueError if it holds games of another match, or another run writes it."""
        self.path = path
        self.games: dict[int, PlayedGame] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+", encoding="utf-8", newline="\n")
        try:
            lock(self._file)
        except OSError:
            self._file.close()
            raise ValueError(f"{path} is being written by another run; wait for it, or name another file") from None
        text = path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:                       # a line was being written when the machine went down
            self._file.truncate(len(whole.encode()))
        if not whole:
            self._append(conditions)
            return
        try:
            found, self.games = read(path)
        except ValueError:
            self._file.close()
            raise
        wanted = json.loads(json.dumps(conditions))
        if differing := [name for name in wanted if found.get(name) != wanted[name]]:
            self._file.close()
            raise ValueError(f"{path} holds a match that differs in {', '.join(differing)}; delete it, or name another")

    def add(self, number: int, game: PlayedGame) -> None:
        self.games[number] = game
        self._append({"number": number} | {name: getattr(game, name) for name in FIELDS})

    def _append(self, values: Mapping[str, object]) -> None:
        self._file.write(json.dumps(values) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()
