"""The command `engine book think`."""
from concurrent.futures.process import BrokenProcessPool

import click

from usi.commands.book.think.processes import workers
from usi.commands.book.think.recipe import COUNT, Recipe, recipe_options
from usi.commands.faults import usage_error


@click.command()
@recipe_options
@click.option("--jobs", type=COUNT, default=1, show_default=True, help="Number of processes.")
def think(recipe: Recipe, jobs: int) -> None:
    """Make a book by the engine's own search.

    It grows from the start of the game: each position is searched for its best moves, and the most plausible lines, by
    minimax over all that is known, are extended first. The same command resumes an interrupted run; with more
    --positions it extends a complete book.
    """
    try:
        click.echo(recipe.make(workers(jobs)))
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    except BrokenProcessPool:
        raise click.ClickException("a process of --jobs was ended from outside, perhaps for lack of memory; the same "
                                   "command continues") from None
