"""SFEN: reading and refusing. (test_position.py has PyPI cshogi's opinion of it.)"""

from pathlib import Path
from random import Random

import pytest

from engine import Position, UserError, sfen_faults
from engine.sfen import STARTPOS_SFEN, flip_sfen, format_sfen, parse_position, parse_sfen
from tests.each import each
from tests.faults import refused

DATA = Path(__file__).parent / "data"


def lines(name: str) -> list[list[str]]:
    text = (DATA / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


@each("texts", lines("valid.sfens"))
def test_valid_is_written_canonically(texts: list[str]) -> None:
    assert format_sfen(parse_sfen(texts[0])) == texts[-1]
    assert flip_sfen(flip_sfen(texts[-1])) == texts[-1]


@each("texts", lines("invalid.sfens"))
def test_invalid_is_refused_with_its_fault(texts: list[str]) -> None:
    text, *fault = texts
    with refused(at=repr(text), **dict(each.split("=", 1) for each in fault)):
        parse_sfen(text)


@each("text", ["", " ", "\n", "\0", "b", "/ / / /", STARTPOS_SFEN + "\0", 5000 * "9"])
def test_what_no_data_file_can_hold_is_refused(text: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_sfen(text)
    assert raised.value.fields["place"] == repr(text)


def test_squares_hands_and_side() -> None:
    placement = parse_sfen("8l/9/9/9/9/9/2P6/9/K8 w 2Pr 9")
    assert [(square, piece) for square, piece in enumerate(placement.board) if piece] == [(0, 18), (60, 1), (80, 8)]
    assert placement.hands == ([0, 2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0])
    assert (placement.turn, placement.move_number) == (1, 9)


def test_a_damaged_sfen_is_refused_or_read_consistently(varied_sfens: list[str]) -> None:
    """One to three characters changed, lost or added: ValueError, or a placement that survives writing. The faster
    reader of `Position` agrees."""
    rng = Random(3)
    count = 0
    for sfen in varied_sfens:
        text = sfen
        for _ in range(rng.randint(1, 3)):
            cut = rng.randrange(len(text))
            text = text[:cut] + rng.choice(["", *"PLNSBRGKplnsbrgk+-/ 0123456789bw"]) + text[cut + rng.randint(0, 1):]
        try:
            placement = parse_sfen(text)
        except UserError as fault:
            count += 1
            with refused(at=fault.fields["place"], **fault.fault.fields):   # type: ignore[arg-type]
                Position(text)
        else:
            assert parse_sfen(format_sfen(placement)) == placement
            if not sfen_faults(text):       # such as the other side's check
                assert Position(text).placement == placement
    assert 0 < count < len(varied_sfens)


def test_position_reads_and_writes_without_python(varied_sfens: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The slow reader is only used for unusual spellings and for faults."""
    monkeypatch.setattr("engine.fastsfen.parse_sfen", None)
    for sfen in varied_sfens:
        position = Position(sfen)
        assert position.placement == parse_sfen(sfen)
        assert position.sfen == position.initial_sfen == format_sfen(position.placement)


def test_positions_of_usi() -> None:
    bare = "4k4/9/9/9/9/9/9/9/4K4 b - 1"
    moves = ["5i5h", "5a5b"]
    assert parse_position("startpos") == (STARTPOS_SFEN, [])
    assert parse_position("startpos moves") == (STARTPOS_SFEN, [])
    assert parse_position("startpos moves 7g7f") == (STARTPOS_SFEN, ["7g7f"])
    assert parse_position(f"sfen {bare}") == (bare, [])
    assert parse_position(f"  sfen  {bare}  moves {' '.join(moves)}") == (bare, moves)
    assert parse_position(bare) == (bare, [])
    assert parse_position(f"{bare} moves {' '.join(moves)}") == (bare, moves)


@each("text", ["", "moves 7g7f", "sfen", "sfen moves 7g7f", "startpos 7g7f", "start"])
def test_what_is_no_position_of_usi(text: str) -> None:
    with refused(about="position", text=text):
        parse_position(text)
