"""A session with a searcher that is slow to load or gets less memory than asked. The searcher is made up."""
import io
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from engine import Position
from eval import loading
from search import MATERIAL, Limits, Searcher, SearchHandle, Settings
from usi.session import wire
from usi.session.session import Session
from usi.session.wire import Wire

PATIENCE_S = 60     # only a broken engine takes so long


class SmallSearcher(Searcher):
    """A searcher that never gets more than 7 MB."""

    def resize_hash(self, megabytes: int) -> int:
        return super().resize_hash(min(megabytes, 7))


SMALL = partial(SmallSearcher, evaluator=MATERIAL)


def output_of(*commands: str, make: Callable[..., Searcher] = SMALL) -> list[str]:
    sink = io.StringIO()
    Session(Wire(commands, sink), make).run()
    return [line for line in sink.getvalue().splitlines() if line != wire.KEEP_ALIVE]


def test_09_signs_of_life_while_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    sign = threading.Event()

    class Sink(io.StringIO):
        def write(self, text: str) -> int:
            if text == f"{wire.KEEP_ALIVE}\n":
                sign.set()
            return super().write(text)

    class SlowSearcher(Searcher):
        """A searcher that gets its table after a signal of the test."""

        def resize_hash(self, megabytes: int) -> int:
            assert sign.wait(PATIENCE_S)
            return super().resize_hash(megabytes)

    monkeypatch.setattr(wire, "KEEP_ALIVE_S", 0.1)
    sink = Sink()
    Session(Wire(["setoption name USI_Hash value 7", "isready", "isready"], sink), SlowSearcher).run()
    lines = sink.getvalue().splitlines()
    assert lines[0] == wire.KEEP_ALIVE
    assert [line for line in lines if line != wire.KEEP_ALIVE] == ["readyok", "readyok"]


def test_a_go_counts_from_when_it_came_and_not_from_when_it_was_obeyed() -> None:
    read = threading.Event()
    obeyed_at: list[int] = []
    asked_at: list[int | None] = []

    class SlowToForget(Searcher):
        """A searcher that clears its table only when the next `go` has come."""

        def clear(self) -> None:
            assert read.wait(PATIENCE_S)
            obeyed_at.append(time.perf_counter_ns())
            super().clear()

        def prepare(self, position: Position, limits: Limits, settings: Settings | None = None, on_info: object = None,  # type: ignore[override]
                    asked: int | None = None) -> SearchHandle:
            asked_at.append(asked)
            return super().prepare(position, limits, settings, None, asked)

    def at_once() -> Iterator[str]:
        yield from ("setoption name USI_OwnBook value false", "setoption name EvalFile value material",
                    "setoption name USI_Hash value 1", "setoption name Clear_Hash", "go byoyomi 100")
        read.set()

    Session(Wire(at_once(), io.StringIO()), SlowToForget).run()
    assert asked_at[0]
    assert asked_at[0] <= obeyed_at[-1]


def test_14_less_memory_than_asked_is_said() -> None:
    said, ready = output_of("setoption name USI_Hash value 1048576", "isready")
    assert said == ("info string USI_Hash 1048576 MB cannot be allocated (a table gets half of the available memory at "
                    "most), 7 MB is used")
    assert ready == "readyok"


def test_threads_are_those_asked_for_by_the_next_search() -> None:
    asked: list[int] = []

    class Asked(Searcher):
        def set_threads(self, threads: int) -> int:
            asked.append(threads)
            return 2

    lines = output_of("setoption name USI_Hash value 1", "setoption name Threads value 2", "isready", "isready",
                      "setoption name Threads value 4", "go nodes 1", make=Asked)
    assert asked == [2, 4]
    assert any(line.startswith("info string Threads 4 need more memory than there is") for line in lines)


def test_memory_that_was_short_is_asked_for_again_at_isready() -> None:
    asked: list[int] = []

    class Growing(Searcher):
        """A searcher that gets its table at the third try."""

        def resize_hash(self, megabytes: int) -> int:
            asked.append(megabytes)
            return super().resize_hash(1 if len(asked) < 3 else megabytes)

    sink = io.StringIO()

    def commands() -> Iterator[str]:
        yield "setoption name USI_Hash value 7"
        for number in range(1, 6):
            yield from ("isready", "go nodes 1")
            while sink.getvalue().count("bestmove") < number:       # `isready` during a search resizes nothing
                time.sleep(.001)

    Session(Wire(commands(), sink), Growing).run()
    assert asked == [7, 7, 7]       # not at `go`, nor once it has what it wants
    assert sink.getvalue().count("info string USI_Hash 7") == 2


@pytest.mark.parametrize("farewell", [("quit",), ()], ids=["quit", "end of input"])
@pytest.mark.parametrize(("go", "answer"), [
    ("go infinite", "bestmove "), ("go ponder", "bestmove "), ("go mate infinite", "checkmate "), ("go perft 12", ""),
])
def test_32_the_end_leaves_no_answer_behind(go: str, answer: str, farewell: tuple[str, ...]) -> None:
    lines = output_of("setoption name USI_Hash value 7", "position startpos moves 7g7f 3c3d", go, *farewell)
    assert (lines[-1:] or [""])[0].startswith(answer)


@pytest.mark.parametrize("asked", ["absent", "<empty>"])
def test_01_material_where_even_the_packaged_weights_are_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                                              asked: str) -> None:
    """Also 11: the files that are missing are named, and the engine starts and plays."""
    monkeypatch.setattr(loading, "PACKAGED", tmp_path / "default.weights")
    lines = output_of(f"setoption name EvalFile value {asked}", "setoption name USI_Hash value 7", "usi", "isready",
                      "position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1", "eval", "go nodes 9")
    said = lines[lines.index("usiok") + 1:]
    missing = ["absent"] * (asked == "absent") + ["default.weights"]
    assert all(f"{name}'" in line for name, line in zip(missing, said, strict=False))
    assert said[len(missing):][:3] == ["info string evaluating by material alone", "readyok", "eval: 100"]
    assert said[-1].startswith("bestmove ")
