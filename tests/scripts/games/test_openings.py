"""Opening files: the one that comes with the scripts, and what a file may hold."""
from pathlib import Path

import pytest

from engine import Position
from engine.records.jkf import format_jkf
from engine.records.ki2 import format_ki2
from engine.records.kif import format_kif
from engine.records.record import GameRecord
from scripts.games.openings import OPENINGS, load
from tests.faults import refused


def test_our_openings_are_distinct_and_of_8_to_16_quiet_moves() -> None:
    positions = [Position.from_usi(opening) for opening in load(OPENINGS)]
    assert len(positions) == 3000
    assert len({position.sfen for position in positions}) == len(positions)
    assert {len(position.moves) for position in positions} == set(range(8, 17))
    assert not any(position.in_check for position in positions)


def test_lines_of_every_kind(tmp_path: Path) -> None:
    bare = Position().sfen
    path = tmp_path / "openings"
    path.write_text(f"# ours\n\nstartpos\n startpos moves 7g7f 3c3d\nsfen {bare} moves 2g2f\n{bare}\n")
    assert load(path) == ["startpos", "startpos moves 7g7f 3c3d", f"sfen {bare} moves 2g2f", bare]


NO_OPENING = refused(fault=...)


@pytest.mark.parametrize(("text", "fault"), [
    ("startpos\nstartpos moves 7g7e\n", refused(at="openings:2", text="7g7e", sfen=...)),
    ("startpos\nhello\n", refused(about="position", at="openings:2", text="hello")),
    ("startpos\n4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n",
     refused(at="openings:2", opening="4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")),
    ("startpos\nstartpos moves" + 3 * " 2h3h 8b7b 3h2h 7b8b", refused(at="openings:2", opening=...)),
    *((text, NO_OPENING) for text in ("", "# nothing\n", "hello\n", "lnsgkgsnl/9 b - 1\nstartpos\n")),
])
def test_a_line_that_starts_no_game_and_a_file_without_openings(tmp_path: Path, text: str, fault: refused) -> None:
    path = tmp_path / "openings"
    path.write_text(text)
    with fault:
        load(path)


CSA = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%CHUDAN\n/\nPI\n+\n+2726FU\n%TORYO\n"


def test_games_as_openings(tmp_path: Path) -> None:
    """Games are read in every format and encoding, whatever the file's name."""
    path = tmp_path / "games.CSA"
    path.write_text(CSA)
    assert [Position.from_usi(opening).moves for opening in load(path)] == [["7g7f", "3c3d", "2g2f"], ["2g2f"]]
    assert [Position.from_usi(opening).moves for opening in load(path, 2)] == [["7g7f", "3c3d"], ["2g2f"]]
    path.write_text(CSA.replace("3334", "3335"))
    with refused(at=path, fault=...) as raised:
        load(path)
    refused(at=5, text="-3335FU", sfen=...).check(raised.fields["fault"])
    for form, encoding in ((format_kif, "cp932"), (format_ki2, "euc_jp"), (format_jkf, "utf-8")):
        path.write_bytes(form(GameRecord(moves=["7g7f", "3c3d"], names=("先手", "後手"))).encode(encoding))
        assert [Position.from_usi(opening).moves for opening in load(path)] == [["7g7f", "3c3d"]]


def test_openings_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "openings"
    path.write_text("startpos moves 7g7f 3c3d\n" + "startpos moves" + 3 * " 2h3h 8b7b 3h2h 7b8b")
    assert [Position.from_usi(opening).moves for opening in load(path, 1)] == [["7g7f"], ["2h3h"]]
