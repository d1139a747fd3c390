"""`engine diagram`: the position that is asked for, of a line or of a record, with arrows in any notation."""
from pathlib import Path

from engine import Position
from engine.records.files import read_record
from tests.each import each
from tests.usi.commands.running import invoke

RECORDS = Path(__file__).parents[2] / "engine" / "data" / "records"
EVEN = RECORDS / "even.kif"


def drawn(tmp_path: Path, *arguments: object, given: str = "") -> str:
    invoke("diagram", *arguments, "-o", tmp_path / "a.svg", given=given)
    return (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_a_record_at_its_end_or_after_any_move(tmp_path: Path) -> None:
    record = read_record(EVEN)
    assert drawn(tmp_path, EVEN) == record.position().svg()
    for ply in (0, 1, 4):
        assert drawn(tmp_path, EVEN, "--ply", ply) == record.position(ply).svg()
    assert drawn(tmp_path, "-", "--ply", 1, given="76歩 34歩") == Position.from_usi("startpos moves 7g7f").svg()
    second = RECORDS / "two_games.csa"
    assert drawn(tmp_path, second, "--game", 2) != drawn(tmp_path, second, "--game", 1)


def test_a_line_after_any_move(tmp_path: Path) -> None:
    words = "startpos moves 7g7f 3c3d 8h2b+".split()
    assert drawn(tmp_path, *words) == Position.from_usi(" ".join(words)).svg()
    assert drawn(tmp_path, *words, "--ply", 2) == Position.from_usi(" ".join(words[:-1])).svg()
    assert drawn(tmp_path) == Position().svg()


@each("move", ["7g7f", "76歩", "７六歩(77)", "▲７六歩", "+7776FU", "P-7f", "c4"])
def test_arrows_in_any_notation(tmp_path: Path, move: str) -> None:
    # The last is of the side that is not to move, which USI alone can say.
    assert drawn(tmp_path, "--arrow", move, "--arrow", "3c3d") == Position().svg(["7g7f", "3c3d"])


@each(("arguments", "status", "complaint"), [
    ((EVEN, "--ply", 99), 1, "ply 99 is not between 0 and"), (("nowhere.kif",), 1, "nowhere.kif"),
    ((RECORDS / "two_games.csa",), 1, "there are 2 games in it"),
    (("startpos", "--game", 1), 2, "--game chooses a game"), (("--arrow", "75歩"), 1, "'75歩' is not legal"),
])
def test_what_cannot_be_drawn(tmp_path: Path, arguments: tuple[object, ...], status: int, complaint: str) -> None:
    assert complaint in invoke("diagram", *arguments, "-o", tmp_path / "a.svg", status=status).output
    assert not (tmp_path / "a.svg").exists()
