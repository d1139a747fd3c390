"""The searcher from outside: results, limits, threads, waiting and stopping."""
import threading
import time
from collections.abc import Callable

import pytest

from engine import Position
from eval.evaluation import evaluate_position
from eval.tables import EvalTables
from search import Info, Limits, Result, Searcher, Settings
from search.instrumented import instrumented_counts
from tests.mates import mates
from tt.table import TranspositionTable

Walk = Callable[[int, int], Position]

MATE = 32000
MIDDLE_GAME = "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"
BUSY = 100          # ms that a busy machine may keep a thread waiting even at the best of three tries
PATIENCE_S = 600    # an answer is waited for no longer: only a broken search takes so long, on a busy machine too


def infos_of(searcher: Searcher, position: Position, limits: Limits, **settings: object) -> tuple[Result, list[Info]]:
    heard: list[Info] = []
    return searcher.search(position, limits, Settings(pv_interval=0, **settings), heard.append), heard   # type: ignore


# -- What it answers ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("seed", range(40))
def test_all_moves_named_are_legal(searcher: Searcher, walk: Walk, seed: int) -> None:
    position = walk(seed, 5 * seed)
    result, infos = infos_of(searcher, position, Limits(depth=4))
    line = position.copy()
    line.push(result.bestmove)
    if result.ponder is not None:
        line.push(result.ponder)
    for info in infos:
        line = position.copy()
        for move in info.pv:
            line.push(move)


def test_position_with_the_most_moves(searcher: Searcher) -> None:
    position = Position("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")
    _, infos = infos_of(searcher, position, Limits(depth=2), multi_pv=593, generate_all_legal_moves=True)
    assert len({info.pv[0] for info in infos}) == 593


def test_same_search_after_clear(walk: Walk) -> None:
    searcher = Searcher(hash_mb=8)
    def run() -> list[tuple[int, int, str]]:
        searcher.clear()
        return [(result.nodes, result.score, result.bestmove)
                for result in (searcher.search(walk(seed, 40), Limits(depth=5), Settings()) for seed in range(4))]
    assert run() == run()


def test_tables_stay_with_new_threads_and_go_when_told(tables: EvalTables) -> None:
    position = Position(MIDDLE_GAME)

    def found(searcher: Searcher) -> tuple[int, int, str]:
        result = searcher.search(position, Limits(depth=5), Settings())
        return result.nodes, result.score, result.bestmove

    searcher = Searcher(hash_mb=8, tables=tables)
    by_tables, by_material = found(searcher), found(Searcher(hash_mb=8))
    assert by_tables != by_material
    assert searcher.evaluate(position) == evaluate_position(tables, position)
    searcher.set_threads(2)
    searcher.set_threads(1)
    searcher.clear()
    assert found(searcher) == by_tables
    searcher.set_tables(None)
    assert found(searcher) == by_material
    searcher.set_tables(tables)
    assert found(searcher) == by_tables


def test_counted_search_evaluates_by_tables(tables: EvalTables) -> None:
    by_material, by_tables = (
        instrumented_counts([Position(MIDDLE_GAME)], 4, TranspositionTable(1), tables=wanted)
        for wanted in (None, tables))
    assert by_material["references"] != by_tables["references"]


def test_mated(searcher: Searcher) -> None:
    position = Position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")
    assert searcher.search(position, Limits(depth=3), Settings()).bestmove == "resign"


def test_resigns_when_told_to(searcher: Searcher) -> None:
    hopeless = Position("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g 1")
    assert searcher.search(hopeless, Limits(depth=3), Settings(resign_value=3000)).bestmove == "resign"
    assert searcher.search(hopeless, Limits(depth=3), Settings()).bestmove != "resign"


def test_multi_pv(searcher: Searcher) -> None:
    result, infos = infos_of(searcher, Position(MIDDLE_GAME), Limits(depth=4), multi_pv=4)
    last = infos[-4:]
    assert [info.multipv for info in last] == [1, 2, 3, 4]
    assert len({info.pv[0] for info in last}) == 4
    assert sorted((info.score for info in last), reverse=True) == [info.score for info in last]
    assert result.bestmove == last[0].pv[0]


def test_multi_pv_beyond_the_number_of_moves(searcher: Searcher) -> None:
    position = Position("8k/7R1/9/9/9/9/9/9/K8 w - 1")
    _, infos = infos_of(searcher, position, Limits(depth=3), multi_pv=500)
    assert {info.multipv for info in infos} == set(range(1, len(position.legal_moves()) + 1))


def test_searchmoves(searcher: Searcher) -> None:
    result = searcher.search(Position(), Limits(depth=4, searchmoves=("9g9f", "1g1f")), Settings())
    assert result.bestmove in ("9g9f", "1g1f")
    with pytest.raises(ValueError, match="5i5a"):
        searcher.search(Position(), Limits(depth=1, searchmoves=("5i5a",)), Settings())


def test_all_legal_moves_only_when_told_to(searcher: Searcher) -> None:
    position = Position("4k4/9/9/B8/9/9/9/9/4K4 b - 1")
    def considered(generate_all_legal_moves: bool) -> set[str]:
        _, infos = infos_of(searcher, position, Limits(depth=1), multi_pv=593,
                            generate_all_legal_moves=generate_all_legal_moves)
        return {info.pv[0] for info in infos}
    assert considered(True) - considered(False) == {"9d8c", "9d7b", "9d6a"}


@pytest.mark.parametrize("plies", [1, 3, 5])
def test_finds_mates(searcher: Searcher, plies: int) -> None:
    """With a margin of depth, for reductions may show a longer mate first."""
    for sfen in mates()[plies][:40]:
        searcher.clear()
        assert searcher.search(Position(sfen), Limits(depth=plies + 12), Settings()).score > MATE - 40, sfen


