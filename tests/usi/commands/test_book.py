"""`engine book build`, `show`, `tree` and `merge`."""
import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from engine import STARTPOS_SFEN, Position
from engine.errors import Phrase
from engine.records.csa import format_csa
from engine.records.kif import format_kif
from engine.records.record import GameRecord
from tests.faults import refused
from tests.usi.book.books import START, START_PLACEMENT, after, entries_of, write
from tests.usi.commands.running import invoke
from usi.book.db import BookEntry, BookMove
from usi.book.lookup import InMemory, OnTheFly
from usi.commands.book.build import centipawns
from usi.commands.book.tree import Branches, JsonTree, tree_as_lines

BLACK_WINS = GameRecord(moves=["2g2f", "8c8d", "2f2e"], terminal="TORYO")
WHITE_WINS = GameRecord(moves=["7g7f", "3c3d"], terminal="TORYO")
DRAWN = GameRecord(moves=["2g2f", "8c8d", "2f2e", "8d8e"], terminal="SENNICHITE")


def run(*arguments: object, status: int = 0) -> str:
    return invoke("book", *arguments, status=status).output


def failed(*arguments: object) -> Result:
    return invoke("book", *arguments, status=1)


def moves_of(path: Path, sfen: str) -> list[str]:
    (moves,) = (entry.moves for entry in entries_of(path) if entry.sfen == sfen)
    return [str(move) for move in moves]


@pytest.fixture
def records(tmp_path: Path) -> list[Path]:
    """The four games: one in KIF, one in CSA, two in USI."""
    kif, csa, usi = tmp_path / "one.kif", tmp_path / "two.csa", tmp_path / "more.sfen"
    kif.write_bytes(format_kif(BLACK_WINS).encode("cp932"))
    csa.write_text(format_csa(WHITE_WINS, DRAWN))
    usi.write_text(f"# games\nposition startpos moves 2g2f 3c3d\n\nsfen {START} moves 6i7h\r\n")
    return [kif, csa, usi]


