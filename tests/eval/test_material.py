"""Material: the values of simple positions."""
import pytest

from engine import Position
from engine.sfen import flip_sfen
from eval.evaluator import Evaluator
from eval.material import balance, worth
from search import MATERIAL, Searcher
from tests.faults import refused


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher(hash_mb=1, evaluator=MATERIAL)


@pytest.mark.parametrize(("sfen", "better"), [
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "4k4/9/9/9/9/9/9/9/4K4 b R 1"),
    ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "4k4/9/9/3R5/9/9/9/9/4K4 b - 1"),
    ("4k4/9/9/9/4B4/9/9/9/4K4 b - 1", "4k4/9/9/9/4+B4/9/9/9/4K4 b - 1"),
    ("4k4/9/9/9/9/9/9/9/4K4 w 2P 1", "4k4/9/9/9/9/9/9/9/4K4 w P 1"),
])
def test_more_material_is_better(searcher: Searcher, sfen: str, better: str) -> None:
    """The material of the side to move."""
    assert searcher.evaluate(Position(better)) > searcher.evaluate(Position(sfen))
    assert searcher.evaluate(Position(flip_sfen(sfen))) == searcher.evaluate(Position(sfen))
    assert searcher.evaluate(Position()) == 0


def test_what_is_no_position_and_no_piece_is_refused() -> None:
    with pytest.raises(TypeError):
        balance(None)       # type: ignore[arg-type]
    assert worth(1) == -worth(17) > 0
    for piece in (-1, 32, 1 << 20):
        with refused(piece=piece, pieces=32):
            worth(piece)


# -- What the search knows of an evaluation: ---------------------------------------------------------------------------

def test_material_alone_without_weights() -> None:
    position = Position("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    assert Evaluator().evaluate(position) == 100
    position.push("P*5e")
    assert Evaluator().evaluate(position) == -100
