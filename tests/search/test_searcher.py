"""The searcher from outside: results, limits, threads, waiting and stopping."""
import gc
import sys
import threading
import time
from pathlib import Path

import pytest

from engine import MATE, Position
from eval.evaluator import Evaluator
from search import MATERIAL, Clock, Info, Limits, Searcher, SearchHandle, Settings
from search.counted import search_counted
from search.limits import TimeLimit
from tests.each import each
from tests.measured import assert_in_time
from tests.processes import NO_TSAN, finished
from tests.references import mates
from tests.search.conftest import MIDDLE_GAME, Walk, infos_of
from tt.table import TranspositionTable

PATIENCE_S = 600    # an answer is waited for no longer: only a broken search takes so long, on a busy machine too


# -- What it answers ---------------------------------------------------------------------------------------------------

def test_same_search_after_clear(walk: Walk) -> None:
    searcher = Searcher(hash_mb=8, evaluator=MATERIAL)
    def run() -> list[tuple[int, int, str | None]]:
        searcher.clear()
        return [(result.nodes, result.score, result.bestmove)
                for result in (searcher.search(walk(seed, 40), Limits(depth=5), Settings()) for seed in range(4))]
    assert run() == run()


def test_an_evaluator_stays_with_new_threads_and_goes_when_told(evaluator: Evaluator) -> None:
    position = Position(MIDDLE_GAME)

    def found(searcher: Searcher) -> tuple[int, int, str | None]:
        result = searcher.search(position, Limits(depth=5), Settings())
        return result.nodes, result.score, result.bestmove

    searcher = Searcher(hash_mb=8, evaluator=evaluator)
    by_tables, by_material = found(searcher), found(Searcher(hash_mb=8, evaluator=MATERIAL))
    assert by_tables != by_material
    assert searcher.evaluate(position) == evaluator.evaluate(position)
    searcher.set_threads(2)
    searcher.set_threads(1)
    searcher.clear()
    assert found(searcher) == by_tables
    searcher.set_evaluator(Evaluator())
    assert found(searcher) == by_material
    searcher.set_evaluator(evaluator)
    assert found(searcher) == by_tables


def test_the_counted_search_evaluates_by_what_it_is_given(evaluator: Evaluator) -> None:
    by_material, by_tables = (
        search_counted([Position(MIDDLE_GAME)], 4, TranspositionTable(1), lambda *_: None, evaluator=wanted)
        for wanted in (None, evaluator))
    assert by_material["references"] != by_tables["references"]


@pytest.mark.parametrize("plies", [1, 3, 5])
def test_finds_mates(searcher: Searcher, plies: int) -> None:
    """With some extra depth, because reductions may show a longer mate first."""
    for sfen in mates()[plies][:15]:
        searcher.clear()
        assert searcher.search(Position(sfen), Limits(depth=plies + 12), Settings()).score > MATE - 40, sfen


# -- Limits ------------------------------------------------------------------------------------------------------------

def test_the_smaller_limit_holds(searcher: Searcher) -> None:
    assert searcher.search(Position(), Limits(depth=3), Settings()).depth == 3
    assert searcher.search(Position(), Limits(), Settings(depth_limit=2)).depth == 2
    assert searcher.search(Position(), Limits(nodes=900), Settings(nodes_limit=300)).nodes == 300


FIRST_ITERATION = Limits(depth=1)


@each("threads", [1, 4])
@each("limits", [
    Limits(nodes=1), Limits(movetime=1), Limits(clock=Clock(byoyomi=1)), Limits(clock=Clock((1, 1))),
    Limits(nodes=200), Limits(),
])
def test_the_first_iteration_is_always_finished(limits: Limits, threads: int) -> None:
    """Whatever the limit, and even if the time was over before the search began."""
    searcher = Searcher(hash_mb=1, threads=threads, evaluator=MATERIAL)
    first, _ = infos_of(searcher, Position(MIDDLE_GAME), FIRST_ITERATION)
    for multi_pv in (1, 3):
        heard: list[Info] = []
        searcher.clear()
        search = searcher.prepare(Position(MIDDLE_GAME), limits, Settings(multi_pv=multi_pv), heard.append,
                                  time.perf_counter_ns() - 10**9)
        if limits == Limits():
            search.stop()
        result = search.run()
        exact = [info.multipv for info in heard if info.bound == "exact"]
        assert exact[:multi_pv] == [*range(1, multi_pv + 1)]
        assert heard[0].depth == 1
        last = [info for info in heard if info.multipv == 1][-1]
        assert (result.bestmove, result.score) == (last.pv[0], last.score)
        assert result.depth >= 1
        if multi_pv == 1 and limits.nodes != 200:
            assert (result.bestmove, result.score, result.nodes) == (first.bestmove, first.score, first.nodes)


