"""The file of a match, from which it resumes: a RunLog of its games."""
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from scripts.games.played import PlayedGame
from scripts.runs import log
from scripts.runs.log import RunLog

FIELDS = [field.name for field in fields(PlayedGame)]
WHAT = "the games of a match"


def game_of(values: Mapping[str, Any]) -> PlayedGame:
    return PlayedGame(**{name: values[name] for name in FIELDS})


def games_of(records: list[dict[str, Any]], path: Path) -> dict[int, PlayedGame]:
    """By number; ValueError if they are not games."""
    try:
        return {values["number"]: game_of(values) for values in records}
    except (KeyError, TypeError, ValueError):
        raise log.not_of(path, WHAT) from None


def read(path: Path) -> tuple[dict[str, Any], dict[int, PlayedGame]]:
    """The conditions of a match and its games by number; a last line that is not whole is left out.

    ValueError if the file holds something else, OSError if it cannot be read.
    """
    conditions, records = log.read(path, WHAT)
    return conditions, games_of(records, path)


class GameLog:
    """A match's file, open for more games."""

    def __init__(self, path: Path, conditions: Mapping[str, object]) -> None:
        """Open or begin the file. Raises ValueError if it holds games of another match, or another run writes it."""
        self._log = RunLog(path, conditions, WHAT)
        try:
            self.games = games_of(self._log.found, path)
        except ValueError:
            self.close()
            raise

    def add(self, number: int, game: PlayedGame) -> None:
        self.games[number] = game
        self._log.add({"number": number} | {name: getattr(game, name) for name in FIELDS})

    def close(self) -> None:
        self._log.close()
