"""Settings that mean the same in several commands of matches, self-play and learning."""
from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import Listed, UserError
from engine.records.formats import names
from scripts.games.openings import OPENINGS
from scripts.games.search_player import SearchPlayer
from search.parameters import RANGES, SETS
from usi.console.settings import FILE, MEGABYTES, NODES, SEED, Parsed, setting
from usi.words.typed import did_you_mean, whole_number


def openings_setting() -> Any:
    return setting(f"Lines of `startpos moves …` or SFEN, or games in {Listed(names(), ' or ')} "
                   f"[default: {OPENINGS.name}]", FILE, OPENINGS, show_default=False)


def against_setting(several: bool) -> Any:
    """A setting for an opponent, or for several, in the form of `Opponent.parse`."""
    return setting("An opponent, and the nodes that our search has for a move against it: a USI engine with settings "
                   "before its command, or eval=FILE for our search with other weights.", (NODES, str),
                   () if several else None, multiple=several, metavar="NODES PLAYER")


def seed_setting() -> Any:
    return setting("Random seed.", SEED, 1)


def hash_setting() -> Any:
    return setting("Memory of each search's table.", MEGABYTES, 16, "--hash")


def assignments(ranges: Mapping[str, tuple[int, int]],
                sets: Mapping[str, Mapping[str, int]] | None = None) -> Callable[[str], dict[str, int]]:
    """A reader of `name=integer,…`. The least and the largest number of each name are given; the name of a set stands
    for its contents."""
    known = [*ranges, *(sets or {})]

    def parse(text: str) -> dict[str, int]:
        values: dict[str, int] = {}
        for item in filter(None, text.split(",")):
            name, _equals, number = item.partition("=")
            if sets and item in sets:
                values |= sets[item]
            elif name in ranges and (given := whole_number(number)) is not None:
                least, most = ranges[name]
                if not least <= given <= most:
                    raise UserError("{text!r} is not in the range {range}", text=item, range=f"{least}<=x<={most}")
                values[name] = given
            else:
                fault = UserError("{text!r} does not read name=integer with a known name", text=item)
                raise UserError.of(did_you_mean(fault, name, known))
        return values
    return parse


def params_setting(default: str = "") -> Any:
    """A setting for parameters of the search; `default` is a text as people would type it."""
    return setting("Parameters of search/parameters.py that differ; `short` stands for those of short searches.",
                   Parsed("name=value,…", assignments(RANGES, SETS)), dict, metavar="NAME=VALUE,…", shown=default)


def checked_changes(text: str) -> str:
    """The text, if `SearchPlayer.varied` reads it. Raises UserError otherwise."""
    SearchPlayer(nodes=1).varied(text)
    return text


CHANGES = Parsed("name=value,…", checked_changes)
