"""Comparisons of evaluations and short searches with deep values of positions (rulers)."""
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import Phrase, UserError, telling
from engine.packed import unpacked
from eval.learning.samples import open_records
from eval.material import SLOPE
from scripts.training.recipe import Recipe
from scripts.training.samples import LIMIT, Records, Values, winning_rates
from scripts.training.stream import short_names, wanted
from scripts.training.valuers import Labels, OurSearch
from scripts.training.valuing import training_records
from usi.workers.pool import worker_pool
from usi.workers.tasks import in_order, on_release

RULER = sorted((Path(__file__).parents[1] / "data" / "ruler").glob("*.psv"))    # a file for each kind of position
DECIDED = 1500          # centipawns
FIT_STEPS = 30          # of Newton's method, each at most 1
CHUNK = 32              # positions that are one task
COLUMNS = ("", ", search", ", last two iterations")     # what an Opinion's fields are called in the table


class Opinion(NamedTuple):
    """Values of a position, in centipawns for the side to move."""

    static: int         # its static evaluation
    last: int           # the search's value
    mean: float         # the mean of the values of its last two iterations


class Chunk(NamedTuple):
    """Positions that a worker judges at a time, with the settings."""

    records: Records
    labels: Labels
    searches: bool      # if not, the static evaluation takes the place of a search


def excess(values: Values, deep: Values) -> Values:
    """For each position, the cross-entropy in nats between the winning rates of `deep` and of `values`, minus its least
    possible value, the entropy of `deep`'s winning rate. `values` and `deep` are centipawns for the same side."""
    truth, found = (np.clip(each, -LIMIT, LIMIT) / SLOPE for each in (deep, values))
    gap: Values = winning_rates(deep) * (truth - found) + np.logaddexp(0, found) - np.logaddexp(0, truth)
    return gap


@cache
def judge(labels: Labels) -> OurSearch:
    """The searcher that this process keeps between chunks."""
    return OurSearch(labels)


on_release(judge.cache_clear)


def judge_chunk(chunk: Chunk) -> list[Opinion]:
    own = judge(chunk.labels)
    return [_opinion(own, record["sfen"].tobytes(), chunk.searches) for record in chunk.records]


def _opinion(own: OurSearch, bits: bytes, searches: bool) -> Opinion:
    position = unpacked(bits)
    static = own.searcher.evaluate(position)
    if not searches:
        return Opinion(static, static, static)
    own.forget()
    scores: dict[int, int] = {}
    result = own.search(position, lambda info: scores.__setitem__(info.depth, info.score))
    before = [score for depth, score in scores.items() if depth < result.depth]
    return Opinion(static, result.score, (result.score + before[-1]) / 2 if before else result.score)


def opinions(files: dict[str, Records], labels: Labels, searches: bool, jobs: int) -> NDArray[Any]:
    """An Opinion on each position of all files in turn: float64[n, 3]. Raises as eval.loading does for the
    evaluation."""
    chunks = (Chunk(found[start:start + CHUNK], labels, searches)
              for found in files.values() for start in range(0, len(found), CHUNK))
    with worker_pool(judge_chunk, jobs) as run_all:
        return np.array([opinion for chunk in in_order(run_all(enumerate(chunks))) for opinion in chunk], np.float64)


class Judged(NamedTuple):
    """The quiet, undecided positions of some files, one file after another."""

    names: list[str]
    sizes: list[int]
    deep: Values        # centipawns for the side to move
    results: Values     # 1, 0.5, 0 for the side to move

    def parts(self, values: Values) -> list[Values]:
        """The figures of each file, and of all files together."""
        return [*np.split(values, np.cumsum(self.sizes)[:-1]), values]


