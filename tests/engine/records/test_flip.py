"""Positions and moves seen from the other side: the rules are the same for both."""
from pathlib import Path

from engine import Position
from engine.sfen import flip_move, flip_sfen
from tests.each import each

DATA = Path(__file__).parents[1] / "data"
SFENS = [line.split("\t")[-1] for line in (DATA / "valid.sfens").read_text(encoding="utf-8").splitlines()
         if not line.startswith("#")]


@each("sfen", SFENS)
def test_a_flipped_position_has_the_flipped_moves(sfen: str) -> None:
    position, flipped = Position(sfen), Position(flip_sfen(sfen))
    assert flipped.sfen == flip_sfen(sfen)      # canonical again
    assert flip_sfen(flipped.sfen) == position.sfen
    assert flipped.turn == 1 - position.turn
    assert sorted(map(flip_move, position.legal_moves())) == sorted(flipped.legal_moves())


def test_the_start_of_the_game_is_its_own_mirror_image_but_for_the_turn() -> None:
    assert flip_sfen(Position().sfen) == Position().sfen.replace(" b ", " w ")
    assert flip_sfen("9/9/9/9/4+P4/9/9/9/9 w -") == "9/9/9/9/4+p4/9/9/9/9 b -"
