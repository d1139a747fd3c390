"""The text form of books: reading, refusing and writing."""
import io
from pathlib import Path

import pytest

from tests.each import each
from tests.measured import hollow, little_memory
from tests.usi.book.books import START, START_PLACEMENT, after
from usi.book.db import HEADER, BookEntry, BookMove, blocks, combined, open_book, positions_in, write_book
from usi.book.lookup import InMemory, OnTheFly
from usi.files.reading import QUOTED

PLAIN = f"""{HEADER}
# a comment
sfen {START}
2g2f 3c3d 21 19 5
// another
7g7f none -20 19 0

P*5e NONE
sfen {after("2g2f")}
8c8d
"""
ENTRIES = [
    BookEntry(START_PLACEMENT, 1,
              (BookMove("2g2f", "3c3d", 21, 19, 5), BookMove("7g7f", None, -20, 19), BookMove("P*5e"))),
    BookEntry(after("2g2f")[:-2], 2, (BookMove("8c8d"),)),
]


def read(data: bytes, start: int = 0) -> list[BookEntry]:
    return [block.entry() for block in blocks(io.BytesIO(data), Path("some.db"), start)]


@pytest.mark.parametrize("data", [
    PLAIN.encode(),
    PLAIN.removesuffix("\n").encode(),
    PLAIN.replace("\n", "\r\n").encode(),
    b"\xef\xbb\xbf" + PLAIN.encode(),
    b"\xef\xbb\xbf" + PLAIN.split("\n", 2)[2].encode(),
    PLAIN.removeprefix(HEADER).encode(),
    PLAIN.replace(" ", " \t ").replace("\t # ", "#").encode(),
    PLAIN.replace("a comment", "定跡").encode("cp932"),
], ids=["plain", "last line not ended", "Windows", "byte order mark", "byte order mark, no header", "no header", "tabs",
        "Shift_JIS comment"])
def test_read(data: bytes) -> None:
    assert read(data) == ENTRIES


@each(("text", "entry"), [
    (f"sfen {START_PLACEMENT}\n2g2f\n", BookEntry(START_PLACEMENT, None, (BookMove("2g2f"),))),
    (f"  sfen {START}\n# 2g2f 3c3d 1 2 3\n// 2g2f\n7g7f\n", BookEntry(START_PLACEMENT, 1, (BookMove("7g7f"),))),
])
def test_a_position_without_its_ply_and_moves_in_comments(text: str, entry: BookEntry) -> None:
    (found,) = read(text.encode())
    assert found == entry
    assert found.sfen == (START if entry.ply else START_PLACEMENT)


@each("line", [
    "2g2f 3c3d 21 1x 5", "2g2f 3c3d 21 19 1234567890", "2g2f 21 19 5", "2g2", "K*5e none", "2g2f none 2.5.1",
    "2g2f none +-2", "2g2f none 1" + " " * 60_000 + "~", "sfen startpos", f"sfen {START} 5", f"position sfen {START}",
])
def test_a_malformed_line_is_named(line: str) -> None:
    text = f"{HEADER}\nsfen {START}\n{line}\n7g7f none 0 0 0\nsfen {after('2g2f')}\n"
    with pytest.raises(ValueError, match="is neither a position") as refused:
        read(text.encode())
    shown = line if len(line) <= QUOTED else line[:QUOTED] + "…"
    assert str(refused.value).startswith(f"some.db:3: {shown!r} is neither")


@each(("columns", "move"), [
    ("none none none 12", BookMove("7g7f", None, 0, 0, 12)), ("- - - -", BookMove("7g7f")),
    ("NONE nan null", BookMove("7g7f")), ("# good", BookMove("7g7f")), ("3c3d#good", BookMove("7g7f", "3c3d")),
    ("3c3d +10 +32 +1", BookMove("7g7f", "3c3d", 10, 32, 1)),
    ("3c3d 10.5 32.0 7", BookMove("7g7f", "3c3d", 10, 32, 7)),
    ("3c3d -10.5 32 7 0.51", BookMove("7g7f", "3c3d", -10, 32, 7)),
    ("3c3d 1 2 3 a sixth, and more", BookMove("7g7f", "3c3d", 1, 2, 3)),
    ("3c3d 1 2 3 # good", BookMove("7g7f", "3c3d", 1, 2, 3)),
    ("3c3d 1 2 // 定跡", BookMove("7g7f", "3c3d", 1, 2)),
])
@each("end", ["\n", "\r\n", "", " \n"])
def test_columns_as_other_programs_write_them(columns: str, end: str, move: BookMove) -> None:
    (entry,) = read(f"{HEADER}\nsfen {START} # start\n  7g7f {columns}{end}".encode())
    assert entry.moves == (move,)


