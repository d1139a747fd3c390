"""Calls to a searcher while it searches: a second use is refused with a message, and has no other effect."""
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import Position
from eval.evaluator import Evaluator
from search import MATERIAL, Info, Limits, Searcher, SearchHandle
from search.counted import search_counted
from tests.each import each
from tests.processes import finished
from tests.search.conftest import MIDDLE_GAME

PATIENCE_S = 600


def refused(searcher: Searcher, *calls: Callable[[], object]) -> list[str]:
    """The message of each call while a search goes on; the search is not disturbed."""
    heard = threading.Event()
    search = searcher.start(Position(MIDDLE_GAME), Limits(), on_info=lambda _: heard.set())
    assert heard.wait(PATIENCE_S)
    said = []
    try:
        for call in calls:
            with pytest.raises(RuntimeError) as refusal:
                call()
            said.append(str(refusal.value))
    finally:
        search.stop()
    assert Position(MIDDLE_GAME).is_legal(search.result().bestmove or "")
    return said


def test_what_would_change_a_searcher_is_refused_while_it_searches(searcher: Searcher) -> None:
    other = searcher.prepare(Position(), Limits(depth=1))
    third = searcher.prepare(Position(), Limits(depth=1))
    said = refused(
        searcher, other.start, third.run, searcher.clear, searcher.table.clear, searcher.table.new_search,
        lambda: searcher.set_threads(2), lambda: searcher.resize_hash(1), lambda: searcher.table.resize(1),
        lambda: searcher.set_evaluator(Evaluator()), lambda: searcher.prepare(Position(), Limits(depth=1)),
        lambda: searcher.search(Position(), Limits(depth=1)),
        lambda: search_counted([Position()], 1, searcher.table, print))
    assert set(said) == {"this searcher is searching already: stop that search and take its result first"}
    for search in (other, third):       # they were not begun, so they can be yet
        assert Position().is_legal(search.run().bestmove or "")


def test_a_search_begins_once(searcher: Searcher) -> None:
    begun = searcher.prepare(Position(), Limits(depth=1))
    with pytest.raises(RuntimeError, match="not started"):
        begun.result()
    begun.start()
    begun.result()
    for again in (begun.start, begun.run):
        with pytest.raises(RuntimeError, match="each runs once: prepare another one"):
            again()
    assert begun.result() is begun.result()
    with pytest.raises(TypeError):
        SearchHandle.__new__(SearchHandle)


@each("in_calling_thread", [False, True])
def test_a_listener_is_refused_too(in_calling_thread: bool) -> None:
    searcher = Searcher(1, evaluator=MATERIAL, in_calling_thread=in_calling_thread)
    search = searcher.prepare(Position(), Limits(depth=2), on_info=lambda info: hear(info))
    said: list[str] = []

    def hear(_info: Info) -> None:
        calls: list[Callable[[], object]] = [
            searcher.clear, searcher.table.clear, lambda: searcher.search(Position(), Limits(depth=1))]
        if not in_calling_thread:
            calls += [search.result, lambda: searcher.stop(wait=True)]
        for call in calls:
            with pytest.raises(RuntimeError) as refusal:
                call()
            said.append(str(refusal.value))

    if not in_calling_thread:
        search.start()
        search.result()
    else:
        search.run()
    assert said
    assert {each.partition(":")[0].partition(";")[0] for each in said} <= {
        "this searcher is searching already", "a search cannot wait for its own end"}


def test_stop_with_wait_returns_when_the_search_is_over(searcher: Searcher) -> None:
    search = searcher.start(Position(MIDDLE_GAME), Limits())
    searcher.stop(wait=True)
    assert not search.is_running
    searcher.clear()
    searcher.stop(wait=True)        # without a search, nothing


def test_done_callbacks_are_called_at_the_end_and_after_it(searcher: Searcher) -> None:
    search = searcher.prepare(Position(), Limits(depth=1))
    heard: list[SearchHandle] = []
    search.add_done_callback(heard.append)
    search.start()
    search.result()
    search.add_done_callback(heard.append)
    assert heard == [search, search]


def test_a_done_callback_may_ask_for_the_result(searcher: Searcher, capsys: pytest.CaptureFixture[str]) -> None:
    """Also in the searching thread. If a callback raises, the other callbacks and the result are not affected."""
    search = searcher.prepare(Position(), Limits(depth=1))
    heard: list[object] = []
    search.add_done_callback(lambda _: 1 / 0)
    search.add_done_callback(lambda ended: heard.append(ended.result()))
    search.start()
    assert heard == [search.result()]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_less_memory_than_asked_for_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.system.memory.available_megabytes", lambda: 64)
    with pytest.warns(RuntimeWarning, match=r"hash_mb=1000000000: there is memory for 32 MB"):
        assert Searcher(10**9, evaluator=MATERIAL).table.megabytes == 32


