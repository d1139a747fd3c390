"""Generations of a network: each plays, learns from its games, and is judged by others. A run of days in a folder:

    FOLDER/curve.tsv            a row for each generation: positions, losses, scores
    FOLDER/000/network.weights  the network that the first generation plays with; its games are the baseline
    FOLDER/001/                 the first generation:
        positions.psv.xz            its positions, played by the network before it, with their recipe (.json)
        losses.tsv                  of each epoch
        network.weights             what it has learned
        match-1.jsonl               its games with the first opponent
        generation.json             a Generation

Each step writes its files whole, and generation.json says which steps are done. So a run that was killed continues
where it was, and a step keeps the settings that it began with.
"""
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Literal

from engine.errors import Phrase, UserError
from eval.files import NETWORK, features_of, read_bytes, read_weights
from eval.loading import PACKAGED
from scripts.games.opponent import Opponent, Score
from scripts.games.played import now
from scripts.training.filling import generate
from scripts.training.network import NetworkModel
from scripts.training.recipe import NetworkRecipe
from scripts.training.run import BLENDS, curve_table, learn
from scripts.training.selfplay import SelfPlayRecipe, weights_digest
from scripts.training.stream import LEFT_OUT, counts, open_sources
from usi.files.journal import typed
from usi.files.locking import alone
from usi.files.writing import Output, require_replaceable, write_file

CHECKPOINT = "run.npz"
Step = Literal["playing", "learning", "judging", "done"]


@dataclass
class Generation:
    """The results of a generation."""

    number: int
    step: Step = "playing"
    began: str = ""                                             # ISO 8601, UTC; likewise `ended`
    ended: str = ""
    positions: int = 0                                          # that it played
    recipe: dict[str, Any] = field(default_factory=dict)        # a NetworkRecipe
    learned: int = 0                                            # positions that the last epoch learned from
    left_out: list[int] = field(default_factory=list)           # left out of it, by the reasons of LEFT_OUT
    training: float | None = None                               # its training loss
    losses: list[float] = field(default_factory=list)           # on held-out games, by BLENDS
    scores: list[Score] = field(default_factory=list)

    def cells(self, opponents: Sequence[str]) -> list[str]:
        """The generation's row of the curve."""
        by_name = {score.opponent: score.cells for score in self.scores}
        numbers: list[float | None] = [None] * (1 + len(BLENDS) + len(LEFT_OUT))
        if self.losses:
            numbers = [self.training, *self.losses, *self.left_out]
        return [str(self.number), self.step, self.began, self.ended, str(self.positions), str(self.learned),
                *("" if number is None else f"{number:.5g}" for number in numbers),
                *(cell for name in opponents for cell in by_name.get(name, [""] * 3))]


CURVE = Output(Phrase("table"), (b"generation\tstep\t",))


def curve(generations: Sequence[Generation]) -> str:
    """The rows of all generations, as TSV."""
    opponents = list(dict.fromkeys(score.opponent for each in generations for score in each.scores))
    head = ["generation", "step", "began", "ended", "positions", "learned from", "training loss",
            *(f"{name} loss" for name in BLENDS), *LEFT_OUT,
            *(cell for name in opponents for cell in (name, f"Elo against {name}", "±"))]
    return "".join("\t".join(row) + "\n" for row in [head, *(each.cells(opponents) for each in generations)])


@dataclass(frozen=True)
class LoopPlan:
    """The settings of a run. A resumed run may have other settings than the run that it continues, once the step under
    way is done."""

    play: SelfPlayRecipe                    # without the weights that play
    learn: Callable[..., NetworkRecipe]     # of the files
    positions: int                          # of a generation
    last: int                               # files that a generation learns from
    before: tuple[Path, ...]                # files of earlier runs, which count as earlier generations'
    from_first: bool                        # whether each generation learns on from the first network
    openings: list[str]                     # of self-play
    opponents: list[Opponent]
    games: int                              # with each opponent
    match_openings: list[str]
    seed: int
    jobs: int
    scheduler: str | None


