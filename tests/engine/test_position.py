"""Positions: random play against PyPI cshogi, taking moves back, and the Python face."""

import os
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import BLACK, PAWN, STARTPOS_SFEN, WHITE, Position, UserError
from engine.packed import move16
from tests.each import each
from tests.engine.conftest import Choose
from tests.faults import refused
from tests.probes import raw, validate
from tests.references import cshogi

WALK_POSITIONS = int(os.environ.get("GAKUSHI_WALK_POSITIONS", "100000"))
WALK_PLIES = 200


def assert_same(ours: Position, theirs: Any, moves: list[str]) -> None:
    assert ours.sfen == theirs.sfen()
    assert ours.in_check == theirs.is_check(), ours.sfen
    assert sorted(moves) == sorted(map(cshogi.move_to_usi, theirs.legal_moves)), ours.sfen
    validate(ours)


@pytest.mark.parametrize("left", [
    pytest.param(WALK_POSITIONS // 10, id="some"), pytest.param(WALK_POSITIONS, id="many", marks=pytest.mark.slow)])
def test_random_play_agrees_with_cshogi_and_is_undone_bit_for_bit(
    left: int, start_sfens: list[str], choose: Choose
) -> None:
    """At every position the same SFEN, check flag and legal moves as cshogi, and every field equal to its
    recomputation; then each walk is taken back, and every position on the way has the bytes that it had before.

    The environment variable GAKUSHI_WALK_POSITIONS sets how many positions are many (100,000 unless told)."""
    rng = Random(1)
    while left > 0:
        start = rng.choice(start_sfens)
        ours, theirs = Position(start), cshogi.Board(start)
        befores: list[bytes] = []
        while left > 0 and len(befores) < WALK_PLIES:
            moves = ours.legal_moves()
            assert_same(ours, theirs, moves)
            left -= 1
            if not moves:
                break
            befores.append(raw(ours))
            move = choose(ours, moves, rng)
            ours.push(move)
            theirs.push_usi(move)
        while befores:
            ours.pop()
            assert raw(ours) == befores.pop(), f"{start} moves {ours.moves}"


def test_key_tells_positions_apart(varied_sfens: list[str]) -> None:
    """Equal for equal positions, whatever the move number; different for all others."""
    keys: dict[int, str] = {}
    for sfen in varied_sfens:
        placement = sfen.rsplit(" ", 1)[0]
        assert keys.setdefault(Position(sfen).key, placement) == placement
    assert len(keys) == len(set(keys.values()))


def test_faces_of_the_start_position() -> None:
    position = Position()
    assert position.sfen == position.initial_sfen == STARTPOS_SFEN
    assert (position.turn, position.move_number, position.in_check, position.moves) == (BLACK, 1, False, [])
    assert position.piece_at("5i") == 8
    assert position.piece_at("2b") == 5 + 16
    assert position.hand(BLACK) == position.hand(WHITE) == {}


def test_moves_hands_and_ply_follow_the_game() -> None:
    moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]
    position = Position()
    for move in moves[:4]:
        position.push(move)
    assert position.hand(BLACK) == position.hand(WHITE) == {"B": 1}
    position.push(moves[4])
    assert (position.turn, position.move_number, position.moves) == (WHITE, 6, moves)
    assert position.hand(BLACK) == {}
    twin = position.copy()
    assert [twin.pop() for _ in moves] == moves[::-1]
    assert twin.sfen == twin.initial_sfen == STARTPOS_SFEN
    assert position.moves == moves


def test_long_games_find_room() -> None:
    position = Position()
    for _ in range(1000):
        for move in ("2h3h", "8b7b", "3h2h", "7b8b"):
            position.push(move)
    assert (position.move_number, position.repetition()) == (4001, "draw")
    validate(position)


@each("move", " 7g 7g7 7g7f= 7g7f++ 0g7f 7j7f 7g7x K*5e p*5e P*5 P*5j ７g7f resign 0000".split(" "))
def test_what_is_no_move_is_quoted_and_changes_nothing(move: str) -> None:
    position = Position()
    with pytest.raises(UserError) as raised:
        position.push(move)
    assert raised.value.fields["text"] == move
    assert "sfen" not in raised.value.fields
    assert position.sfen == STARTPOS_SFEN


@each("move", ["7g7e", "7g7f+", "5a5b", "5e5d", "P*5e", "8h2b+", "5i5i", "1a1a"])
def test_a_move_that_is_not_legal_is_quoted_and_changes_nothing(move: str) -> None:
    position = Position()
    with refused(text=move, sfen=STARTPOS_SFEN):
        position.push(move)
    assert position.sfen == STARTPOS_SFEN


def test_texts_of_numpy_are_texts() -> None:
    """Moves may be NumPy's strings, as from an array."""
    position, move = Position(np.str_(STARTPOS_SFEN)), np.str_("7g7f")
    assert position.is_legal(move)
    assert not position.gives_check(move)
    assert position.piece_at(np.str_("7g")) == PAWN
    assert (position.format_move(move), position.parse_move(move)) == ("▲７六歩", "7g7f")
    assert move16(move) == move16("7g7f")
    position.push(move)
    assert [type(each) for each in (*position.moves, position.initial_sfen)] == [str, str]


def test_no_move_came_before_a_null_move() -> None:
    position = Position()
    position.push_null()
    with refused(about="could", text="同歩"):
        position.parse_move("同歩")


@pytest.mark.parametrize("sfen", [
    "4k4/4R4/9/9/9/9/9/9/4K4 b - 1",
    "4k4/9/9/9/9/9/9/4r4/4K4 w - 1",
    "9/9/9/9/9/6k2/9/4B4/4K4 b - 1",
    "4k4/9/9/9/9/9/9/4p4/4K4 w - 1",
])
def test_side_not_to_move_may_not_be_in_check(sfen: str) -> None:
    waiting, side = ("White", "Black") if " b " in sfen else ("Black", "White")
    with refused(at=sfen, waiting=waiting, side=side):
        Position(sfen)
