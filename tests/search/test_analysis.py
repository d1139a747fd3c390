"""A position searched in one call, blocking and awaited, and what limits and evaluators are taken."""
import asyncio
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from engine import MATE, Position
from engine.sfen import STARTPOS_SFEN
from eval.loading import load_evaluator
from search import MATERIAL, TABLES, Clock, Info, Limits, Searcher, SearcherPool, Settings, analyse, analyse_async
from search.mate import MateSolver, solve
from tests.faults import refused
from tests.search.conftest import Walk

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def test_lines_and_scores_come_at_once() -> None:
    searcher = Searcher(hash_mb=1)
    found = analyse(Position(), depth=5, lines=3, searcher=searcher)
    assert [line.multipv for line in found.lines] == [1, 2, 3]
    assert len({line.pv[0] for line in found.lines}) == 3
    assert {line.depth for line in found.lines} == {5}      # a stop may leave some with the score of the last iteration
    scores = [line.score for line in found.lines]
    assert scores == sorted(scores, reverse=True)
    assert (found.bestmove, found.score, found.mate) == (found.lines[0].pv[0], found.lines[0].score, None)
    again = Searcher(hash_mb=1).search(Position(), Limits(depth=5), Settings(multi_pv=3))
    assert (again.bestmove, again.score, again.nodes) == (found.bestmove, found.score, found.result.nodes)
    infos: list[Info] = []
    result = Searcher(1).search(Position(MATE_IN_ONE), Limits(depth=3), on_info=infos.append)   # without settings
    assert (result.bestmove, result.mate, infos[-1].mate) == ("G*5b", 1, 1)


def test_a_stop_leaves_the_lines_of_a_finished_iteration(walk: Walk) -> None:
    """Unless a better move or a mate was found since. Bounds among the other lines are marked as bounds."""
    searcher, kept, marked = Searcher(hash_mb=4, evaluator=MATERIAL), 0, 0
    for seed in range(60):
        position = walk(seed, seed)
        infos: list[Info] = []
        found = analyse(position, nodes=2000, lines=3, searcher=searcher, on_info=infos.append)
        if not found.lines:
            continue
        exact = all(line.bound == "exact" for line in found.lines)
        runs = [infos[i:i + len(found.lines)] for i in range(len(infos))]
        finished = [run for run in runs if {line.depth for line in run} == {run[0].depth}
                    and [line.multipv for line in run] == list(range(1, len(found.lines) + 1))
                    and all(line.bound == "exact" for line in run)]
        assert found.bestmove == found.lines[0].pv[0]
        assert (found.score, found.mate) == (found.lines[0].score, found.lines[0].mate)
        assert all(one.score >= other.score for one, other in pairwise(found.lines))
        if list(found.lines) in finished:
            kept += 1
        else:
            marked += 1
            assert finished[-1][0].pv[0] != found.bestmove or found.mate is not None
            assert not exact or len({line.depth for line in found.lines}) > 1
    assert kept > 40
    assert marked > 0


def test_a_notebook_shows_a_table() -> None:
    found = analyse(Position(MATE_IN_ONE), depth=3, lines=2)
    rows = [[cell.text for cell in row] for row in ElementTree.fromstring(found._repr_html_())]
    assert rows[0] == [None, "score", "depth", "line"]
    assert rows[1] == ["1", "mate 1", str(found.lines[0].depth), "▲５二金"]
    assert rows[2][1] == f"{found.lines[1].score / 100:+.2f}"
    unsure = replace(found, lines=(replace(found.lines[1], bound="upper", score=-5),), position=None)
    assert "≤ -0.05</td>" in unsure._repr_html_()
    assert " ".join(found.lines[1].pv) in unsure._repr_html_()
    assert analyse(Position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), depth=1)._repr_html_().count("<tr>") == 1
    assert analyse(Position(), depth=1).position == Position()


def test_limits_of_one_family() -> None:
    """The same for every call; a Clock stands for Limits with it, and anything else is a TypeError."""
    searcher, pool = Searcher(hash_mb=1, evaluator=MATERIAL), SearcherPool(1, hash_mb=1, evaluator=MATERIAL)
    position = Position(MATE_IN_ONE)
    calls: list[Callable[[Any], Any]] = [
        lambda limits: analyse(position, limits, searcher=searcher).bestmove,
        lambda limits: analyse(position, limits, searcher=pool).bestmove,
        lambda limits: asyncio.run(analyse_async(position, limits, searcher=searcher)).bestmove,
        lambda limits: asyncio.run(analyse_async(position, limits, searcher=pool)).bestmove,
        lambda limits: searcher.search(position, limits).bestmove,
        lambda limits: searcher.start(position, limits).result().bestmove]
    for call in calls:
        for limits in (Limits(nodes=100), Limits(depth=2), Clock(byoyomi=200), Limits(clock=Clock((100, 100)))):
            assert call(limits) == "G*5b"
        for wrong in ("nodes 100", 100, {"nodes": 100}, (3,), Settings()):
            with pytest.raises(TypeError, match=r"limits=.*: give Limits or a Clock, not "):
                call(wrong)
    for more in ({"nodes": 5}, {"depth": 5}, {"movetime": 5}, {"moves": ["7g7f"]}):
        with refused(limits=Limits(depth=1)):
            analyse(position, Limits(depth=1), **more)
    for endless in (None, Limits(), Limits(searchmoves=("5i4i",))):
        with refused(about="analysis"):
            analyse(position, endless, searcher=searcher)
    assert analyse(Position(), Limits(depth=1, searchmoves=("9g9f",)), searcher=searcher).bestmove == "9g9f"


