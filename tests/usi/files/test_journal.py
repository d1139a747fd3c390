"""The journal of a long run: it is continued after any interruption, refused for another run, and never touches other
files."""
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from engine import Position, UserError
from engine.records.record import GameRecord
from scripts.games.played import GAMES, PlayedGame
from tests.each import each
from tests.faults import refused
from usi.book.db import BookMove
from usi.commands.analyze.analysis import Assessment, Candidate, kept
from usi.commands.book.think.analyst import FOUND as POSITIONS
from usi.files.journal import Journal, Kind, read_journal
from usi.files.locking import Locked

START = Position().sfen
CONDITIONS = {"nodes": 7, "evaluation": "material", "players": [{"name": "A"}, {"name": "B"}]}
ASSESSED = Assessment(1, Position.from_usi("startpos moves 7g7f").sfen, 1, -30, 5, 9, 100, 2,
                      (Candidate(-30, ("3c3d", "2g2f")), Candidate(-45, ("8c8d",))))
GAME = PlayedGame(0, "mate", "startpos moves 7g7f", 1, [(3, None, 5, 100)], began="2026-11-24T12:00:00")
# Of each kind: some rows.
ROWS: dict[str, tuple[Kind[Any, Any], dict[Any, Any]]] = {
    "analysis": (kept(GameRecord(moves=["7g7f", "3c3d"])),
                 {(1, 0): ASSESSED, (0, 0): replace(ASSESSED, ply=0, sfen=START, turn=0, candidates=(), mate=())}),
    "book": (POSITIONS, {START.rpartition(" ")[0]: [BookMove("7g7f", "3c3d", 5, 9), BookMove("2g2f", None, -3, 9)],
                         "4k4/9/9/9/9/9/9/9/4K4 b P": [BookMove("P*5e", None, 31990, 1)],
                         "4k4/9/4P4/9/9/9/9/9/4K4 w G": []}),
    "games": (GAMES, {3: GAME, 0: replace(GAME, winner=None, end="length")}),
}


class Kept:
    """A journal's file, and what it holds."""

    def __init__(self, path: Path, kind: Kind[Any, Any], rows: dict[Any, Any]) -> None:
        self.path, self.kind, self.rows = path, kind, rows
        with closing(self.open()) as journal:
            for key, value in rows.items():
                journal.add(key, value)

    def open(self, **conditions: Any) -> Journal[Any, Any]:
        return Journal(self.path, self.kind, CONDITIONS | conditions)

    def read(self, **conditions: Any) -> dict[Any, Any]:
        with closing(self.open(**conditions)) as journal:
            return journal.found


