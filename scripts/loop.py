"""Learn generation after generation: play, learn, and play against others, for days, with any number of interruptions.

    python -m scripts.loop runs/loop --jobs 2 --against 20000 "option.USI_Hash=64 path/to/engine" \\
        --against 20000 eval=runs/older.weights
    python -m scripts.loop runs/rival --jobs 2 --rival strong.weights --own-values --rival-games 100 --last 3

A generation plays --positions with the network before it, learns on from it with the positions of the --last
generations, and plays --games against each opponent (--against). The new network plays the next generation, whatever it
scores. Choose opponents that did not learn from these networks and are not rivals in self-play, because a network
learns to beat its rivals. The openings of these games are kept out of self-play.

With --from-first and a large --last, each generation learns on from the first network, once, with all positions. So no
position is learned over and over.

FOLDER has a folder for each generation, with its positions, weights, losses and games. FOLDER/curve.tsv has a row for
each generation. Generation 0 is the network that the run begins with; its games are the baseline.

The same command run again continues after any interruption. Settings may be changed between steps: a step that has
begun must be continued with its own settings, and the next step takes the new ones. With --scheduler the games are
played on many machines.
"""
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import click

from engine.errors import UserError
from scripts.cli.command import command, go_last
from scripts.cli.inputs import Inputs
from scripts.games.opponent import Opponent
from scripts.games.settings import against_setting
from scripts.training.generations import Loop, LoopPlan
from scripts.training.recipe import NetworkRecipe
from scripts.training.selfplay import SelfPlayRecipe
from usi.console.options import click_type, options_of, workers_options
from usi.console.settings import COUNT, FILE, FOLDER, POSITIONS, WholeRange, setting


@dataclass(frozen=True)
class Play(SelfPlayRecipe):
    """Self-play with the settings that have taught most (docs/LEARNING.md)."""

    nodes: int | None = 3000
    hash_mb: int = 2


@dataclass(frozen=True, kw_only=True)
class Learn(NetworkRecipe):
    """Learning on from a network."""

    rate: float = 0.0002
    epochs: int = 1
    blend: float = 1.0
    trace: float = 0.95


@dataclass(frozen=True)
class LoopOptions:
    """The generations, and the games that judge them."""

    generations: int | None = setting("Total number of generations [default: without end].", COUNT, None)
    positions: int = setting("Positions that a generation plays.", POSITIONS, 500_000)
    last: int = setting("Files that a generation learns from: its own, and those before it.", COUNT, 3)
    before: tuple[Path, ...] = setting("Positions from before the run, which count as earlier generations'; several "
                                       "files may be given, the oldest first.", FILE, (), multiple=True)
    from_first: bool = setting("Learn on from the first network each time, not from the one before.", None, False)
    init: Path | None = setting("Network to begin with [default: the packaged one].", FILE, None)
    against: tuple[tuple[int, str], ...] = against_setting(several=True)
    games: int = setting("Games with each opponent, an even number.", WholeRange(2, 10**6, "GAMES"), 100)
    background: bool = setting("Let everything else on the machine go first.", None, False)


@command(__doc__, resumes=True)
@click.argument("folder", type=click_type(FOLDER))
@options_of(LoopOptions, "options")
@workers_options()
@options_of(Inputs, "inputs")
@options_of(Play, "make", partial(partial, SelfPlayRecipe))
@options_of(Learn, "make_recipe", partial(partial, NetworkRecipe))
def main(folder: Path, options: LoopOptions, jobs: int, scheduler: str | None, inputs: Inputs,
         make: Callable[..., SelfPlayRecipe], make_recipe: Callable[..., NetworkRecipe]) -> None:
    seed = make_recipe(files={}).seed
    lines = inputs.lines()
    Random(seed).shuffle(lines)
    matches = options.games // 2 if options.against else 0
    if len(lines) <= matches:
        raise UserError("{games} games take {matches} of {count} openings, and self-play needs others; give fewer "
                        "--games, or more --openings", games=options.games, matches=matches, count=len(lines))
    opponents = [Opponent.parse(*each) for each in options.against]
    if twice := [label for label, found in Counter(each.label for each in opponents).items() if found > 1]:
        raise UserError("--against has {name} twice; give one of them a name (name=…), or leave it out",
                        name=twice[0])
    plan = LoopPlan(inputs.recipe(make, lines[matches:]), make_recipe, options.positions, options.last, options.before,
                    options.from_first, lines[matches:], opponents, options.games, lines[:matches], seed, jobs,
                    scheduler)
    if options.background:
        go_last()
    Loop(folder, plan).run(options.init, options.generations)


if __name__ == "__main__":
    main()
