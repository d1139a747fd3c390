"""The move that is played where no search can be had."""
from engine import Position
from search import MATERIAL, Searcher
from tests.each import each


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


def test_no_mate_in_one_is_let_in() -> None:
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
