"""Measure the value in Elo of many changes of the search at once, by factorial games.

    python -m scripts.screen --all-steps --nodes 20000 --games 4000 --jobs 2 --out runs/steps.jsonl
    python -m scripts.screen --change rfp_margin=70 --change lmr_scale=24000,lmr_base=900 --change use_singular=0 \\
        --nodes 20000 --games 2000 --jobs 2 --out runs/margins.jsonl

Each pair of games draws a random half of the changes for one side; the other side has the other half. Both play the
same opening with either colour. A regression over all games gives each change's value in Elo with its 95 % error.
So N games measure each change almost as precisely as a match of N games measures one.

A change's value is its mean over all states of the other changes, and values are assumed to add up. Put changes that
replace or need one another into one option (--change a=0,b=0). For each change the table has the value found, and the
value to expect, which is nearer to 0, because with many changes some look good by chance. Confirm what you find in a
match.

--out keeps every game; the same command run again plays only the missing ones, and --games may be raised. Games end by
the rules, or when both sides' scores agree on the winner.

    python -m scripts.screen runs/margins.jsonl runs/more_margins.jsonl runs/match.jsonl

With FILES nothing is played: the table is made from the games of many screenings and of matches between two versions of
our search (`match --out`) together. Runs that are still going on may be included. Changes that several screenings
favour a little may be worth a match in which all are made together.
"""
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.games.openings import load
from scripts.games.played import GAMES
from scripts.games.search_player import CHANGES, SearchPlayer
from scripts.games.settings import hash_setting, openings_setting, seed_setting
from scripts.games.tally import about
from scripts.tuning.screening import MarginChange, Screening, screen
from scripts.tuning.weighing import table, weigh_files
from search.parameters import DEFAULTS, SWITCH
from usi.console.options import click_type, options_of, workers_options
from usi.console.progress import Progress, progress
from usi.console.settings import COUNT, FILE, MS, NODES, setting
from usi.files.journal import read_journal
from usi.files.reading import require_different
from usi.words.language import _


@dataclass(frozen=True)
class ScreenOptions:
    """The changes to measure, and the games."""

    changes: tuple[str, ...] = setting("Margins of search/parameters.py that change together; give the option once for "
                                       "each change.", CHANGES, (), "--change", multiple=True,
                                       metavar="NAME=VALUE,…")
    all_steps: bool = setting(f"Also switch off each step of the search: {SWITCH}…=0.", None, False)
    base: str = setting("Settings of both sides that differ from the default, before any change: margins, eval, "
                        "threads.",
                        CHANGES, "", metavar="NAME=VALUE,…")
    nodes: int | None = setting("Nodes of each move [default: 20000, unless --movetime is given].", NODES, None)
    movetime: int | None = setting("Milliseconds of each move, instead of --nodes.", MS, None)
    hash_mb: int = hash_setting()
    openings: Path = openings_setting()
    seed: int = seed_setting()

    @property
    def player(self) -> SearchPlayer:
        nodes = self.nodes if self.nodes or self.movetime else 20_000
        return SearchPlayer(nodes=nodes, movetime=self.movetime, hash_mb=self.hash_mb).varied(self.base)


def steps_of(player: SearchPlayer) -> tuple[str, ...]:
    """A change for each step of the search that the player has: the step switched off."""
    return tuple(f"{name}=0" for name, default in DEFAULTS.items()
                 if name.startswith(SWITCH) and player.params.get(name, default))


@command(__doc__, resumes=True)
@click.argument("files", type=click_type(FILE), nargs=-1, metavar="[FILE]...")
@options_of(ScreenOptions, "plan")
@click.option("--games", type=click_type(COUNT), metavar="GAMES", help="Total number of games, an even number.")
@workers_options()
@click.option("--out", type=click_type(FILE), help="File for the games, and to resume from.")
def main(files: tuple[Path, ...], plan: ScreenOptions, games: int | None, jobs: int, scheduler: str | None,
         out: Path | None) -> None:
    if files:
        if plan != ScreenOptions() or games or out:
            raise click.UsageError(_("FILES are summed up, and nothing is played: leave out the options, or the FILES"))
        require_different(files)
        print_table(files)
        return
    if not games or not out:
        raise click.UsageError(_("to play, give --games and --out; to sum up games that were played, give their FILES"))
    player = plan.player
    changes = plan.changes + (steps_of(player) if plan.all_steps else ())
    if not changes:
        raise click.UsageError(_("there is nothing to measure: give --change, or --all-steps"))
    screening = Screening(player, [MarginChange.parse(text, player) for text in changes], load(plan.openings),
                          seed=plan.seed)
    course = screen(screening, out, games, jobs, scheduler)
    played = next(course)
    told = Progress(games, "games", len(played))
    for played in course:
        told.tell(len(played))
    progress("")
    print(f"{len(played)} games at {player.limit}", *about(played.values()), sep="\n")
    print_table([out])


def print_table(files: Sequence[Path]) -> None:
    print(*table(*weigh_files({str(path): read_journal(path, GAMES) for path in files})), sep="\n")


if __name__ == "__main__":
    main()