def test_build_counts_what_was_played(records: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "own.db"
    assert f"{out}: 5 positions of 5 games" in run("build", *records, "--out", out)
    assert moves_of(out, START) == ["2g2f 8c8d 0 0 3", "6i7h none 0 0 1", "7g7f 3c3d 0 0 1"]
    assert moves_of(out, after("2g2f")) == ["8c8d 2f2e 0 0 2", "3c3d none 0 0 1"]
    assert moves_of(out, after("2g2f", "8c8d", "2f2e")) == ["8d8e none 0 0 1"]
    OnTheFly(out).close()


def test_build_limits_plies_and_rare_moves(records: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "own.db"
    run("build", *records, "--out", out, "--max-ply", 2)
    assert {entry.move_number for entry in entries_of(out)} == {1, 2}
    refused(file=out).ended(failed("build", *records, "--out", out))
    run("build", *records, "--out", out, "--min-count", 2, "--force")
    assert moves_of(out, START) == ["2g2f 8c8d 0 0 3"]
    assert [len(entry.moves) for entry in entries_of(out)] == [1, 1, 1]


def test_build_scores_by_results_for_the_side_that_moves(records: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "own.db"
    run("build", *records, "--out", out, "--scores")
    # 2g2f: a win, a draw, and a game whose result is not known.
    assert moves_of(out, START) == [f"2g2f 8c8d {centipawns(1.5, 2)} 0 3", "6i7h none 0 0 1",
                                    f"7g7f 3c3d {centipawns(0, 1)} 0 1"]
    assert moves_of(out, after("7g7f")) == [f"3c3d none {centipawns(1, 1)} 0 1"]
    assert centipawns(0, 1) == -centipawns(1, 1) < 0 < centipawns(1.5, 2)


def test_build_takes_folders_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "one.csa").write_text(format_csa(DRAWN))
    (folder / "notes.txt").write_text("no game")
    (folder / "illegal.usi").write_text("startpos moves 7g7f 3c3d\nstartpos moves 7g7e\n")
    (folder / "cut.kif").write_text("手合割：平手\n1 ７六歩(77)\n2 ３四歩(3", encoding="utf-8")
    done = failed("build", folder, "--out", tmp_path / "own.db")
    refused(count=2, all=3).ended(done)
    output = done.output
    assert "cut.kif: read as KIF in UTF-8: line 3, '2 ３四歩(3'" in output
    assert f"left out: {folder / 'illegal.usi'}: read as USI in UTF-8: line 2: " in output
    assert "7g7e" in output
    assert "notes.txt" not in output
    assert "4 positions of 1 games" in output
    assert (tmp_path / "own.db").exists()
    refused(count=1, names=[folder / "illegal.usi"]).ended(
        failed("build", folder / "illegal.usi", "--out", tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()


def test_merge_sorts_and_adds_up(tmp_path: Path) -> None:
    one = write(tmp_path / "one.db", (START, ["2g2f 8c8d 5 10 3", "7g7f none 0 0 1"]), (after("2g2f"), ["8c8d"]))
    two = write(tmp_path / "two.db", (f"{START_PLACEMENT} 3", ["6i7h"]), (START, ["2g2f 3c3d 9 12 4"]))
    out = tmp_path / "all.db"
    assert f"{out}: 3 positions" in run("merge", one, two, "--out", out)
    assert entries_of(out) == [
        BookEntry(after("2g2f")[:-2], 2, (BookMove("8c8d"),)),
        BookEntry(START_PLACEMENT, 1, (BookMove("2g2f", "3c3d", 9, 12, 7), BookMove("7g7f", None, 0, 0, 1))),
        BookEntry(START_PLACEMENT, 3, (BookMove("6i7h"),)),
    ]
    book = OnTheFly(out)
    assert len(book.find(START_PLACEMENT)) == 2
    book.close()
    run("merge", one, two, "--out", one)        # into one of its sources
    assert entries_of(one) == entries_of(out)


def test_merge_says_what_is_wrong(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.db", (START, ["oops"]))
    refused(at=f"{broken}:3", line="'oops'").ended(failed("merge", broken, "--out", tmp_path / "out.db"))
    assert "absent.db" in run("merge", tmp_path / "absent.db", "--out", tmp_path / "out.db", status=1)
    assert not (tmp_path / "out.db").exists()


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    return write(tmp_path / "some.db",
                 (START, ["7g7f 3c3d -5 18 1", "2g2f 8c8d 21 19 2", "2b3c none -99 0 0", "9g9f none 20 3 0"]),
                 (f"{after('7g7f')[:-1]}8", ["3c3d"]),
                 (after("2g2f", "8c8d", "2f2e", "8d8e"), ["8h7g"]))


def test_show_in_all(shown: Path) -> None:
    output = run("show", shown)
    assert "3 positions up to ply 8 with 6 moves" in output
    assert "not sorted" in output
    assert json.loads(run("show", shown, "--json")) == {"positions": 3, "moves": 6, "last_ply": 8, "sorted": False}
    assert "it is sorted" in run("show", "packaged")


def test_show_refuses_what_is_no_book(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear reader,\n" * 50)
    done = failed("show", tmp_path / "letter.db")
    refused(path=tmp_path / "letter.db").ended(done)
    *named, others, _ = done.output.splitlines()
    assert [line.partition(": ")[0] for line in named] == [f"{tmp_path / 'letter.db'}:{number}" for number in (1, 2, 3)]
    assert others.startswith(f"{tmp_path / 'letter.db'}: 47 ")


def test_show_a_position(shown: Path) -> None:
    lines = run("show", shown, "startpos").splitlines()
    assert lines[0] == f"sfen {START}"
    rows = [line.split() for line in lines[2:5]]
    assert rows == [
        ["2g2f", "21", "19", "2", "97%", "8c8d", "２六歩(27)", "８四歩(83)"],
        ["9g9f", "20", "3", "0", "0%", "-", "９六歩(97)"],
        ["7g7f", "-5", "18", "1", "3%", "3c3d", "７六歩(77)", "３四歩(33)"],
    ]
    assert lines[5] == "not legal here: 2b3c"
    found = json.loads(run("show", shown, START, "--json"))
    assert found["found"] == "as it is"
    assert [move["move"] for move in found["moves"]] == ["2g2f", "9g9f", "7g7f"]
    assert found["illegal"] == ["2b3c"]


@pytest.mark.parametrize(("position", "how"), [
    ("startpos moves 7g7f", "IgnoreBookPly"),
    ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 8", "FlippedBook"),
    ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "FlippedBook and IgnoreBookPly"),
])
def test_show_says_how_a_position_is_found(shown: Path, position: str, how: str) -> None:
    (line,) = (line for line in run("show", shown, *position.split()).splitlines() if line.startswith("found"))
    assert line.endswith(f"(used with {how})")


def test_show_says_that_a_position_is_missing(shown: Path) -> None:
    left = refused(path=shown, sfen=after("2g2f", "8c8d"), where=refused(Phrase, number=1, move="2g2f"))
    left.ended(failed("show", shown, "startpos", "moves", "2g2f", "8c8d"))
    elsewhere = "4k4/9/9/9/9/9/9/9/4K4 b - 1"
    refused(path=shown, sfen=elsewhere).ended(failed("show", shown, elsewhere))
    never = refused(path=shown, sfen=..., where=refused(Phrase, about="before"))
    never.ended(failed("show", shown, f"{elsewhere} moves 5i5h"))
    refused(text="7g7e", sfen=STARTPOS_SFEN).ended(failed("show", shown, "startpos", "moves", "7g7e"))
    refused(path=shown, line=..., other=...).ended(failed("show", shown, "startpos", "--on-the-fly"))


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A book of two openings. In one White has a choice, the other ends with a move of a shallow search."""
    return write(tmp_path / "lines.db",
                 (START, ["2g2f none 30 20 0", "7g7f none 20 20 0", "9g9f none -50 20 0"]),
                 (after("2g2f"), ["8c8d none -30 20 0", "3c3d none -58 20 0"]),
                 (after("2g2f", "8c8d"), ["2f2e none 30 20 0"]),
                 (after("2g2f", "8c8d", "2f2e"), ["8d8e none 1 20 0"]),
                 (after("7g7f"), ["3c3d none -20 20 0"]),
                 (after("7g7f", "3c3d"), ["2g2f none 19 8 0"]))


def test_tree(lines: Path) -> None:
    assert run("tree", lines, "--lines", "usi", "--least", 0.01).splitlines() == [
        "2g2f 80% +30",
        "  8c8d 98% 2f2e 8d8e +1",
        "  3c3d 2% -58",
        "7g7f 20% 3c3d -20",
    ]
    assert run("tree", lines, "--lines", "usi", "--least", 0.02, "--plies", 3).splitlines() == [
        "2g2f 80% 8c8d 98% 2f2e +30",
        "7g7f 20% 3c3d -20",
    ]
    assert run("tree", lines, "startpos", "moves", "2g2f", "--lines", "japanese").splitlines() == [
        "△８四歩(83) 98% ▲２五歩(26) △８五歩(84) +1",
        "△３四歩(33) 2% -58",
    ]
    found = json.loads(run("tree", lines, "startpos", "moves", "7g7f", "--json"))
    assert found == [{"move": "3c3d", "score": -20, "share": 1.0, "branches": []}]


def test_a_tree_is_printed_while_it_is_made(lines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[Position] = []
    made_of = Branches.__init__

    def counted(self: Branches, book: InMemory, position: Position, plies: int, least: float) -> None:
        looked_up.append(position)
        made_of(self, book, position, plies, least)

    monkeypatch.setattr(Branches, "__init__", counted)
    with closing(InMemory(lines)) as book:
        whole = json.loads("".join(json.JSONEncoder().iterencode(JsonTree(Branches(book, Position(), 4, 0)))))
        assert whole == json.loads(run("tree", lines, "--json", "--least", 0, "--plies", 4))
        most = len(looked_up) // 2
        for as_json in (False, True):
            looked_up.clear()
            branches = Branches(book, Position(), 4, 0)
            next(json.JSONEncoder().iterencode(JsonTree(branches)) if as_json else
                 tree_as_lines(branches, Position(), "usi"))
            assert len(looked_up) < most