def test_old_names_warn() -> None:
    with pytest.warns(DeprecationWarning, match=r"PositionAnalysis\.best is now PositionAnalysis\.bestmove"):
        assert analyse(Position(MATE_IN_ONE), depth=1).best == "G*5b"
    for ask in (solve, MateSolver(1).solve):
        with pytest.warns(DeprecationWarning, match="time_ms is now movetime"):
            assert ask(Position(MATE_IN_ONE), time_ms=60_000).moves == ("G*5b",)


def test_only_the_moves_named_are_considered() -> None:
    found = analyse(Position(), depth=2, lines=5, moves=["9g9f", "1g1f"])
    assert {line.pv[0] for line in found.lines} == {"9g9f", "1g1f"}


@pytest.mark.parametrize(("sfen", "lines", "best", "mate"), [
    (MATE_IN_ONE, 1, "G*5b", 1),
    ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", 0, None, 0),
    ("3k5/9/3+P5/9/9/9/9/9/4K4 w g 1", 1, None, None),
])
def test_mates_are_counted_in_plies(sfen: str, lines: int, best: str | None, mate: int | None) -> None:
    found = analyse(Position(sfen), depth=2)
    assert len(found.lines) == lines
    if mate is not None:
        assert (found.bestmove, found.mate) == (best, mate)
        assert found.score == (MATE - 1 if mate else -MATE)
    else:
        assert found.mate is None


def test_awaited_analyses_find_the_same_and_leave_the_loop_free() -> None:
    async def both() -> tuple[Any, Any, int]:
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0)

        heart = asyncio.create_task(beat())
        one, other = await asyncio.gather(analyse_async(Position(), nodes=2000, lines=2),
                                          analyse_async(Position(MATE_IN_ONE), depth=3))
        heart.cancel()
        return one, other, beats

    one, other, beats = asyncio.run(both())
    same = analyse(Position(), nodes=2000, lines=2)
    assert [(line.score, line.pv) for line in one.lines] == [(line.score, line.pv) for line in same.lines]
    assert other.bestmove == "G*5b"
    assert beats > 2


def test_a_cancelled_analysis_ends_and_leaves_the_searcher_free() -> None:
    searcher = Searcher(hash_mb=1)

    async def cancel() -> None:
        going = asyncio.Event()
        loop = asyncio.get_running_loop()

        def hear(_info: Info) -> None:
            loop.call_soon_threadsafe(going.set)

        task = asyncio.create_task(analyse_async(Position(), nodes=1 << 60, searcher=searcher, on_info=hear))
        await going.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert analyse(Position(), depth=1, searcher=searcher).bestmove
    assert not [thread for thread in threading.enumerate() if "search" in thread.name.lower()]


def test_awaited_analyses_on_one_searcher_take_turns() -> None:
    """Any number of them; one that is cancelled while it waits or searches blocks no other."""
    searcher = Searcher(hash_mb=1, evaluator=MATERIAL)

    async def many() -> list[Any]:
        forever = asyncio.create_task(analyse_async(Position(), nodes=1 << 60, searcher=searcher))
        waiting = asyncio.create_task(analyse_async(Position(), nodes=1 << 60, searcher=searcher))
        others = [asyncio.create_task(analyse_async(Position(MATE_IN_ONE), depth=3, searcher=searcher))
                  for _ in range(5)]
        while not searcher_is_busy(searcher):
            await asyncio.sleep(0.001)
        for task in (waiting, forever):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return await asyncio.gather(*others)

    assert [found.bestmove for found in asyncio.run(many())] == 5 * ["G*5b"]


def searcher_is_busy(searcher: Searcher) -> bool:
    try:
        searcher.prepare(Position(), Limits(depth=1))
    except RuntimeError:
        return True
    return False


