"""Measure the value in Elo of many changes of the search at once, by factorial games.

    python -m scripts.screen --all-steps --nodes 20000 --games 4000 --jobs 2 --out runs/steps.jsonl
    python -m scripts.screen --change rfp_margin=70 --change lmr_scale=24000,lmr_base=900 --change use_singular=0 \\
        --nodes 20000 --games 2000 --jobs 2 --out runs/margins.jsonl

Each pair of games draws a random half of the changes for one side; the other side has the other half. Both play the
same opening with either colour. A regression over all games gives each change's value in Elo with its 95 % error and z.
So N games measure each change almost as precisely as a match of N games measures one.

A change's value is its mean over all states of the other changes, and values are assumed to add up. Screen changes that
replace or need one another as one (--change a=0,b=0). With many changes some look good by chance: "expected" is what is
left of each value when chance is taken off. `scripts.weigh` says the same from many files together. Confirm what you
find in a match.

--out keeps every game; the same command run again plays only the missing ones, and --games may be raised. Games end by
the rules, or when both sides' scores agree on the winner.
"""
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.cli.options import (
    COUNT,
    hash_option,
    nodes_option,
    openings_option,
    out_option,
    seed_option,
    workers_options,
)
from scripts.games.openings import load
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import about, text_table
from scripts.tuning.screening import Change, Effect, Screening, chi_squared, effects, outcomes, screen
from scripts.tuning.weighing import Weighed, weigh
from search.parameters import DEFAULTS, SWITCH
from usi.console.options import AMOUNT
from usi.console.terminal import Progress, progress

HEADING = ["change", "Elo", "z", "expected"]


def report(found: list[Effect], weighed: Weighed) -> list[str]:
    """Lines: the changes, the most valuable first, and how much chance alone would show."""
    rows = [[each.change.text, f"{each.elo:+.1f} ± {each.error:.1f}", f"{each.z:+.1f}", f"{further:+.1f}"]
            for each, further in sorted(zip(found, weighed.values, strict=True), key=lambda pair: -pair[0].elo)]
    return [*text_table([HEADING, *rows]),
            f"sum of z²: {chi_squared(found):.0f}; about {len(found)} if no change is worth anything"]


def steps_of(player: SearchPlayer) -> list[str]:
    """A change for each step of the search that the player has: the step switched off."""
    return [f"{name}=0" for name, default in DEFAULTS.items()
            if name.startswith(SWITCH) and player.params.get(name, default)]


@command(__doc__, resumes=True)
@click.option("--change", "texts", multiple=True, metavar="NAME=VALUE,…",
              help="Margins of search/parameters.py that change together; give the option once for each change.")
@click.option("--all-steps", "steps", is_flag=True, help=f"Also switch off each step of the search: {SWITCH}…=0.")
@click.option("--base", default="", metavar="NAME=VALUE,…", help="How both sides differ from the default, before any "
              "change: margins, eval, threads.")
@click.option("--games", type=COUNT, required=True, help="Total number of games, an even number.")
@nodes_option(text="Of each move [default: 20000, unless --movetime is given].")
@click.option("--movetime", type=AMOUNT, help="Milliseconds of each move, instead of --nodes.")
@hash_option
@openings_option
@workers_options()
@seed_option
@out_option("File for the games, and to resume from.", required=True)
def main(texts: tuple[str, ...], steps: bool, base: str, games: int, nodes: int | None, movetime: int | None,
         hash_mb: int, openings: Path, jobs: int, scheduler: str | None, seed: int, out: Path) -> None:
    if not nodes and not movetime:
        nodes = 20_000
    player = SearchPlayer(nodes=nodes, movetime=movetime, hash_mb=hash_mb).varied(base)
    if steps:
        texts += tuple(steps_of(player))
    if not texts:
        raise click.UsageError("there is nothing to measure: give --change, or --all-steps")
    screening = Screening(player, [Change.parse(text, player) for text in texts], load(openings), seed=seed)
    course = screen(screening, out, games, jobs, scheduler)
    played = next(course)
    told = Progress(games, "games", len(played))
    for played in course:
        told.tell(len(played))
    progress("")
    print(f"{len(played)} games at {player.limit}", *about(played.values()), sep="\n")
    print(*report(effects(played, screening), weigh(*outcomes(played, screening))), sep="\n")


if __name__ == "__main__":
    main()
