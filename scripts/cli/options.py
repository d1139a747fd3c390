"""Settings and types of several commands' options. usi.console.options has those that `engine` shares."""
from collections.abc import Mapping
from typing import Any

import click

from engine.errors import Listed, Phrase, UserError
from engine.records.formats import names
from scripts.games.openings import OPENINGS
from scripts.games.search_player import SearchPlayer
from search.parameters import RANGES, SETS
from usi.console.options import AMOUNT, FILE, MEGABYTES, SEED, setting
from usi.words.language import _, translate
from usi.words.typed import did_you_mean, whole_number


def openings_setting() -> Any:
    return setting(f"Lines of `startpos moves …` or SFEN, or games in {Listed(names(), ' or ')} "
                   f"[default: {OPENINGS.name}]", FILE, OPENINGS, show_default=False)


def against_setting() -> Any:
    """A setting for what `Opponent.parse` reads."""
    return setting("An opponent, and the nodes that our search has for a move against it: a USI engine with settings "
                   "before its command, or eval=FILE for our search with other weights.", (AMOUNT, str), (),
                   multiple=True, metavar="NODES PLAYER")


def seed_setting() -> Any:
    return setting("Random seed.", SEED, 1)


def hash_setting() -> Any:
    return setting("Memory of each search's table.", MEGABYTES, 16, "--hash", metavar="MB")


class Assignments(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """`name=integer,…`; the name of a set stands for its contents."""

    name = "name=value,…"

    def __init__(self, ranges: Mapping[str, tuple[int, int]],
                 sets: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.ranges = ranges        # of the names that are known: the least and the largest number
        self.sets = sets or {}

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> dict[str, int]:
        values: dict[str, int] = {}
        for item in filter(None, value.split(",")):
            name, _equals, number = item.partition("=")
            if item in self.sets:
                values |= self.sets[item]
            elif name in self.ranges and (given := whole_number(number)) is not None:
                least, most = self.ranges[name]
                if not least <= given <= most:
                    self.fail(_("{text!r} is not in the range {range}", text=item, range=f"{least}<=x<={most}"), param,
                              context)
                values[name] = given
            else:
                fault = Phrase("{text!r} does not read name=integer with a known name", text=item)
                self.fail(did_you_mean(fault, name, [*self.ranges, *self.sets]).told(translate), param, context)
        return values


PARAMETERS = Assignments(RANGES, SETS)


class Differences(click.ParamType):  # type: ignore[type-arg]
    """`name=value,…`, as `SearchPlayer.varied` reads it."""

    name = "name=value,…"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> str:
        try:
            SearchPlayer(nodes=1).varied(value)
        except UserError as error:
            self.fail(error.told(translate), param, context)
        return str(value)


def params_setting(default: str = "") -> Any:
    """A setting for parameters of the search; `default` is what people could type."""
    return setting("Parameters of search/parameters.py that differ; `short` stands for those of short searches.",
                   PARAMETERS, dict, metavar="NAME=VALUE,…", shown=default)
