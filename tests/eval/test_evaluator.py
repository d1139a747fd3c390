"""What the search knows of an evaluation: material without weights, and nothing but weights with them."""
import pytest

from engine import Position
from eval.evaluator import Evaluator


def test_material_alone_without_weights() -> None:
    position = Position("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    assert Evaluator().evaluate(position) == 100
    position.push("P*5e")
    assert Evaluator().evaluate(position) == -100


def test_nothing_but_weights_is_taken() -> None:
    with pytest.raises(TypeError, match="'weights'"):
        Evaluator("weights")  # type: ignore[arg-type]
