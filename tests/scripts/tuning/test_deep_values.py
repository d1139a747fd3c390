"""The file of deep values: what is drawn into it, and that it continues as it began."""
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import Position
from engine.packed import unpacked
from scripts import deep_values as command
from scripts.arena.search_player import SearchPlayer
from scripts.training.samples import records, sample
from scripts.tuning import positions as positions_module
from scripts.tuning.deep_values import DeepRecipe, make, read
from scripts.tuning.positions import drawn, positions_of
from search import Settings
from tests.scripts.commands import invoke

PLAYER = SearchPlayer(nodes=60, hash_mb=1, eval_file="material")


@pytest.fixture(scope="module")
def recipe(positions: Path) -> DeepRecipe:
    return DeepRecipe(PLAYER, positions, 1, 700)


@pytest.fixture(scope="module")
def whole(recipe: DeepRecipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of eight positions."""
    path = tmp_path_factory.mktemp("deep") / "whole.jsonl"
    make(path, recipe, 8)
    return path


def test_it_holds_what_the_search_says(whole: Path) -> None:
    found = read(whole)
    assert len({each.sfen for each in found}) == 8
    for each in found:
        result = PLAYER.searcher().search(Position(each.sfen), PLAYER.limits, Settings())
        assert (each.move, each.value, each.depth) == (result.bestmove, result.score, result.depth)


@pytest.mark.parametrize("torn", [False, True])
def test_it_continues_where_it_was_broken_off(tmp_path: Path, recipe: DeepRecipe, whole: Path, torn: bool) -> None:
    path = tmp_path / "broken.jsonl"
    text = whole.read_text()
    lines = text.splitlines(keepends=True)
    path.write_text("".join(lines[:4]) + (lines[4][:30] if torn else ""))
    assert make(path, recipe, 8).endswith("done")
    assert path.read_text() == text


def test_the_count_may_be_raised_and_is_not_lowered(tmp_path: Path, recipe: DeepRecipe, whole: Path) -> None:
    path = tmp_path / "raised.jsonl"
    for count in (3, 8, 5):
        make(path, recipe, count)
    assert path.read_text() == whole.read_text()


@pytest.mark.parametrize(("name", "value"), [
    ("seed", 2), ("max_value", 600), ("player", PLAYER.varied("nodes=61")),
    ("player", PLAYER.varied("history_bonus=9")),
])
def test_a_file_of_another_recipe_is_refused(recipe: DeepRecipe, whole: Path, name: str, value: Any) -> None:
    before = whole.read_bytes()
    other = replace(recipe, **{name: value})
    differing = name if name != "player" else "params" if value.params else "nodes"
    with pytest.raises(ValueError, match=f"holds deep values of a run that differs in {differing}.*; delete it"):
        make(whole, other, 9)
    assert whole.read_bytes() == before


@pytest.mark.parametrize("text", ['{"a": 1}\n{"sfen": ""}\n', "hello\n", "{}\n3\n"])
def test_a_file_of_something_else(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match="does not hold deep values"):
        read(path)


def test_a_search_that_comes_out_otherwise_is_refused(tmp_path: Path, recipe: DeepRecipe) -> None:
    for changed in ("threads=2", "movetime=5"):
        with pytest.raises(ValueError, match="does not search the same twice"):
            make(tmp_path / "none.jsonl", replace(recipe, player=PLAYER.varied(changed)), 1)


def test_records_are_drawn_one_of_a_game_if_they_are_in_balance(tmp_path: Path,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    # 40 records of a random game, the scores of the first half beyond, in games of 10.
    monkeypatch.setattr(positions_module.RecordedPositions, "apart", 10)
    position, rng, samples = Position(), Random(3), []
    for number in range(40):
        samples.append(sample(position, -900 if number < 20 else 100, None))
        position.push(rng.choice(position.legal_moves()))
    path = tmp_path / "some.psv"
    written = records(samples, None)
    written.tofile(path)
    sfens = [unpacked(record["sfen"].tobytes()).sfen for record in written]
    found = list(drawn(positions_of(path, "material"), 1, 700))
    assert sorted(sfens.index(sfen) // 10 for sfen in found) == [2, 3]
    assert len(list(drawn(positions_of(path, "material"), 1, 900))) == 4
    assert len({tuple(drawn(positions_of(path, "material"), seed, 900)) for seed in range(5)}) > 1
    np.concatenate([written, written]).tofile(path)
    assert len(set(again := list(drawn(positions_of(path, "material"), 1, 900)))) == len(again)


def test_lines_are_judged_by_a_search(tmp_path: Path) -> None:
    lopsided = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"     # Black has a rook and a bishop more
    declared = "1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b 2R2B4G 1"
    path = tmp_path / "some.sfen"
    path.write_text(f"{lopsided}\nstartpos moves 7g7f\n{declared}\nstartpos moves 7g7f\n")
    after = Position.from_usi("startpos moves 7g7f").sfen
    assert list(drawn(positions_of(path, "material"), 1, 700)) == [after], "once"
    assert set(drawn(positions_of(path, "material"), 1, 99999)) == {after, lopsided}


def test_the_command(tmp_path: Path, positions: Path, whole: Path) -> None:
    path = tmp_path / "out.jsonl"
    done = invoke(command, "--out", path, "--positions", positions, "--count", 8, "--nodes", 60, "--hash", 1,
                  "--params", "eval=material")
    assert done.output.startswith("8 of 8 positions, ")
    assert path.read_text() == whole.read_text()
    few = tmp_path / "few.sfen"
    few.write_text("startpos\n")
    assert "there are no more positions" in invoke(
        command, "--out", tmp_path / "few.jsonl", "--positions", few, "--count", 2, "--nodes", 9, "--hash", 1).output