# -- Limits ------------------------------------------------------------------------------------------------------------

def test_depth(searcher: Searcher) -> None:
    assert searcher.search(Position(), Limits(depth=3), Settings()).depth == 3
    assert searcher.search(Position(), Limits(), Settings(depth_limit=2)).depth == 2


@pytest.mark.parametrize("nodes", [1, 100, 1000, 5000])
def test_nodes_are_exact_with_one_thread(searcher: Searcher, nodes: int) -> None:
    assert searcher.search(Position(MIDDLE_GAME), Limits(nodes=nodes), Settings()).nodes == nodes


def test_smaller_node_limit_holds(searcher: Searcher) -> None:
    assert searcher.search(Position(), Limits(nodes=900), Settings(nodes_limit=300)).nodes == 300


@pytest.mark.timing
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limits", [
    Limits(movetime=300),
    Limits(byoyomi=200),
    Limits(time=(0, 0), byoyomi=200),
    Limits(time=(300, 300)),
    Limits(time=(100, 100), increment=(100, 100)),
], ids=repr)
def test_never_late(limits: Limits, threads: int) -> None:
    searcher = Searcher(hash_mb=8, threads=threads)
    clock = limits.movetime or (limits.time[0] if limits.time else 0) + limits.byoyomi
    taken = []
    for _ in range(3):
        start = time.monotonic()
        searcher.search(Position(MIDDLE_GAME), limits, Settings())
        taken.append((time.monotonic() - start) * 1000)
    assert min(taken) <= clock + BUSY


def test_byoyomi_is_used(searcher: Searcher) -> None:
    start = time.monotonic()
    searcher.search(Position(), Limits(time=(0, 0), byoyomi=400), Settings())
    assert time.monotonic() - start > 0.3


# -- Waiting and stopping ----------------------------------------------------------------------------------------------

class Thinking:
    """A search in another thread."""

    def __init__(self, searcher: Searcher, position: Position, limits: Limits) -> None:
        self.result: Result | None = None
        self._thread = threading.Thread(target=self._run, args=(searcher, position, limits))
        searcher.arm()
        self._thread.start()

    def _run(self, searcher: Searcher, position: Position, limits: Limits) -> None:
        self.result = searcher.search(position, limits, Settings())

    def answer(self, seconds: float) -> Result | None:
        """The result, if it comes in that time."""
        self._thread.join(seconds)
        return self.result


MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("sfen", [MIDDLE_GAME, MATE_IN_ONE])
def test_infinite_waits_for_stop(sfen: str, threads: int) -> None:
    searcher = Searcher(hash_mb=8, threads=threads)
    thinking = Thinking(searcher, Position(sfen), Limits(infinite=True))
    assert thinking.answer(0.3) is None
    searcher.stop()
    assert thinking.answer(PATIENCE_S)


@pytest.mark.timing
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_is_quick(threads: int) -> None:
    searcher = Searcher(hash_mb=8, threads=threads)
    delays = []
    for _ in range(10):
        thinking = Thinking(searcher, Position(MIDDLE_GAME), Limits(infinite=True))
        assert thinking.answer(0.05) is None
        start = time.monotonic()
        searcher.stop()
        assert thinking.answer(PATIENCE_S)
        delays.append(time.monotonic() - start)
    assert min(delays) < 0.01


def test_infinite_waits_even_when_mated_or_out_of_depth(searcher: Searcher) -> None:
    for sfen, limits in [("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", Limits(infinite=True)),
                         (MIDDLE_GAME, Limits(infinite=True, depth=1))]:
        thinking = Thinking(searcher, Position(sfen), limits)
        assert thinking.answer(0.1) is None
        searcher.stop()
        assert thinking.answer(PATIENCE_S)


def test_stop_that_comes_at_once_is_heard(searcher: Searcher) -> None:
    for _ in range(20):
        thinking = Thinking(searcher, Position(MIDDLE_GAME), Limits(infinite=True))
        searcher.stop()
        result = thinking.answer(PATIENCE_S)
        assert result
        assert Position(MIDDLE_GAME).is_legal(result.bestmove)


def test_idle_stop_does_not_touch_the_next_search(searcher: Searcher) -> None:
    searcher.stop()
    assert searcher.search(Position(), Limits(depth=3), Settings()).depth == 3


def test_ponder_waits_and_its_budget_begins_at_the_hit(searcher: Searcher) -> None:
    limits = Limits(ponder=True, time=(0, 0), byoyomi=300)
    thinking = Thinking(searcher, Position(MIDDLE_GAME), limits)
    assert thinking.answer(0.5) is None
    start = time.monotonic()
    searcher.ponderhit()
    assert thinking.answer(PATIENCE_S)
    assert time.monotonic() - start > 0.15


def test_ponderhit_with_new_clocks(searcher: Searcher) -> None:
    thinking = Thinking(searcher, Position(MIDDLE_GAME),
                        Limits(ponder=True, time=(0, 0), byoyomi=10_000 * PATIENCE_S))
    assert thinking.answer(0.1) is None
    searcher.ponderhit(Limits(time=(0, 0), byoyomi=100))
    assert thinking.answer(PATIENCE_S)


def test_ponderhit_that_comes_at_once_is_heard(searcher: Searcher) -> None:
    thinking = Thinking(searcher, Position(MATE_IN_ONE), Limits(ponder=True, byoyomi=100))
    searcher.ponderhit()
    assert thinking.answer(PATIENCE_S)


def test_failure_of_a_listener_reaches_the_caller(searcher: Searcher) -> None:
    def fail(info: Info) -> None:
        raise OSError("the pipe is closed")
    with pytest.raises(OSError, match="pipe"):
        searcher.search(Position(), Limits(depth=5), Settings(), fail)
