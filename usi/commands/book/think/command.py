"""The command `engine book think`."""
import click

from usi.commands.book.think.analyst import think_about
from usi.commands.book.think.recipe import Recipe, recipe_options
from usi.workers.kept import own_files
from usi.workers.options import workers_options
from usi.workers.pool import TasksLost, worker_pool


@click.command()
@recipe_options
@workers_options()
def think(recipe: Recipe, jobs: int, scheduler: str | None) -> None:
    """Make a book by the engine's own search.

    It grows from the start of the game: each position is searched for its best moves, and the most plausible lines, by
    minimax over all that is known, are extended first. The same command resumes an interrupted run; with more
    --positions it extends a complete book.
    """
    files = own_files([recipe.thinking.evaluation])
    try:
        click.echo(recipe.make(worker_pool(think_about, jobs, scheduler=scheduler, files=files)))
    except TasksLost as error:
        raise TasksLost(f"{error}; the same command continues") from None
