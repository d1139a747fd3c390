"""The text form of books: reading, refusing and writing."""
import io
import re
from importlib import import_module
from pathlib import Path
from random import Random
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]     # for nothing else parses them
from typing import Any

import pytest

import usi
from engine.errors import UserError
from tests.each import each
from tests.faults import refused
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
    assert found.sfen == (START if entry.move_number else START_PLACEMENT)


@each("line", [
    "2g2f 3c3d 21 1x 5", "2g2f 3c3d 21 19 1234567890", "2g2f 21 19 5", "2g2", "K*5e none", "2g2f none 2.5.1",
    "2g2f none +-2", "2g2f none 1" + " " * 60_000 + "~", "sfen startpos", f"sfen {START} 5", f"position sfen {START}",
])
def test_a_malformed_line_is_named(line: str) -> None:
    text = f"{HEADER}\nsfen {START}\n{line}\n7g7f none 0 0 0\nsfen {after('2g2f')}\n"
    with refused(at="some.db:3", line=repr(line if len(line) <= QUOTED else line[:QUOTED] + "…")):
        read(text.encode())


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
    faults: list[UserError] = []
    found = [block.entry() for block in blocks(io.BytesIO(text.encode()), Path("some.db"), fault_in=faults.append)]
    assert [[move.move for move in entry.moves] for entry in found] == [["7g7f"], ["8c8d"]]
    assert [str(fault.fields["place"]) for fault in faults] == ["some.db:2", "some.db:4", "some.db:6", "some.db:7"]


@each(("data", "fault"), [
    (PLAIN.encode() + b"3c3d\noops\n", refused(at="some.db:12", line="'oops'")),      # all positions before count
    (f"{HEADER}\n2g2f none\nsfen {START}\n".encode(), refused(at="some.db:2", line="'2g2f none'")),
    (b"\xff\\x00" + 1000 * b"a", refused(at="some.db:1", line=...)),
    (f"sfen {START}\n".encode() + 10_000 * b"\n", refused(at="some.db", line=repr(f"sfen {START}"), most=10000)),
    (PLAIN.replace("2016", "2018").encode(),
     refused(at="some.db:1", line="'#YANEURAOU-DB2018 1.00'", header="#YANEURAOU-DB2016 1.00")),
])
def test_what_is_no_book_is_named_with_its_line(data: bytes, fault: refused) -> None:
    with fault as raised:
        read(data)
    assert len(str(raised.error)) < 300


def test_a_line_longer_than_any_in_a_book_is_not_read_to_its_end(tmp_path: Path) -> None:
    for beginning in (b"", PLAIN.encode()):
        path = hollow(tmp_path / "no book", beginning)
        for open_it in (InMemory, OnTheFly):
            with little_memory(), refused(at=path, count=65536, line=...):
                open_it(path)
    with little_memory():
        assert positions_in(path) == len(ENTRIES)


# -- Against a parser without regular expressions, on random lines: ---------------------------------------------------

DIGITS = frozenset("0123456789")
SQUARES = frozenset(file + rank for file in "123456789" for rank in "abcdefghi")
COLUMNS = ("2g2f", "7g7f", "8h2b+", "P*5e", "2g2f+", "none", "-", "NONE", "0", "21", "-20", "+7", "+-7", "10.5", "3.",
           "1234567890", "K*5e", "2g2", "2j2f", "1x", "é", "")
GAPS = (" ", " ", " ", "\t", "  ", " \t ", "\r", "#", "//", "")
ENDS = ("", "", "", " ", "\r", " \t\r", "# good", " // 2g2f", " \r#", "\r ")


def is_move(column: str) -> bool:
    if column[1:2] == "*":
        return column[0] in "PLNSGBR" and column[2:] in SQUARES
    return column[:2] in SQUARES and column[2:].removesuffix("+") in SQUARES


def is_unknown(column: str) -> bool:
    return column == "-" or (column.isascii() and column.isalpha())


def number(column: str) -> int | None:
    """Its whole part; None if it is no number."""
    unsigned = column.removeprefix("+").removeprefix("-") if not column.startswith("+-") else column
    whole, _, fraction = unsigned.partition(".")
    if not 1 <= len(whole) <= 9 or not DIGITS.issuperset(whole + fraction):
        return None
    return -int(whole) if column.startswith("-") else int(whole)


