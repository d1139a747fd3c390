"""Wrong types in every public function and method of the library: each is a TypeError, or an error of the user's, that
a program can catch and a person can read. None is an AttributeError, which would look like a fault of ours."""
import asyncio
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gakushi
from engine import packed, sfen
from eval.learning import feature_planes, records, samples
from gakushi import (
    BLACK,
    MATERIAL,
    STARTPOS_SFEN,
    AsyncUsiClient,
    Clock,
    Game,
    GameNode,
    GameRecord,
    Limits,
    MateSolver,
    Position,
    Searcher,
    SearcherPool,
    Settings,
    TranspositionTable,
    UsiClient,
    read_record,
    training,
)
from tests.threads import EngineThreads
from tests.usi.conftest import serve
from usi.client import client as usi_client

WRONG: list[Any] = [object(), 3.5, float("nan"), b"bytes", None, 5, -1, 10**30, "nonsense", "x" * 100_000, ["x", 1],
                    (1, 2), {"a": 1}, True, Position(), Settings()]
# A valid argument of each name, for calls in which another argument is wrong.
RIGHT: dict[str, Any] = {
    "sfen": STARTPOS_SFEN, "usi": "3c3d", "move": "3c3d", "text": "startpos", "square": "7g", "color": BLACK,
    "moves": ["3c3d"], "depth": 1, "position": Position(), "limits": Limits(depth=1), "source": "▲７六歩", "n": 1,
    "record": training.record_of(Position(), "7g7f", 0, 0), "files": [], "size": 1, "score": 0, "result": 0,
    "name": "USI_Hash", "bits": packed.packed(Position()), "line": "", "ply": 1, "rule": "CSARule27", "notation": "kif",
}
EXPECTED = (TypeError, gakushi.UserError, IndexError, OSError, RuntimeError, MemoryError)
LONGEST = 2000      # characters of a message
SEARCHER, SOLVER = Searcher(1, evaluator=MATERIAL), MateSolver(1)


def game() -> Game:
    return Game(read_record("▲７六歩 △３四歩 ▲２六歩"))


MAKE: dict[type, Callable[[], Any]] = {
    Position: lambda: Position.from_usi("startpos moves 7g7f"), Game: game, GameNode: lambda: game().root.children[0],
    GameRecord: lambda: game().record, Searcher: lambda: SEARCHER, MateSolver: lambda: SOLVER,
    SearcherPool: lambda: SearcherPool(1, hash_mb=1, evaluator=MATERIAL), Limits: Limits, Clock: Clock,
    TranspositionTable: lambda: TranspositionTable(1), Settings: Settings,
}
# The arguments of compiled classes, which have no signature; and classes that only the library makes, or errors.
SIGNATURES: dict[str, tuple[str, ...]] = {
    "Position": ("sfen",), "MateSolver": ("hash_mb",), "TranspositionTable": ("megabytes", "threads"),
    "Searcher": ("hash_mb", "threads", "params", "in_calling_thread", "evaluator"),
}
OURS = {"Answer", "AsyncSearch", "Declaration", "EngineInfo", "EngineOption", "Info", "MateInfo", "MateResult",
        "PositionAnalysis", "Result", "SearchHandle",
        "EngineGone", "EngineSilent", "IllegalMove", "ProtocolError", "UserError", "UsiFault"}
CLIENTS = {"AsyncUsiClient", "UsiClient"}       # see below
# A small amount of work, where the arguments themselves are right.
LIMITED: dict[str, dict[str, Any]] = {
    "analyse": {"searcher": SEARCHER, "limits": Limits(depth=1)}, "solve": {"nodes": 50, "hash_mb": 1},
    "analyse_async": {"searcher": SEARCHER, "limits": Limits(depth=1)}, "MateSolver.solve": {"nodes": 50},
    "SearcherPool": {"hash_mb": 1, "evaluator": MATERIAL}, "Searcher": {"hash_mb": 1, "evaluator": MATERIAL},
}


class Attempt(NamedTuple):
    label: str
    call: Callable[[], Any]


def attempts(label: str, function: Callable[..., Any], names: Mapping[str, bool]) -> Iterator[Attempt]:
    """A call for each wrong value of each argument; `names` says which of these must be given."""
    for name in names:
        for wrong in WRONG:
            limited = {} if name in ("nodes", "depth", "movetime") else LIMITED.get(label, {})
            given = {other: RIGHT.get(other, wrong) for other, required in names.items() if required} | limited
            yield Attempt(f"{label}({name}={wrong!r:.40})", partial(function, **given | {name: wrong}))


