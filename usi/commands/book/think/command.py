"""The command `engine book think`."""
import click

from usi.commands.book.think.analyst import think_about
from usi.commands.book.think.recipe import Recipe, recipe_options
from usi.console.faults import usage_error
from usi.workers.kept import own_files
from usi.workers.options import workers_options
from usi.workers.pool import worker_pool


@click.command()
@recipe_options
@workers_options()
def think(recipe: Recipe, jobs: int, scheduler: str | None) -> None:
    """Make a book by the engine's own search.

    It grows from the start of the game: each position is searched for its best moves, and the most plausible lines, by
    minimax over all that is known, are extended first. The same command resumes an interrupted run; with more
    --positions it extends a complete book.
    """
    try:
        files = own_files([recipe.thinking.evaluation])
        click.echo(recipe.make(worker_pool(think_about, jobs, scheduler=scheduler, files=files)))
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    except RuntimeError as error:       # processes die again and again, or the scheduler is lost
        raise click.ClickException(f"{error}; the same command continues") from None
