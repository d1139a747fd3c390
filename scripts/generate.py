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

With --rival, another evaluation has one side in some of the games, and its scores stand at its moves. What it sees and
the first one does not decides games, and `learn --td` hands that on.
"""
from hashlib import sha256
from pathlib import Path

import click

from eval.loading import MATERIAL, weights_file
from scripts.cli.command import command
from scripts.cli.options import (
    COUNT,
    FILE,
    FOLDER,
    Assignments,
    evaluation_option,
    hash_option,
    nodes_option,
    out_option,
    params_option,
    seed_option,
    workers_options,
)
from scripts.cli.priority import go_last
from scripts.games.openings import OPENINGS, load
from scripts.training.generator import generate
from scripts.training.selfplay import MIX, GenerationRecipe
from scripts.training.series import FILE_POSITIONS, fill_series
from usi.console.ranges import CENTIPAWNS, DEPTH


def digest_of(weights: Path | None) -> str:
    return sha256(weights.read_bytes()).hexdigest() if weights else MATERIAL


@command(__doc__, resumes=True)
@out_option("NAME.psv or NAME.hcpe, NAME.psv.xz or NAME.hcpe.xz.")
@click.option("--folder", type=FOLDER, help="Fill a folder of files instead.")
@click.option("--positions", type=COUNT, help="Total positions of the file or folder.")
@click.option("--file-positions", type=COUNT, default=FILE_POSITIONS, show_default=True, help="Of each of the "
              "folder's files.")
@click.option("--background", is_flag=True, help="Let everything else on the machine go first (nice 19, and idle "
              "scheduling and I/O where the system has them).")
@click.option("--depth", type=DEPTH, help="Depth of each search [default: 6, if --nodes says nothing].")
@nodes_option(text="Nodes of each search, instead.")
@workers_options()
@click.option("--openings", "files", type=FILE, multiple=True, default=[OPENINGS], help="Lines of `startpos moves …` "
              f"or SFEN, or games in CSA or KIF; several files may be given [default: {OPENINGS.name}]")
@click.option("--mix", type=Assignments(MIX, 0, 10**6), default="", metavar="KIND=SHARE,…",
              help="How often games start from each kind: "
              + ", ".join(f"{kind} ({share})" for kind, share in MIX.items()) + ".")
@evaluation_option
@click.option("--rival", "rivals", multiple=True, metavar="FILE|tables|material", help="Another evaluation, which "
              "has one side in some of the games; several may be given.")
@click.option("--rival-games", type=click.IntRange(0, 100), default=GenerationRecipe.rival_games, show_default=True,
              metavar="PERCENT", help="Of the games, with --rival.")
@params_option("short")
@click.option("--max-plies", type=COUNT, default=GenerationRecipe.max_plies, show_default=True,
              help="The game is drawn after this many plies.")
@click.option("--decisive", type=CENTIPAWNS, default=GenerationRecipe.decisive_score, show_default=True,
              metavar="SCORE", help="Centipawns that decide a game.")
@click.option("--play-out", type=click.IntRange(0, 100), default=GenerationRecipe.play_out, show_default=True,
              metavar="PERCENT", help="Of the games, however decided.")
@hash_option(GenerationRecipe.hash_mb)
@seed_option
def main(out: Path | None, folder: Path | None, positions: int | None, file_positions: int, background: bool,
         depth: int | None, nodes: int | None, jobs: int, scheduler: str | None, files: tuple[Path, ...],
         mix: dict[str, int], evaluation: str | None, rivals: tuple[str, ...], rival_games: int,
         params: dict[str, int], max_plies: int, decisive: int, play_out: int, hash_mb: int, seed: int) -> None:
    if depth and nodes:
        raise click.UsageError("--depth and --nodes exclude each other")
    if (out is None) == (folder is None):
        raise click.UsageError("give either --out or --folder")
    if out and positions is None:
        raise click.UsageError("--out needs --positions")
    if not any((MIX | mix).values()):
        raise click.UsageError("--mix leaves no kind of start; give one of them a share above 0")
    if background:
        go_last()
    openings = [opening for path in files for opening in load(path)]
    named = evaluation or ""
    recipe = GenerationRecipe(depth if depth or nodes else 6, nodes, max_plies, decisive, play_out,
                              MIX | mix, params, hash_mb,
                              sha256("\n".join(openings).encode()).hexdigest(), digest_of(weights_file(named)),
                              {name: digest_of(weights_file(name)) for name in rivals}, rival_games)
    if folder:
        fill_series(folder, recipe, openings, positions, file_positions, jobs, seed, named, scheduler)
    elif out and positions:
        print(generate(out, recipe, openings, positions, jobs, seed, named, scheduler))


if __name__ == "__main__":
    main()