def parameters(label: str, function: Callable[..., Any]) -> dict[str, bool]:
    """The names of a function's parameters, and whether each must be given."""
    if label in SIGNATURES:
        return dict.fromkeys(SIGNATURES[label], False)
    return {each.name: each.default is each.empty for each in inspect.signature(function).parameters.values()
            if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD, each.POSITIONAL_ONLY)}


def of_method(kind: type, name: str, **given: Any) -> Any:
    made = MAKE[kind]()
    try:
        return getattr(made, name)(**given)
    finally:
        if isinstance(made, Searcher):
            made.stop(wait=True)


def public() -> Iterator[Attempt]:
    for name in gakushi.__all__:
        found = getattr(gakushi, name)
        if not callable(found) or name in OURS | CLIENTS:
            continue
        yield from attempts(name, found, parameters(name, found))
        for member in dir(found) if found in MAKE else ():
            label, value = f"{name}.{member}", inspect.getattr_static(found, member)
            if not member.startswith("_") and callable(getattr(found, member)):
                yield from attempts(label, partial(of_method, found, member),
                                    parameters(label, getattr(MAKE[found](), member)))
            elif isinstance(value, property) and value.fset:
                yield from (Attempt(f"{label} = {wrong!r:.40}", partial(setattr, MAKE[found](), member, wrong))
                            for wrong in WRONG)
    for module in (packed, sfen, feature_planes):
        for name, found in vars(module).items():
            if callable(found) and not isinstance(found, type) and not name.startswith("_") \
                    and getattr(found, "__module__", None) == module.__name__:
                yield from attempts(name, found, parameters(name, found))
    for name in ("batches", "best_move", "position_of", "record_of"):
        yield from attempts(name, getattr(training, name), parameters(name, getattr(training, name)))
    for name, found in (("converted", records.converted), ("open_records", samples.open_records)):
        yield from attempts(name, found, {"records": True})


def require_short(label: str, error: BaseException) -> None:
    """Messages must be short, except the system's, and NumPy's about a dtype."""
    if not isinstance(error, OSError) and "dtype" not in label:
        assert len(str(error)) < LONGEST, (label, len(str(error)))


def refused(attempt: Attempt) -> bool:
    """Whether the call is refused with a short message; other errors are raised."""
    try:
        made = attempt.call()
        if inspect.iscoroutine(made):
            asyncio.run(made)
    except EXPECTED as error:
        require_short(attempt.label, error)
        return True
    except BaseException as error:
        raise AssertionError(f"{attempt.label}: {type(error).__name__}: {error}") from error
    return False


def test_a_wrong_type_is_refused_in_words() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # a table larger than the memory
        outcomes = [refused(attempt) for attempt in public()]
    assert sum(outcomes) > 2000         # other types may be valid, or count as true or false


def test_a_wrong_type_for_another_engine_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usi_client, "GROUPS", EngineThreads(lambda command: None if command else serve))
    with UsiClient([]) as client:
        client.usi()

        async def both() -> list[bool]:
            async with AsyncUsiClient([]) as other:
                await other.usi()
                outcomes = []
                for wrong in [each for each in WRONG if not isinstance(each, str)]:
                    for call in (partial(client.go, wrong), partial(client.begin, wrong), partial(other.go, wrong),
                                 partial(client.set_position, wrong), partial(other.set_position, wrong),
                                 partial(client.set_option, wrong), partial(other.set_option, wrong),
                                 partial(UsiClient, wrong), partial(client.wait_for, wrong, 0.1)):
                        try:
                            made = call()
                            if inspect.iscoroutine(made):
                                await made
                            outcomes.append(False)
                        except EXPECTED as error:
                            require_short("a client", error)
                            outcomes.append(True)
                    for value in (object(), None, [1], b"1", Position()):
                        with pytest.raises(TypeError, match="value="):
                            client.set_option("USI_Hash", value)    # type: ignore[arg-type]
                return outcomes

        outcomes = asyncio.run(both())
        client.set_option("USI_Hash", np.int64(16))     # type: ignore[arg-type]
        client.set_option("EvalFile", Path("nowhere"))
        client.isready()
        assert client.running
    assert outcomes.count(False) <= 2 * len([each for each in WRONG if isinstance(each, Position)])
