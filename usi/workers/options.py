"""The options of a command whose work may be done by many processes."""
from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def jobs_option(default: int = 1) -> Decorator:
    return click.option("--jobs", type=click.IntRange(1, 4096), default=default, show_default=True,
                        help="Number of processes.")


def workers_options(default: int = 1) -> Decorator:
    """Who does the work: processes of this machine, or the workers of a scheduler."""
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def checked(**given: Any) -> Any:
            source = click.get_current_context().get_parameter_source("jobs")
            if given["scheduler"] and source == ParameterSource.COMMANDLINE:
                raise click.UsageError("--scheduler has its own workers: leave --jobs out")
            return function(**given)
        scheduled = click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a Dask scheduler instead "
                                 "(tcp://HOST:PORT, docs/MATCHES.md).")(checked)
        return jobs_option(default)(scheduled)
    return decorate