def tables(paths: list[Path], evaluations: list[str], labels: Labels, jobs: int) -> Iterator[str]:
    """The lines of three tables, with a column for each file and one for all files. Each evaluation has a row, and if
    `labels` limits a search, the search with it has rows, too. The tables show the mean excess over the files' values
    (and how much larger it is than in the last row, with half of the 95 % interval of this difference); the correlation
    with these values; and how well a fit to the games' results predicts them. Raises UserError for a file that is given
    twice or cannot be judged by, and as `opinions`."""
    files = {name: judged_records(path) for path, name in short_names(paths).items()}
    deep = np.concatenate([found["score"] for found in files.values()]).astype(np.float64)
    results = np.concatenate([(1 + found["game_result"].astype(np.float64)) / 2 for found in files.values()])
    judged = Judged([*files, "all"], [len(found) for found in files.values()], deep, results)
    searches = labels.limits.depth is not None or labels.limits.nodes is not None
    values: dict[str, Values] = {}
    for evaluation in evaluations:
        found = opinions(files, replace(labels, evaluation=evaluation), searches, jobs)
        for column, name in enumerate(COLUMNS if searches else COLUMNS[:1]):
            values[(evaluation or "packaged") + name] = found[:, column]
    width = max(map(len, ["excess over the values", *values]))
    of_cells = max(map(len, judged.names))

    def line(name: str, cells: list[str]) -> str:
        return f"{name:{width}}  {'  '.join(cell.rjust(of_cells) for cell in cells)}"

    yield line("excess over the values", [f"{name:>9}" for name in judged.names]) + "  more than the last"
    yield line("positions", [f"{size:9}" for size in [*judged.sizes, len(deep)]])
    last = excess(list(values.values())[-1], deep)
    for name, own in values.items():
        gaps = excess(own, deep)
        more = gaps - last
        yield (line(name, [f"{part.mean():9.5f}" for part in judged.parts(gaps)])
               + f"  {more.mean():+.5f} ± {1.96 * more.std() / len(more) ** 0.5:.5f}")
    yield ""
    yield line("correlation", [f"{name:>9}" for name in judged.names])
    for name, own in values.items():
        pairs = zip(judged.parts(own), judged.parts(deep), strict=True)
        yield line(name, [f"{correlation(*pair):9.3f}" for pair in pairs])
    yield ""
    yield line("results: loss, slope", [f"{name:>14}" for name in judged.names])
    for name, own in values.items():
        fits = [fit(*pair) for pair in zip(judged.parts(own), judged.parts(results), strict=True)]
        yield line(name, [f"{loss:8.4f} {slope:+5.2f}" for loss, slope in fits])


def judged_records(path: Path) -> Records:
    """The records of a file that count: quiet positions that the deep search does not call decided. Most other
    positions are decided by tactics, which no evaluation sees, and would outweigh all else. Raises UserError if there
    are none, for a position that is not legal, and as `training_records`."""
    found = training_records(path)
    quiet = wanted(open_records(found), Recipe(files={}))
    numbers = np.flatnonzero(quiet & (np.abs(found["score"].astype(int)) <= DECIDED))
    if not len(numbers):
        raise UserError("{path} has no quiet position judged within {most} centipawns, which alone count; leave "
                        "it out, or give another file", path=path, most=DECIDED)
    for number in numbers:
        with telling(Phrase("{path}, record {number}", path=path, number=number)):
            unpacked(found["sfen"][number].tobytes())
    kept: Records = found[numbers]
    return kept


def correlation(values: Values, deep: Values) -> float:
    """Pearson's correlation; nan if one of the two does not vary."""
    if len(values) < 2 or not values.std() or not deep.std():
        return math.nan
    return float(np.corrcoef(values, deep)[0, 1])


def fit(values: Values, results: Values) -> tuple[float, float]:
    """The fit of winning rates by `slope * values` to results (1, 0.5, 0): the mean cross-entropy in nats, and the
    slope that minimises it. 0.6931 means no information; a negative slope is wrong more often than right."""
    odds = np.clip(values, -LIMIT, LIMIT) / SLOPE
    slope = 0.0
    for _ in range(FIT_STEPS):
        rates = 1 / (1 + np.exp(-slope * odds))
        curvature = float(np.sum(odds * odds * rates * (1 - rates)))
        if not curvature:
            break
        slope += float(np.clip(np.sum(odds * (results - rates)) / curvature, -1, 1))
    loss = np.logaddexp(0, slope * odds) - results * slope * odds
    return float(loss.mean()), slope
