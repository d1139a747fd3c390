"""The lines and scores that a search reports, wherever it is stopped: whole and legal, with bounds marked as bounds."""
from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from engine import MATE, MATE_IN_MAX_PLY, Position
from eval.evaluator import Evaluator
from eval.loading import TABLES, load_evaluator
from search import Info, Limits, Result, Searcher, Settings, analyse
from tests import probes
from tests.each import each
from tests.references import mates
from tests.search.conftest import MIDDLE_GAME, Walk
from tests.search_probes import filled_line
from tt.table import TranspositionTable

OPENING = "startpos moves 7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6i7h 5a4a 5i6i 7c7d"
STARTS = [OPENING, f"sfen {MIDDLE_GAME}"]
WHOLE = 40_000          # nodes


def searched(evaluator: Evaluator, position: Position, nodes: int, lines: int = 1) -> tuple[Result, list[Info]]:
    heard: list[Info] = []
    searcher = Searcher(4, evaluator=evaluator)
    return searcher.search(position, Limits(nodes=nodes), Settings(multi_pv=lines), heard.append), heard


@pytest.fixture(scope="module")
def tables() -> Evaluator:
    """The tables instead of the packaged network, so that the same moves fail high or low when another network is
    packaged."""
    return load_evaluator(TABLES)


def stopped_researches(evaluator: Evaluator, bound: str, lines: int) -> Iterator[tuple[Position, Info, int]]:
    """The bounds in searches of all STARTS, each with its position and a number of nodes that stops the search as that
    move begins to be searched again."""
    for start in STARTS:
        position = Position.from_usi(start)
        for info, then in pairwise(searched(evaluator, position, WHOLE, lines)[1]):
            if info.bound == bound and info.multipv == 1 and then.nodes > info.nodes + 100:
                yield position, info, info.nodes + 1


@pytest.mark.parametrize("lines", [1, 3])
def test_a_stop_after_the_root_has_failed_low_leaves_the_search_before(tables: Evaluator, lines: int) -> None:
    stops = list(stopped_researches(tables, "upper", lines))
    assert stops
    for position, _, nodes in stops:
        result, infos = searched(tables, position, nodes, lines)
        sound = {(info.pv[0], info.score, info.bound) for info in infos if info.nodes < nodes and info.bound != "upper"}
        assert result.nodes == nodes
        assert (result.bestmove, result.score, result.bound) in sound
        last = [info for info in infos if info.multipv == 1][-1]
        assert (last.pv[0], last.score, last.bound, last.nodes) == (result.bestmove, result.score, result.bound, nodes)


@pytest.mark.parametrize("lines", [1, 3])
def test_a_stop_after_the_root_has_failed_high_is_reported_as_a_lower_bound(tables: Evaluator, lines: int) -> None:
    kinds = set()
    for position, failed, nodes in stopped_researches(tables, "lower", lines):
        result, infos = searched(tables, position, nodes, lines)
        last = [info for info in infos if info.multipv == 1][-1]
        assert (last.pv[0], last.score, last.bound) == (result.bestmove, result.score, result.bound)
        assert (result.bound == "lower") == ((result.bestmove, result.score) == (failed.pv[0], failed.score))
        kinds.add(result.bound)
    assert "lower" in kinds


def test_a_move_that_failed_high_is_not_forgotten_when_its_next_search_fails_low(tables: Evaluator) -> None:
    stops = {(start, nodes) for start in STARTS for nodes in range(2000, 30_000, 3642)}
    for start, nodes in stops:
        infos = searched(tables, Position.from_usi(start), nodes)[1]
        assert infos[-1].depth == max(info.depth for info in infos if info.bound != "upper")


STALE = "8l/1p3sk2/l1G3g2/4ppppp/1PS6/P1pSPP1+rP/9/3G5/LK7 w 2BS3NL3Prgn3p 160"


def test_after_a_stop_all_lines_stand_once_in_the_order_of_their_scores(tables: Evaluator) -> None:
    """A score of the previous iteration that contradicts the order is replaced by a bound that does not."""
    kinds = set()
    for start, nodes in product([*STARTS, f"sfen {STALE}"], (17_146, *range(2000, 20_000, 3022))):
        position = Position.from_usi(start)
        result, infos = searched(tables, position, nodes, lines=3)
        last = infos[-3:]
        assert ([info.multipv for info in last], {info.nodes for info in last}) == ([1, 2, 3], {nodes})
        assert len({info.pv[0] for info in last}) == 3
        assert {info.depth for info in last} <= {result.depth, result.depth + 1}
        assert [info.score for info in last] == sorted((info.score for info in last), reverse=True)
        assert (last[0].pv[0], last[0].score, last[0].bound) == (result.bestmove, result.score, result.bound)
        for before, info in pairwise(last):
            assert info.bound != "upper" or info.score == before.score or before.depth < info.depth
        kinds |= {info.bound for info in last}
        finished = {(info.depth, info.multipv) for info in infos if info.bound == "exact"}
        assert finished >= {(result.depth, place) for place in (1, 2, 3)}
        analysed = analyse(position, nodes=nodes, lines=3, searcher=Searcher(4, evaluator=tables))
        reported = {(info.pv[0], info.score, info.bound) for info in infos}
        assert len({line.pv[0] for line in analysed.lines}) == 3
        assert {(line.pv[0], line.score, line.bound) for line in analysed.lines} <= reported
    assert kinds >= {"exact", "upper"}