@pytest.fixture(params=ROWS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    return Kept(tmp_path / "folder" / "run.jsonl", *ROWS[request.param])


def test_what_was_found_is_known_again(file: Kept) -> None:
    assert file.read() == file.rows
    assert read_journal(file.path, file.kind) == (CONDITIONS, file.rows)
    assert file.path.read_bytes().count(b"\n") == 1 + len(file.rows)


def prefixes(data: bytes) -> Iterator[bytes]:
    """Some prefixes, and all that end near the end of a line."""
    ends = {place + step for place, letter in enumerate(data) if letter == ord("\n") for step in (-1, 0, 1)}
    return (data[:length] for length in range(len(data)) if length % 17 < 2 or length in ends)


def test_a_line_that_was_not_finished_is_left_out_wherever_it_ends(file: Kept) -> None:
    whole = file.path.read_bytes()
    for torn in prefixes(whole):
        file.path.write_bytes(torn)
        with closing(file.open()) as journal:
            known = max(torn.count(b"\n") - 1, 0)
            assert list(journal.found.items()) == list(file.rows.items())[:known]
            for key, value in list(file.rows.items())[known:]:
                journal.add(key, value)
        assert file.path.read_bytes() == whole


@each("line", ["no JSON", "[1]", "{}", "null", "12", '["four b -", [["7g7f"]]', "[" * 10_000,
                                  f'{{"number": {"9" * 5000}}}', "\udcff", '["", []]', '[{}, 1]'])
def test_a_line_that_is_none_is_named(file: Kept, line: str) -> None:
    first, *others = file.path.read_bytes().splitlines(keepends=True)
    file.path.write_bytes(b"".join([first, line.encode(errors="surrogateescape") + b"\n", *others]))
    before = file.path.read_bytes()
    with refused(at=f"{file.path}:2", line=..., name=file.kind.row):
        file.read()
    assert file.path.read_bytes() == before


@pytest.mark.parametrize("name", ROWS)
def test_no_value_of_a_row_may_be_of_another_type(tmp_path: Path, name: str) -> None:
    """A wrong type is refused when the file is read, not in the middle of the work."""
    kind, rows = ROWS[name]
    key, value = next(iter(rows.items()))
    row = json.loads(json.dumps(kind.write(key, value)))
    for damaged in _damaged(row):
        with pytest.raises((TypeError, KeyError, ValueError)):
            kind.read(damaged)
    assert kind.read(row) == (key, value)


def _damaged(row: Any) -> Iterator[Any]:
    """The row with each value replaced by another type's. What may be null is left out."""
    places = row.items() if isinstance(row, dict) else enumerate(row) if isinstance(row, list) else ()
    for place, value in places:
        for other in ({"x": 1}, 1.5, [[1.5]]):
            yield _with(row, place, other)
        for inner in _damaged(value):
            yield _with(row, place, inner)


def _with(row: Any, place: Any, value: Any) -> Any:
    copy = row.copy()
    copy[place] = value
    return copy


@each("damage", [
    {"ply": 9}, {"ply": -1}, {"sfen": START}, {"turn": 0}, {"score": 10**9}, {"candidates": [{"score": 0, "pv": []}]},
    {"candidates": [{"score": 0, "pv": ["7g7f"]}]}, {"mate": ["zz"]}, {"unknown": 1}])
def test_an_analysis_of_what_cannot_be_is_refused(damage: dict[str, Any]) -> None:
    kind, _ = ROWS["analysis"]
    with pytest.raises((TypeError, KeyError, ValueError)):
        kind.read(json.loads(json.dumps(asdict(ASSESSED))) | damage)


def test_a_journal_made_otherwise_is_refused(file: Kept) -> None:
    before = file.path.read_bytes()
    with refused(path=file.path, what=file.kind.name, names=["nodes", "players"], remedy=..., values=...) as raised:
        file.read(nodes=8, players=[])
    assert str(raised.fields["values"]).startswith("nodes 7, ")
    assert file.path.read_bytes() == before
    assert file.read() == file.rows


FOREIGN = ["a letter\n", "a letter", "[]\n", "[]", "12\n", '{"a": 1}', '{"a": 1}\nmore\n', "\n", "\n\n", "\x00",
           '{"kind": "something else", "nodes": 7}\n', "startpos moves 7g7f 3c3d"]


@each("text", FOREIGN)
def test_another_kind_of_file_is_refused_and_left_alone(tmp_path: Path, file: Kept, text: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(text)
    with pytest.raises(UserError) as raised:
        Journal(path, file.kind, CONDITIONS)
    assert str(path) in (str(raised.value.fields.get(name, "")).removesuffix(":2") for name in ("path", "place"))
    assert path.read_text() == text
    if "\n" not in text:
        with refused(path=path, name=file.kind.name, line=repr(text)):
            read_journal(path, file.kind)


def test_a_torn_first_line_of_another_kind_is_left_alone(file: Kept, tmp_path: Path) -> None:
    """A damaged first line is replaced only if it is the beginning of this run's own."""
    first = file.path.read_bytes().splitlines()[0]
    others = [kind for kind, _ in ROWS.values() if kind.name != file.kind.name]
    for other in others:
        (tmp_path / "torn").write_bytes(first[:60])
        with refused(path=tmp_path / "torn", name=other.name, line=...):
            Journal(tmp_path / "torn", other, CONDITIONS)
        assert (tmp_path / "torn").read_bytes() == first[:60]


def test_the_games_of_older_matches_are_still_read(file: Kept) -> None:
    first, rest = file.path.read_text().split("\n", 1)
    old = json.dumps({name: value for name, value in json.loads(first).items() if name != "kind"})
    file.path.write_text(f"{old}\n{rest}")
    if file.kind is GAMES:
        assert file.read() == file.rows
    else:
        with refused(path=file.path, name=file.kind.name, line=...):
            file.read()


def test_two_do_not_write_one_journal(file: Kept) -> None:
    key, value = next(iter(file.rows.items()))
    with closing(file.open()) as journal:
        with refused(Locked, path=file.path):
            file.read()
        journal.add(key, value)
    assert file.path.read_bytes().count(b"\n") == 2 + len(file.rows)


def test_without_a_file_nothing_is_kept(tmp_path: Path) -> None:
    with closing(Journal(None, GAMES, CONDITIONS)) as journal:
        journal.add(0, GAME)
        assert journal.found == {0: GAME}
    assert list(tmp_path.iterdir()) == []
