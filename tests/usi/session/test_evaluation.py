"""The choice of the evaluation: EvalFile and EvalDir, and weights that cannot be loaded. The engine is a black box."""
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import Position
from eval.loading import cached_file, load_evaluator
from tests.usi.conftest import Client
from tests.weights import tempo_only


def loaded(client: Client, **options: str | Path) -> list[str]:
    """The lines that `isready` gives under these options."""
    client.send(*(f"setoption name {name} value {value}" for name, value in options.items()))
    return client.settle()


def worth(client: Client, **options: str | Path) -> int:
    """The value of the start position by these weights, which load without a complaint."""
    assert not options or loaded(client, **options) == []
    client.send("position startpos", "eval")
    return int(client.raw_until("eval: ")[-1].split()[1])


def plays(client: Client) -> bool:
    return Position().is_legal(client.bestmove("position startpos", "go nodes 100"))


PACKAGED = "info string evaluating by the packaged weights"


@pytest.fixture
def packaged() -> int:
    """The value of the start position by the packaged weights."""
    return load_evaluator().evaluate(Position())


def test_packaged_weights_unless_told_otherwise(engine: Client, packaged: int, weights: Path) -> None:
    assert worth(engine) == packaged
    assert worth(engine, EvalDir=weights.parent, EvalFile=weights.name) == 12
    assert plays(engine)
    assert worth(engine, EvalDir="<empty>", EvalFile="<empty>") == packaged


def test_weights_come_with_the_next_go_or_isready_but_not_during_a_search(engine: Client, weights: Path) -> None:
    engine.send(f"setoption name EvalFile value {weights}")
    assert plays(engine)
    assert worth(engine) == 12
    assert loaded(engine, EvalFile="material") == []
    engine.send("position startpos", "go infinite")
    engine.expect("info depth")
    engine.send(f"setoption name EvalFile value {weights}", "isready")
    engine.expect("readyok")
    engine.bestmove("stop")
    assert loaded(engine) == []
    assert worth(engine) == 12


def test_a_file_that_has_changed_is_loaded_again(engine: Client, weights: Path, tmp_path: Path) -> None:
    path = tmp_path / "weights"
    shutil.copy(weights, path)
    assert worth(engine, EvalFile=path) == 12
    tempo_only(path, 34)
    assert worth(engine) == 12, "not before isready"
    assert loaded(engine) == []
    assert worth(engine) == 34
    path.write_bytes(path.read_bytes()[:-1])
    complaint, kept = loaded(engine)
    assert "cut short" in complaint
    assert kept == f"info string evaluating by '{path}'"
    assert worth(engine) == 34


def damaged(path: Path) -> None:
    *others, last = path.read_bytes()
    path.write_bytes(bytes([*others, last ^ 1]))


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(("spoil", "said"), [
    (damaged, "damaged: its checksum is"),
    (Path.unlink, "there is no such file or folder"),
    (a_pipe, "a folder, or no ordinary file"),
])
def test_broken_weights_are_refused_and_the_engine_plays_on(
    engine: Client, weights: Path, packaged: int, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    path = tmp_path / "some weights"
    shutil.copy(weights, path)
    spoil(path)
    assert loaded(engine, EvalFile="<empty>") == []
    complaint, kept = loaded(engine, EvalFile=path)
    assert complaint.startswith("info string ")
    assert said in complaint
    assert repr(str(path)) in complaint
    assert kept == PACKAGED
    assert worth(engine) == packaged
    assert plays(engine)
    assert loaded(engine) == [complaint, kept], "once more at every isready"
    assert worth(engine, EvalFile=weights) == 12


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc")
def test_engines_share_one_copy(engine: Client, cache: Path) -> None:
    """The packaged tables, mapped from the file in the cache, and not private to a process."""
    assert loaded(engine, EvalDir="<empty>", EvalFile="tables") == []
    path = cached_file("tables", cache)
    lines = [line.split(maxsplit=5) for line in Path("/proc/self/maps").read_text().splitlines()]
    assert {line[1] for line in lines if line[-1] == str(path)} == {"r--s"}


@pytest.mark.parametrize(("sfen", "missing"), [
    ("9/9/9/9/9/9/9/9/9 b - 1", "Black and White have no king"), ("4k4/9/9/9/9/9/9/9/9 b RB2G 1", "Black has no king"),
])
def test_a_board_without_kings_is_said_so(engine: Client, sfen: str, missing: str) -> None:
    engine.send(f"position sfen {sfen}", "go depth 1")
    lines = engine.expect("bestmove")
    assert lines[0].startswith(f"info string {missing}")
    assert "go mate" in lines[0]