def test_no_upper_bound_enters_the_vote_of_threads(tables: Evaluator) -> None:
    searcher = Searcher(4, 4, evaluator=tables)
    position = Position.from_usi(OPENING)
    for nodes in range(3000, 30_000, 3001):
        searcher.clear()
        heard: list[Info] = []
        result = searcher.search(position, Limits(nodes=nodes), Settings(), heard.append)
        assert (heard[-1].pv[0], heard[-1].score, heard[-1].bound) == (result.bestmove, result.score, result.bound)
        assert result.bound != "upper"


# -- The line ----------------------------------------------------------------------------------------------------------

def test_a_line_is_long_and_legal_and_repeats_no_position_but_at_its_end(tables: Evaluator, walk: Walk) -> None:
    for position in (Position.from_usi(OPENING), Position(MIDDLE_GAME), *(walk(seed, 30) for seed in range(8))):
        result, infos = searched(tables, position, 30_000)
        assert len(infos[-1].pv) >= 4 or abs(infos[-1].score) >= MATE_IN_MAX_PLY
        assert result.ponder == infos[-1].pv[1]
        for info in infos:
            line = position.copy()
            before = [line.key]
            for move in info.pv:
                line.push(move)
                before.append(line.key)
            assert len(set(before[:-1])) == len(before) - 1


def table_of(*lines: str) -> TranspositionTable:
    """One that knows the moves of these lines from the start of a game."""
    table = TranspositionTable(1)
    for line in lines:
        position = Position()
        for move in line.split():
            probes.store(table, position.key, move=probes.move16(move), lower=0, upper=0, depth=1)
            if not position.is_legal(move):
                break
            position.push(move)
    return table


THERE_AND_BACK = "2h3h 8b7b 3h2h 7b8b"
LINES = ("7g7f 3c3d 2g2f 4c4d", "7g7f 8c8d")


@each(("pv", "known", "plies", "table", "expected"), [
    # A longer line stays while its moves agree.
    ("7g7f", "7g7f 3c3d 2g2f", 9, (), "7g7f 3c3d 2g2f"),
    ("7g7f 8c8d", "7g7f 3c3d 2g2f", 9, (), "7g7f 8c8d"),
    ("7g7f 3c3d 2g2f 8c8d", "7g7f 3c3d", 9, (), "7g7f 3c3d 2g2f 8c8d"),
    ("7g7f", "7g7f 3c3d 2g2f", 2, (), "7g7f 3c3d"),
    # The table's moves, by its latest entries, fill the rest, …
    ("7g7f 3c3d", "", 9, LINES, "7g7f 3c3d 2g2f 4c4d"),
    ("7g7f", "", 9, LINES, "7g7f 8c8d"),
    ("7g7f", "7g7f 3c3d", 9, LINES, "7g7f 3c3d 2g2f 4c4d"),
    ("7g7f 3c3d", "", 3, LINES, "7g7f 3c3d 2g2f"),
    # … up to a move that is illegal, or that repeats a position unless the search has judged that.
    ("7g7f", "", 9, ("7g7f 2g2f",), "7g7f"),
    ("2h3h", "", 9, (f"{THERE_AND_BACK} 7g7f",), "2h3h 8b7b 3h2h"),
    (f"{THERE_AND_BACK} {THERE_AND_BACK}", "", 20, (f"{THERE_AND_BACK} 7g7f",), f"{THERE_AND_BACK} {THERE_AND_BACK}"),
])
def test_a_line_is_filled_up(pv: str, known: str, plies: int, table: tuple[str, ...], expected: str) -> None:
    assert " ".join(filled_line(Position(), tuple(pv.split()), tuple(known.split()), plies,
                                       table_of(*table))) == expected


def test_a_line_ends_where_the_rules_end_the_game() -> None:
    line = ("7g7f", "3c3d")
    assert [*filled_line(Position(), line, line, 9, table_of(*LINES), max_moves=3)] == [*line, "2g2f"]


@pytest.mark.parametrize("plies", [3, 5, 7])
def test_a_mate_is_shown_to_its_end(tables: Evaluator, plies: int) -> None:
    shown = 0
    for sfen in mates()[plies][:15]:
        result, infos = searched(tables, Position(sfen), 20_000)
        if result.score < MATE_IN_MAX_PLY or infos[-1].bound != "exact":
            continue
        line = Position(sfen)
        for move in infos[-1].pv:
            line.push(move)
        assert len(infos[-1].pv) <= MATE - result.score
        shown += line.is_mate()
    assert shown >= 10
