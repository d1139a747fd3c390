#!/usr/bin/env python3
"""Measure what each step of the search is worth: a match of the search with the step against the same without it.

    python scripts/ablate.py [--games N] [--nodes N] [--jobs N] [--step NAME]... [--again]

The steps are the margins of search/parameters.py whose names begin with `use_` (0: off), or those named; all other
margins keep their defaults. Games are kept in runs/ablation/ as they end and results in runs/ablation.json, so the
same command run again goes on where it stopped, with more games too if they are asked for. Each result, with those
already there, goes into the table of docs/SEARCH.md. When search or evaluation have changed, the old games no longer
count: --again throws them away.
"""
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from scripts.arena.follow import follow
from scripts.arena.match import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import estimate
from scripts.arena.stats.tally import Tally
from scripts.cli.command import command
from scripts.cli.options import COUNT, nodes_option, workers_options
from scripts.games.openings import OPENINGS, load
from search.parameters import DEFAULTS, MARGINS, SWITCH

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "docs" / "SEARCH.md"
RESULTS = ROOT / "runs" / "ablation.json"
GAMES = ROOT / "runs" / "ablation"

BEGIN, END = "<!-- ablation: begin (scripts/ablate.py) -->", "<!-- ablation: end -->"


@dataclass(frozen=True)
class EloResult:
    """What a step is worth by so many games with so many nodes a move."""

    elo: float
    error: float        # half of the 95 % interval
    games: int
    nodes: int

    @classmethod
    def of(cls, tally: Tally, nodes: int) -> "EloResult":
        found = estimate(tally.pairs)
        return cls(found.elo, found.error, len(tally.games), nodes)


def markdown_table(results: dict[str, EloResult], meaning: dict[str, str], defaults: Mapping[str, int]) -> str:
    """The results in Markdown, the most valuable step first; steps no longer in the search too."""
    lines = ["| Step | What it does | In use | Elo ± error | Games | Nodes a move |", "|---|---|---|---|---|---|"]
    for step, result in sorted(results.items(), key=lambda item: -item[1].elo):
        in_use = "left out" if step not in defaults else "yes" if defaults[step] else "no"
        cells = [f"`{step}`", meaning.get(step, ""), in_use, f"{result.elo:+.0f} ± {result.error:.0f}", result.games,
                 result.nodes]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def with_table(report: str, text: str) -> str:
    """The report with `text` between the two markers; ValueError if it lacks them."""
    before, begin, rest = report.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{REPORT} has no place for the table; put these lines there: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def measure(step: str, openings: list[str], games: int, nodes: int, jobs: int, scheduler: str | None) -> EloResult:
    """Play what is missing of a step's match."""
    player = SearchPlayer(nodes=nodes)
    on = DEFAULTS[step] or 1        # a step that is not in use has to earn its place in the same way
    match = Match((player.varied(f"{step}={on}"), player.varied(f"{step}=0")), openings)
    course = run(match, games, jobs, out=GAMES / f"{step}-{nodes}.jsonl", scheduler=scheduler)
    tally, = follow(course, games, label=step).tallies
    return EloResult.of(tally, nodes)


@command(__doc__, resumes=True)
@click.option("--games", type=COUNT, default=400, show_default=True, help="For each step.")
@nodes_option(20000)
@workers_options(2)
@click.option("--step", "steps", multiple=True, type=click.Choice(list(DEFAULTS)), metavar="NAME",
              default=[name for name in DEFAULTS if name.startswith(SWITCH)],
              help=f"Margin to set to 0; several may be given [default: all that begin with {SWITCH}].")
@click.option("--again", is_flag=True, help="Throw the old games of these steps away.")
def main(games: int, nodes: int, jobs: int, scheduler: str | None, steps: tuple[str, ...], again: bool) -> None:
    if not steps:
        raise ValueError(f"no margin of search/parameters.py begins with {SWITCH}; name some with --step")
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results = {step: EloResult(**values) for step, values in stored.items()}
    if again:
        for step in steps:
            results.pop(step, None)
            for path in GAMES.glob(f"{step}-*.jsonl"):
                path.unlink()
    openings = load(OPENINGS)
    meaning = {margin.name: margin.meaning for margin in MARGINS}
    with_table(REPORT.read_text(encoding="utf-8"), "")      # complains before hours of games, not after them
    for step in steps:
        results[step] = measure(step, openings, games, nodes, jobs, scheduler)
        print(f"{step}: {results[step].elo:+.1f} ± {results[step].error:.1f} Elo, {results[step].games} games",
              flush=True)
        RESULTS.write_text(json.dumps({name: asdict(result) for name, result in results.items()}, indent=1) + "\n",
                           encoding="utf-8")
        report = REPORT.read_text(encoding="utf-8")
        REPORT.write_text(with_table(report, markdown_table(results, meaning, DEFAULTS)), encoding="utf-8")


if __name__ == "__main__":
    main()
