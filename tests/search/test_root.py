"""What a search begins with: its moves, its rules, its limits."""
import pytest

from engine import MATE, Position
from search import Limits, Searcher, Settings
from tests.infos import infos_of


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
    with pytest.raises(ValueError, match="5i5a"):
        searcher.search(Position(), Limits(depth=1, searchmoves=("5i5a",)), Settings())


def test_all_legal_moves_only_when_told_to(searcher: Searcher) -> None:
    position = Position("4k4/9/9/B8/9/9/9/9/4K4 b - 1")
    def considered(generate_all_legal_moves: bool) -> set[str]:
        _, infos = infos_of(searcher, position, Limits(depth=1), multi_pv=593,
                            generate_all_legal_moves=generate_all_legal_moves)
        return {info.pv[0] for info in infos}
    assert considered(True) - considered(False) == {"9d8c", "9d7b", "9d6a"}


def test_smaller_node_limit_holds(searcher: Searcher) -> None:
    assert searcher.search(Position(), Limits(nodes=900), Settings(nodes_limit=300)).nodes == 300


def test_an_unknown_rule_is_refused_by_name(searcher: Searcher) -> None:
    with pytest.raises(ValueError, match="'27' is not an entering-king rule; use one of NoEnteringKing"):
        searcher.prepare(Position(), Limits(), Settings(entering_king_rule="27"))
