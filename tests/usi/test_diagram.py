"""The picture that `d` shows."""
from usi.diagram import diagram


def test_board_and_hands() -> None:
    lines = diagram("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")
    assert lines[0] == "White's hand: 5pnsg"
    assert lines[3] == "  .  .  .  .  . +P  .  g  k  b"
    assert lines[10] == "  L  N  .  .  .  .  b  K  L  i"
    assert lines[11] == "Black's hand: GR"
    assert len({len(line) for line in lines[2:11]}) == 1


def test_empty_hands() -> None:
    lines = diagram("4k4/9/9/9/9/9/9/9/4K4 b - 1")
    assert lines[0] == "White's hand: -"
    assert lines[-1] == "Black's hand: -"
