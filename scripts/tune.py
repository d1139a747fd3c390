"""Tune margins of the search by SPSA (simultaneous perturbation stochastic approximation), by games.

    python -m scripts.tune --margin rfp_margin=150,50,300,15,0.002 --margin null_base=3,1,6,0.5,0.002 \\
        --iterations 10000 --nodes 20000 --state runs/tune.json

A margin reads name=start,min,max,c_end,r_end: c_end is the distance of either side from the middle in the last
iteration, r_end the learning rate there (J. C. Spall's method with the gains that are usual for engines). Each
iteration pushes all margins up or down at random, lets the two opposite pushes play pairs of games, and moves the
margins towards the winner.

--state keeps the state after each iteration. The same command run again continues from it; with other openings, weights
or another search it is refused. The values after each iteration (the path) are in a file of the same name that ends in
.tsv. The values printed at the end are the means of the last quarter of the path, because single steps are mostly
noise. Try them in a match.
"""
from dataclasses import dataclass
from pathlib import Path

import click

from engine.errors import Phrase, UserError
from scripts.cli.command import command
from scripts.games.game import play_game
from scripts.games.openings import digest_of, load
from scripts.games.search_player import SearchPlayer
from scripts.games.settings import openings_setting, seed_setting
from scripts.tuning.spsa import TunedMargin, TuningState, lead_in_games, tune
from usi.console.options import click_type, options_of, workers_options
from usi.console.progress import Progress, progress
from usi.console.settings import COUNT, FILE, NODES, Parsed, setting
from usi.files.journal import require_same
from usi.files.locking import alone
from usi.words.language import _
from usi.workers.pool import worker_pool


def listed(values: dict[str, float]) -> str:
    """The values in the form that match.py's `--a` takes."""
    return ",".join(f"{name}={round(value)}" for name, value in values.items())


@dataclass(frozen=True)
class TuneOptions:
    """The margins to tune, and the games."""

    iterations: int = setting("Number of iterations, of all runs together.", COUNT)
    margin: tuple[TunedMargin, ...] = setting("Margin of search/parameters.py to tune; several may be given.",
                                              Parsed("name=start,min,max,c_end,r_end", TunedMargin.parse), (),
                                              multiple=True, required=True, metavar="NAME=START,MIN,MAX,C_END,R_END")
    pairs: int = setting("Pairs of games in each iteration.", COUNT, 1)
    nodes: int = setting("Nodes of a move.", NODES, 20_000)
    openings: Path = openings_setting()
    seed: int = seed_setting()

    def begin(self, lines: list[str]) -> TuningState:
        """The state before the first iteration. UsageError for a plan that cannot be carried out."""
        names = [margin.name for margin in self.margin]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise click.UsageError(_("--margin names {name} twice; give it once", name=twice))
        if self.pairs > len(lines):
            raise click.UsageError(_("--pairs {pairs} are more than the {count} openings; give no more than these",
                                     pairs=self.pairs, count=len(lines)))
        return TuningState(list(self.margin), self.iterations, self.pairs, self.nodes, self.seed, digest_of(lines),
                           SearchPlayer(nodes=self.nodes).fingerprint, {each.name: each.start for each in self.margin})


@command(__doc__, resumes=True)
@options_of(TuneOptions, "plan")
@workers_options(2)
@click.option("--state", "path", type=click_type(FILE), required=True, help="File for the state, and to resume from.")
def main(plan: TuneOptions, jobs: int, scheduler: str | None, path: Path) -> None:
    if path.suffix == ".tsv":
        raise UserError("{path} ends in .tsv, as the file of the path does; call the state something else", path=path)
    lines = load(plan.openings)
    state = plan.begin(lines)
    with alone(path):
        if path.exists():
            stored = TuningState.load(path)
            require_same(path, Phrase("a tuning"), stored.conditions(), state.conditions())
            state = stored
        course = Progress(state.iterations, "iterations", state.done)
        with worker_pool(play_game, jobs, scheduler=scheduler) as play_all:
            for reached in tune(state, path, lead_in_games(lines, state.pairs, state.nodes, play_all)):
                course.tell(reached.done)
        progress("")
    print(listed(state.result))


if __name__ == "__main__":
    main()
