"""The library's objects can be copied and sent to other processes, or say that they cannot."""
import copy
import importlib
import pickle
import pkgutil
from collections.abc import Callable, Iterator

import pytest

from engine import BLACK, Position, UserError
from engine.errors import OutOfMemory, Phrase
from engine.records.files import FoundRecords, read_record
from engine.records.game import Game
from engine.records.gameover import GameOver
from engine.records.record import GameRecord, IllegalMove, LesserFault
from eval.files import Weights
from eval.learning.network_learner import NetworkLearner
from search import MATERIAL, Clock, Info, Limits, PositionAnalysis, Result, Searcher, Settings
from search.clock import Budget
from search.mate import MateInfo, MateResult, MateSolver
from search.mate.solver import Paused  # type: ignore[attr-defined]  # in no stub
from search.parameters import MARGINS
from search.skill import Skill
from search.vote import ThreadVote
from tests.each import each
from tt.table import TranspositionTable
from usi.client import Answer, EngineGone, EngineSilent, ProtocolError, TimedLine, UsiFault
from usi.client.replies import EngineInfo
from usi.commands.play.signals import TimeIsUp
from usi.files.journal import OtherRun
from usi.files.locking import Locked
from usi.workers.dask import Lacking
from usi.workers.tasks import TasksLost

INFO = Info(3, 5, 1, 42, "exact", 1000, 20, 7, ("7g7f", "3c3d"))
RESULT = Result("7g7f", "3c3d", 42, 3, 1000, 20)


def played() -> Position:
    position = Position()
    position.push("7g7f")
    position.push_null()
    return position


EXCEPTIONS = [
    IllegalMove("{text!r} is not legal in {sfen!r}", text="5a5b", sfen=Position().sfen, moves=["5a5b"]),
    UserError("{side} has no king", side=Phrase("Black")).at("game.kif"), OutOfMemory("no memory for {size}", size=2),
    OtherRun("it is of another run"), Paused("stopped"),
    UsiFault("one"), EngineGone("two"), EngineSilent("three"), ProtocolError("four"),
    LesserFault("five"), TasksLost("task 2 was given up"),
    Lacking("a worker has not our weights"), Locked("it is locked"), TimeIsUp(), UserError("give a number")]
VALUES = [
    played(), played().placement, GameRecord(Position().sfen, ["7g7f"]), read_record("▲７六歩 △３四歩"),
    Game.read("▲７六歩 △３四歩"),
    FoundRecords([], "KIF", ""), GameOver(BLACK, "mate"), Clock((1, 2)), Limits(depth=3, clock=Clock()), Settings(),
    INFO, RESULT,
    PositionAnalysis((INFO,), RESULT), Budget(1, 2), MateInfo(1, 2, 3, (), ()), MateResult("mate", (), True, 1, 2, 3),
    Skill.of_level(3), ThreadVote("7g7f", 1, 2), MARGINS[0], Weights("tables", {}, 0, "by hand", "00"),
    Answer("7g7f", None, EngineInfo()),
    TimedLine(1.0, "usiok"), EngineInfo(1, 2, 3)]
# Memory, threads and the like, which belong to one process.
BOUND = [lambda: Searcher(1, evaluator=MATERIAL), lambda: TranspositionTable(1), lambda: MateSolver(1),
         lambda: Searcher(1, evaluator=MATERIAL).prepare(Position(), Limits(depth=1)),
         NetworkLearner]


def sent(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


@each("value", VALUES)
def test_values_can_be_copied_and_sent(value: object) -> None:
    for twin in (sent(value), copy.copy(value), copy.deepcopy(value)):
        assert type(twin) is type(value)
        assert twin == value
    if isinstance(value, Position):
        assert [twin.moves for twin in (copy.copy(value), copy.deepcopy(value))] == [value.moves, value.moves]


@each("fault", EXCEPTIONS)
def test_exceptions_can_be_copied_and_sent(fault: Exception) -> None:
    """An exception that cannot be pickled would break the pool of processes in which it is raised."""
    for twin in (sent(fault), copy.copy(fault), copy.deepcopy(fault)):
        assert type(twin) is type(fault)
        assert (str(twin), repr(vars(twin))) == (str(fault), repr(vars(fault)))


def exceptions_of_the_library() -> Iterator[type[BaseException]]:
    for package in ("engine", "tt", "eval", "search", "usi", "gakushi"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if module.name in ("usi.__main__", "usi.client.jobobjects"):       # a program; of Windows
                continue
            for name, found in vars(importlib.import_module(module.name)).items():
                if isinstance(found, type) and issubclass(found, BaseException) and not name.startswith("_"):
                    yield found


def test_no_exception_is_left_out() -> None:
    own = {found for found in exceptions_of_the_library()
           if found.__module__.partition(".")[0] in ("engine", "tt", "eval", "search", "usi")}
    assert own == {type(fault) for fault in EXCEPTIONS}


@each("make", BOUND)
def test_what_belongs_to_a_process_is_not_sent(make: Callable[[], object]) -> None:
    made = make()
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            take(made)


def test_a_game_is_copied_by_its_record() -> None:
    game = Game.read("▲７六歩 △３四歩")
    assert sent(game.record) == game.record
