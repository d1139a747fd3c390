"""Options of commands: made from the fields of dataclasses; the ranges of their numbers; and who does the work."""
import math
from collections.abc import Callable
from dataclasses import MISSING, field, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine import MAX_PLY
from search.limits import UNBOUNDED
from usi.words.language import _


class Real(click.FloatRange):
    """A number in its range, which NaN, being neither too small nor too large, and infinity are not in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(_("{value} is not in the range {range}.", value=value, range=self._describe_range()), param, ctx)
        return number


COUNT = click.IntRange(1, 10**9)            # of games, positions, files
AMOUNT = click.IntRange(1, UNBOUNDED)       # of nodes, or milliseconds
DEPTH = click.IntRange(1, MAX_PLY - 1)
THREADS = click.IntRange(1, 512)
MEGABYTES = click.IntRange(1, 2**20)
CENTIPAWNS = click.IntRange(0, 10**6)
SEED = click.IntRange(0, 2**63 - 1)
PERCENT = click.IntRange(0, 100)
SHARE = Real(0, 1)
PART = Real(0, 1, min_open=True, max_open=True)
HELD_OUT = Real(0, 1, max_open=True)
ELO = Real(-10_000, 10_000)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
ANY_PATH = click.Path(path_type=Path)

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def setting(help: str, type: Any = None, default: Any = MISSING, flag: str = "", **more: Any) -> Any:
    """A field of a dataclass that is an option of commands, required if it has no default, which a function may make.
    `flag` is what people type, where that is not the field's name; `shown` is the default as they would type it, where
    that is not the field's; `more` goes to click.option."""
    metadata = {"option": {"help": help, "type": type, "flag": flag} | more}
    return field(default_factory=default, metadata=metadata) if callable(default) else field(
        default=default, metadata=metadata)


def _settings(kind: Any) -> dict[str, dict[str, Any]]:
    """The options by field. A class that only changes the default of a base's field inherits the rest."""
    return {each.name: each.metadata["option"] for base in reversed(kind.__mro__) if is_dataclass(base)
            for each in fields(base) if "option" in each.metadata}


def option_of(kind: Any, name: str) -> Decorator:
    """The option of one field of a dataclass."""
    (found,) = (each for each in fields(kind) if each.name == name)
    more = dict(_settings(kind)[name])
    flag = more.pop("flag") or f"--{name.replace('_', '-')}"
    default = more.pop("shown", None if found.default is MISSING else found.default)
    more["is_flag"] = default is False
    if not more.get("multiple"):
        more["required"] = found.default is found.default_factory
    more.setdefault("show_default", default not in (None, False, "", ()))
    return click.option(flag, name, **{"default": default} | more)


def options_of(kind: Any, name: str, make: Callable[..., Any] | None = None) -> Decorator:
    """Add the options of a dataclass's settings. The command gets an instance as its argument `name`, or what `make`
    returns for them."""
    names = list(_settings(kind))

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def with_settings(**given: Any) -> Any:
            return function(**{name: (make or kind)(**{each: given.pop(each) for each in names})}, **given)

        decorated: Callable[..., Any] = with_settings
        for each in reversed(names):
            decorated = option_of(kind, each)(decorated)
        return decorated
    return decorate


def evaluation_setting() -> Any:
    """A setting for the name of an evaluation; see `eval.loading`."""
    return setting("Evaluation: a weights file, another engine's nn.bin (nn.bin@20 for FV_SCALE 20), the packaged "
                   "tables, or material alone [default: the packaged network]",
                   None, None, "--eval-file", metavar="FILE|tables|material")


def jobs_option(default: int = 1) -> Decorator:
    return click.option("--jobs", type=click.IntRange(1, 4096), default=default, show_default=True,
                        help="Number of processes.")


def workers_options(default: int = 1) -> Decorator:
    """Options for the workers: processes of this machine, or those of a scheduler."""
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def checked(**given: Any) -> Any:
            source = click.get_current_context().get_parameter_source("jobs")
            if given["scheduler"] and source == ParameterSource.COMMANDLINE:
                raise click.UsageError(_("--scheduler has its own workers: leave --jobs out"))
            return function(**given)
        scheduled = click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a Dask scheduler instead "
                                 "(tcp://HOST:PORT, docs/MATCHES.md).")(checked)
        return jobs_option(default)(scheduled)
    return decorate
