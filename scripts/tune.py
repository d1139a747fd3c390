#!/usr/bin/env python3
"""Tune margins of the search by SPSA: simultaneous perturbation, each gradient measured by games or by root errors.

    python scripts/tune.py --margin rfp_margin=150,50,300,15,0.002 --margin null_base=3,1,6,0.5,0.002 \\
        --iterations 10000 --nodes 20000 --state runs/tune.json
    python scripts/tune.py --margin rfp_margin=150,50,300,15,0.05 --deep runs/deep.jsonl --batch 32 --first 5000 \\
        --iterations 4000 --nodes 20000 --state runs/tune.json

A margin is given by name=start,min,max,c_end,r_end: how far both sides are moved apart in the last iteration, and
the learning rate there (J. C. Spall's method with the gains that the field has come to use). In each iteration all
margins are pushed up or down at random, the two opposite pushes play pairs of games, and the margins move
towards the winner.

With --deep, a file that scripts/deep_values.py has made, no games are played: either push searches a batch of its
positions, and the one leads whose values are nearer to the deep ones and whose moves are more often the same: in mean
error of the winning rate less a tenth of the share of equal moves (scripts/root_error.py says both). Leads are divided
by their root mean square so far, so a usual one counts as much as a game won more. What is tuned by some positions is
to be tested by others: keep some back by --first.

The state is written after each iteration; the same command run again continues from it, to exactly where it would have
come without a break. Beside it, in a file of the same name that ends in .tsv, stands the path: the values after each
iteration, a column for each margin. The values printed at the end are the ones to try in a match: the means of the last
quarter of the path, for single steps are mostly noise.
"""
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from scripts.arena.game import play
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, nodes_option, openings_option, seed_option, workers_options
from scripts.games.openings import load
from scripts.tuning.deep_values import DeepValue, digest_of, read
from scripts.tuning.leads import Lead, lead_in_games, lead_in_loss
from scripts.tuning.root_search import search_roots
from scripts.tuning.spsa import Margin, State, tune
from scripts.workers.pool import worker_pool


@contextmanager
def measured(state: State, values: list[DeepValue], openings: Path, jobs: int, scheduler: str | None) -> Iterator[Lead]:
    """What the state's iterations are measured by, and who does the work."""
    if state.deep:
        with worker_pool(search_roots, jobs, scheduler=scheduler) as search_all:
            yield lead_in_loss(values, state.batch, state.nodes, search_all)
    else:
        with worker_pool(play, jobs, scheduler=scheduler) as play_all:
            yield lead_in_games(load(openings), state.pairs, state.nodes, play_all)


def listed(values: dict[str, float]) -> str:
    """As `--a` of match.py takes them."""
    return ",".join(f"{name}={round(value)}" for name, value in values.items())


@command(__doc__, resumes=True)
@click.option("--margin", "texts", multiple=True, required=True, metavar="NAME=START,MIN,MAX,C_END,R_END",
              help="Margin of search/parameters.py to tune; several may be given.")
@click.option("--iterations", type=COUNT, required=True)
@click.option("--pairs", type=COUNT, help="Of games in each iteration [default: 1].")
@click.option("--deep", type=FILE, help="Measure by these deep values instead of games.")
@click.option("--batch", type=COUNT, help="Positions of --deep to search in each iteration [default: 32].")
@click.option("--first", type=COUNT, help="Only of so many that begin the file [default: all].")
@nodes_option(20000)
@workers_options(2)
@openings_option
@seed_option
@click.option("--state", "path", type=FILE, required=True, help="File to keep the state in, and to continue from.")
def main(texts: tuple[str, ...], iterations: int, pairs: int | None, deep: Path | None, batch: int | None,
         first: int | None, nodes: int, jobs: int, scheduler: str | None, openings: Path, seed: int,
         path: Path) -> None:
    if deep and pairs:
        raise click.UsageError("--pairs are of games, and --deep is measured without: leave one of them out")
    if not deep and (batch or first):
        raise click.UsageError("--batch and --first are of the deep values: give --deep, too")
    margins = [Margin.parse(text) for text in texts]
    state = State(margins, iterations, pairs or 1, nodes, seed, {each.name: each.start for each in margins})
    values: list[DeepValue] = []
    if deep:
        values = read(deep)[:first]
        state.pairs, state.batch, state.deep = 0, batch or 32, digest_of(values)
    if path.exists():
        stored = State.load(path)
        if not stored.is_of(state):
            raise ValueError(f"{path} holds another tuning; name another file, or delete it")
        state = stored
    if path.suffix == ".tsv":
        raise ValueError(f"{path} ends in .tsv, as the path's file beside it does; call the state something else")
    with (measured(state, values, openings, jobs, scheduler) as lead_of,
          click.progressbar(length=state.iterations, label="tuning", show_pos=True, file=sys.stderr,
                            hidden=not sys.stderr.isatty()) as bar):
        for reached in tune(state, path, lead_of):
            bar.update(reached.done - bar.pos)
    print(listed(state.result))


if __name__ == "__main__":
    main()
