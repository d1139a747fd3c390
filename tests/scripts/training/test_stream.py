"""The samples of a run: reading, skipping, held-out games, and the shuffling of pools."""
import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval.learning.records import PSV, converted
from eval.learning.samples import UNKNOWN_RESULT, targets
from scripts.training import files, stream
from scripts.training.recipe import Recipe
from scripts.training.samples import Samples, game_numbers
from scripts.training.stream import Stream, counts, open_sources
from tests.faults import refused
from tests.scripts.training.conftest import GAMES

ALL = Recipe(files={}, validation=0.3, checks=True, captures=True, max_value=32767)


def streamed(*paths: Path, books: tuple[Path, ...] = (), recipe: Recipe = ALL) -> Stream:
    return Stream(open_sources(paths, books), recipe)


def training(of: Stream, apart: bool = False) -> Samples:
    """The samples of the first epoch, or the held-out ones."""
    return np.concatenate([pool.samples for pool in of.pools(0)] + [of.held] * apart)


def rows(samples: Samples) -> list[bytes]:
    return sorted(row.tobytes() for row in samples)


@pytest.fixture
def marked(played: Path, tmp_path: Path) -> Path:
    """The games, each with a score of its own."""
    records = np.fromfile(played, PSV)
    records["score"] = game_numbers(records) + 1
    path = tmp_path / "marked.psv"
    records.tofile(path)
    return path


# -- Games kept apart --------------------------------------------------------------------------------------------------

def test_a_game_begins_where_the_ply_does_not_rise_or_another_side_wins() -> None:
    records = np.zeros(9, PSV)
    records["gamePly"] = [1, 2, 5, 5, 6, 3, 4, 80, 81]
    records["sfen"][:, 0] = [0, 1, 0, 0, 1, 0, 1, 1, 0]
    records["game_result"] = [1, -1, 1, 1, -1, 1, -1, 1, -1]
    assert game_numbers(records).tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3]
    assert game_numbers(np.zeros(450, PSV)).tolist() == [0] * 200 + [1] * 200 + [2] * 50


