"""The command `engine book think`."""
from concurrent.futures.process import BrokenProcessPool

import click

from usi.commands.book.think.processes import workers
from usi.commands.book.think.recipe import COUNT, Recipe, recipe_options
from usi.commands.faults import usage_error


@click.command()
@recipe_options
@click.option("--jobs", type=COUNT, default=1, show_default=True, help="Processes that work at the same time.")
def think(recipe: Recipe, jobs: int) -> None:
    """Make a book by the engine's own search, from the start of the game outwards.

    Each position is searched for its best moves. Those are followed first that lead to the most plausible play, by
    what moves are worth by minimax over all that is known. The same command goes on where the last one was ended,
    however that was, and with more --positions from where it was complete.
    """
    try:
        click.echo(recipe.make(workers(jobs)))
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    except BrokenProcessPool:
        raise click.ClickException("a process of --jobs was ended from outside, perhaps for lack of memory; the same "
                                   "command continues") from None
