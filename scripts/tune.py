#!/usr/bin/env python3
"""Tune margins of the search by SPSA: simultaneous perturbation, each gradient measured by games.

    python scripts/tune.py --margin rfp_margin=150,50,300,15,0.002 --margin null_base=3,1,6,0.5,0.002 \\
        --iterations 10000 --nodes 20000 --state runs/tune.json

A margin is given by name=start,min,max,c_end,r_end: how far both sides are moved apart in the last iteration, and
the learning rate there (J. C. Spall's method with the gains that the field has come to use). In each iteration all
margins are pushed up or down at random, the two opposite pushes play pairs of games, and the margins move
towards the winner.

The state is written after each iteration; the same command run again continues from it, to exactly where it would have
come without a break. Beside it, in a file of the same name that ends in .tsv, stands the path: the values after each
iteration, a column for each margin. The values printed at the end are the ones to try in a match: the means of the last
quarter of the path, for single steps are mostly noise.
"""
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from math import floor
from pathlib import Path
from random import Random

import click

from scripts.arena.game import Pairing, pairings, play
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.tally import points
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, nodes_option, openings_option, seed_option, workers_options
from scripts.games.openings import load
from scripts.games.played import PlayedGame
from scripts.games.schedule import TWO_PLAYERS
from scripts.workers.interface import RunTasks
from scripts.workers.pool import worker_pool
from search.parameters import DEFAULTS

ALPHA, GAMMA = 0.602, 0.101     # decay of the learning rate and of the perturbation, as Spall recommends
STABILITY = 0.1                 # of the iterations: keeps the first steps from being wild


@dataclass(frozen=True)
class Margin:
    """A margin to be tuned."""

    name: str
    start: float
    min: float
    max: float
    c_end: float    # perturbation in the last iteration, in the margin's own unit
    r_end: float    # learning rate there: step by the perturbation for each game won more

    def __post_init__(self) -> None:
        if self.name not in DEFAULTS:
            raise ValueError(f"no margin of search/parameters.py is called {self.name!r}")
        if not (self.min <= self.start <= self.max and self.c_end > 0 and self.r_end > 0):
            raise ValueError(f"{self}: needed are min <= start <= max and a positive c_end and r_end")

    @classmethod
    def parse(cls, text: str) -> "Margin":
        """From `name=start,min,max,c_end,r_end`; ValueError, quoting the text, if it is not that."""
        name, _, numbers = text.partition("=")
        try:
            start, low, high, c_end, r_end = map(float, numbers.split(","))
        except ValueError:
            raise ValueError(f"{text!r} does not read name=start,min,max,c_end,r_end") from None
        return cls(name, start, low, high, c_end, r_end)

    def clamped(self, value: float) -> float:
        return min(max(value, self.min), self.max)

    def gains(self, iteration: int, iterations: int) -> tuple[float, float]:
        """Perturbation c and learning rate r of an iteration, the first being 0; in the last they are c_end, r_end."""
        k, stability = iteration + 1, STABILITY * iterations
        c = self.c_end * (iterations / k) ** GAMMA
        a = self.r_end * self.c_end**2 * ((stability + iterations) / (stability + k)) ** ALPHA
        return c, a / c**2


@dataclass
class State:
    """Where the tuning stands: all that the next iteration depends on."""

    margins: list[Margin]
    iterations: int
    pairs: int                  # of games in each iteration
    nodes: int
    seed: int
    values: dict[str, float]
    done: int = 0               # iterations
    sums: dict[str, float] = field(default_factory=dict)    # of the values in the last quarter of the path so far

    @property
    def result(self) -> dict[str, float]:
        """The mean values of the last quarter; before it has begun, where the path stands."""
        count = self.done - self.iterations * 3 // 4
        return {name: total / count for name, total in self.sums.items()} if count > 0 else self.values

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)     # at no moment is there half a file

    @classmethod
    def load(cls, path: Path) -> "State":
        stored = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{**stored, "margins": [Margin(**margin) for margin in stored["margins"]]})

    def is_of(self, other: "State") -> bool:
        """Whether both tune the same in the same way, however far they are."""
        return (self.margins, self.iterations, self.pairs, self.nodes, self.seed) == (
            other.margins, other.iterations, other.pairs, other.nodes, other.seed)


