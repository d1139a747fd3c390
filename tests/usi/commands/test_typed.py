"""Moves as people type them."""
import pytest

from engine import Position
from engine.pieces import FILES, LETTERS, RANKS, WHITE_PIECE
from engine.records.csa import usi_to_csa
from engine.records.kif import usi_to_kif
from search.bench import positions
from tests.each import each
from usi.commands.play.typed import read_move


@each("sfen", positions()[:8])
def test_every_legal_move_in_every_full_notation(sfen: str) -> None:
    position = Position(sfen)
    for move in position.legal_moves():
        origin, target = move[:2], move[2:4]
        assert read_move(position, move) == move
        assert read_move(position, usi_to_csa(position, move)) == move
        assert read_move(position, usi_to_csa(position, move)[1:].lower()) == move
        assert read_move(position, usi_to_kif(position, move)) == move
        if move[1] != "*":
            kind = position.piece_at(origin) % WHITE_PIECE
            letter = ("+" if kind > 8 else "") + LETTERS[kind if kind < 9 else kind - 8]
            suffix = "+" if move.endswith("+") else "="
            assert read_move(position, f"{letter}{origin}-{target}{suffix}") == move
            digits = [square[0] + FILES[RANKS.index(square[1])] for square in (origin, target)]
            assert read_move(position, "".join(digits) + move[4:]) == move


@each(("before", "spellings", "move"), [
    ("", ("7g7f", "76歩", "７六歩", "7六歩", "７６歩", " ▲７六 歩 ", "☗７六歩(77)", "7f歩"), "7g7f"),
    ("", ("P-7f", "p76", "7g-7f"), "7g7f"),
    ("", ("58金右",), "4i5h"),
    ("", ("58金左",), "6i5h"),
    ("7g7f 3c3d", ("22角成",), "8h2b+"),
    ("7g7f 3c3d", ("22角不成", "22角生", "Bx2b="), "8h2b"),
    ("7g7f 3c3d 8h2b+", ("同銀", "２二同銀"), "3a2b"),
    ("7g7f 3c3d 8h2b+", ("同　飛",), "8b2b"),
    ("7g7f 3c3d 8h2b+ 3a2b", ("45角", "45角打", "b*4e"), "B*4e"),
])
def test_short_forms(before: str, spellings: tuple[str, ...], move: str) -> None:
    position = Position.from_usi(f"startpos moves {before}")
    assert {typed: read_move(position, typed) for typed in spellings} == dict.fromkeys(spellings, move)


@each(("before", "typed", "complaint"), [
    ("", "hello", "'hello' is neither a move nor a command; moves are written as 7g7f"),
    ("", "", "'' is neither a move nor a command"),
    ("", "58金", "'58金' can be several moves: type 4i5h or 6i5h"),
    ("", "同歩", "no move came before that 同 could point to"),
    ("", "48銀直", "直 points to none of 3i4h"),
    ("", "23歩", "'23歩': no pawn of Black's moves to 2c"),
    ("", "66角", "'66角': the way of the bishop from 8h to 6f is blocked by the pawn on 7g"),
    ("", "22角成", "'22角成': the way of the bishop from 8h to 2b is blocked by the pawn on 7g"),
    ("", "8822UM", "'8822UM': the way of the bishop from 8h to 2b is blocked by the pawn on 7g"),
    ("", "55歩打", "'55歩打': Black has no pawn in hand; the hand holds nothing"),
    ("", "55馬", "'55馬': Black has no horse on the board or in hand"),
    ("", "7776KI", "'7776KI': Black has no gold on 7g that moves so"),
    ("", "5a5b", "'5a5b': the king on 5a is White's, but it is Black's turn"),
    ("7g7f 3c3d", "22角", "'22角' may promote or not: type 8h2b or 8h2b+, or 成 or 不成 behind it"),
    ("7g7f 3c3d 8h2b+ 3a2b 1g1f 1c1d", "B*7f", "7f is taken by the pawn on 7f"),
])
def test_what_is_wrong_is_said(before: str, typed: str, complaint: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the text is what is tested
        read_move(Position.from_usi(f"startpos moves {before}"), typed)
    assert complaint in str(error.value)
