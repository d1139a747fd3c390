"""Training records as programs use them: fields, and batches of files in shuffled order."""
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import Position
from gakushi.training import BLOCK, HCPE, PSV, batches, best_move, converted, count, position_of, record_of
from tests.faults import refused

Write = Callable[[str, NDArray[Any]], Path]


def numbered(count: int, first: int = 0) -> NDArray[Any]:
    """Records that differ in their score and number."""
    records = np.full(count, record_of(Position(), "7g7f", 0, 0))
    numbers = np.arange(first, first + count)
    records["score"], records["gamePly"] = numbers % 30_000, numbers // 30_000
    return records


def numbers(records: NDArray[Any]) -> list[int]:
    found: list[int] = (records["score"].astype(int) + 30_000 * records["gamePly"].astype(int)).tolist()
    return found


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, records: NDArray[Any]) -> Path:
        data = records.tobytes()
        (tmp_path / name).write_bytes(lzma.compress(data, preset=0) if name.endswith(".xz") else data)
        return tmp_path / name
    return write


def test_a_record_has_what_it_is_made_of() -> None:
    position = Position.from_usi("startpos moves 7g7f 3c3d 8h2b+")
    record = record_of(position, "3a2b", -500, -1)
    assert (int(record["score"]), int(record["game_result"]), int(record["gamePly"])) == (-500, -1, 4)
    for form in (record, converted(np.array([record]))[0]):
        assert (position_of(form), best_move(form)) == (position, "3a2b")
    assert int(converted(np.array([record]))[0]["gameResult"]) == 1, "Black wins"
    with refused(name="result", number=2, most=1):
        record_of(position, "3a2b", 0, 2)


def test_every_record_comes_once_in_each_epoch(write: Write) -> None:
    files = [write("a.psv", numbered(2 * BLOCK + 100)), write("b.psv.xz", numbered(BLOCK, 50_000)),
             write("c.bin", numbered(10, 90_000))]
    everything = sorted([*range(2 * BLOCK + 100), *range(50_000, 50_000 + BLOCK), *range(90_000, 90_010)])
    orders = []
    for seed in (1, 1, 2):
        found = list(batches(files, 1000, seed=seed, pool=BLOCK + 1))
        assert {len(batch) for batch in found[:-1]} == {1000}
        assert 0 < len(found[-1]) <= 1000
        orders.append([number for batch in found for number in numbers(batch)])
        assert sorted(orders[-1]) == everything
    assert orders[0] == orders[1] != orders[2]
    plain = np.concatenate(list(batches(files, 1000, shuffle=False)))
    assert numbers(plain) == [*range(2 * BLOCK + 100), *range(90_000, 90_010), *range(50_000, 50_000 + BLOCK)]
    neighbours = sum(abs(one - other) == 1 for one, other in zip(orders[0], orders[0][1:], strict=False))
    assert neighbours < len(everything) / 100, "neighbours in the file are none in a batch"
    assert count(files[0], files[2]) == 2 * BLOCK + 110


def test_files_that_cannot_be_read_whole_are_refused(write: Write, tmp_path: Path) -> None:
    whole = write("a.psv", numbered(5))
    cut = tmp_path / "cut.psv"
    cut.write_bytes(whole.read_bytes()[:-1])
    for path in (cut, tmp_path / "cut.psv.xz"):
        if path.suffix == ".xz":
            path.write_bytes(lzma.compress(whole.read_bytes())[:-20])
        with refused(path=path, count=...):
            list(batches([path], 2))
    with refused(path=tmp_path / "games.txt"):
        batches([tmp_path / "games.txt"], 2)
    with refused(about="mixed"):
        batches([whole, write("b.hcpe", converted(numbered(1)))], 2)
    with pytest.raises(TypeError, match="give a list of files, not one"):
        batches(str(whole), 2)
    with refused(name="size", number=0, least=1):
        batches([whole], 0)
    with refused(path=tmp_path / "c.psv.xz"):
        count(write("c.psv.xz", numbered(1)))
    assert list(batches([], 2)) == []
    assert [batch.dtype == HCPE != PSV for batch in batches([tmp_path / "b.hcpe"], 2)] == [True]
