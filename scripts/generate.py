"""Generate training positions by self-play.

    python -m scripts.generate --out ~/data/first.psv.xz --positions 5000000 --nodes 300 --jobs 2
    python -m scripts.generate --out ~/data/deep.hcpe --positions 1000000 --nodes 5000 --openings mine.sfen
    python -m scripts.generate --folder ~/data/self --nodes 300 --jobs 2 --background

The engine plays against itself. For every position of a game the file gets the search's score, its best move and the
game's result. NAME.psv holds PackedSfenValue records, NAME.hcpe holds hcpe; with .xz at the end the file is compressed
to a third. NAME.json keeps the recipe.

The same command run again continues until the file holds --positions. The command may be interrupted or killed at any
time. A kill loses positions of a compressed file only: those of the last ten seconds, 16,384 at most. An uninterrupted
run makes the same positions from the same seed, with any --jobs and --scheduler.

With --folder the run fills one compressed file after another, without end or until they hold --positions. Each file has
its own seed, and is played by the weights as they are when the file is begun. So newly packaged weights play the next
file. FOLDER/manifest.json lists the files with their recipes, weights, seeds and dates; FOLDER/next holds the file that
is being filled. With --background all other processes on the machine go first.

A game starts from an opening cut at random, from random moves, a handicap, kings in the enemy's camp, a late position
of an earlier game, or an odd position, where pieces have gone or are in the other side's hand; --mix sets their shares.
A few random moves follow. Early in a game the engine sometimes plays a move that is nearly as good as the best. The
file always gets the best move. A game ends by the rules (mate, declaration by 27 points, repetition), as a draw after
--max-plies, or when the scores have agreed on the winner for some plies; --play-out percent of the games are played to
their real end.

With --rival, another evaluation has one side in some of the games (--rival-games), and with --spar another USI engine.
A rival punishes what our evaluation does not see, and `learn --td` passes the results on to earlier positions. With
--own-values the file holds our score and our best move at every position, also where the rival moves, so nothing is
learned from a rival's values; otherwise a rival evaluation's scores stand at its moves. With --spar all scores in the
file are ours, also at the other engine's moves. Both players' scores decide when a game ends.

    python -m scripts.generate --folder ~/data/spar --nodes 3000 --rival rival.weights --own-values --rival-games 100
    python -m scripts.generate --folder ~/data/spar --nodes 3000 --spar "nodes=20000 option.USI_Hash=64 path/to/engine"
"""
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from scripts.cli.command import command, go_last
from scripts.cli.inputs import Inputs
from scripts.games.settings import seed_setting
from scripts.training.filling import generate
from scripts.training.selfplay import SelfPlayRecipe, weights_digest
from scripts.training.series import FILE_POSITIONS, fill_series
from usi.console.options import options_of, workers_options
from usi.console.settings import FILE, FOLDER, POSITIONS, evaluation_setting, setting
from usi.words.language import _


@dataclass(frozen=True)
class Target:
    """The file or folder to fill, the number of positions, and who plays them."""

    out: Path | None = setting("File to fill: NAME.psv or NAME.hcpe, NAME.psv.xz or NAME.hcpe.xz.", FILE, None)
    folder: Path | None = setting("Folder of files to fill instead.", FOLDER, None)
    positions: int | None = setting("Total positions of the file or folder.", POSITIONS, None)
    file_positions: int = setting("Positions of each of the folder's files.", POSITIONS, FILE_POSITIONS)
    background: bool = setting("Let everything else on the machine go first (nice 19, and idle scheduling and I/O "
                               "where the system has them).", None, False)
    evaluation: str | None = evaluation_setting()
    seed: int = seed_setting()


@command(__doc__, resumes=True)
@options_of(Target, "target")
@workers_options()
@options_of(Inputs, "inputs")
@options_of(SelfPlayRecipe, "make", partial(partial, SelfPlayRecipe))
def main(target: Target, jobs: int, scheduler: str | None, inputs: Inputs,
         make: Callable[..., SelfPlayRecipe]) -> None:
    if (target.out is None) == (target.folder is None):
        raise click.UsageError(_("give either --out or --folder"))
    if target.out and target.positions is None:
        raise click.UsageError(_("--out needs --positions"))
    openings = inputs.lines()
    named = target.evaluation or ""
    recipe = replace(inputs.recipe(make, openings), weights=weights_digest(named))
    if target.background:
        go_last()
    if target.folder:
        fill_series(target.folder, recipe, openings, target.positions, target.file_positions, jobs, target.seed, named,
                    scheduler)
    elif target.out and target.positions:
        print(generate(target.out, recipe, openings, target.positions, jobs, str(target.seed), named, scheduler))


if __name__ == "__main__":
    main()