@pytest.mark.timing
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limits", [
    Limits(movetime=300),
    Limits(clock=Clock(byoyomi=200)),
    Limits(clock=Clock((300, 300))),
    Limits(clock=Clock((100, 100), increment=(100, 100))),
], ids=repr)
def test_never_late(limits: Limits, threads: int) -> None:
    searcher = Searcher(hash_mb=8, threads=threads, evaluator=MATERIAL)
    most = limits.clock.left[0] + limits.clock.byoyomi if limits.clock else limits.movetime
    assert most

    def seconds() -> float:
        start = time.monotonic()
        searcher.search(Position(MIDDLE_GAME), limits, Settings())
        return time.monotonic() - start

    assert_in_time(most / 1000, seconds)


# -- Waiting and stopping ----------------------------------------------------------------------------------------------

def going(searcher: Searcher, position: Position, limits: Limits) -> tuple[SearchHandle, threading.Event]:
    """A running search, and an event that is set at its first report."""
    heard = threading.Event()
    return searcher.start(position, limits, Settings(), lambda _: heard.set()), heard


@pytest.mark.parametrize("threads", [1, 2])
def test_infinite_goes_on_until_stopped(threads: int) -> None:
    searcher = Searcher(hash_mb=8, threads=threads, evaluator=MATERIAL)
    search, heard = going(searcher, Position(MIDDLE_GAME), Limits())
    assert heard.wait(PATIENCE_S)
    assert search.is_running
    assert search.budget is None
    search.stop()
    result = search.result()
    assert Position(MIDDLE_GAME).is_legal(result.bestmove or "")
    assert not search.is_running


@pytest.mark.timing
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_is_quick(threads: int) -> None:
    searcher = Searcher(hash_mb=8, threads=threads, evaluator=MATERIAL)

    def seconds() -> float:
        search, heard = going(searcher, Position(MIDDLE_GAME), Limits())
        assert heard.wait(PATIENCE_S)
        start = time.monotonic()
        search.stop()
        search.result()
        return time.monotonic() - start

    assert_in_time(0.01, seconds)


def test_a_stop_at_once_or_before_the_run_is_obeyed(searcher: Searcher) -> None:
    for _ in range(20):
        search, _ = going(searcher, Position(MIDDLE_GAME), Limits())
        search.stop()
        assert Position(MIDDLE_GAME).is_legal(search.result().bestmove or "")
    search = searcher.prepare(Position(MIDDLE_GAME), Limits(), Settings())
    searcher.stop()
    assert Position(MIDDLE_GAME).is_legal(search.run().bestmove or "")


def test_idle_stop_does_not_touch_the_next_search(searcher: Searcher) -> None:
    last = searcher.start(Position(), Limits(depth=1), Settings())
    last.result()
    searcher.stop()
    last.stop()
    assert searcher.search(Position(), Limits(depth=3), Settings()).depth == 3


def test_what_happens_to_the_position_meanwhile_does_not_matter(searcher: Searcher) -> None:
    position = Position()
    search = searcher.prepare(position, Limits(depth=2), Settings())
    position.push("7g7f")
    assert Position().is_legal(search.run().bestmove or "")


# -- The clock ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("first", [None, 1000 * PATIENCE_S, Clock(byoyomi=1000 * PATIENCE_S)])
def test_a_time_given_later_replaces_the_first_if_there_is_one(searcher: Searcher, first: TimeLimit | None) -> None:
    """As after a ponder hit."""
    search, heard = going(searcher, Position(MIDDLE_GAME), Limits().with_time(first))
    assert heard.wait(PATIENCE_S)
    assert (search.budget is None) == (first is None)
    search.give_time(Clock(byoyomi=300))
    assert search.budget
    assert search.budget.maximum < 300
    assert search.result().time_ms >= search.budget.maximum


