"""`engine diagram`: the position that is asked for, of a line or of a record, with arrows in any notation."""
import re
import sys
from pathlib import Path

import pytest

from engine import Position
from engine.records.files import read_record
from tests.each import each
from tests.faults import refused
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


def test_ranks_have_the_names_of_the_readers_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ">a</text>" in drawn(tmp_path)
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    picture = drawn(tmp_path)
    assert picture == Position().svg(ranks="japanese")
    assert re.findall(r'class="coordinate"[^>]*>([^<])<', picture) == list("9一8二7三6四5五4六3七2八1九")
    turned = re.findall(r'class="coordinate"[^>]*>([^<])<', drawn(tmp_path, "--flip"))
    assert turned == list("1九2八3七4六5五6四7三8二9一")
    with refused(ranks="kanji", namings=["western", "japanese"]):
        Position().svg(ranks="kanji")


@each(("arguments", "status", "complaint"), [
    ((EVEN, "--ply", 99), 1, "ply 99 is not between 0 and"), (("nowhere.kif",), 1, "nowhere.kif"),
    ((RECORDS / "two_games.csa",), 1, "there are 2 games in it"),
    (("startpos", "--game", 1), 2, "--game chooses a game"), (("--arrow", "75歩"), 1, "'75歩' is not legal"),
])
def test_what_cannot_be_drawn(tmp_path: Path, arguments: tuple[object, ...], status: int, complaint: str) -> None:
    assert complaint in invoke("diagram", *arguments, "-o", tmp_path / "a.svg", status=status).output
    assert not (tmp_path / "a.svg").exists()


def test_without_matplotlib_a_png_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.font_manager"):
        monkeypatch.setitem(sys.modules, name, None)
    refused(how=...).ended(invoke("diagram", "startpos", "-o", tmp_path / "a.png", status=1))
    assert not (tmp_path / "a.png").exists()
