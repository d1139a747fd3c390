"""Everything that reads text, SFEN, moves, USI commands, records and books, is given damaged text. A parser may refuse
a text with a ValueError and with nothing else, and what it accepts it must write and read again unchanged.

GAKUSHI_FUZZ_EXAMPLES says how many texts each parser gets; they are the same in every run unless it is set.
"""
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Position
from engine.records.csa import csa_to_usi, format_csa, parse_csa
from engine.records.files import read_records
from engine.records.jkf import format_jkf, parse_jkf
from engine.records.ki2 import format_ki2, parse_ki2
from engine.records.kif import format_kif, kif_to_usi, parse_kif
from engine.records.pgn import parse_pgn
from engine.records.plain import parse_plain
from engine.records.record import GameRecord
from engine.sfen import format_sfen, parse_sfen
from tests.each import each
from tests.usi.book.books import entries_of
from usi.book.choice import BookSettings, candidates, legal_moves_of
from usi.book.db import HEADER, write_book
from usi.book.lookup import InMemory, OnTheFly
from usi.commands.book.build import merged
from usi.session import protocol
from usi.session.options import Options

GAME = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "5a6b", "4e3d"]
SFENS = [
    Position().sfen, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
]
RECORDS = [
    GameRecord(moves=GAME, names=("先手", "後手"), headers={"EVENT": "a game"}, comments={0: "first", 2: "two\nlines"},
               times={1: 3, 2: 61}, terminal="TORYO"),
    GameRecord(initial_sfen=SFENS[1], moves=["G*5b"], terminal="TSUMI"),
    GameRecord(moves=GAME[:2], variations={2: [
        GameRecord("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", moves=["8c8d", "2g2f"])]}),
    GameRecord(initial_sfen=SFENS[2], moves=["4a3b", "7g7f"], terminal="CHUDAN"),
]
PLAIN = [record for record in RECORDS if not record.variations]
BOOKS = [           # sorted, so that they can be searched on the fly, too
    f"{HEADER}\n# a comment\nsfen {SFENS[1]}\nG*5b none 31999\n"
    f"sfen {SFENS[0]}\n2g2f 3c3d 21 19 5\n// another\n7g7f none -20 19 0\n\n1g1f\n",
    f"\ufeffsfen {SFENS[3]}\r\nP*1f 1b1c\r\nsfen {SFENS[2].rpartition(' ')[0]}\r\n4a3b NONE 0 0\r\n",
    f"sfen {SFENS[1]}\nG*5b none 1 2 3\nsfen {SFENS[1]}2\nG*4b\nsfen {SFENS[0]}\n",
]
PLACEMENT = re.compile(rb"sfen ([!-~]+ [!-~]+ [!-~]+)")


