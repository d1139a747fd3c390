#!/usr/bin/env python3
"""Measure what each step of the search is worth: a match of the search with the step against the same without it.

    python scripts/ablate.py [--games N] [--nodes N] [--jobs N] [--steps NAME …] [--again]

The steps are the margins of search/parameters.py whose names begin with `use_` (0: off), or those named; all other
margins keep their defaults. Games are kept in runs/ablation/ as they end and results in runs/ablation.json, so the same
command run again goes on where it stopped, with more games too if they are asked for. Each result, with those already
there, goes into the table of docs/SEARCH.md. When search or evaluation have changed, the old games no longer count:
--again throws them away.
"""
import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.arena.follow import follow
from scripts.arena.match import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import estimate
from scripts.arena.stats.tally import Tally
from scripts.games.openings import OPENINGS, load
from scripts.workers.options import add_options
from search.parameters import DEFAULTS, MARGINS

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "docs" / "SEARCH.md"
RESULTS = ROOT / "runs" / "ablation.json"
GAMES = ROOT / "runs" / "ablation"

SWITCH = "use_"
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


def measure(step: str, openings: list[str], given: argparse.Namespace) -> EloResult:
    """Play what is missing of a step's match."""
    player = SearchPlayer(nodes=given.nodes)
    on = DEFAULTS[step] or 1        # a step that is not in use has to earn its place in the same way
    match = Match((player.varied(f"{step}={on}"), player.varied(f"{step}=0")), openings)
    course = run(match, given.games, given.jobs, out=GAMES / f"{step}-{given.nodes}.jsonl", scheduler=given.scheduler)
    tally, = follow(course, given.games, label=step).tallies
    return EloResult.of(tally, given.nodes)


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="for each step (400)")
    parser.add_argument("--nodes", type=int, default=3000, help="for each move (3000)")
    add_options(parser, jobs=2)
    parser.add_argument("--steps", nargs="+", default=[name for name in DEFAULTS if name.startswith(SWITCH)],
                        choices=DEFAULTS, metavar="NAME", help=f"margins to set to 0 (all that begin with {SWITCH})")
    parser.add_argument("--again", action="store_true", help="throw the old games of these steps away")
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    if not given.steps:
        sys.exit(f"ablate: no margin of search/parameters.py begins with {SWITCH}; name some with --steps")
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results = {step: EloResult(**values) for step, values in stored.items()}
    if given.again:
        for step in given.steps:
            results.pop(step, None)
            for path in GAMES.glob(f"{step}-*.jsonl"):
                path.unlink()
    try:
        openings = load(OPENINGS)
        meaning = {margin.name: margin.meaning for margin in MARGINS}
        with_table(REPORT.read_text(encoding="utf-8"), "")      # complains before hours of games, not after them
        for step in given.steps:
            results[step] = measure(step, openings, given)
            print(f"{step}: {results[step].elo:+.1f} ± {results[step].error:.1f} Elo, {results[step].games} games",
                  flush=True)
            RESULTS.write_text(json.dumps({name: asdict(result) for name, result in results.items()}, indent=1) + "\n",
                               encoding="utf-8")
            report = REPORT.read_text(encoding="utf-8")
            REPORT.write_text(with_table(report, markdown_table(results, meaning, DEFAULTS)), encoding="utf-8")
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(f"ablate: {error}")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command continues")


if __name__ == "__main__":
    main()
