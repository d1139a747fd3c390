"""How well evaluations and short searches judge the positions of the ruler, which deep searches have valued."""
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.packed import unpacked
from eval.material import SLOPE
from scripts.training.labelling import Labeller, Labels, labeller, training_records
from scripts.training.samples import Records
from usi.workers.pool import in_order, worker_pool

RULER = sorted((Path(__file__).parents[1] / "data" / "ruler").glob("*.psv"))    # a file for each kind of position
LIMIT = 6000            # centipawns: a value beyond is as good as won
DECIDED = 1500          # centipawns
CHUNK = 32              # positions that are one task
COLUMNS = ("", ", search", ", last two iterations")     # what an Opinion's fields are called in the table

Values = NDArray[np.float64]


class Opinion(NamedTuple):
    """What is thought of a position, in centipawns for the side to move."""

    static: int         # its static evaluation
    last: int           # the search's value
    mean: float         # the mean of the values of its last two iterations


class Chunk(NamedTuple):
    """Positions that a worker judges at a time, and how."""

    records: Records
    labels: Labels
    searches: bool      # or else the static evaluation stands for the search


def excess(values: Values, deep: Values) -> Values:
    """For each position the cross-entropy, in nats, of the winning rate by `values` against that by `deep`, less the
    least possible, which `deep` itself has. Both are centipawns for the same side."""
    truth, found = (np.clip(each, -LIMIT, LIMIT) / SLOPE for each in (deep, values))
    rate = 1 / (1 + np.exp(-truth))
    gap: Values = rate * (truth - found) + np.logaddexp(0, found) - np.logaddexp(0, truth)
    return gap


def judge_chunk(chunk: Chunk) -> list[Opinion]:
    own = labeller(chunk.labels)
    return [_opinion(own, record["sfen"].tobytes(), chunk.searches) for record in chunk.records]


def _opinion(own: Labeller, bits: bytes, searches: bool) -> Opinion:
    position = unpacked(bits)
    static = own.searcher.evaluate(position)
    if not searches:
        return Opinion(static, static, static)
    own.searcher.clear()
    scores: dict[int, int] = {}
    result = own.search(position, lambda info: scores.__setitem__(info.depth, info.score))
    before = [score for depth, score in scores.items() if depth < result.depth]
    return Opinion(static, result.score, (result.score + before[-1]) / 2 if before else result.score)


def opinions(files: dict[str, Records], labels: Labels, searches: bool, jobs: int) -> NDArray[Any]:
    """What is thought of all the files' positions in turn: float64[n, 3], with an Opinion in each row. Raises as
    eval.loading has it for the evaluation."""
    chunks = (Chunk(found[start:start + CHUNK], labels, searches)
              for found in files.values() for start in range(0, len(found), CHUNK))
    with worker_pool(judge_chunk, jobs) as run_all:
        return np.array([opinion for chunk in in_order(run_all(enumerate(chunks))) for opinion in chunk], np.float64)


def table(paths: list[Path], evaluations: list[str], labels: Labels, jobs: int) -> Iterator[str]:
    """The lines of a table, with a row for each evaluation and, if `labels` limits a search, for the search with it:
    the mean excess over the values of the files' records, file by file and over all; and how much larger it is than in
    the last row, with half of the 95 % interval of this difference. ValueError for a file that cannot be read, and as
    `opinions`."""
    files = {path.name.split(".")[0]: undecided(training_records(path)) for path in paths}
    sizes = [len(found) for found in files.values()]
    deep = np.concatenate([found["score"] for found in files.values()]).astype(np.float64)
    searches = labels.limits.depth is not None or labels.limits.nodes is not None
    gaps: dict[str, Values] = {}
    for evaluation in evaluations:
        judged = opinions(files, replace(labels, evaluation=evaluation), searches, jobs)
        for column, name in enumerate(COLUMNS if searches else COLUMNS[:1]):
            gaps[(evaluation or "packaged") + name] = excess(judged[:, column], deep)
    width = max(map(len, gaps))
    yield _line("", width, [f"{name:>9}" for name in [*files, "all"]]) + "  more than the last"
    yield _line("positions", width, [f"{size:9}" for size in [*sizes, len(deep)]])
    last = list(gaps.values())[-1]
    for name, own in gaps.items():
        more = own - last
        means = [part.mean() for part in np.split(own, np.cumsum(sizes)[:-1])]
        yield (_line(name, width, [f"{mean:9.5f}" for mean in [*means, own.mean()]])
               + f"  {more.mean():+.5f} ± {1.96 * more.std() / len(more) ** 0.5:.5f}")


def undecided(found: Records) -> Records:
    """The records that the deep search does not call decided: what decides the others is mostly tactics, which no
    evaluation sees, and it would outweigh all else."""
    kept: Records = found[np.abs(found["score"].astype(int)) <= DECIDED]
    return kept


def _line(name: str, width: int, cells: list[str]) -> str:
    return f"{name:{width}}  {'  '.join(cells)}"
