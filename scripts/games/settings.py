"""Settings that mean the same in several commands of matches, self-play and learning."""
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.errors import Listed, UserError
from engine.records.formats import names
from scripts.games.openings import OPENINGS
from search.parameters import RANGES, SETS
from usi.console.settings import FILE, MEGABYTES, NODES, SEED, Parsed, RealRange, WholeRange, setting
from usi.words.typed import did_you_mean, whole_number

MARGIN_KINDS = {name: WholeRange(*ends) for name, ends in RANGES.items()}


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


def assigned(text: str) -> Iterator[tuple[str, str, str]]:
    """The items of `name=value,…`, each with its name and its value."""
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        yield item, name, value


def require_within(kind: WholeRange | RealRange, number: Any, item: str) -> None:
    """Raise UserError, quoting the item, if its number is out of range."""
    if number not in kind:
        raise UserError("{text!r} is not in the range {range}", text=item, range=str(kind))


def assignments(kinds: Mapping[str, WholeRange],
                sets: Mapping[str, Mapping[str, int]] | None = None) -> Callable[[str], dict[str, int]]:
    """A reader of `name=integer,…` for these names; the name of a set stands for its contents."""
    sets = sets or {}

    def parse(text: str) -> dict[str, int]:
        values: dict[str, int] = {}
        for item, name, digits in assigned(text):
            if item in sets:
                values |= sets[item]
            elif name in kinds and (number := whole_number(digits)) is not None:
                require_within(kinds[name], number, item)
                values[name] = number
            else:
                fault = UserError("{text!r} does not read name=integer with a known name", text=item)
                raise UserError.of(did_you_mean(fault, name, [*kinds, *sets]))
        return values
    return parse


def params_setting(default: str = "") -> Any:
    """A setting for parameters of the search; `default` is a text as people would type it."""
    return setting("Parameters of search/parameters.py that differ; `short` stands for those of short searches.",
                   Parsed("name=value,…", assignments(MARGIN_KINDS, SETS)), dict, metavar="NAME=VALUE,…", shown=default)
