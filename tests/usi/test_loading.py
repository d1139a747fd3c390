"""What a session does with a searcher that is slow to load or gets less memory than asked: one made up for the test."""
import io
import time

import pytest

from search import Searcher
from usi import session
from usi.session import Session


class SlowSearcher(Searcher):
    """Needs a second for a table and never gets more than 7 MB."""

    def resize_hash(self, megabytes: int) -> int:
        time.sleep(1.0)
        return super().resize_hash(min(megabytes, 7))


def output_of(*commands: str) -> list[str]:
    sink = io.StringIO()
    Session(io.StringIO("".join(command + "\n" for command in commands)), sink, SlowSearcher).run()
    return sink.getvalue().splitlines()


def test_09_signs_of_life_while_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "KEEP_ALIVE_S", 0.1)
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
