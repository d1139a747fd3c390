"""From a weights file to tables: names, the packaged file, one copy in the cache, and what a broken file says."""
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import Position
from eval.evaluator import Evaluator
from eval.files import NETWORK, write_weights
from eval.files import TABLES as TABLES_FILE
from eval.loading import MATERIAL, PACKAGED, PACKAGED_TABLES, TABLES, load_evaluator, read_expanded, weights_file
from eval.network import EvalNetwork
from eval.tables import EvalTables, usable_kernels
from tests.faults import refused


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "gakushi"


def worth(evaluator: Evaluator) -> int:
    return evaluator.evaluate(Position())


def test_names() -> None:
    assert weights_file(MATERIAL) is None
    assert load_evaluator(MATERIAL).source is None
    assert weights_file("") == weights_file(None) == PACKAGED
    assert weights_file(TABLES) == PACKAGED_TABLES
    assert weights_file("some/file") == Path("some/file")


def test_packaged_weights_can_be_played_by(cache: Path) -> None:
    assert worth(load_evaluator()) == worth(load_evaluator("")) == worth(load_evaluator(PACKAGED))
    assert isinstance(load_evaluator().source, EvalNetwork)
    assert not list(cache.glob("*"))        # a network needs no expanding
    assert isinstance(load_evaluator(TABLES).source, EvalTables)
    assert len(list(cache.iterdir())) == 1
    assert PACKAGED.stat().st_size + PACKAGED_TABLES.stat().st_size < 12 << 20


def test_expanded_once_and_then_mapped(weights: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worth(load_evaluator(weights)) == 12
    (path,) = cache.iterdir()
    assert usable_kernels()[0] in path.name
    changed = path.stat().st_ctime_ns
    monkeypatch.setattr("eval.loading.expand", None)
    assert worth(load_evaluator(weights)) == 12
    assert [found.name for found in cache.iterdir()] == [path.name]
    assert path.stat().st_ctime_ns >= changed


def test_a_broken_file_is_not_hidden_by_the_cache(weights: Path, tmp_path: Path) -> None:
    load_evaluator(weights)
    broken = tmp_path / "file"
    broken.write_bytes(weights.read_bytes()[:-1])
    with refused(about="short", at=repr(str(broken)), size=..., expected=...):
        load_evaluator(broken)


@pytest.mark.parametrize(("arrays", "kind", "fault"), [
    ({"kk": np.zeros(3, np.int16)}, TABLES_FILE, refused(names=...)),
    ({"kpp_index": np.array(3, np.uint32), "kpp_value": np.array(3, np.int16)}, TABLES_FILE, refused(names=...)),
    ({"5": np.zeros(1, np.int8)}, TABLES_FILE, refused(names=...)),
    ({"first": np.zeros(3, np.int16)}, NETWORK, refused(shapes=..., arrays=["first"])),
])
def test_weights_that_make_no_evaluation(tmp_path: Path, arrays: dict[str, Any], kind: str, fault: refused) -> None:
    path = tmp_path / "file"
    write_weights(path, arrays, 0, "", kind)
    with refused(at=repr(str(path)), fault=fault):
        load_evaluator(path)
    with refused(about="tables", at=repr(str(PACKAGED))):
        read_expanded(PACKAGED)