def sfen(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    placement = parse_sfen(text)
    assert parse_sfen(format_sfen(placement)) == placement
    Position(text).legal_moves()


def usi(data: bytes) -> None:
    """A line as the session reads it."""
    options = Options()
    word, arguments = protocol.parse_command(data.decode("utf-8", "surrogateescape").strip())
    match word:
        case "position":
            position = Position.from_usi(arguments)
            assert Position(position.sfen).sfen == position.sfen
        case "go":
            protocol.parse_go(arguments)
        case "ponderhit":
            protocol.parse_ponderhit(arguments)
        case "setoption":
            name, value = protocol.parse_setoption(arguments)
            options.set(options.find(name), value)
            options.settings()


def csa(data: bytes) -> None:
    records = parse_csa(data.decode("utf-8", "replace"))
    again = parse_csa(format_csa(*records))
    assert [record.moves for record in again] == [record.moves for record in records]
    assert [record.terminal for record in again] == [record.terminal for record in records]


def kif(data: bytes) -> None:
    record = parse_kif(data.decode("utf-8", "replace"))
    again = parse_kif(format_kif(record))
    assert (again.moves, again.terminal, again.comments) == (record.moves, record.terminal, record.comments)
    assert list(again.variations) == sorted(record.variations, reverse=True)


def ki2(data: bytes) -> None:
    record = parse_ki2(data.decode("utf-8", "replace"))
    again = parse_ki2(format_ki2(record))
    assert (again.moves, again.winner) == (record.moves, record.winner)


def jkf(data: bytes) -> None:
    for record in parse_jkf(data.decode("utf-8", "replace")):
        (again,) = parse_jkf(format_jkf(record))
        assert (again.moves, again.comments, list(again.variations)) == (
            record.moves, record.comments, list(record.variations))


def pgn(data: bytes) -> None:
    for record in parse_pgn(data.decode("utf-8", "replace")):
        again = parse_kif(format_kif(record))
        assert (again.moves, again.variations.keys()) == (record.moves, record.variations.keys())


def plain(data: bytes) -> None:
    record = parse_plain(data.decode("utf-8", "replace"))
    assert parse_plain(" ".join(record.moves)).moves == record.moves
    again = parse_kif(format_kif(record))
    assert (again.moves, again.winner, again.comments) == (record.moves, record.winner, record.comments)


def files(data: bytes) -> None:
    for record in read_records(data, strict=False):
        record.position()
    read_records(data)


def moves(data: bytes) -> None:
    """One text as a move of each notation."""
    text = data.decode("utf-8", "replace")
    position = Position.from_usi("startpos moves 7g7f 3c3d")
    refusals = []
    for read in (csa_to_usi, kif_to_usi, lambda _, usi: usi):
        try:
            position.push(read(position, text))
            position.pop()
        except ValueError as refusal:
            refusals.append(refusal)
    if len(refusals) == 3:
        raise refusals[0]


def book(data: bytes) -> None:
    """Read a book as a whole, and sorted on the fly, which must find the same positions."""
    with tempfile.TemporaryDirectory() as folder:
        raw, ordered = Path(folder, "raw.db"), Path(folder, "ordered.db")
        raw.write_bytes(data)
        whole = InMemory(raw)
        entries = entries_of(raw)
        assert write_book(ordered, entries, "again").positions == len(entries)
        assert entries_of(ordered) == entries
        write_book(ordered, merged([raw]), "sorted")
        on_the_fly, whole_ordered = OnTheFly(ordered), InMemory(ordered)
        for placement in {entry.placement for entry in entries}:
            found = on_the_fly.find(placement)
            assert found == whole_ordered.find(placement)
            assert {move.move for entry in found for move in entry.moves} == {
                move.move for entry in whole.find(placement) for move in entry.moves}
        on_the_fly.close()
        for entry in entries:
            with suppress(ValueError):      # a book may hold what is no position
                candidates(legal_moves_of(whole, Position(entry.sfen), BookSettings(depth_limit=1)), BookSettings())


def book_on_the_fly(data: bytes) -> None:
    """Search a file on the fly, sorted or not, for every position that it may hold."""
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        file.write(data)
        file.flush()
        asked = {match[1].decode() for match in PLACEMENT.finditer(data)}
        found = OnTheFly(Path(file.name))
        for placement in asked:
            with suppress(ValueError):
                assert all(entry.placement == placement for entry in found.find(placement))
        found.close()


TARGETS: dict[str, tuple[Callable[[bytes], None], list[str]]] = {
    "sfen": (sfen, SFENS),
    "usi": (usi, [
        f"position startpos moves {' '.join(GAME)}", f"position sfen {SFENS[1]} moves G*5b",
        "go ponder btime 1000 wtime 2000 byoyomi 300", "go mate infinite", "go depth 3 searchmoves 7g7f 2g2f",
        "go nodes 100 binc 5 winc 6 rtime 7 movetime 8", "ponderhit btime 0 wtime 0 byoyomi 100",
        "setoption name USI_Hash value 16", "setoption name EnteringKingRule value TryRule",
        "setoption name DebugLogFile value <empty>", "setoption name Clear_Hash", "setoption name USI_Ponder value 1",
    ]),
    "csa": (csa, [format_csa(record) for record in PLAIN] + [format_csa(*PLAIN)]),
    "kif": (kif, [format_kif(record) for record in RECORDS]),
    "ki2": (ki2, [format_ki2(record) for record in RECORDS]),
    "jkf": (jkf, [format_jkf(record) for record in RECORDS]),
    "pgn": (pgn, ['[White "A"]\n[Variant "shogi"]\n\n1. c4 g6 2. Bxh8+ {a comment} Sxh8 (2... d6) 3. B@e5 $1 0-1\n',
                  '[Variant "Shogi"]\n[FEN "4k4/9/4P4/9/9/9/9/9/4K4[GGgr] w 0 1"]\n1. G*5b 1-0\n',
                  '[Sente "A"]\n[Gote "B"]\n\n1.P7g-7f\n2.P3c-3d {a comment}\n3.B8hx2b+ --Black Won--\n',
                  '[Sente "A"]\n[Handicap "2 piece"]\n\n1... K5b 2.P7f S7b 3. P26 P84 {Resigns}\n',
                  '[Sente "A"]\n\n1.P7f (00:03 / 00:00:03)\n2.P3d\n3.B8hx22+\n4.Sx\n5.B5e Jishogi\n{入玉}\n']),
    "plain": (plain, ["1. 76歩 2. 34歩 3. 22角成 同銀 (0:03)\n*交換\n55角打 投了",
                      "P-7f P-3d Bx2b+ まで3手で後手の勝ち"]),
    "files": (files, [write(RECORDS[0]) for write in (format_csa, format_kif, format_ki2, format_jkf)]),
    "book": (book, BOOKS),
    "book_on_the_fly": (book_on_the_fly, BOOKS),
    "moves": (moves, ["2g2f", "+2726FU", "▲２六歩(27)", "２二角成(88)", "９六歩(97)", "8h2b+"]),
}


EXAMPLES = os.environ.get("GAKUSHI_FUZZ_EXAMPLES")


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> bytes:
    """One of the texts, or a part of it, with parts of all the texts inserted at random places."""
    parts = sorted({part for text in texts for part in re.findall(r"\w+|\W", text)})
    data = draw(st.sampled_from(texts)).encode()
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(0, 6))
        inserted = draw(st.sampled_from(parts).map(str.encode) | st.binary(max_size=4))
        data = data[:start] + inserted + data[end:]
    return data


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=int(EXAMPLES or 60), derandomize=EXAMPLES is None, database=None, deadline=None,
          suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_text_is_refused_or_read(target: str, data: st.DataObject) -> None:
    check, texts = TARGETS[target]
    with suppress(ValueError):
        check(data.draw(damaged(texts)))


@each("target", TARGETS)
def test_whole_text_is_read(target: str) -> None:
    check, texts = TARGETS[target]
    for text in texts:
        check(text.encode())
