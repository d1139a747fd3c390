"""Options of several commands, with one meaning each. The commands of `engine` have the others."""
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from scripts.games.openings import OPENINGS
from search.parameters import DEFAULTS, SETS
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

LARGEST_MARGIN = 10**6      # of a parameter of the search: beyond it sums of them would leave their type

openings_option: Decorator = click.option(
    "--openings", type=FILE, default=OPENINGS, help="Lines of `startpos moves …` or SFEN, or games in CSA, KIF, KI2 or "
    f"JKF [default: {OPENINGS.name}]")
seed_option: Decorator = click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")


class Assignments(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """`name=integer,…`, where the name of a set stands for what is in it."""

    name = "name=value,…"

    def __init__(self, known: Iterable[str], least: int, most: int,
                 sets: Mapping[str, Mapping[str, int]] | None = None) -> None:
        """The numbers lie between `least` and `most`."""
        self.known = list(known)
        self.least = least
        self.most = most
        self.sets = sets or {}

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> dict[str, int]:
        values: dict[str, int] = {}
        for item in filter(None, value.split(",")):
            name, _, number = item.partition("=")
            if item in self.sets:
                values |= self.sets[item]
            elif name in self.known and (given := whole_number(number)) is not None:
                if not self.least <= given <= self.most:
                    self.fail(f"{item!r} is not in the range {self.least}<=x<={self.most}.", param, context)
                values[name] = given
            else:
                self.fail(f"{item!r} does not read name=integer with a known name"
                          + did_you_mean(name, [*self.known, *self.sets]), param, context)
        return values


PARAMETERS = Assignments(DEFAULTS, -LARGEST_MARGIN, LARGEST_MARGIN, SETS)


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
