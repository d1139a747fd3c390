"""How evaluations and searches are judged by the values of deep searches."""
import re
from pathlib import Path

import numpy as np
import pytest

from engine.packed import unpacked
from eval.loading import TABLES, load_evaluator
from eval.material import SLOPE
from scripts import learn
from scripts.training.files import read
from scripts.training.judging import RULER, excess
from search import Info, Limits, Searcher, Settings
from tests.scripts.commands import invoke


def rows(text: str) -> dict[str, list[float]]:
    """The table that `learn.py judge` prints, by the name of the judge."""
    found = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    return {name: [float(cell) for cell in cells if "±" not in cell] for name, *cells in found[1:]}


def entropy_gap(value: float, deep: float) -> float:
    """The same in plain probabilities."""
    p, q = (1 / (1 + np.exp(-each / SLOPE)) for each in (deep, value))
    return float(p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)))


def test_the_excess_is_the_divergence_of_winning_rates() -> None:
    values, deep = np.array([0.0, 100, -300, 800]), np.array([250.0, 100, 300, 700])
    found = excess(values, deep)
    assert found == pytest.approx([entropy_gap(*pair) for pair in zip(values, deep, strict=True)])
    assert found[1] == pytest.approx(0, abs=1e-12)
    assert excess(-values, -deep) == pytest.approx(found)
    assert np.isfinite(excess(np.array([-27000.0]), np.array([27000.0]))).all()


def test_evaluations_and_searches_are_judged_file_by_file(played: Path, tmp_path: Path) -> None:
    records = read(played)[:400]
    decided = records[np.abs(records["score"].astype(int)) > 1500][:20]
    records = records[np.abs(records["score"].astype(int)) <= 1500][:90]
    assert len(records) == 90
    assert len(decided)
    paths = [tmp_path / "first.psv", tmp_path / "second.psv"]
    for path, part in zip(paths, (records[:30], records[30:]), strict=True):
        path.write_bytes(part.tobytes() + decided.tobytes())    # these do not count
    text = invoke(learn, "judge", *paths, "--eval-file", "material", "--eval-file", TABLES, "--nodes", 100, "--params",
                  "use_null_move=0").output
    assert text.split()[:3] == ["first", "second", "all"]
    assert text.splitlines()[-1].endswith("+0.00000 ± 0.00000")
    found = rows(text)
    assert found.pop("positions") == [30, 60, 90]
    assert list(found) == [name + part for name in ("material", "tables")
                           for part in ("", ", search", ", last two iterations")]
    deep = records["score"].astype(float)
    for name in ("material", TABLES):
        evaluator = load_evaluator(name)
        searcher = Searcher(16, params={"use_null_move": 0}, evaluator=evaluator)
        rows_of: list[tuple[float, float, float]] = []
        for record in records:
            position = unpacked(record["sfen"].tobytes())
            infos: list[Info] = []
            searcher.clear()
            result = searcher.search(position, Limits(nodes=100), Settings(), infos.append)
            before = [info.score for info in infos if info.depth == result.depth - 1]
            mean = (result.score + (before or [result.score])[-1]) / 2
            rows_of.append((evaluator.evaluate(position), result.score, mean))
        for column, values in zip(("", ", search", ", last two iterations"), np.array(rows_of).T, strict=True):
            gaps = excess(values, deep)
            assert found[name + column] == pytest.approx([gaps[:30].mean(), gaps[30:].mean(), gaps.mean()], abs=6e-6)


def test_the_ruler_foretells_that_the_network_is_the_best() -> None:
    assert len(RULER) >= 5
    found = rows(invoke(learn, "judge", "--eval-file", "material", "--eval-file", TABLES, "--eval-file", "").output)
    for kind, judged in enumerate(zip(found["material"], found["tables"], found["packaged"], strict=True)):
        assert kind == 0 or judged[0] > judged[1] > judged[2] > 0      # openings, the first, are all worth nothing
