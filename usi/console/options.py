"""Options of commands, made from settings (usi.console.settings), and the options for workers."""
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine.errors import UserError
from usi.console.settings import OneOf, Parsed, PathTo, RealRange, WholeRange
from usi.words.language import _, translate


class NumberIn(click.ParamType):    # type: ignore[type-arg]  # older clicks have none
    """A finite number in a range. Helps name its unit, errors its ends."""

    def __init__(self, kind: WholeRange | RealRange) -> None:
        self.kind = kind
        self._plain = click.INT if isinstance(kind, WholeRange) else click.FLOAT
        self.name = self._plain.name

    def get_metavar(self, *_arguments: Any, **_more: Any) -> str:
        return self.kind.unit

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = self._plain.convert(value, param, ctx)
        if number not in self.kind:
            self.fail(_("{value} is not in the range {range}.", value=number, range=self.kind), param, ctx)
        return number


class ParsedText(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """A text that a function of ours reads."""

    def __init__(self, kind: Parsed) -> None:
        self.name = kind.form
        self._parse = kind.parse

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        if not isinstance(value, str):      # click 8.0 converts defaults twice
            return value
        try:
            return self._parse(value)
        except UserError as error:
            self.fail(error.told(translate), param, context)


def click_type(kind: Any) -> Any:
    """click's type for a kind of setting; any other kind as it is."""
    match kind:
        case WholeRange() | RealRange():
            return NumberIn(kind)
        case OneOf(words):
            return click.Choice(tuple(words))
        case Parsed():
            return ParsedText(kind)
        case PathTo():
            return click.Path(path_type=Path, dir_okay=kind is not PathTo.FILE, file_okay=kind is not PathTo.FOLDER)
        case tuple():
            return tuple(map(click_type, kind))
    return kind


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


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
    return click.option(flag, name, type=click_type(more.pop("kind")), **{"default": default} | more)


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


def jobs_option(default: int = 1) -> Decorator:
    return click.option("--jobs", type=click_type(WholeRange(1, 4096)), default=default, show_default=True,
                        help="Number of processes.")


def workers_options(default: int = 1) -> Decorator:
    """Add the options for workers: `--jobs` processes of this machine, or those of a `--scheduler`."""
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