def plainly(line: str) -> BookMove | str | None:
    """The move of a line, which has no line feed; None if there is none, the line if it is malformed."""
    cuts = [line.index(mark) for mark in ("#", "//") if mark in line]
    text = line[:min(cuts)].rstrip(" \t") if cuts else line.rstrip(" \t\r")
    if not text.strip(" \t\r"):
        return None
    columns = [column for column in text.replace("\t", " ").split(" ") if column][:5]
    figures = [0 if is_unknown(column) else number(column) for column in columns[2:]]
    if not is_move(columns[0]) or None in figures or not all(is_move(one) or is_unknown(one) for one in columns[1:2]):
        return line
    reply = columns[1] if len(columns) > 1 and is_move(columns[1]) else None
    return BookMove(columns[0], reply, *figures)      # type: ignore[arg-type]


def random_line(random: Random) -> str:
    columns = random.choices(COLUMNS, k=random.choice((0, 0, 1, 2, 3, 4, 5, 5, 6)))
    if random.random() < 0.6:       # else hardly any line is well formed
        wanted = (COLUMNS[:4], COLUMNS[:8], *4 * (COLUMNS[5:12],))
        columns = [column if column in good else random.choice(good)
                   for column, good in zip(columns, wanted, strict=False)]
    gaps = GAPS[:6] if random.random() < 0.8 else GAPS
    text = "".join(random.choice(gaps) + column for column in columns)
    return (text if random.random() < 0.2 else text.lstrip()) + random.choice(ENDS)


def compare_with_plain_parser(seed: int, books: int) -> None:
    random = Random(seed)
    malformed = moves = 0
    for _ in range(books):
        lines = [random_line(random) for _ in range(random.randrange(6))]
        data = f"{HEADER}\nsfen {START}\n" + "".join(f"{line}\n" for line in lines)
        data = data[:-1] if random.random() < 0.3 else data
        faults: list[UserError] = []
        (block,) = blocks(io.BytesIO(data.encode()), Path("some.db"), fault_in=faults.append)
        found = [plainly(line) for line in lines]
        assert list(block.entry().moves) == [each for each in found if isinstance(each, BookMove)], data
        assert [int(str(fault.fields["place"]).split(":")[1]) for fault in faults] == [
            i for i, each in enumerate(found, 3) if isinstance(each, str)], data
        malformed += len(faults)
        moves += len(block.entry().moves)
    assert min(malformed, moves) > books / 4


def test_random_books_against_a_plain_parser() -> None:
    compare_with_plain_parser(1, 3000)


@pytest.mark.slow
def test_more_random_books_against_a_plain_parser() -> None:
    compare_with_plain_parser(2, 30_000)


def risky(node: Any) -> bool:
    """Whether a parsed regular expression repeats a group possessively, or matches one atomically."""
    if isinstance(node, tuple) and node[:1] == (_constants.POSSESSIVE_REPEAT,):
        return not _compiler._simple(node[1][2])
    if isinstance(node, tuple) and node[:1] == (_constants.ATOMIC_GROUP,):
        return True
    return isinstance(node, tuple | list | _parser.SubPattern) and any(map(risky, node))


def test_no_pattern_of_ours_meets_what_is_broken_in_some_pythons() -> None:
    """CPython's issues 101955 and 106052: possessive repeats of groups, in 3.11, 3.12 before .8 and 3.13.0."""
    for text in ("(a)*+", "(?:ab?c)?+", "x(?>a|b)", "(?=(?:ab)++)", "a|(?>b)", "(?:(?:ab)?+)?", "(?(1)(?>a))"):
        assert risky(_parser.parse("()" + text)), text
    for text in ("[ab]*+(a)?", "a++b", "(?!(a)|b)[^c]++", ".*+"):
        assert not risky(_parser.parse(text)), text
    folder = Path(usi.__file__).parent
    names = [path.relative_to(folder.parent).with_suffix("").as_posix().replace("/", ".")
             for room in ("usi/book", "usi/files", "usi/session", "usi/words", "engine/records")
             for path in (folder.parent / room).glob("*.py")]
    patterns = [each for name in names for each in vars(import_module(name)).values() if isinstance(each, re.Pattern)]
    assert len(patterns) > 10
    assert not [each for each in patterns if risky(_parser.parse(each.pattern, each.flags))]


def test_reading_from_the_middle_names_the_byte() -> None:
    data = PLAIN.encode()
    start = data.index(b"sfen", data.index(b"sfen") + 1)
    assert read(data, start) == ENTRIES[1:]
    with refused(at=len(data), line="'oops'"):
        read(data + b"oops\n", start)


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    with refused(path=tmp_path):
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
