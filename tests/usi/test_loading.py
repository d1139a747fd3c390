"""What a session does with a searcher that is slow to load or gets less memory than asked: one made up for the test."""
import io
import time
from pathlib import Path

import pytest

from eval import loading
from search import Searcher
from usi import wire
from usi.session import Session
from usi.wire import Wire


class SlowSearcher(Searcher):
    """Needs a second for a table and never gets more than 7 MB."""

    def resize_hash(self, megabytes: int) -> int:
        time.sleep(1.0)
        return super().resize_hash(min(megabytes, 7))


def output_of(*commands: str) -> list[str]:
    sink = io.StringIO()
    Session(Wire(io.StringIO("".join(command + "\n" for command in commands)), sink), SlowSearcher).run()
    return sink.getvalue().splitlines()


def test_09_signs_of_life_while_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "KEEP_ALIVE_S", 0.1)
    lines = output_of("setoption name USI_Hash value 7", "isready", "isready")
    assert lines[0] == ""
    assert [line for line in lines if line] == ["readyok", "readyok"]


def test_14_less_memory_than_asked_is_said() -> None:
    said, ready = output_of("setoption name USI_Hash value 1048576", "isready")
    assert said == "info string USI_Hash 1048576 MB cannot be allocated, 7 MB is used"
    assert ready == "readyok"


def test_end_of_input_while_a_search_runs_leaves_no_answer_behind() -> None:
    lines = output_of("setoption name USI_Hash value 7", "go infinite")
    assert lines[-1].startswith("bestmove ")


def test_material_where_even_the_packaged_weights_are_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(loading, "PACKAGED", tmp_path / "default.weights")
    lines = output_of("setoption name EvalFile value absent", "setoption name USI_Hash value 7", "isready",
                      "position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1", "eval")
    assert ["absent" in lines[0], "default.weights" in lines[1]] == [True, True]
    assert lines[2:] == ["info string evaluating by material alone", "readyok", "eval: 100"]
