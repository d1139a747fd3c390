"""Options of several commands, with one meaning each. The commands of `engine` have the others."""
from pathlib import Path

import click

from scripts.games.openings import OPENINGS
from usi.commands.terminal import evaluation_option as evaluation_option  # --eval-file
from usi.workers.options import Decorator as Decorator
from usi.workers.options import jobs_option as jobs_option
from usi.workers.options import workers_options as workers_options

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
ANY_PATH = click.Path(path_type=Path)
COUNT = click.IntRange(1)

openings_option: Decorator = click.option(
    "--openings", type=FILE, default=OPENINGS, help="Lines of `startpos moves …` or SFEN, or games in CSA, KIF, KI2 or "
    f"JKF [default: {OPENINGS.name}]")
seed_option: Decorator = click.option("--seed", type=int, default=1, show_default=True, help="Random seed.")


def nodes_option(default: int | None = None, text: str = "Nodes of a move.") -> Decorator:
    return click.option("--nodes", type=COUNT, default=default, show_default=default is not None, help=text)


def hash_option(default: int = 16) -> Decorator:
    return click.option("--hash", "hash_mb", type=COUNT, default=default, show_default=True, metavar="MB",
                        help="Memory of each search's table.")


def out_option(text: str, required: bool = False, kind: click.Path = FILE) -> Decorator:
    return click.option("--out", type=kind, required=required, help=text)
