"""The session as a state machine, without a thread: jobs run at once or when they are told to end, by a searcher that
answers from a script, so that the order of all lines is fixed."""
import io
from collections.abc import Iterator, Sequence
from typing import cast

import pytest

from engine import Position
from eval.evaluator import Evaluator
from search import MATERIAL, Clock, Limits, Result, Searcher, SearchHandle, Settings
from search.limits import TimeLimit
from tests.each import each
from usi.session.jobs import Job
from usi.session.protocol import Until
from usi.session.session import Session
from usi.session.thinking import Gate, Thinking, do
from usi.session.wire import Wire

HELD = ("go infinite", "go ponder")


class Transcript(Wire):
    """Both directions of the pipe: commands when they are obeyed, and output after `> `."""

    def __init__(self, commands: Sequence[str]) -> None:
        super().__init__((), io.StringIO())
        self._commands = commands
        self.command = ""
        self.spoken: list[str] = []

    def lines(self) -> Iterator[str]:
        for command in self._commands:
            self.command = command
            self.spoken.append(command)
            yield command

    def send(self, *lines: str) -> None:
        self.spoken.extend(f"> {line}" for line in lines)


class Scripted(Searcher):
    """Finds the first legal move at once, and keeps the requests."""

    notes: list[str]

    def resize_hash(self, megabytes: int) -> int:
        return megabytes

    def set_threads(self, threads: int) -> int:
        return threads

    def set_evaluator(self, evaluator: Evaluator) -> None:
        self.notes.append("clear")

    def clear(self) -> None:
        self.notes.append("clear")

    def prepare(self, position: Position, limits: Limits, settings: Settings | None = None, on_info: object = None,  # type: ignore[override]
                asked_at: int | None = None) -> SearchHandle:
        self.notes.append("prepare")
        return cast(SearchHandle, ScriptedSearch(self.notes, position, limits))


class ScriptedSearch:
    def __init__(self, notes: list[str], position: Position, limits: Limits) -> None:
        self._notes = notes
        self._position = position
        self._limits = limits

    def stop(self) -> None:
        self._notes.append("stop")

    def give_time(self, time: TimeLimit, asked_at: int) -> None:
        self._notes.append(f"hit {time}")

    def run(self) -> Result:
        position, limits = self._position, self._limits
        self._notes.append(f"search {' '.join(position.moves)}: time {limits.time} depth {limits.depth}")
        move = next(iter((*limits.searchmoves, *position.legal_moves())), None)
        return Result(move, None, 0, 1, 1, 0, "move" if move else "mated")