@pytest.mark.parametrize("block", [700, 1 << 16])
def test_no_game_is_on_both_sides(marked: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    of = streamed(marked)
    learned = training(of)
    assert len(learned) + len(of.held) == len(np.fromfile(marked, PSV))
    games = [set(np.abs(samples["value"]).tolist()) for samples in (learned, of.held)]
    assert not games[0] & games[1]
    assert 0.15 < len(games[1]) / GAMES < 0.45


@pytest.mark.usefixtures("short_blocks")
def test_only_a_part_of_the_blocks_is_read_for_them(marked: Path) -> None:
    of = streamed(marked, recipe=replace(ALL, validation=0.06))
    with_games = [piece for piece in of._pieces if piece.held]
    assert len(with_games) == -(-len(of._pieces) // 8)
    assert 0.01 < len(of.held) / of.records < 0.15


def test_however_many_positions_there_are_those_kept_apart_fit_into_memory(
    marked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MOST_HELD", 1500)
    assert 500 < len(streamed(marked).held) < 3000
    with refused(count=...):
        streamed(marked, recipe=replace(ALL, validation=0))


def test_positions_kept_apart_lie_file_by_file(played: Path, small: Path) -> None:
    of = streamed(small, played)
    alone = streamed(small).held
    assert of.held_of == {small.name: len(alone), played.name: len(of.held) - len(alone)}
    assert np.array_equal(of.held[: len(alone)], alone)


# -- What is learned from ----------------------------------------------------------------------------------------------

def test_a_book_is_for_training_alone_and_judged_by_its_scores(played: Path, small: Path) -> None:
    of, without = streamed(played, books=(small,)), streamed(played)
    assert np.array_equal(of.held, without.held)
    assert len(training(of)) == len(training(without)) + 2000
    unknown = training(of)["result"] == UNKNOWN_RESULT
    assert unknown.sum() == 2000
    book = training(of)[unknown]
    assert np.array_equal(targets(book, 0.2), targets(book, 1.0))
    assert rows(training(of)[~unknown]) == rows(training(without))


def test_names_of_files_have_as_many_folders_as_they_need_to_differ(small: Path, tmp_path: Path) -> None:
    others = [tmp_path / folder / small.name for folder in ("a/end", "b/end", "c")]
    for other in others:
        other.parent.mkdir(parents=True)
        other.write_bytes(small.read_bytes())
    sources = open_sources([small], others)
    assert list(sources.files) == [f"{small.parent.name}/{small.name}"]
    assert list(sources.books) == [f"{folder}/{small.name}" for folder in ("a/end", "b/end", "c")]
    assert counts(open_sources([small]).files) == {small.name: 2000}
    link = tmp_path / "link.psv"
    link.symlink_to(small)
    for again in (small, tmp_path / "c" / ".." / small.name, link):
        with refused(path=again):
            open_sources([small], [again])


def test_positions_of_little_use_are_left_out(played: Path) -> None:
    sizes = {}
    cases = {"all": ALL, "checks": replace(ALL, checks=False), "captures": replace(ALL, captures=False),
             "value": replace(ALL, max_value=500)}
    for name, recipe in cases.items():
        of = streamed(played, recipe=recipe)
        kept = training(of, apart=True)
        sizes[name] = len(kept)
        if name == "value":
            value, material = kept["value"].astype(int), kept["material"].astype(int)
            assert (np.minimum(np.abs(value), np.abs(value - material)) <= 500).all()
            assert (np.abs(value) > 500).any()
    assert sizes["all"] == len(np.fromfile(played, PSV))
    assert max(sizes["checks"], sizes["captures"], sizes["value"]) < sizes["all"]


@pytest.mark.parametrize("name", ["games.hcpe", "games.hcpe.xz", "games.psv.xz"])
def test_every_form_is_read_alike(played: Path, tmp_path: Path, name: str) -> None:
    records = np.fromfile(played, PSV)
    path = tmp_path / name
    data = (converted(records) if "hcpe" in name else records).tobytes()
    path.write_bytes(lzma.compress(data, preset=0) if name.endswith("xz") else data)
    assert rows(training(streamed(played), apart=True)) == rows(training(streamed(path), apart=True))


# -- Pools -------------------------------------------------------------------------------------------------------------

@pytest.mark.usefixtures("short_blocks")
def test_pools_are_what_the_files_hold_in_another_order_each_epoch(played: Path, small: Path) -> None:
    recipe = replace(ALL, pool=3500)
    of = streamed(played, small, recipe=recipe)
    whole = training(streamed(played, small, recipe=replace(ALL, pool=1 << 21)))
    epochs = [list(of.pools(epoch)) for epoch in range(2)]
    for pools in epochs:
        assert [pool.number for pool in pools] == list(range(len(pools)))
        assert len(pools) == -(-of.records // 3500) or len(pools) == -(-of.records // 3000)
        assert pools[0].done == 0
        assert [pool.done + pool.share for pool in pools[:-1]] == pytest.approx([pool.done for pool in pools[1:]])
        assert pools[-1].done + pools[-1].share == pytest.approx(1)
        assert rows(np.concatenate([pool.samples for pool in pools])) == rows(whole)
    assert epochs[0][0].samples.tobytes() != epochs[1][0].samples.tobytes()


@pytest.mark.usefixtures("short_blocks")
def test_an_epoch_is_continued_from_any_pool(played: Path) -> None:
    of = streamed(played, recipe=replace(ALL, pool=3500))
    whole = list(of.pools(1))
    rest = list(streamed(played, recipe=replace(ALL, pool=3500)).pools(1, 2))
    assert [pool.number for pool in rest] == [pool.number for pool in whole[2:]]
    assert [pool.done for pool in rest] == [pool.done for pool in whole[2:]]
    assert all(np.array_equal(one.samples, other.samples) for one, other in zip(rest, whole[2:], strict=True))
    assert not list(of.pools(1, len(whole)))
