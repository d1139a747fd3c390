"""Generate training positions by self-play.

    python -m scripts.generate --out ~/data/first.psv.xz --positions 5000000 --nodes 300 --jobs 2
    python -m scripts.generate --out ~/data/deep.hcpe --positions 1000000 --nodes 5000 --openings mine.sfen
    python -m scripts.generate --folder ~/data/self --nodes 300 --jobs 2 --background

The engine plays against itself. For every position of a game the file gets the search's score, its best move and the
game's result. NAME.psv holds PackedSfenValue records, NAME.hcpe holds hcpe; with .xz at the end the file is compressed
to a third. NAME.json keeps the recipe.

The same command run again continues until the file holds --positions. It may be interrupted or killed at any time: a
kill loses of a compressed file the positions of the last ten seconds, 16,384 at most. A run that was not interrupted
makes the same positions from the same seed, whoever plays the games (--jobs, --scheduler).

With --folder the run fills one compressed file after another, without end or until they hold --positions. Each file has
its own seed. It is played by the weights as they are when it begins, so newly packaged ones play the next file.
FOLDER/manifest.json lists the files with their recipes, weights, seeds and dates; FOLDER/next holds the file that is
being filled. With --background everything else on the machine goes first.

A game starts from an opening cut at random, from random moves, a handicap, kings in the enemy's camp, a late position
of an earlier game, or an odd position, where pieces have gone or are in the other side's hand; --mix sets their shares.
A few random moves follow. Early in a game the engine now and then plays a move that is nearly as good as the best; the
file always gets the best. A game ends by the rules (mate, declaration by 27 points, repetition), as a draw after
--max-plies, or when the scores have agreed on the winner for some plies; --play-out percent of the games are played to
their real end.

With --rival, another evaluation has one side in some of the games (--rival-games), and with --spar another USI engine.
What a rival sees and we do not decides games, and `learn --td` hands the results on. With --own-values the file holds
our score and our best move at every position, also where the rival moves, so nothing is learned from a rival's values;
otherwise an evaluation's scores stand at its moves. After --spar they are always ours. The game is decided by both
players' scores.

    python -m scripts.generate --folder ~/data/spar --nodes 3000 --rival rival.weights --own-values --rival-games 100
    python -m scripts.generate --folder ~/data/spar --nodes 3000 --spar "nodes=20000 option.USI_Hash=64 path/to/engine"
"""
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import click

from eval.loading import MATERIAL, weights_file
from scripts.cli.command import command, go_last
from scripts.cli.options import seed_setting
from scripts.games.openings import OPENINGS, digest_of, load
from scripts.training.filling import generate
from scripts.training.rivals import SPAR_NODES, engine_name
from scripts.training.selfplay import SelfPlayRecipe
from scripts.training.series import FILE_POSITIONS, fill_series
from scripts.training.starts import MIX
from usi.console.options import COUNT, FILE, FOLDER, evaluation_setting, options_of, setting, workers_options


def weights_digest(name: str) -> str:
    weights = weights_file(name)
    return sha256(weights.read_bytes()).hexdigest() if weights else MATERIAL


@dataclass(frozen=True)
class Target:
    """The file or folder to fill, and the number of positions."""

    out: Path | None = setting("NAME.psv or NAME.hcpe, NAME.psv.xz or NAME.hcpe.xz.", FILE, None)
    folder: Path | None = setting("Fill a folder of files instead.", FOLDER, None)
    positions: int | None = setting("Total positions of the file or folder.", COUNT, None)
    file_positions: int = setting("Of each of the folder's files.", COUNT, FILE_POSITIONS)
    background: bool = setting("Let everything else on the machine go first (nice 19, and idle scheduling and I/O "
                               "where the system has them).", None, False)


@dataclass(frozen=True)
class Sources:
    """Files that the games depend on, and the seed."""

    openings: tuple[Path, ...] = setting(
        "Lines of `startpos moves …` or SFEN, or games in CSA or KIF; several files may be given "
        f"[default: {OPENINGS.name}]", FILE, (OPENINGS,), multiple=True, show_default=False)
    evaluation: str | None = evaluation_setting()
    rival: tuple[str, ...] = setting("Another evaluation, which has one side in some of the games; several may be "
                                     "given.", None, (), multiple=True, metavar="FILE|tables|material")
    spar: tuple[str, ...] = setting("A USI engine that has one side in some of the games, with settings before its "
                                    f"command (docs/MATCHES.md); nodes={SPAR_NODES} unless they limit it. Several may "
                                    "be given.", None, (), multiple=True, metavar="ENGINE")
    seed: int = seed_setting()


@command(__doc__, resumes=True)
@options_of(Target, "target")
@workers_options()
@options_of(Sources, "sources")
@options_of(SelfPlayRecipe, "make", partial(partial, SelfPlayRecipe))
def main(target: Target, jobs: int, scheduler: str | None, sources: Sources,
         make: Callable[..., SelfPlayRecipe]) -> None:
    if (target.out is None) == (target.folder is None):
        raise click.UsageError("give either --out or --folder")
    if target.out and target.positions is None:
        raise click.UsageError("--out needs --positions")
    openings = [opening for path in sources.openings for opening in load(path)]
    named = sources.evaluation or ""
    recipe = make(openings=digest_of(openings), weights=weights_digest(named),
                  rivals={name: weights_digest(name) for name in sources.rival})
    recipe = replace(recipe, spars={text: engine_name(text, recipe.max_plies) for text in sources.spar})
    if recipe.own_values and not (recipe.rivals or recipe.spars):
        raise click.UsageError("--own-values says nothing without --rival")
    if recipe.depth and recipe.nodes:
        raise click.UsageError("--depth and --nodes exclude each other")
    recipe = replace(recipe, depth=recipe.depth if recipe.depth or recipe.nodes else 6, mix=MIX | recipe.mix)
    if not any(recipe.mix.values()):
        raise click.UsageError("--mix leaves no kind of start; give one of them a share above 0")
    if target.background:
        go_last()
    if target.folder:
        fill_series(target.folder, recipe, openings, target.positions, target.file_positions, jobs, sources.seed, named,
                    scheduler)
    elif target.out and target.positions:
        print(generate(target.out, recipe, openings, target.positions, jobs, sources.seed, named, scheduler))


if __name__ == "__main__":
    main()
