"""Options of several commands, with one meaning each. The commands of `engine` have the others."""
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from scripts.games.openings import OPENINGS
from scripts.games.search_player import SearchPlayer
from search.parameters import RANGES, SETS
from usi.console.options import AMOUNT, MEGABYTES, SEED, option_of, setting
from usi.console.options import ANY_PATH as ANY_PATH
from usi.console.options import COUNT as COUNT
from usi.console.options import FILE as FILE
from usi.console.options import FOLDER as FOLDER
from usi.console.options import Decorator as Decorator
from usi.console.options import jobs_option as jobs_option
from usi.console.options import workers_options as workers_options
from usi.console.terminal import evaluation_option as evaluation_option  # --eval-file
from usi.words.typed import did_you_mean, whole_number

openings_option: Decorator = click.option(
    "--openings", type=FILE, default=OPENINGS, help="Lines of `startpos moves …` or SFEN, or games in CSA, KIF, KI2 or "
    f"JKF [default: {OPENINGS.name}]")
seed_option: Decorator = click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")


class Assignments(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """`name=integer,…`, where the name of a set stands for what is in it."""

    name = "name=value,…"

    def __init__(self, ranges: Mapping[str, tuple[int, int]],
                 sets: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.ranges = ranges        # of the names that are known: the least and the largest number
        self.sets = sets or {}

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> dict[str, int]:
        values: dict[str, int] = {}
        for item in filter(None, value.split(",")):
            name, _, number = item.partition("=")
            if item in self.sets:
                values |= self.sets[item]
            elif name in self.ranges and (given := whole_number(number)) is not None:
                least, most = self.ranges[name]
                if not least <= given <= most:
                    self.fail(f"{item!r} is not in the range {least}<=x<={most}.", param, context)
                values[name] = given
            else:
                self.fail(f"{item!r} does not read name=integer with a known name"
                          + did_you_mean(name, [*self.ranges, *self.sets]), param, context)
        return values


PARAMETERS = Assignments(RANGES, SETS)


class Differences(click.ParamType):  # type: ignore[type-arg]
    """What `SearchPlayer.varied` reads."""

    name = "name=value,…"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> str:
        try:
            SearchPlayer(nodes=1).varied(value)
        except ValueError as error:
            self.fail(str(error), param, context)
        return str(value)


def params_setting(default: str = "") -> Any:
    """A setting for parameters of the search; `default` is what people could type."""
    return setting("Parameters of search/parameters.py that differ; `short` stands for those of short searches.",
                   PARAMETERS, dict, metavar="NAME=VALUE,…", shown=default)


def nodes_option(default: int | None = None, text: str = "Nodes of a move.") -> Decorator:
    return click.option("--nodes", type=AMOUNT, default=default, show_default=default is not None, help=text)


def hash_setting() -> Any:
    return setting("Memory of each search's table.", MEGABYTES, 16, "--hash", metavar="MB")


@dataclass(frozen=True)
class _Search:
    params: dict[str, int] = params_setting()
    hash_mb: int = hash_setting()


params_option = option_of(_Search, "params")
hash_option = option_of(_Search, "hash_mb")


def out_option(text: str, required: bool = False, kind: click.Path = FILE) -> Decorator:
    return click.option("--out", type=kind, required=required, help=text)
