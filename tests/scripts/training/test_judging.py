"""How evaluations and searches are judged by the values of deep searches."""
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from engine import Position
from engine.packed import unpacked
from eval.learning.samples import open_records
from eval.loading import TABLES, load_evaluator
from eval.material import SLOPE
from scripts import learn
from scripts.training.files import read
from scripts.training.judging import RULER, correlation, excess, fit
from scripts.training.recipe import Recipe
from scripts.training.samples import Records
from scripts.training.stream import wanted
from search import Info, Limits, Searcher, Settings
from tests.eval.learning import training
from tests.faults import refused
from tests.scripts.commands import invoke


def rows(text: str, table: int = 0) -> dict[str, list[float]]:
    """One of the tables that `learn.py judge` prints, by the name of the judge."""
    lines = text.split("\n\n")[table].splitlines()
    found = [re.split(r"\s{2,}", line.strip()) for line in lines]
    return {name: [float(cell.split()[0]) for cell in cells if "±" not in cell] for name, *cells in found[1:]}


def entropy_gap(value: float, deep: float) -> float:
    """The excess computed from plain probabilities."""
    p, q = (1 / (1 + np.exp(-each / SLOPE)) for each in (deep, value))
    return float(p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)))


def test_the_excess_is_the_divergence_of_winning_rates() -> None:
    values, deep = np.array([0.0, 100, -300, 800]), np.array([250.0, 100, 300, 700])
    found = excess(values, deep)
    assert found == pytest.approx([entropy_gap(*pair) for pair in zip(values, deep, strict=True)])
    assert found[1] == pytest.approx(0, abs=1e-12)
    assert excess(-values, -deep) == pytest.approx(found)
    assert np.isfinite(excess(np.array([-27000.0]), np.array([27000.0]))).all()


def test_a_fit_finds_the_slope_that_made_the_results() -> None:
    chance = np.random.default_rng(1)
    values = chance.normal(0, 500, 20_000)
    results = (chance.random(20_000) < 1 / (1 + np.exp(-1.7 * values / SLOPE))).astype(float)
    loss, slope = fit(values, results)
    assert slope == pytest.approx(1.7, abs=0.1)
    assert loss < fit(values + chance.normal(0, 500, 20_000), results)[0] < np.log(2)
    assert list(fit(-values, results)) == pytest.approx([loss, -slope])
    assert fit(np.zeros(20), results[:20])[0] == pytest.approx(np.log(2))
    assert correlation(values, 2 * values + 5) == pytest.approx(1)
    assert np.isnan(correlation(values, np.zeros(20_000)))


def test_evaluations_and_searches_are_judged_file_by_file(played: Path, tmp_path: Path) -> None:
    records = read(played)
    records = records[wanted(open_records(records), Recipe(files={}))][:300]
    decided = records[np.abs(records["score"].astype(int)) > 1500][:20]
    records = records[np.abs(records["score"].astype(int)) <= 1500][:60]
    assert len(records) == 60
    assert len(decided)
    paths = [tmp_path / "first.psv", tmp_path / "second.psv"]
    for path, part in zip(paths, (records[:30], records[30:]), strict=True):
        path.write_bytes(part.tobytes() + decided.tobytes())    # these do not count
    text = invoke(learn, "judge", *paths, "--eval-file", "material", "--eval-file", TABLES, "--nodes", 100, "--params",
                  "use_null_move=0", "--hash", 1).output
    assert text.splitlines()[0].split()[4:7] == ["first.psv", "second.psv", "all"]
    assert text.split("\n\n")[0].endswith("+0.00000 ± 0.00000")
    found = rows(text)
    assert found.pop("positions") == [30, 30, 60]
    assert list(found) == [name + part for name in ("material", "tables")
                           for part in ("", ", search", ", last two iterations")]
    deep, results = records["score"].astype(float), (1 + records["game_result"].astype(float)) / 2
    for name in ("material", TABLES):
        evaluator = load_evaluator(name)
        searcher = Searcher(1, params={"use_null_move": 0}, evaluator=evaluator)
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
            assert rows(text, 1)[name + column][2] == pytest.approx(np.corrcoef(values, deep)[0, 1], abs=6e-4)
            assert rows(text, 2)[name + column][2] == pytest.approx(fit(values, results)[0], abs=6e-5)


def test_files_of_one_name_have_columns_of_their_own(played: Path, tmp_path: Path) -> None:
    records = read(played)
    paths = [tmp_path / name for name in ("x/games.300.psv", "x/games.3000.psv", "y/games.300.psv")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(records[:200].tobytes())
    lines = invoke(learn, "judge", *paths, "--eval-file", "material").output.splitlines()
    heading = next(line for line in lines if line.startswith("correlation"))
    assert heading.split()[1:] == ["x/games.300.psv", "games.3000.psv", "y/games.300.psv", "all"]
    assert {len(lines[number]) for number in (1, 5, 7, 8)} == {len(heading)}
    refused(path=paths[0]).ended(invoke(learn, "judge", paths[0], paths[0], status=1))


def test_a_file_to_judge_by_is_named_if_it_has_a_fault(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "faulty.psv"

    def judged(records: Records) -> Result:
        path.write_bytes(records.tobytes())
        return invoke(learn, "judge", played, path, "--eval-file", "material", status=1)

    records = read(played)[:50].copy()
    refused(path=path, most=1500).ended(judged(records[:0]))
    records["score"][7] = 2000
    refused(path=path, most=1500).ended(judged(records[7:8]))
    records["game_result"][9] = 5
    refused(at=path, number=9, result=5, results=[-1, 0, 1]).ended(judged(records))
    records = training.record(Position("4k4/9/9/9/4r4/9/9/9/4K4 b - 1"))
    records["sfen"][0, 0] ^= 1      # the other side to move
    refused(at=(path, 50), waiting="Black", side="White").ended(judged(np.concatenate([read(played)[:50], records])))


def test_the_ruler_prefers_tables_to_material() -> None:
    """Not what it says of the packaged network, which may change."""
    assert len(RULER) >= 5
    found = rows(invoke(learn, "judge", "--eval-file", "material", "--eval-file", TABLES, "--eval-file", "").output)
    for kind, (material, tables, packaged) in enumerate(zip(found["material"], found["tables"], found["packaged"],
                                                            strict=True)):
        assert kind == 0 or material > tables > 0       # openings, the first, are all worth nothing
        assert packaged > 0
