"""SPSA (J. C. Spall): push all margins up or down at random, and move them towards the side that leads in games."""
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import floor
from pathlib import Path
from random import Random

from engine.errors import UserError
from scripts.games.game import Pairing, pairings
from scripts.games.openings import require_room
from scripts.games.played import PlayedGame
from scripts.games.rules import Rules
from scripts.games.schedule import TWO_PLAYERS
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import points
from search.parameters import RANGES
from usi.files.journal import typed
from usi.files.writing import append, write_file
from usi.workers.tasks import RunTasks

Margins = dict[str, int]
Lead = Callable[[Margins, Margins, Random], float]      # of the first over the second; positive: the first is better
ALPHA, GAMMA = 0.602, 0.101     # decay of the learning rate and of the perturbation, as Spall recommends
MOST = 10**6                    # of c_end and r_end
STABILITY = 0.1                 # share of the iterations, which damps the first steps


@dataclass(frozen=True)
class TunedMargin:
    """A margin to be tuned."""

    name: str
    start: float
    min: float
    max: float
    c_end: float    # perturbation in the last iteration, in the margin's own unit
    r_end: float    # learning rate there: step per game won more than lost, as a share of the perturbation

    def __post_init__(self) -> None:
        if self.name not in RANGES:
            raise UserError("no margin of search/parameters.py is called {name!r}", name=self.name)
        least, most = RANGES[self.name]
        if not (least <= self.min <= self.start <= self.max <= most and 0 < self.c_end <= MOST
                and 0 < self.r_end <= MOST):
            raise UserError("{text}: needed are {least} <= min <= start <= max <= {most}, and a positive c_end and "
                            "r_end up to {largest}", text=str(self), least=least, most=most, largest=MOST)

    def __str__(self) -> str:
        numbers = (self.start, self.min, self.max, self.c_end, self.r_end)
        return f"{self.name}={','.join(f'{number:g}' for number in numbers)}"

    @classmethod
    def parse(cls, text: str) -> "TunedMargin":
        """The margin of a text `name=start,min,max,c_end,r_end`. Raises UserError, quoting the text, if it is not
        that."""
        name, _, numbers = text.partition("=")
        try:
            start, low, high, c_end, r_end = map(float, numbers.split(","))
        except ValueError:
            raise UserError("{text!r} does not read name=start,min,max,c_end,r_end", text=text) from None
        return cls(name, start, low, high, c_end, r_end)

    def clamped(self, value: float) -> float:
        return min(max(value, self.min), self.max)

    def gains(self, iteration: int, iterations: int) -> tuple[float, float]:
        """The perturbation c and the learning rate r of an iteration, from 0; in the last one they are c_end and
        r_end."""
        k, stability = iteration + 1, STABILITY * iterations
        c = self.c_end * (iterations / k) ** GAMMA
        a = self.r_end * self.c_end**2 * ((stability + iterations) / (stability + k)) ** ALPHA
        return c, a / c**2


@dataclass
class TuningState:
    """The state of a tuning: everything that the next iteration depends on."""

    margins: list[TunedMargin]
    iterations: int
    pairs: int                  # of games in each iteration
    nodes: int
    seed: int
    openings: str               # their digest
    fingerprint: str            # of the search and the weights that play
    values: dict[str, float]
    done: int = 0               # iterations
    sums: dict[str, float] = field(default_factory=dict)    # of the values in the last quarter of the path so far

    @property
    def result(self) -> dict[str, float]:
        """The mean values of the last quarter of the path; before that has begun, the present values."""
        count = self.done - self.iterations * 3 // 4
        return {name: total / count for name, total in self.sums.items()} if count > 0 else self.values

    def save(self, path: Path) -> None:
        write_file(path, (json.dumps(asdict(self), indent=1) + "\n").encode())

    @classmethod
    def load(cls, path: Path) -> "TuningState":
        """The state in a file. Raises UserError if it holds none, OSError if it cannot be read."""
        try:
            return typed(cls, {"openings": "", "fingerprint": ""} | json.loads(path.read_text(encoding="utf-8")))
        except (TypeError, KeyError, ValueError, RecursionError):
            raise UserError("{path} is no state of a tuning; name another file, or delete it", path=path) from None

    def conditions(self) -> dict[str, object]:
        """The settings of the tuning, which do not change while it goes on."""
        return {name: value for name, value in asdict(self).items() if name not in ("values", "done", "sums")}


def rounded(value: float, rng: Random) -> int:
    """One of the two integers next to a value, drawn so that the value is their mean. So even a push of less than 1 has
    an effect."""
    return floor(value + rng.random())


def iterate(state: TuningState, lead_of: Lead) -> None:
    """Do one iteration: push, measure, move."""
    rng = Random(f"{state.seed} {state.done}")     # so that a resumed run draws the same
    steps: dict[str, float] = {}
    up: dict[str, int] = {}
    down: dict[str, int] = {}
    for margin in state.margins:
        c, rate = margin.gains(state.done, state.iterations)
        push = rng.choice((-c, c))
        steps[margin.name] = rate * push
        up[margin.name] = rounded(margin.clamped(state.values[margin.name] + push), rng)
        down[margin.name] = rounded(margin.clamped(state.values[margin.name] - push), rng)
    lead = lead_of(up, down, rng)
    for margin in state.margins:
        state.values[margin.name] = margin.clamped(state.values[margin.name] + steps[margin.name] * lead)
    state.done += 1
    if state.done > state.iterations * 3 // 4:
        for name, value in state.values.items():
            state.sums[name] = state.sums.get(name, 0) + value


class PathLog:
    """The file of the path. Lines that an interrupted run wrote after its last saved state are
    removed."""

    def __init__(self, file: Path, state: TuningState) -> None:
        """Open the file. Raises UserError if it is of other margins, or of something else."""
        self._names = [margin.name for margin in state.margins]
        heading = "\t".join(["iteration", *self._names])
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else []
        # A kill may come between a line and the state that belongs to it.
        if lines and (lines[0] != heading or len(lines) > state.done + 2):
            raise UserError("{path} does not hold the path of these margins; move it away, or name another state",
                            path=file)
        kept = lines[1:state.done + 1]
        write_file(file, "".join(f"{line}\n" for line in [heading, *kept]).encode())
        self._path = file

    def add(self, state: TuningState) -> None:
        """Append a row. Raises OSError, naming the file, if it cannot be written."""
        values = [f"{state.values[name]:.6g}" for name in self._names]
        append(self._path, ("\t".join([str(state.done), *values]) + "\n").encode())


def tune(state: TuningState, path: Path, lead_of: Lead) -> Iterator[TuningState]:
    """Do the remaining iterations. Saves and yields the state before them and after each."""
    yield state
    log = PathLog(path.with_suffix(".tsv"), state)
    while state.done < state.iterations:
        iterate(state, lead_of)
        log.add(state)
        state.save(path)
        yield state


def lead_in_games(openings: Sequence[str], pairs: int, nodes: int, play_all: RunTasks[Pairing, PlayedGame]) -> Lead:
    """Wins minus losses, in pairs of games from random openings. Raises UserError for openings that leave no room."""
    require_room(openings, Rules.max_plies)

    def lead(up: Margins, down: Margins, rng: Random) -> float:
        players = SearchPlayer(up, nodes), SearchPlayer(down, nodes)
        todo = pairings(TWO_PLAYERS, rng.sample(openings, pairs), players)
        return sum(2 * points(number, game) - 1 for number, game in play_all(enumerate(todo)))
    return lead