def test_time_counts_from_when_it_was_asked_for(searcher: Searcher) -> None:
    """However late the search begins: here the time is long over."""
    long_ago = time.perf_counter_ns() - 1_000_000_000 * PATIENCE_S
    limits = Limits(movetime=1000 * PATIENCE_S)
    late = searcher.search(Position(MIDDLE_GAME), limits, Settings(), asked_at=long_ago).time_ms
    # The search has its time from the same clock, on whatever system.
    assert 1000 * PATIENCE_S <= late <= (time.perf_counter_ns() - long_ago) // 1_000_000
    search = searcher.prepare(Position(MIDDLE_GAME), Limits(), Settings())
    search.give_time(1000 * PATIENCE_S, long_ago)
    assert search.run().nodes < 1000


@pytest.mark.parametrize("limits", [
    Limits(movetime=60), Limits(clock=Clock(byoyomi=60)), Limits(clock=Clock((400, 400))),
    Limits(clock=Clock((50, 50), increment=(50, 50))),
], ids=repr)
def test_a_search_by_each_kind_of_clock_ends_by_itself_and_uses_its_time(searcher: Searcher, limits: Limits) -> None:
    search = searcher.prepare(Position(MIDDLE_GAME), limits, Settings(network_delay=0, network_delay2=0))
    assert search.budget
    result = search.run()
    assert result.bestmove
    if search.budget.optimum == search.budget.maximum:
        assert result.time_ms >= search.budget.maximum


def test_failure_of_a_listener_reaches_the_caller(searcher: Searcher) -> None:
    def fail(info: Info) -> None:
        raise OSError("the pipe is closed")
    with pytest.raises(OSError, match="pipe"):
        searcher.search(Position(), Limits(depth=5), Settings(), fail)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell a process's memory")
def test_a_searcher_that_is_dropped_is_freed_at_once() -> None:
    """Not only at the next garbage collection: the collector does not see the tens of megabytes that each one holds."""
    def living() -> int:
        return sum(isinstance(each, Searcher) for each in gc.get_objects())

    gc.collect()
    gc.disable()
    before = living()
    try:
        for in_calling_thread in (False, True):
            dropped = Searcher(1, in_calling_thread=in_calling_thread, evaluator=MATERIAL)
            dropped.search(Position(), Limits(depth=2), Settings())
            del dropped
            assert living() == before
    finally:
        gc.enable()


@NO_TSAN
def test_memory_goes_back_to_the_system(tmp_path: Path) -> None:
    """In a process of its own, where nothing else is kept or freed."""
    program = tmp_path / "program.py"       # no `-c`, by which the working folder's build would come before the tested
    program.write_text("""
from pathlib import Path
from search import MATERIAL, Searcher
def megabytes():
    return int(Path("/proc/self/status").read_text().split("RssAnon:")[1].split()[0]) // 1024
searcher = Searcher(1, 1, evaluator=MATERIAL)
before, others = megabytes(), []
for _ in range(3):
    searcher.set_threads(12)
    others.append(bytes(500_000))       # behind the threads' memory: what lies below is not at the heap's end
    searcher.set_threads(1)
print(megabytes() - before)
""", encoding="utf-8")
    assert int(finished([sys.executable, str(program)]).stdout) < 60       # one thread has 17, twelve 200


def test_a_late_search_makes_the_next_one_earlier() -> None:
    """The machine seems to delay it: the listener sleeps beyond the deadline at the first iteration's report."""
    searcher = Searcher(hash_mb=1, evaluator=MATERIAL)
    limits = Limits(clock=Clock(byoyomi=200))
    settings = Settings(network_delay=0, network_delay2=0)

    def time_for_it() -> int:
        budget = searcher.prepare(Position(MIDDLE_GAME), limits, settings).budget
        assert budget
        return budget.maximum

    quiet = time_for_it()
    searcher.search(Position(MIDDLE_GAME), limits, settings, lambda _: time.sleep(0.4))
    assert limits.clock
    assert limits.clock.byoyomi // 2 <= time_for_it() < quiet