def test_malformed_lines_are_left_out_with_the_moves_of_what_should_be_a_position() -> None:
    text = f"{HEADER}\noops\nsfen {START}\n2g2\n7g7f\nK*5e\n sfen startpos\n1g1f\n\nsfen {after('2g2f')}\n8c8d\n"
    faults: list[str] = []
    found = [block.entry() for block in blocks(io.BytesIO(text.encode()), Path("some.db"), fault_in=faults.append)]
    assert [[move.move for move in entry.moves] for entry in found] == [["7g7f"], ["8c8d"]]
    assert [fault.split()[0] for fault in faults] == ["some.db:2:", "some.db:4:", "some.db:6:", "some.db:7:"]


@each(("data", "said"), [
    (PLAIN.encode() + b"3c3d\noops\n", r"some\.db:12: 'oops' is neither"),       # counted over all positions before
    (f"{HEADER}\n2g2f none\nsfen {START}\n".encode(), r"some\.db:2: '2g2f none' is neither"),    # below no position
    (b"\xff\\x00" + 1000 * b"a", r"some\.db:1: '\\+xff\\+x00a+…' is neither"),
    (f"sfen {START}\n".encode() + 10_000 * b"\n", r"some\.db: 'sfen .*' has more than 10000 lines below it"),
    (PLAIN.replace("2016", "2018").encode(), r"some\.db:1: '#YANEURAOU-DB2018 1.00' is a form that is not known"),
])
def test_what_is_no_book_is_named_with_its_line(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        read(data)
    assert len(str(refused.value)) < 300


def test_a_line_longer_than_any_in_a_book_is_not_read_to_its_end(tmp_path: Path) -> None:
    for beginning in (b"", PLAIN.encode()):
        path = hollow(tmp_path / "no book", beginning)
        for open_it in (InMemory, OnTheFly):
            with little_memory(), pytest.raises(ValueError, match="no book: a line of 65536 bytes or more is in no"):
                open_it(path)
    with little_memory():
        assert positions_in(path) == len(ENTRIES)


def test_reading_from_the_middle_names_the_byte() -> None:
    data = PLAIN.encode()
    start = data.index(b"sfen", data.index(b"sfen") + 1)
    assert read(data, start) == ENTRIES[1:]
    with pytest.raises(ValueError, match=rf"some\.db, byte {len(data)}: 'oops' is neither"):
        read(data + b"oops\n", start)


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a folder"):
        open_book(tmp_path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    assert write_book(path, iter(ENTRIES), "for a test") == (2, None)
    assert path.read_text().splitlines()[:4] == [HEADER, "# for a test", f"sfen {START}", "2g2f 3c3d 21 19 5"]
    assert read(path.read_bytes()) == ENTRIES
    assert list(tmp_path.iterdir()) == [path]


def test_a_book_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        write_book(path, (ENTRIES[1 // i] for i in range(1, -1, -1)), "broken off")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_combined_adds_games_and_trusts_the_deeper_search() -> None:
    shallow, deep = BookMove("2g2f", "8c8d", 90, 10, 3), BookMove("2g2f", None, 20, 12, 4)
    better = BookMove("7g7f", "3c3d", 25, 5, 1)
    expected = (better, BookMove("2g2f", "8c8d", 20, 12, 7))
    assert combined([shallow, deep, better]) == expected
    assert combined([better, deep, shallow]) == expected


def test_a_larger_book_is_kept(tmp_path: Path) -> None:
    path, kept = tmp_path / "own.db", tmp_path / "own.db.bak"
    write_book(path, ENTRIES, "the larger one")
    assert write_book(path, ENTRIES[:1], "the smaller one") == (1, kept)
    assert positions_in(path) == 1
    assert positions_in(kept) == len(ENTRIES) == 2
    assert "the larger one" in kept.read_text()
    assert positions_in(tmp_path / "absent.db") == 0
