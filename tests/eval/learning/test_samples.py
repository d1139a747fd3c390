"""Training samples: what is refused as none."""
import numpy as np
import pytest

from engine import Position
from engine.packed import packed
from eval.learning.records import PSV
from eval.learning.samples import open_records, targets
from tests.each import each

BLACK_TO_MOVE = Position()
WHITE_TO_MOVE = Position.from_usi("startpos moves 7g7f")


@each("position", [BLACK_TO_MOVE, WHITE_TO_MOVE])
@each("result", [-128, -2, -1, 0, 1, 2, 127])
def test_a_result_is_a_loss_a_draw_or_a_win(position: Position, result: int) -> None:
    records = np.zeros(3, PSV)
    for record in records:
        record["sfen"] = np.frombuffer(packed(position), np.uint8)
    records[1]["game_result"] = result
    if abs(result) > 1:
        with pytest.raises(ValueError, match=rf"record 1 .* {result}\b"):
            open_records(records)
        return
    samples = open_records(records)
    for_black = result if position.turn == 0 else -result
    assert targets(samples, 0.0)[1] == (1 + for_black) / 2
