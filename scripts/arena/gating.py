"""The gate for new weights: they have to win two sequential tests against the old ones."""
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.arena.follow import follow
from scripts.arena.matches import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import Sprt


@dataclass(frozen=True)
class Gate:
    """The settings of both tests."""

    sprt: Sprt
    nodes: int          # of a move in the first test
    movetime: int       # ms of a move in the second
    games: int          # at most, in either; a test without a verdict then is not passed
    openings: list[str]


@dataclass(frozen=True)
class Trial:
    """One of the two matches."""

    name: str
    new: SearchPlayer
    old: SearchPlayer


def trials(gate: Gate, new: Path, old: str | None) -> Iterator[Trial]:
    for name, player in (("nodes", SearchPlayer(nodes=gate.nodes)), ("time", SearchPlayer(movetime=gate.movetime))):
        yield Trial(name, replace(player, eval_file=str(new)), replace(player, eval_file=old))


def passes(gate: Gate, trial: Trial, jobs: int, scheduler: str | None, out: Path | None) -> bool:
    """Play one trial to its verdict and print the result."""
    match = Match((trial.new, trial.old), gate.openings)
    course = run(match, gate.games, jobs, gate.sprt, out / f"{trial.name}.jsonl" if out else None, scheduler)
    tally, = follow(course, gate.games, trial.name, gate.sprt).tallies
    print(f"{trial.name}: {tally.summary(gate.sprt)}\n", flush=True)
    return gate.sprt.verdict(tally.pairs) == "elo1"


def accepts(gate: Gate, new: Path, old: str | None, jobs: int, scheduler: str | None, out: Path | None) -> bool:
    """Whether the weights in `new` pass both tests against `old`, a name for eval.loading. Prints both results. The
    folder `out` keeps the games, and the same call resumes from it."""
    return all(passes(gate, trial, jobs, scheduler, out) for trial in trials(gate, new, old))