def rounded(value: float, rng: Random) -> int:
    """One of the two integers beside a value, with the value as the mean: a push by less than 1 still counts."""
    return floor(value + rng.random())


def iterate(state: State, openings: list[str], play_all: RunTasks[Pairing, PlayedGame]) -> None:
    """Do one iteration: push, play, move."""
    rng = Random(f"{state.seed} {state.done}")     # so that a resumed run draws the same
    pushes: dict[str, float] = {}
    steps: dict[str, float] = {}
    up: dict[str, int] = {}
    down: dict[str, int] = {}
    for margin in state.margins:
        c, rate = margin.gains(state.done, state.iterations)
        push = rng.choice((-c, c))
        pushes[margin.name], steps[margin.name] = push, rate * push
        up[margin.name] = rounded(margin.clamped(state.values[margin.name] + push), rng)
        down[margin.name] = rounded(margin.clamped(state.values[margin.name] - push), rng)
    a, b = SearchPlayer(up, state.nodes), SearchPlayer(down, state.nodes)
    todo = pairings(TWO_PLAYERS, rng.sample(openings, state.pairs), (a, b))
    lead = sum(2 * points(number, game) - 1 for number, game in play_all(enumerate(todo)))    # wins less losses
    for margin in state.margins:
        state.values[margin.name] = margin.clamped(state.values[margin.name] + steps[margin.name] * lead)
    state.done += 1
    if state.done > state.iterations * 3 // 4:
        for name, value in state.values.items():
            state.sums[name] = state.sums.get(name, 0) + value


class PathLog:
    """The file of the path, open for what follows. What a broken-off run has written beyond its state goes, and a file
    that is of other margins, too."""

    def __init__(self, file: Path, state: State) -> None:
        self._names = [margin.name for margin in state.margins]
        heading = "\t".join(["iteration", *self._names])
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        kept = lines[1:state.done + 1] if lines[:1] == [heading] else []
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("w", encoding="utf-8")
        self._file.writelines(f"{line}\n" for line in [heading, *kept])

    def add(self, state: State) -> None:
        values = [f"{state.values[name]:.6g}" for name in self._names]
        self._file.write("\t".join([str(state.done), *values]) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def tune(state: State, openings: list[str], path: Path, jobs: int, scheduler: str | None = None) -> Iterator[State]:
    """Do the iterations left, saving and yielding the state before them and after each. Who plays is as `worker_pool`
    has it."""
    yield state
    with closing(PathLog(path.with_suffix(".tsv"), state)) as log, \
            worker_pool(play, jobs, scheduler=scheduler) as play_all:
        while state.done < state.iterations:
            iterate(state, openings, play_all)
            log.add(state)
            state.save(path)
            yield state


def listed(values: dict[str, float]) -> str:
    """As `--a` of match.py takes them."""
    return ",".join(f"{name}={round(value)}" for name, value in values.items())


@command(__doc__, resumes=True)
@click.option("--margin", "texts", multiple=True, required=True, metavar="NAME=START,MIN,MAX,C_END,R_END",
              help="Margin of search/parameters.py to tune; several may be given.")
@click.option("--iterations", type=COUNT, required=True)
@click.option("--pairs", type=COUNT, default=1, show_default=True, help="Of games in each iteration.")
@nodes_option(20000)
@workers_options(2)
@openings_option
@seed_option
@click.option("--state", "path", type=FILE, required=True, help="File to keep the state in, and to continue from.")
def main(texts: tuple[str, ...], iterations: int, pairs: int, nodes: int, jobs: int, scheduler: str | None,
         openings: Path, seed: int, path: Path) -> None:
    margins = [Margin.parse(text) for text in texts]
    state = State(margins, iterations, pairs, nodes, seed, {each.name: each.start for each in margins})
    if path.exists():
        stored = State.load(path)
        if not stored.is_of(state):
            raise ValueError(f"{path} holds another tuning; name another file, or delete it")
        state = stored
    if path.suffix == ".tsv":
        raise ValueError(f"{path} ends in .tsv, as the path's file beside it does; call the state something else")
    with click.progressbar(length=state.iterations, label="tuning", show_pos=True, file=sys.stderr,
                           hidden=not sys.stderr.isatty()) as bar:
        for reached in tune(state, load(openings), path, jobs, scheduler):
            bar.update(reached.done - bar.pos)
    print(listed(state.result))


if __name__ == "__main__":
    main()
