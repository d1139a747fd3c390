"""Make a book as `engine book think` does, by processes of this machine or by the workers of a Dask scheduler.

    python -m scripts.think_book --out data/book.db --positions 100000 --jobs 8
    python -m scripts.think_book --out data/book.db --positions 100000 --scheduler tcp://192.168.0.2:8786

The book and its journal are those of that command, whoever has thought: each continues what the other has
begun. A worker that dies or is lost costs only the position that it was thinking about.
"""
import click

from scripts.cli.command import command
from scripts.cli.options import workers_options
from scripts.workers.evaluators import own_files
from scripts.workers.pool import worker_pool
from usi.commands.book.think.analyst import think_about
from usi.commands.book.think.recipe import Recipe, recipe_options


@command(__doc__, resumes=True)
@recipe_options
@workers_options()
def main(recipe: Recipe, jobs: int, scheduler: str | None) -> None:
    files = own_files([recipe.thinking.evaluation])
    click.echo(recipe.make(worker_pool(think_about, jobs, scheduler=scheduler, files=files)))


if __name__ == "__main__":
    main()
