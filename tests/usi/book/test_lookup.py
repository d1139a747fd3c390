"""Finding positions: the same in memory and on the fly, in our book and in books in the form of other programs."""
from pathlib import Path
from random import Random

import pytest

from engine import Position
from tests.each import each
from tests.faults import refused
from tests.usi.book.books import START, START_PLACEMENT, after, entries_of, write
from usi.book.choice import BookSettings, candidates
from usi.book.db import MOST_LINES, BookEntry, BookMove, write_book
from usi.book.lookup import InMemory, OnTheFly
from usi.book.own import PACKAGED


def random_positions(count: int, seed: int) -> list[str]:
    """Positions of random games, as SFENs."""
    random, position = Random(seed), Position()
    sfens: list[str] = []
    while len(sfens) < count:
        if position.move_number > 60 or position.is_mate():
            position = Position()
        position.push(random.choice(position.legal_moves()))
        sfens.append(position.sfen)
    return sfens


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_on_the_fly_equals_in_memory_on_every_position(tmp_path: Path, newline: str) -> None:
    moves = [BookMove("2g2f", "3c3d", 21, 19, 5), BookMove("7g7f"), BookMove("6i7h", None, -20)]
    own = [BookEntry(sfen.rpartition(" ")[0], int(sfen.rpartition(" ")[2]), tuple(moves[:number % 4]))
           for number, sfen in enumerate(sorted(set(random_positions(700, 1))))]
    path = tmp_path / "sorted.db"
    write_book(path, own, "for a test")
    path.write_bytes(path.read_bytes().replace(b"\n", newline.encode()))
    memory, file = InMemory(path), OnTheFly(path)
    for entry in own:
        found = file.find(entry.placement)
        assert entry in found
        assert found == memory.find(entry.placement)
    absent = {sfen.rpartition(" ")[0] for sfen in random_positions(300, 2)} - {entry.placement for entry in own}
    assert len(absent) > 200
    for placement in absent:
        assert file.find(placement) == memory.find(placement) == []
    file.close()


def test_all_plies_of_a_position_are_found_wherever_they_stand(tmp_path: Path) -> None:
    """Also behind a byte order mark."""
    entries = [(f"{START_PLACEMENT} {ply}", ["2g2f"]) for ply in ("1", "11", "3")]
    amid = write(tmp_path / "amid.db", (after("1g1f"), []), *entries, (after("2g2f", "8b3b"), []))
    for path in (amid, write(tmp_path / "marked.db", *entries, head="\ufeff")):
        for book in (InMemory(path), OnTheFly(path)):
            assert [entry.move_number for entry in book.find(START_PLACEMENT)] == [1, 11, 3]
            book.close()
    scattered = write(tmp_path / "scattered.db", entries[0], (after("2g2f"), []), *entries[1:])
    assert [entry.move_number for entry in InMemory(scattered).find(START_PLACEMENT)] == [1, 11, 3]


@each("one_by_one", [False, True])
def test_a_position_with_too_many_lines_is_refused_before_they_are_read(tmp_path: Path, one_by_one: bool) -> None:
    """Such a book would take many seconds of the engine's time."""
    moves = MOST_LINES * ["2g2f"]
    several = [(START, [move]) for move in moves[:MOST_LINES // 2 + 1]] if one_by_one else [(START, moves[1:])] * 2
    path = write(tmp_path / "many.db", *several)
    for book in (InMemory(path), OnTheFly(path)):
        with refused(at=path, line=..., most=10000):
            book.find(START_PLACEMENT)
        book.close()
    path = write(tmp_path / "most.db", (START, moves[:-1]))
    for book in (InMemory(path), OnTheFly(path)):
        assert len(book.find(START_PLACEMENT)[0].moves) == MOST_LINES - 1
        book.close()


def test_lines_without_a_position_are_not_searched_for_ever(tmp_path: Path) -> None:
    path = write(tmp_path / "many.db", (START, 3 * MOST_LINES * ["2g2f"]))
    with refused(at=path, count=10000):
        OnTheFly(path)


def test_an_unsorted_file_is_read_into_memory_but_not_searched(tmp_path: Path) -> None:
    sfens = sorted(set(random_positions(300, 3)), reverse=True)
    path = write(tmp_path / "unsorted.db", *((sfen, ["2g2f"]) for sfen in sfens))
    with refused(path=path, line=..., other=...):
        OnTheFly(path)
    book = InMemory(path)
    assert all(book.find(sfen.rpartition(" ")[0]) for sfen in sfens)


def test_on_the_fly_reads_little_and_complains_only_of_what_it_reads(tmp_path: Path) -> None:
    path = write(tmp_path / "broken.db", (after("7g7f", "3c3d"), ["2g2f"]), (after("7g7f"), []),
                 (START, ["2g2f", "garbage"]))
    with refused(at="broken.db:7", line="'garbage'"):
        InMemory(path)
    book = OnTheFly(path)
    assert book.find(after("7g7f", "3c3d").rpartition(" ")[0])
    with refused(at="broken.db, byte ", line="'garbage'"):
        book.find(START_PLACEMENT)
    book.close()


@pytest.mark.parametrize("text", ["", "#YANEURAOU-DB2016 1.00\n", "# nothing\n\n"])
def test_a_file_without_positions(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.db"
    path.write_text(text)
    for opened in (InMemory, OnTheFly):
        with refused(path=path):
            opened(path)


def test_packaged_book_is_sound() -> None:
    """The packaged book is small and sorted, and its moves are legal, near the best and balanced. It has first moves,
    and answers to every usual first move."""
    entries = entries_of(PACKAGED)
    settings = BookSettings()
    assert PACKAGED.stat().st_size < 3_000_000
    assert [entry.sfen for entry in entries] == sorted(entry.sfen for entry in entries)
    for entry in entries:
        position = Position(entry.sfen)
        assert position.sfen == entry.sfen
        assert all(position.is_legal(move.move) and move.depth >= 8 for move in entry.moves)
        scores = [move.score for move in entry.moves]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] - scores[-1] <= settings.eval_diff
        assert abs(scores[0]) < 200
    played = {entry.sfen for entry in entries if candidates(entry.moves, settings)}
    assert {START, after("2g2f"), after("7g7f")} <= played
