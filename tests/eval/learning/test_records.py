"""Training records: equal to cshogi's, and converted back unchanged."""
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine import Position
from engine.packed import unpacked, usi
from eval.learning.records import HCPE, PSV, converted
from eval.learning.samples import open_records, targets
from tests.each import each
from tests.eval.learning.training import record
from tests.faults import refused
from tests.references import cshogi


@pytest.mark.parametrize(("ours", "theirs", "size"), [
    (HCPE, "HuffmanCodedPosAndEval", 38), (PSV, "PackedSfenValue", 40),
])
def test_the_dtypes_are_those_of_the_field(ours: Any, theirs: str, size: int) -> None:
    dtype = getattr(cshogi, theirs)
    assert ours.itemsize == dtype.itemsize == size
    assert {name: field[1] for name, field in ours.fields.items()} == {
        name: field[1] for name, field in dtype.fields.items()}


def test_records_convert_both_ways() -> None:
    position = Position()
    made = []
    for result in (1, 0, -1, -1, 0, 1):
        move = sorted(position.legal_moves())[-1]
        made.append(record(position, -37 * position.move_number, move, result))
        position.push(move)
    records = np.concatenate(made)
    records["gamePly"] = 0      # which hcpe lacks
    hcpe = converted(records)
    # Black moves in records 0, 2, 4; hcpe names the winner.
    assert hcpe["gameResult"].tolist() == [cshogi.BLACK_WIN, cshogi.DRAW, cshogi.WHITE_WIN,
                                           cshogi.BLACK_WIN, cshogi.DRAW, cshogi.WHITE_WIN]
    assert hcpe["eval"].tolist() == records["score"].tolist()
    assert [usi(move, "hcp") for move in hcpe["bestMove16"].tolist()] == position.moves
    for new, old in zip(hcpe, records, strict=True):
        assert unpacked(new["hcp"].tobytes(), "hcp").sfen == unpacked(old["sfen"].tobytes()).sfen
    assert (converted(hcpe) == records).all()


def with_result(records: Any, field: str, result: int) -> Any:
    changed = np.tile(records, 3)
    changed[field][1] = result
    return changed


START = record(Position())
NO_ARRAYS: list[Any] = [START[0], START.reshape(1, 1), [START[0]]]


@each(("call", "fault"), [
    (lambda: converted(np.zeros(1, HCPE)), refused(number=0, hex=64 * "0")),
    (lambda: converted(np.zeros(1)), pytest.raises(TypeError, match="float64")),
    (lambda: open_records(np.concatenate([record(Position()), np.zeros(1, PSV)])), refused(number=1, hex=64 * "0")),
    (lambda: open_records(np.zeros(1, HCPE)), pytest.raises(TypeError, match="PSV")),
    *((partial(call, wrong), pytest.raises(TypeError, match="one-dimensional"))
      for call in (converted, open_records) for wrong in NO_ARRAYS),
    *((partial(converted, with_result(converted(START), "gameResult", result)),
       refused(number=1, result=result, results=[0, 1, 2])) for result in (-1, 3, 5)),
    *((partial(converted, with_result(START, "game_result", result)),
       refused(number=1, result=result, results=[-1, 0, 1])) for result in (-2, 5)),
])
def test_a_malformed_record_is_named_and_other_arrays_are_refused(call: Callable[[], object],
                                                                  fault: AbstractContextManager[object]) -> None:
    with fault:
        call()


# -- Training samples: -------------------------------------------------------------------------------------------------

BLACK_TO_MOVE = Position()
WHITE_TO_MOVE = Position.from_usi("startpos moves 7g7f")


@each("position", [BLACK_TO_MOVE, WHITE_TO_MOVE])
@each("result", [-128, -2, -1, 0, 1, 2, 127])
def test_a_result_is_a_loss_a_draw_or_a_win(position: Position, result: int) -> None:
    records = np.concatenate([record(position, result=other) for other in (0, result, 0)])
    if abs(result) > 1:
        with refused(number=1, result=result, results=[-1, 0, 1]):
            open_records(records)
        return
    samples = open_records(records)
    for_black = result if position.turn == 0 else -result
    assert targets(samples, 0.0)[1] == (1 + for_black) / 2
