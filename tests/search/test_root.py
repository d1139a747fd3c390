"""The start of a search: moves, rules and limits; its reports; and the move that is played when there can be no
search."""
from itertools import product

from engine import MATE, Position
from search import MATERIAL, Clock, Limits, Searcher, Settings
from search.limits import TimeLimit
from tests.each import each
from tests.faults import refused
from tests.search.conftest import MIDDLE_GAME, Walk, infos_of


def test_position_with_the_most_moves(searcher: Searcher) -> None:
    position = Position("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")
    _, infos = infos_of(searcher, position, Limits(depth=2), multi_pv=593, generate_all_legal_moves=True)
    assert len({info.pv[0] for info in infos}) == 593


def test_mated(searcher: Searcher) -> None:
    position = Position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")
    result = searcher.search(position, Limits(depth=3), Settings())
    assert (result.outcome, result.bestmove, result.score, result.nodes) == ("mated", None, -MATE, 0)


def test_searchmoves(searcher: Searcher) -> None:
    result = searcher.search(Position(), Limits(depth=4, searchmoves=("9g9f", "1g1f")), Settings())
    assert result.bestmove in ("9g9f", "1g1f")
    with refused(text="5i5a", sfen=...):
        searcher.search(Position(), Limits(depth=1, searchmoves=("5i5a",)), Settings())
    limits = Limits(depth=2, searchmoves=(move for move in ("9g9f", "1g1f")))   # type: ignore[arg-type]
    assert limits == Limits(depth=2, searchmoves=("9g9f", "1g1f"))
    assert searcher.search(Position(), limits).bestmove in limits.searchmoves


def test_all_legal_moves_only_when_told_to(searcher: Searcher) -> None:
    position = Position("4k4/9/9/B8/9/9/9/9/4K4 b - 1")
    def considered(generate_all_legal_moves: bool) -> set[str]:
        _, infos = infos_of(searcher, position, Limits(depth=1), multi_pv=593,
                            generate_all_legal_moves=generate_all_legal_moves)
        return {info.pv[0] for info in infos}
    assert considered(True) - considered(False) == {"9d8c", "9d7b", "9d6a"}


# -- What may limit a search, and what may not do so together ----------------------------------------------------------

@each(("before", "after"), [*product([None, 0, 300, Clock(byoyomi=5)], repeat=2)])
def test_a_time_takes_the_place_of_another_and_of_nothing_else(before: TimeLimit | None,
                                                               after: TimeLimit | None) -> None:
    limits = Limits(depth=3, nodes=4, searchmoves=("7g7f",)).with_time(before)
    assert limits.time == before
    changed = limits.with_time(after)
    assert changed.time == after
    assert (changed.depth, changed.nodes, changed.searchmoves) == (3, 4, ("7g7f",))


# -- What is said: lines that can be played, and a last report that agrees with the result -----------------------------

@each("seed", range(40))
def test_all_moves_named_are_legal(searcher: Searcher, walk: Walk, seed: int) -> None:
    position = walk(seed, 5 * seed)
    result, infos = infos_of(searcher, position, Limits(depth=4))
    line = position.copy()
    assert result.bestmove
    line.push(result.bestmove)
    if result.ponder is not None:
        line.push(result.ponder)
    for info in infos:
        line = position.copy()
        for move in info.pv:
            line.push(move)


def test_multi_pv_beyond_the_number_of_moves(searcher: Searcher) -> None:
    position = Position("8k/7R1/9/9/9/9/9/9/K8 w - 1")
    _, infos = infos_of(searcher, position, Limits(depth=3), multi_pv=500)
    assert {info.multipv for info in infos} == set(range(1, len(position.legal_moves()) + 1))


@each("nodes", [1000, 3000, 3001, 20_000])
def test_the_last_report_is_of_the_whole_search(searcher: Searcher, nodes: int) -> None:
    result, infos = infos_of(searcher, Position(MIDDLE_GAME), Limits(nodes=nodes))
    assert infos[-1].nodes == result.nodes == nodes
    assert (infos[-1].pv[0], infos[-1].score) == (result.bestmove, result.score)
    finished = [info for info in infos[:-1] if info.bound == "exact"]
    assert finished
    same = (infos[-1].pv[0], infos[-1].score) == (finished[-1].pv[0], finished[-1].score)
    assert infos[-1].depth - result.depth == (not same)     # an old line is not called deeper
    result, infos = infos_of(searcher, Position(MIDDLE_GAME), Limits(depth=4), multi_pv=2)
    lines = [(info.depth, info.multipv) for info in infos if info.bound == "exact"]
    assert lines[-4:] == [(3, 1), (3, 2), (4, 1), (4, 2)]  # and not said twice


def test_a_king_that_arrives_is_reported_and_moved(searcher: Searcher) -> None:
    result, infos = infos_of(searcher, Position("9/5K3/9/9/9/9/9/9/k8 b - 1"), Limits(depth=3),
                             entering_king_rule="TryRule")
    assert [info.pv for info in infos] == [("4b5a",)]
    assert (result.bestmove, result.ponder, result.score, infos[0].score) == ("4b5a", None, MATE - 1, MATE - 1)


# -- The move that is played where no search can be had ----------------------------------------------------------------

@each(("sfen", "best"), [
    ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {"G*5b"}),                            # mates
    ("4k4/9/9/9/r8/9/9/9/R3K4 b - 1", {"9i9e"}),                            # takes a rook that nobody guards
    ("4k4/9/9/p8/g8/9/9/9/R3K4 b - 1", None),                            # would lose it for a gold
    ("4k4/9/9/9/4p4/4R4/9/9/4K4 b - 1", {"5f5e"}),                          # saves the rook by the pawn
])
def test_exchanges_and_evaluation_decide(sfen: str, best: set[str] | None) -> None:
    position = Position(sfen)
    move = Searcher(hash_mb=1, evaluator=MATERIAL).best_unsearched(position)
    assert move in (best or set(position.legal_moves()) - {"9i9e"})


def test_no_mate_in_one_is_allowed() -> None:
    """Not even for a rook: a gold before the king, guarded by the pawn, would mate."""
    position = Position("k8/9/9/9/r8/9/4p4/9/R3K4 b g 1")
    move = Searcher(hash_mb=1, evaluator=MATERIAL).best_unsearched(position)
    assert move
    position.push(move)
    for reply in position.legal_moves():
        position.push(reply)
        assert not position.is_mate()
        position.pop()


def test_among_the_moves_wanted() -> None:
    searcher = Searcher(hash_mb=1, evaluator=MATERIAL)
    attacked = Position("4k4/9/9/9/4p4/4R4/9/9/4K4 b - 1")
    assert searcher.best_unsearched(attacked, ("5i5h", "5f1f")) == "5f1f"
    assert searcher.best_unsearched(Position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")) is None
