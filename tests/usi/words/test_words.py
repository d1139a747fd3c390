"""The picture that `d` shows, and numbers of any length."""
from engine.records.record import GameRecord
from tests.each import each
from usi.words.endings import ending_text
from usi.words.typed import LONGEST, whole_number
from usi.words.wording import diagram, japanese_diagram


def test_board_and_hands() -> None:
    lines = diagram("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")
    assert lines[0] == "White's hand: 5pnsg"
    assert lines[3] == "  .  .  .  .  . +P  .  g  k  b"
    assert lines[10] == "  L  N  .  .  .  .  b  K  L  i"
    assert lines[11] == "Black's hand: GR"
    assert len({len(line) for line in lines[2:11]}) == 1
    empty = diagram("4k4/9/9/9/9/9/9/9/4K4 b - 1")
    assert (empty[0], empty[-1]) == ("White's hand: -", "Black's hand: -")


def test_the_same_board_from_white() -> None:
    sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
    ours, theirs = diagram(sfen), diagram(sfen, from_white=True)
    assert theirs[0] == "Black's hand: GR"
    assert theirs[1] == "  1  2  3  4  5  6  7  8  9"
    assert theirs[2] == "  L  K  b  .  .  .  .  N  L  i"
    assert len(theirs) == len(ours)
    for turned, line in zip(theirs[2:11], reversed(ours[2:11]), strict=True):
        assert turned.split() == [*line.split()[-2::-1], line.split()[-1]]


def test_in_japanese_from_both_sides() -> None:
    sfen = "4k4/9/9/9/9/9/9/1B7/4K4 b 2Pg 1"
    ours, theirs = japanese_diagram(sfen), japanese_diagram(sfen, from_white=True)
    assert (ours[0], theirs[0]) == ("後手の持駒：金", "先手の持駒：歩二")
    assert (ours[1], theirs[1]) == ("  ９ ８ ７ ６ ５ ４ ３ ２ １", "  １ ２ ３ ４ ５ ６ ７ ８ ９")
    assert (ours[3], theirs[11]) == 2 * ("| ・ ・ ・ ・v玉 ・ ・ ・ ・|一",)
    assert ours[10] == "| ・ 角 ・ ・ ・ ・ ・ ・ ・|八"
    assert theirs[4] == "| ・ ・ ・ ・ ・ ・ ・ 角 ・|八"
    assert len(ours) == len(theirs) == 14


@each(("moves", "terminal", "text"), [
    ([], "TORYO", "White won after 0 moves: resignation"), (["7g7f"], "TORYO", "Black won after 1 move: resignation"),
    (["7g7f"], "CHUDAN", "no result after 1 move: broken off"),
    (["7g7f", "3c3d"], "JISHOGI", "drawn after 2 moves: impasse"),
])
def test_a_game_ends_after_so_many_moves(moves: list[str], terminal: str, text: str) -> None:
    assert ending_text(GameRecord(moves=moves, terminal=terminal)) == text


# -- Numbers of any length, against Python's own reading of those it can read ------------------------------------------

@each(("word", "number"), [
    *((word, int(word)) for word in ("0", "7", "-7", "+7", "007", "-0", "000", "9" * LONGEST, "-" + "9" * LONGEST)),
    ("0" * 5000 + "12", 12),
    *((word, None) for word in ("", "-", "+", "1.5", "1_000", "1e3", " 1", "1 ", "1\n", "--1", "x", "7x", "²", "１")),
    # One longer than any limit is the largest.
    *(("9" * digits, 10**LONGEST - 1) for digits in (LONGEST + 1, 5000, 1_000_000)),
    *(("-1" + "0" * digits, 1 - 10**LONGEST) for digits in (LONGEST + 1, 5000, 1_000_000)),
])
def test_numbers_are_read_as_python_reads_them(word: str, number: int | None) -> None:
    assert whole_number(word) == number
