"""Options that several commands have; each means the same wherever it stands. `engine`'s commands have the others."""
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from scripts.games.openings import OPENINGS
from usi.commands.terminal import evaluation_option as evaluation_option  # --eval-file

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
ANY_PATH = click.Path(path_type=Path)
COUNT = click.IntRange(1)

openings_option: Decorator = click.option(
    "--openings", type=FILE, default=OPENINGS, help="Lines of `startpos moves …` or SFEN, or games in CSA, KIF, KI2 or "
    f"JKF [default: {OPENINGS.name}]")
seed_option: Decorator = click.option("--seed", type=int, default=1, show_default=True, help="Random seed.")


def jobs_option(default: int = 1) -> Decorator:
    return click.option("--jobs", type=COUNT, default=default, show_default=True,
                        help="Number of processes.")


def workers_options(default: int = 1) -> Decorator:
    """Who plays: processes on this machine, or the workers of a scheduler."""
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def checked(**given: Any) -> Any:
            source = click.get_current_context().get_parameter_source("jobs")
            if given["scheduler"] and source == ParameterSource.COMMANDLINE:
                raise click.UsageError("--scheduler has its own workers: leave --jobs out")
            return function(**given)
        scheduled = click.option("--scheduler", metavar="ADDRESS", help="Let the workers of this Dask scheduler play "
                                 "instead (tcp://HOST:PORT, docs/MATCHES.md).")(checked)
        return jobs_option(default)(scheduled)
    return decorate


def nodes_option(default: int | None = None, text: str = "Nodes of a move.") -> Decorator:
    return click.option("--nodes", type=COUNT, default=default, show_default=default is not None, help=text)


def hash_option(default: int = 16) -> Decorator:
    return click.option("--hash", "hash_mb", type=COUNT, default=default, show_default=True, metavar="MB",
                        help="Memory of each search's table.")


def out_option(text: str, required: bool = False, kind: click.Path = FILE) -> Decorator:
    return click.option("--out", type=kind, required=required, help=text)
