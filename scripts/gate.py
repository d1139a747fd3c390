"""Decide by games whether new weights, of a network or of tables, replace the packaged ones.

    python -m scripts.gate runs/gen2.weights --jobs 2 --out runs/gate
    python -m scripts.gate runs/gen2.weights --jobs 2 --out runs/gate --install
    python -m scripts.gate runs/gen3.weights --jobs 2 --out runs/gate3 --old tables --install
    python -m scripts.gate runs/gen4.weights --jobs 2 --out runs/gate4 --games 400 --install \\
        --against 20000 "option.USI_Hash=64 path/to/engine"

The new weights have to pass two sequential tests: first at a fixed number of nodes a move, then at a fixed time, where
speed counts, too. A test without a verdict after --games counts as failed. Exit status 0: both tests were passed; 1:
one was not. With --install, weights that pass both replace the packaged ones that they beat: the network, or with --old
tables the tables.

With --against, games with another opponent decide instead. New and old weights play it from the same openings, --games
each, and the new ones have to score more, with a confidence of 95 %. Weights that learned from each other's values have
the same blind spots, which other engines show. To use several opponents, run the command once for each, with another
folder.

--out FOLDER keeps every game, and the same command run again resumes from there.
"""
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from engine.errors import UserError
from eval.files import read_weights
from eval.loading import PACKAGED, PACKAGED_TABLES, TABLES
from scripts.cli.command import command
from scripts.games.gating import GateTests, accepts, install
from scripts.games.openings import load
from scripts.games.opponent import Opponent, compare
from scripts.games.settings import against_setting
from usi.console.options import click_type, options_of, workers_options
from usi.console.settings import FILE, FOLDER
from usi.files.writing import require_folder, require_writable


@dataclass(frozen=True)
class Trials(GateTests):
    """The games that decide."""

    against: tuple[int, str] | None = against_setting(several=False)

    def accept(self, new: Path, jobs: int, scheduler: str | None, out: Path | None) -> bool:
        lines = load(self.openings)
        if not self.against:
            return accepts(self, new, lines, jobs, scheduler, out)
        comparison = compare(Opponent.parse(*self.against), self.games, lines, str(new), self.old, jobs, scheduler, out)
        print(comparison)
        return comparison.gains


@command(__doc__, resumes="out")
@click.argument("new", type=click_type(FILE))
@options_of(Trials, "trials")
@workers_options()
@click.option("--out", type=click_type(FOLDER), help="Folder for the games, and to resume from.")
@click.option("--install", "installs", is_flag=True, help="If accepted, put the file in the place of the packaged one.")
def main(new: Path, trials: Trials, jobs: int, scheduler: str | None, out: Path | None, installs: bool) -> None:
    old = trials.old
    played = read_weights(new).checksum     # also reports a broken file before games are played
    packaged = PACKAGED if old is None else PACKAGED_TABLES if old == TABLES else None
    beaten = read_weights(packaged).checksum if packaged else ""
    if installs and not packaged:
        raise UserError("--install has nothing to replace: {old!r} is not packaged", old=old)
    if installs and packaged:
        require_writable(packaged)
    if out:
        require_folder(out)
    accepted = trials.accept(new, jobs, scheduler, out)
    if accepted and installs and packaged:
        install(new, played, packaged, beaten)
    print(f"{new} is {'accepted' if accepted else 'not accepted'}")
    sys.exit(not accepted)


if __name__ == "__main__":
    main()