# -- Random calls ------------------------------------------------------------------------------------------------------

# Four threads make random calls on one searcher. The start position and a mate in one are searched: a false mate, or
# another move, would show that two searches share memory.
RANDOM_CALLS = """
import sys, threading
from random import Random
from engine import Position
from eval.evaluator import Evaluator
from eval.loading import load_evaluator
from search import Limits, Searcher, Settings, SearcherPool, analyse
from tests.faults import refused

SEED, CALLS = map(int, sys.argv[1:])
MATE = Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
EVALUATORS = [Evaluator(), load_evaluator()]
searcher = Searcher(1, 2, evaluator=EVALUATORS[1])
handles = [searcher.prepare(Position(), Limits(nodes=1))]
refused, searched, faults = [], [], []
lock = threading.Lock()

def judge(position, result):
    searched.append(result)
    assert result.bestmove in position.legal_moves(), result
    assert (result.mate is not None) == (position == MATE and result.mate == 1), result
    assert result.depth < 100 or position == MATE, result

def search(rng):
    position = rng.choice([Position(), MATE])
    settings = Settings(multi_pv=rng.choice([1, 1, 3]))
    judge(position, searcher.search(position, Limits(nodes=rng.randint(1, 3000)), settings))

def prepare(rng):
    handles.append(searcher.prepare(Position(), Limits(nodes=rng.randint(1, 3000), movetime=rng.choice([None, 5]))))
    del handles[:-5]

def start(rng):
    handle = rng.choice(handles)
    handle.start()
    rng.random() < .5 and handle.stop()
    judge(Position(), handle.result())

def result(rng):
    handle = rng.choice(handles)
    judge(Position(), handle.result())

CALLS_OF = [
    search, search, search, prepare, start, start, result,
    lambda rng: judge(Position(), rng.choice(handles).run()),
    lambda rng: searcher.set_evaluator(rng.choice(EVALUATORS)),
    lambda rng: searcher.set_threads(rng.randint(1, 3)),
    lambda rng: searcher.resize_hash(rng.randint(1, 2)),
    lambda rng: searcher.clear(),
    lambda rng: searcher.table.clear(rng.randint(1, 3)),
    lambda rng: searcher.table.resize(rng.randint(1, 2), rng.randint(1, 3)),
    lambda rng: searcher.table.new_search(),
    lambda rng: searcher.stop(),
    lambda rng: searcher.stop(wait=True),
    lambda rng: (searcher.traffic, searcher.ballots, searcher.threads),
    lambda rng: (searcher.table.hashfull, searcher.table.megabytes),
    lambda rng: (searcher.evaluate(Position()), searcher.best_unsearched(Position())),
    lambda rng: (rng.choice(handles).budget, rng.choice(handles).is_running, rng.choice(handles).stop()),
    lambda rng: rng.choice(handles).give_time(rng.randint(0, 20)),
    lambda rng: rng.choice(handles).add_done_callback(lambda handle: None),
    lambda rng: judge(MATE, analyse(MATE, nodes=500, searcher=searcher).result),
]

def work(seed):
    rng = Random(seed)
    try:
        for _ in range(CALLS // 4):
            try:
                rng.choice(CALLS_OF)(rng)
            except RuntimeError as refusal:
                refused.append(str(refusal))
    except BaseException as fault:
        faults.append(repr(fault))
        raise

threads = [threading.Thread(target=work, args=(f"{SEED}/{number}",)) for number in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not faults, faults
searcher.stop(wait=True)
searcher.set_threads(1)
searcher.clear()
judge(Position(), searcher.search(Position(), Limits(nodes=3000)))
print(len(searched), len(refused), *sorted(set(refused)), sep="\\n")
"""


def call_at_random(tmp_path: Path, seed: int, calls: int) -> None:
    program = tmp_path / "program.py"       # no `-c`, by which the working folder's build would come before the tested
    program.write_text(RANDOM_CALLS, encoding="utf-8")
    searched, refused, *said = finished([sys.executable, str(program), str(seed), str(calls)]).stdout.splitlines()
    assert int(searched) > calls // 100
    assert int(refused) > calls // 100
    for line in said:       # each says what to do
        advice = ("stop that search", "wait until", "prepare another", "use run() or")
        assert any(words in line for words in advice), line


def test_random_calls_from_four_threads_harm_nothing(tmp_path: Path) -> None:
    call_at_random(tmp_path, 1, 400)
