"""Feature planes and labels: equal to cshogi's, and checked by their meaning."""
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import Position
from engine.packed import move16
from engine.sfen import flip_move, flip_sfen, mirror_move
from eval.learning.feature_planes import LABELS, PLANES, feature_planes, planes_and_labels, policy_label
from eval.learning.records import HCPE, PSV, converted
from tests.each import each
from tests.eval.learning.training import record
from tests.faults import refused
from tests.networks import positions as positions_of
from tests.references import cshogi

# The kinds as cshogi numbers them: pawn, lance, knight, silver, bishop, rook, gold, king, and promoted ones.
KINDS = 14


def test_pieces_agree_with_cshogi() -> None:
    positions = positions_of(range(1, 3), 80)
    ours = feature_planes(positions)
    assert {position.turn for position in positions} == {0, 1}
    for position, planes in zip(positions, ours, strict=True):
        theirs = np.zeros((2 * KINDS, 9, 9), np.float32)
        board = cshogi.Board(position.sfen)
        if position.turn:
            board.piece_planes_rotate(theirs)
        else:
            board.piece_planes(theirs)
        # cshogi's planes go by file, from file 1, then by rank.
        assert (planes[:2 * KINDS] == theirs.transpose(0, 2, 1)[:, :, ::-1]).all(), position.sfen


def test_both_sides_see_themselves_alike() -> None:
    positions = positions_of(range(3, 4), 80)
    turned = [Position(flip_sfen(position.sfen)) for position in positions]
    assert (feature_planes(positions) == feature_planes(turned)).all()


def test_hands_and_checks_fill_planes() -> None:
    positions = [Position("4k4/9/9/9/4r4/9/9/9/4K4 b 2G3p 1"), Position("4k4/9/9/9/9/9/9/9/4K4 w G 1")]
    planes = feature_planes(positions, np.uint8)
    assert planes.shape == (2, len(PLANES), 9, 9)
    assert planes.dtype == np.uint8

    def filled(board: int, name: str) -> set[int]:
        return set(planes[board, PLANES.index(name)].ravel().tolist())

    assert (filled(0, "own golds in hand"), filled(0, "other pawns in hand"), filled(0, "in check")) == ({2}, {3}, {1})
    assert (filled(1, "own golds in hand"), filled(1, "other golds in hand"), filled(1, "in check")) == ({0}, {1}, {0})
    assert planes[0, :28].sum() == 3
    assert feature_planes([]).shape == (0, len(PLANES), 9, 9)


def test_labels_agree_with_cshogi() -> None:
    """cshogi counts squares by file, from the first."""
    seen = set()
    rich = "8k/9/1S1R1B3/9/9/9/9/9/8K b RBGSNLP 1"       # with what random play lacks
    for position in [*positions_of(range(4, 6), 80), Position(rich), Position(flip_sfen(rich))]:
        board = cshogi.Board(position.sfen)
        for move in position.legal_moves():
            plane, square = divmod(policy_label(position, move), 81)
            label = cshogi.dlshogi.make_move_label(board.move_from_usi(move), board.turn)
            assert label == plane * 81 + 9 * (8 - square % 9) + square // 9, (position, move)
            seen.add(plane)
    assert seen == set(range(len(LABELS)))


@each("dtype", [HCPE, PSV])
def test_an_array_of_records_gives_the_same_as_its_positions(dtype: Any) -> None:
    rng = Random(7)
    positions = [position for position in positions_of(range(8, 10), 80) if position.legal_moves()]
    moves = [rng.choice(position.legal_moves()) for position in positions]
    given = np.concatenate([record(position, move=move) for position, move in zip(positions, moves, strict=True)])
    given["move"][7] = 0
    planes, labels = planes_and_labels(given if dtype == PSV else converted(given), np.uint8)
    assert len(positions) > 100
    assert (str(planes.dtype), str(labels.dtype), labels[7]) == ("uint8", "int64", -1)
    assert (planes == feature_planes(positions, np.uint8)).all()
    assert [label for i, label in enumerate(labels.tolist()) if i != 7] == [
        policy_label(position, move) for i, (position, move) in enumerate(zip(positions, moves, strict=True)) if i != 7]
    every = planes_and_labels(given[::2])       # with gaps between them
    assert (every[0] == planes[::2]).all()
    assert (every[1] == labels[::2]).all()
    assert every[0].dtype == np.float32
    assert [part.shape for part in planes_and_labels(given[:0])] == [(0, len(PLANES), 9, 9), (0,)]


def test_labels_name_what_moves() -> None:
    position = Position("4k4/9/4P4/9/9/3N5/9/9/4K4 b G 1")
    for move, name in {"5c5b": "up", "5c5b+": "up, promoting", "G*1a": "gold dropped", "5i4h": "up right",
                       "6f5d": "knight's right", "6f7d": "knight's left"}.items():
        assert LABELS[policy_label(position, move) // 81] == name
        flipped = Position(flip_sfen(position.sfen))
        assert policy_label(flipped, flip_move(move)) == policy_label(position, move)
        mirrored = LABELS[policy_label(position.mirrored(), mirror_move(move)) // 81]
        assert mirrored == name.replace("right", "LEFT").replace("left", "right").lower()
    with refused(text="5c5a", sfen=...):
        policy_label(position, "5c5a")


def test_a_bad_record_is_named() -> None:
    given = np.concatenate([record(Position(), move=move) for move in ("7g7f", "2g2f", "7g7f")])
    given["move"][1] = move16("5a5b")
    with refused(number=1, move=...):
        planes_and_labels(given)
    given["sfen"][1] = 0
    with refused(number=1, hex="00" * 32):
        planes_and_labels(given)
    with pytest.raises(TypeError, match="records are of dtype HCPE or PSV, not int64"):
        planes_and_labels(np.zeros(1, np.int64))
    for wrong in (given[0], given[:2].reshape(1, 2), list(given)):
        with pytest.raises(TypeError, match="give a one-dimensional array of records, not"):
            planes_and_labels(wrong)            # type: ignore[arg-type]
    with pytest.raises(TypeError):
        feature_planes([Position().sfen])       # type: ignore[list-item]


def test_a_sequence_gives_as_many_planes_as_it_is_long() -> None:
    class Endless(Sequence[Position]):
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: Any) -> Any:
            return Position()

    assert (feature_planes(Endless()) == feature_planes([Position()] * 2)).all()