class ByHand(Thinking):
    """Runs a job that ends by itself at once, other jobs when they are told to end."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._waiting: Job | None = None

    @property
    def busy(self) -> bool:
        return self._waiting is not None

    def start(self, job: Job, until: Until = Until.FOUND) -> None:
        assert not self._waiting, "one job at a time"
        self._job = self._waiting = job
        self._gate = Gate(until)
        if not self._transcript.command.startswith(HELD):
            self._do()

    def ponderhit(self, time: TimeLimit | None, asked_at: int) -> None:
        if self._waiting:
            super().ponderhit(time, asked_at)
            self._do()

    def end(self, timeout_s: float | None = None) -> None:
        if self._waiting:
            self._waiting.stop()
            self._do()

    def _do(self) -> None:
        job, self._waiting = self._waiting, None
        assert job
        self._gate.open()
        do(job, self._wire, self._gate)


def converse(*commands: str) -> tuple[list[str], list[str]]:
    """The transcript, and the requests to the searcher."""
    transcript = Transcript(["setoption name USI_OwnBook value false", "setoption name USI_Hash value 1",
                             "setoption name EvalFile value material", *commands])
    notes: list[str] = []

    def make(hash_mb: int, threads: int) -> Scripted:
        searcher = Scripted(hash_mb, threads, evaluator=MATERIAL)
        searcher.notes = notes
        return searcher

    Session(transcript, make, ByHand(transcript)).run()
    return transcript.spoken[3:], notes


FIRST = Position().legal_moves()[0]
REPLY = Position.from_usi("startpos moves 7g7f").legal_moves()[0]


@pytest.mark.parametrize("spoken", [
    # at rest
    ["stop", "ponderhit", "gameover win"],
    ["ponderhit soon", "> info string 'soon' ignored in 'ponderhit soon'"],
    # one answer each, when it may come
    ["go depth 1", f"> bestmove {FIRST}", "stop"],
    ["go", f"> bestmove {FIRST}", "go nodes 1", f"> bestmove {FIRST}"],
    ["go infinite", "stop", f"> bestmove {FIRST}", "stop"],
    ["go ponder", "ponderhit", f"> bestmove {FIRST}", "ponderhit"],
    ["go ponder", "gameover", f"> bestmove {FIRST}", "stop"],
    ["go ponder", "usinewgame", f"> bestmove {FIRST}", "stop"],
    ["go ponder", "quit", f"> bestmove {FIRST}"],
    ["go ponder", f"> bestmove {FIRST}"],       # the end of the input
    ["go infinite", "go ponder", f"> bestmove {FIRST}", "go depth 1", f"> bestmove {FIRST}", f"> bestmove {FIRST}"],
    # of the position at the `go`, whatever has come since
    ["go ponder", "position startpos moves 7g7f", "stop", f"> bestmove {FIRST}", "go depth 1", f"> bestmove {REPLY}"],
    ["go ponder", "position startpos moves 7g7f", "ponderhit", f"> bestmove {FIRST}"],
    *(["position startpos moves 7g7f", f"position {bad}", "> info string position kept as it was: ", "go depth 1",
       f"> bestmove {REPLY}"] for bad in ("startpos moves 7g7f 7g7f", "sfen lnsgkgsnl/9/9 b - 1", "sfen", "nowhere")),
    ["go searchmoves 5i5a 2g2f", "> info string searchmoves: '5i5a' is not legal here", "> bestmove 2g2f"],
    # no move
    ["position sfen 4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1", "go depth 1", "> bestmove resign"],
    ["go perft 2", *(f"> {move}: 30" for move in Position().legal_moves()), "> Nodes searched: 900"],
    ["isready", "> readyok", "go infinite", "isready", "> readyok", "eval", "> eval: 0", "stop",
     f"> bestmove {FIRST}"],
], ids=lambda spoken: ", ".join(line for line in spoken if not line.startswith(">")))
def test_what_is_said_when(spoken: list[str]) -> None:
    heard, _ = converse(*(line for line in spoken if not line.startswith(">")))
    assert len(heard) == len(spoken)
    assert all(line.startswith(start) for line, start in zip(heard, spoken, strict=True))


GUESS = "position startpos moves 7g7f 3c3d"


def test_a_ponderhit_hands_the_clocks_on() -> None:
    _, notes = converse("go ponder movetime 500", "ponderhit btime 1 wtime 2", "ponderhit", "go ponder movetime 500",
                        "ponderhit", "ponderhit", "go ponder depth 1", "ponderhit")
    assert [note for note in notes if note.startswith("hit")] == [f"hit {Clock((1, 2))}", "hit 500"]


def test_a_stochastic_ponder_searches_the_position_before_and_then_the_one_guessed() -> None:
    on = "setoption name Stochastic_Ponder value true"
    lines, notes = converse(on, GUESS, "go ponder byoyomi 500", "position startpos", "ponderhit movetime 700",
                            "ponderhit", "stop")
    assert notes[-5:] == ["prepare", "stop", "search 7g7f: time None depth None", "prepare",
                          "search 7g7f 3c3d: time 700 depth None"]
    assert [line for line in lines if line.startswith("> best")] == lines[5:6]


@each("end", ["stop", "gameover", "usinewgame", "quit"])
def test_a_stochastic_ponder_that_is_broken_off_is_answered_for_the_position_guessed(end: str) -> None:
    on = "setoption name Stochastic_Ponder value true"
    lines, notes = converse(on, GUESS, "go ponder byoyomi 500", "position startpos", end)
    assert "search 7g7f 3c3d: time None depth 1" in notes
    assert lines[5:] == [f"> bestmove {Position.from_usi(GUESS.partition(' ')[2]).legal_moves()[0]}"]


def test_a_searcher_is_made_only_when_it_is_needed() -> None:
    assert converse("usi", "usinewgame", "position startpos", "setoption name Clear_Hash", "stop")[1] == []
