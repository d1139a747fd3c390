"""What is kept of a book in the making: read again after any end, refused where it is another's."""
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from usi.book.db import BookMove
from usi.commands.book.think.journal import Journal

CONDITIONS: dict[str, int | str] = {"nodes": 7, "evaluation": "material"}
FOUND = {"one b -": [BookMove("7g7f", "3c3d", 5, 9), BookMove("2g2f", None, -3, 9)], "two w -": [],
         "three b P": [BookMove("P*5e", None, 31990, 1)]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The journal of FOUND."""
    path = tmp_path / "book.jsonl"
    with closing(Journal(path, CONDITIONS)) as journal:
        for placement, moves in FOUND.items():
            journal.add(placement, moves)
    return path


def read(path: Path, conditions: dict[str, int | str] = CONDITIONS) -> dict[str, list[BookMove]]:
    with closing(Journal(path, conditions)) as journal:
        return journal.found


def test_what_was_found_is_known_again(path: Path) -> None:
    assert read(path) == FOUND
    assert path.read_bytes().count(b"\n") == 1 + len(FOUND)


def prefixes(data: bytes) -> Iterator[bytes]:
    return (data[:length] for length in range(len(data)))


def test_a_line_that_was_not_finished_is_left_out_wherever_it_ends(path: Path) -> None:
    whole = path.read_bytes()
    for torn in prefixes(whole):
        path.write_bytes(torn)
        with closing(Journal(path, CONDITIONS)) as journal:
            known = max(torn.count(b"\n") - 1, 0)
            assert list(journal.found.items()) == list(FOUND.items())[:known]
            for placement, moves in list(FOUND.items())[known:]:
                journal.add(placement, moves)
        assert path.read_bytes() == whole


@pytest.mark.parametrize(("line", "number"), [("no JSON", 2), ("[1]", 3), ('["four b -", [["7g7f"]]', 2), ("{}", 4)])
def test_a_line_that_is_no_position_is_named(path: Path, line: str, number: int) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:number - 1], f"{line}\n", *lines[number - 1:]]))
    before = path.read_bytes()
    with pytest.raises(ValueError, match=rf"book\.jsonl:{number}: '.*' is no position with its moves; remove that"):
        read(path)
    assert path.read_bytes() == before


def test_a_journal_made_otherwise_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match=r"book\.jsonl was made with nodes 7; continue with the same settings, or"):
        read(path, {**CONDITIONS, "nodes": 8})
    assert read(path) == FOUND


@pytest.mark.parametrize("text", ["a letter\n", "[]\n", '{"nodes": 7, "evaluation": "material"}\n', "12\n"])
def test_another_kind_of_file_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match="does not begin a journal of 'engine book think'"):
        read(path)
    assert path.read_text() == text


def test_two_do_not_write_one_journal(path: Path) -> None:
    with closing(Journal(path, CONDITIONS)) as journal:
        with pytest.raises(ValueError, match="is being written by another process"):
            read(path)
        journal.add("four b -", [])
    assert len(read(path)) == 4