class Loop:
    """A folder of generations. Only one process at a time may use it."""

    def __init__(self, folder: Path, plan: LoopPlan) -> None:
        # Resolved, because a resumed match compares file names, and the folder may be given in another way.
        self.folder = folder.resolve()
        self.plan = plan
        self.generations: list[Generation] = []

    def run(self, init: Path | None, generations: int | None) -> None:
        """Run until there are this many generations, or without end. A new run begins with the weights `init`, or with
        the packaged ones. Raises UserError if `init` is no network or the run began with other weights, for a damaged
        generation.json, and as the steps do."""
        with alone(self.folder / "run"):
            self._begin(init)
            for number in count() if generations is None else range(generations + 1):
                generation = self._found(number)
                self.generations.append(generation)
                if generation.step != "done":
                    self._keep(generation)
                    for step in self._steps(generation):
                        step(generation)
                        self._keep(generation)
                    print(self.told(generation), flush=True)

    def _begin(self, init: Path | None) -> None:
        first = self._weights(0)
        require_replaceable(self.folder / "curve.tsv", CURVE)
        if not first.exists():
            given = init or PACKAGED
            data = read_bytes(given)
            if features_of(data, given) != NETWORK:
                raise UserError("{path} holds no network of this engine's kind; give a file of learn network",
                                path=given)
            write_file(first, data)
        began_with = read_weights(first).checksum
        if init and began_with != read_weights(init).checksum:
            raise UserError("{folder} began with other weights than {init}; leave --init out, or name another folder",
                            folder=self.folder, init=init)

    def _steps(self, generation: Generation) -> Iterator[Callable[[Generation], None]]:
        """The remaining steps of a generation. The baseline has only games."""
        if generation.number and generation.step == "playing":
            yield self._play
        if generation.number and generation.step == "learning":
            yield self._learn
        yield self._judge

    # -- Files ---------------------------------------------------------------------------------------------------------

    def _of(self, number: int, name: str) -> Path:
        return self.folder / f"{number:03}" / name

    def _weights(self, number: int) -> Path:
        return self._of(number, "network.weights")

    def _positions(self, number: int) -> Path:
        return self._of(number, "positions.psv.xz")

    def _found(self, number: int) -> Generation:
        path = self._of(number, "generation.json")
        if not path.exists():
            return Generation(number, "playing" if number else "judging", now())
        try:
            return typed(Generation, json.loads(path.read_text(encoding="utf-8")))
        except (TypeError, ValueError, KeyError, RecursionError):
            raise UserError("{path} is damaged; delete it, and this generation goes through its steps again",
                            path=path) from None

    def _keep(self, generation: Generation) -> None:
        text = json.dumps(asdict(generation), indent=1) + "\n"
        write_file(self._of(generation.number, "generation.json"), text.encode())
        write_file(self.folder / "curve.tsv", curve(self.generations).encode())

    # -- Steps ---------------------------------------------------------------------------------------------------------

    def _play(self, generation: Generation) -> None:
        plan, out = self.plan, self._positions(generation.number)
        by = str(self._weights(generation.number - 1))
        print(f"generation {generation.number} plays", flush=True)
        print(generate(out, replace(plan.play, weights=weights_digest(by)), plan.openings, plan.positions, plan.jobs,
                       f"{plan.seed}/{generation.number}", by, plan.scheduler), flush=True)
        generation.positions = sum(counts(open_sources([out]).files).values())
        generation.step = "learning"

    def _learn(self, generation: Generation) -> None:
        plan, number = self.plan, generation.number
        print(f"generation {number} learns", flush=True)
        files = [*plan.before, *(self._positions(each) for each in range(1, number + 1))][-plan.last:]
        sources = open_sources(files)
        init = self._weights(0 if plan.from_first else number - 1)
        out, checkpoint = self._weights(number), self._of(number, CHECKPOINT)
        recipe = plan.learn(files=counts(sources.files), init=read_weights(init).checksum)
        state = learn(recipe, sources, NetworkModel(recipe), checkpoint, init, out)
        write_file(self._of(number, "losses.tsv"), curve_table(state).encode())
        last = state.curve[-1]
        generation.recipe = asdict(recipe)
        generation.learned, generation.left_out = last.positions, last.left_out
        generation.training, generation.losses = last.training, last.validation
        generation.step = "judging"

    def _judge(self, generation: Generation) -> None:
        plan = self.plan
        self._of(generation.number, CHECKPOINT).unlink(missing_ok=True)     # 15 MB that nobody needs now
        generation.scores = []
        for place, opponent in enumerate(plan.opponents, 1):
            label = f"generation {generation.number}, {opponent.label}"
            found = opponent.play(str(self._weights(generation.number)), plan.match_openings, plan.games, plan.jobs,
                                  plan.scheduler, self._of(generation.number, f"match-{place}.jsonl"), label)
            generation.scores.append(Score.of(opponent, found.tallies[0]))
            self._keep(generation)
        generation.step, generation.ended = "done", now()

    def told(self, generation: Generation) -> str:
        """A summary of the generation, for people."""
        lines = [f"generation {generation.number}: {generation.positions} positions"]
        if generation.losses:
            lines[0] += ", " + ", ".join(f"{name} loss {loss:.5f}"
                                         for name, loss in zip(BLENDS, generation.losses, strict=True))
        lines += [f"  {score.opponent}: {score.cells[0]}, Elo {score.elo:+.1f} ± {score.error:.1f}"
                  + f", {score.offences} offences" * bool(score.offences) for score in generation.scores]
        return "\n".join(lines)
