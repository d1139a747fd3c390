"""Packed positions and moves: equal to cshogi's, and unpacked again unchanged."""
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import Position
from engine.packed import CODINGS, move16, packed, unpacked, usi
from tests.each import each
from tests.faults import refused
from tests.references import cshogi

KINDS = sorted(CODINGS)
START = Position()


def theirs(board: Any, coding: str) -> bytes:
    array = np.zeros(1, cshogi.HuffmanCodedPos if coding == "hcp" else cshogi.PackedSfen)
    (board.to_hcp if coding == "hcp" else board.to_psfen)(array)
    return bytes(array.tobytes())


def set_theirs(board: Any, bits: bytes, coding: str) -> None:
    (board.set_hcp if coding == "hcp" else board.set_psfen)(np.frombuffer(bits, np.uint8))


def without_ply(sfen: str) -> str:
    return sfen.rsplit(" ", 1)[0]


@pytest.fixture(scope="module")
def both_kings(varied_sfens: list[str]) -> list[str]:
    """Positions of every kind, handicaps and problems among them, that can be packed."""
    sfens = [sfen for sfen in varied_sfens if "K" in sfen.split()[0] and "k" in sfen.split()[0]]
    assert len(sfens) > 500
    return sfens


@pytest.mark.parametrize("coding", KINDS)
def test_positions_pack_as_cshogi_packs_them_and_unpack_here_and_there(both_kings: list[str], coding: str) -> None:
    board = cshogi.Board()
    for sfen in both_kings:
        board.set_sfen(sfen)
        bits = packed(Position(sfen), coding)
        assert bits == theirs(board, coding), sfen
        assert without_ply(unpacked(bits, coding).sfen) == without_ply(sfen)
        set_theirs(board, bits, coding)
        assert without_ply(board.sfen()) == without_ply(sfen)


@pytest.mark.parametrize("coding", KINDS)
@pytest.mark.parametrize("hands", [
    "-", "2R2B4G4S4N4L18P", "2r2b4g4s4n4l18p", "RB2G2S2N2L9Prb2g2s2n2l9p", "PLNSGBRplnsgbr",
])
def test_hands_from_empty_to_full(coding: str, hands: str) -> None:
    sfen = f"4k4/9/9/9/9/9/9/9/4K4 w {hands} 1"
    bits = packed(Position(sfen), coding)
    assert bits == theirs(cshogi.Board(sfen), coding)
    assert unpacked(bits, coding).sfen == Position(sfen).sfen


@pytest.mark.parametrize("coding", KINDS)
def test_bits_that_are_no_position_are_refused(coding: str) -> None:
    """Bits with flipped ones are refused, or they are another position, which survives packing and unpacking."""
    rng = Random(3)
    good = packed(START, coding)
    count = 0
    for _ in range(3000):
        bits = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            bits[rng.randrange(32)] ^= 1 << rng.randrange(8)
        try:
            position = unpacked(bytes(bits), coding)
        except ValueError:
            count += 1
        else:
            assert unpacked(packed(position, coding), coding).sfen == position.sfen
    assert count > 1000


@each(("call", "fault"), [
    (lambda: packed(Position("4k4/9/9/9/9/9/9/9/9 b - 1")), refused(sfen="4k4/9/9/9/9/9/9/9/9 b - 1")),
    (lambda: packed(Position("9/9/9/9/9/9/9/9/4K4 b - 1")), refused(sfen="9/9/9/9/9/9/9/9/4K4 b - 1")),
    (lambda: packed(START, "hcpe"), refused(name="hcpe", codings=...)),
    (lambda: unpacked(b"\0" * 32, "hcp"), refused(hex=..., coding="hcp")),      # the kings on one square
    (lambda: unpacked(b"\xff" * 32, "hcp"), refused(hex=..., coding="hcp")),
    (lambda: unpacked(b"\0" * 31, "hcp"), refused(hex=..., count=31, wanted=32)),
    *((partial(usi, move, coding), refused(bits=move, coding=coding)) for move, coding in (
        (127, "hcp"), (129, "psfen"), (100 << 7, "hcp"), (1 << 14, "psfen"), (3 << 14 | 1 << 7, "psfen"),
        (90 << 7, "psfen"))),
])
def test_complaints(call: Callable[[], object], fault: refused) -> None:
    with fault:
        call()


def test_moves_read_as_cshogi_reads_them(both_kings: list[str]) -> None:
    assert usi(0, "hcp") == usi(0, "psfen") == ""      # no move
    board = cshogi.Board()
    for sfen in both_kings[::5]:
        board.set_sfen(sfen)
        for move in Position(sfen).legal_moves():
            apery = cshogi.move16(board.move_from_usi(move))
            assert move16(move, "hcp") == apery
            assert move16(move, "psfen") == cshogi.move16_to_psv(apery)
            assert usi(move16(move, "hcp"), "hcp") == usi(move16(move, "psfen"), "psfen") == move