def test_an_awaited_analysis_is_of_the_position_as_it_was_asked_for() -> None:
    searcher, position = Searcher(hash_mb=1, evaluator=MATERIAL), Position(MATE_IN_ONE)

    async def later() -> Any:
        first = asyncio.create_task(analyse_async(Position(), nodes=20_000, searcher=searcher))
        second = asyncio.create_task(analyse_async(position, depth=3, searcher=searcher))
        await asyncio.sleep(0)
        position.push("5i4i")
        await first
        return await second

    assert asyncio.run(later()).bestmove == "G*5b"


def test_a_pool_serves_threads_and_tasks_alike() -> None:
    pool = SearcherPool(2, hash_mb=1, evaluator=MATERIAL)
    assert len(pool) == 2
    inside, most, lock = 0, 0, threading.Lock()
    found: list[str | None] = []

    def by_thread() -> None:
        nonlocal inside, most
        with pool.lend() as searcher:
            with lock:
                inside += 1
                most = max(most, inside)
            found.append(searcher.search(Position(MATE_IN_ONE), Limits(depth=3)).bestmove)
            with lock:
                inside -= 1
        found.append(analyse(Position(MATE_IN_ONE), depth=3, searcher=pool).bestmove)

    async def by_tasks() -> list[Any]:
        async with pool.lend_async() as searcher:
            assert searcher.search(Position(MATE_IN_ONE), Limits(depth=3)).bestmove == "G*5b"
        return await asyncio.gather(*(analyse_async(Position(MATE_IN_ONE), depth=3, searcher=pool) for _ in range(9)))

    threads = [threading.Thread(target=by_thread) for _ in range(6)]
    for thread in threads:
        thread.start()
    found += [each.bestmove for each in asyncio.run(by_tasks())]
    for thread in threads:
        thread.join()
    assert found == 21 * ["G*5b"]
    assert most <= 2


def test_a_searcher_is_not_lost_to_a_loop_that_was_closed() -> None:
    pool, loop = SearcherPool(1, hash_mb=1, evaluator=MATERIAL), asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)     # asyncio reports the task that is destroyed

    async def wait() -> None:
        async with pool.lend_async():
            pytest.fail("the searcher is lent")

    with pool.lend():
        waiting = loop.create_task(wait())
        loop.call_later(0.01, loop.stop)
        loop.run_forever()
        loop.close()
    assert not waiting.done()
    with pytest.raises(asyncio.CancelledError):     # as the task is destroyed, later versions of Python do the like
        waiting.get_coro().throw(asyncio.CancelledError())
    assert analyse(Position(MATE_IN_ONE), depth=3, searcher=pool).bestmove == "G*5b"


def test_a_searcher_that_comes_back_to_its_pool_is_free() -> None:
    pool = SearcherPool(1, hash_mb=1, evaluator=MATERIAL)
    with pool.lend() as searcher:
        left = searcher.start(Position(), Limits())
    assert not left.is_running
    assert analyse(Position(MATE_IN_ONE), depth=3, searcher=pool).bestmove == "G*5b"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs a signal for one thread")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_the_search_before_it_is_raised(threads: int) -> None:
    """In `search` and in `analyse`; afterwards the searcher is free."""
    searcher = Searcher(hash_mb=1, threads=threads, evaluator=MATERIAL)
    main = threading.get_ident()

    def interrupt(_info: Info) -> None:
        if not interrupted:
            interrupted.append(True)
            signal.pthread_kill(main, signal.SIGINT)

    calls: list[Callable[[], object]] = [
        lambda: searcher.search(Position(), Limits(), on_info=interrupt),
        lambda: analyse(Position(), nodes=1 << 60, searcher=searcher, on_info=interrupt)]
    for call in calls:
        interrupted: list[bool] = []
        with pytest.raises(KeyboardInterrupt):
            call()
        searcher.clear()        # it would be refused if the search went on
        assert analyse(Position(MATE_IN_ONE), depth=3, searcher=searcher).bestmove == "G*5b"


def test_a_searcher_plays_with_the_packaged_network_unless_told_otherwise(tmp_path: Path) -> None:
    position = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2")
    for evaluator, name in ((None, None), ("", None), (MATERIAL, MATERIAL), (load_evaluator(MATERIAL), MATERIAL)):
        searcher = Searcher(1, evaluator=evaluator)
        assert searcher.evaluate(position) == load_evaluator(name).evaluate(position)
    assert Searcher(1).evaluate(position) != Searcher(1, evaluator=MATERIAL).evaluate(position)
    with pytest.raises(OSError, match="nowhere"):
        Searcher(1, evaluator=tmp_path / "nowhere.weights")
    assert TABLES != MATERIAL


def test_a_mate_is_solved_in_one_call() -> None:
    found = solve(Position(MATE_IN_ONE))
    assert (found.outcome, found.moves, found.shortest) == ("mate", ("G*5b",), True)
    assert solve(Position(STARTPOS_SFEN), nodes=100).outcome in ("nomate", "timeout")
