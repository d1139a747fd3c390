"""Text in records: no text in a field changes a move when the record is read again, no control character of a file
reaches the terminal, and reading takes time in proportion to the length."""
import gc
import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.records.csa import format_csa
from engine.records.files import find_records, read_record, read_records
from engine.records.formats import PARTS, SUFFIXES
from engine.records.jkf import format_jkf
from engine.records.ki2 import format_ki2
from engine.records.kif import format_kif
from engine.records.pgn import format_pgn
from engine.records.record import GameRecord
from engine.records.writing import encoded, written
from tests.each import each
from tests.engine.records.trees import tree
from tests.faults import refused

MOVES = ["7g7f", "3c3d", "2g2f"]
# Ends by default in CSA, and variations behind the last move in PGN; apart from text, nothing else is lost.
UNSAID = {".csa": {"results"}, ".pgn": {"variations"}}
ENDS = [None, "TORYO", "WIN_BY_DEFAULT", "LOSS_BY_DEFAULT", "KACHI", "+ILLEGAL_ACTION", "SENNICHITE"]
# Texts that mean something in one of the formats.
PIECES = [
    "\r", "\n", "\r\n", "\0", "\x1b]0;", "\x1b[2J", "\x85", "\u2028", "\x0c", "\t", " ", "\u3000", "\ufeff", "\ud800",
    "*", "#", "&", "'", "'*", "{", "}", "(", ")", ";", '"', "\\", "]", "[", "$", "%", "：", ":", "+", "-", "/", "|",
    "〜", "é", "🙂", "ｱ", "1 ７六歩(77)", "   2 ８四歩(83)", "変化：1手", "手合割：二枚落ち", "手合割", "先手",
    "後手番", "手番", "手数----", "まで", "まで3手で先手の勝ち", "▲２六歩", "△８四歩", "投了",
    "+2726FU", "%TORYO", "N+A", "PI", "encoding=Shift_JIS", "#KIF version=2.0 encoding=Shift_JIS", "1-0", "1. c4",
    "2. h4", "resign", "moves", "後手の持駒：飛", "盤面回転",
]
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=4).map("".join)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """A game with any text wherever there may be one."""
    record = GameRecord(moves=list(MOVES), terminal=draw(st.sampled_from(ENDS)), names=(draw(TEXT), draw(TEXT)))
    keys = st.sampled_from(["EVENT", "SITE", "START_TIME", "備考"]) | TEXT
    record.headers = draw(st.dictionaries(keys, TEXT, max_size=3))
    record.comments = draw(st.dictionaries(st.integers(0, len(MOVES) + 1), TEXT, max_size=3))
    record.remarks = draw(st.dictionaries(st.integers(-1, len(MOVES)), st.lists(TEXT, max_size=2), max_size=2))
    if draw(st.booleans()):
        ply = draw(st.integers(1, len(MOVES) + 1))
        move = {1: "9g9f", 2: "9c9d", 3: "9g9f", 4: "9c9d"}[ply]
        variation = GameRecord(record.position(ply - 1).sfen, [move])
        variation.comments = draw(st.dictionaries(st.integers(0, 1), TEXT, max_size=2))
        record.variations = {ply: [variation]}
    return record


@settings(max_examples=40, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(record=records(), suffix=st.sampled_from(sorted(SUFFIXES)))
def test_no_text_changes_a_move(record: GameRecord, suffix: str) -> None:
    path = Path("game" + suffix)
    if suffix in (".kif", ".ki2") and not fits_shift_jis(record, path):
        with refused(letters=..., encoding="Shift_JIS", ending=suffix, other=f"{path}u"):
            encoded(path, record)
        return
    data, lost = written(path, [record], strict=False)
    (again,) = read_records(data)
    assert again.moves == record.moves
    if "variations" not in lost:
        assert tree(again) == tree(record)
    if "results" not in lost:
        assert again.winner == record.winner
    assert {*lost} <= {"comments", "names", "headers"} | {*PARTS} - SUFFIXES[suffix].holds | UNSAID.get(suffix, set())
    assert_printable(again)
    # What was read once is kept from then on.
    assert written(path, [again])[1] == []
    assert read_records(encoded(path, again)) == [again]


def fits_shift_jis(record: GameRecord, path: Path) -> bool:
    """Whether the text fits Shift_JIS, judged by the UTF-8 output; some letters are written in Windows' form."""
    text = encoded(path.with_suffix(path.suffix + "u"), record).decode()
    return not set(text) - set(text.encode("cp932", "ignore").decode("cp932")) - set("〜")


def assert_printable(record: GameRecord) -> None:
    texts = [*record.names, *record.headers, *record.headers.values(), *record.comments.values(),
             *(line for lines in record.remarks.values() for line in lines)]
    assert not re.search(r"[\0-\x08\x0b-\x1f\x7f-\x9f]", "".join(texts))
    assert not any("\n" in text for text in (*record.names, *record.headers, *record.headers.values()))


@each("write", [format_kif, format_ki2, format_csa, format_jkf])
def test_plain_text_is_kept_as_it_is(write: Callable[[GameRecord], str]) -> None:
    record = GameRecord(moves=list(MOVES), names=("春野 一歩 #1", "A. (B)"), terminal="TORYO",
                        headers={"EVENT": "第1回: 試験 \\ {1}", "備考": "* まで"},
                        comments={0: "+2726FU\n\n1 ７六歩(77)", 2: " blanks  ", 4: "まで3手で先手の勝ち\n変化：1手"})
    assert read_record(write(record)) == record


@each("line_end", ["\r", "\n", "\r\n"])
@each("write", [format_kif, format_ki2, format_csa, format_jkf, format_pgn])
def test_a_line_end_in_a_comment_begins_no_line_of_the_file(line_end: str, write: Callable[[GameRecord], str]) -> None:
    comment = f"one{line_end}   3 ９六歩(97){line_end}+9796FU{line_end}▲９六歩"
    record = GameRecord(moves=list(MOVES), comments={2: comment})
    again = read_record(write(record))
    assert again.moves == MOVES
    assert again.comments[2].split("\n")[0].startswith("one")


@each(("text", "kept"), [
    ("手合割：平手\n先手：A\x1b]0;B\x07\n手数----\n*C\x1b[2J\x9bD\n   1 ７六歩(77)\n", ("A]0;B", "C[2JD")),
    ("手合割：平手\n先手：A\x1b]52;c;B\x07\n*C\x00\x08D\n▲７六歩\n", ("A]52;c;B", "CD")),
    ("N+A\x1b]0;B\x07\nPI\n+\n'*C\x1b[2J\x9bD\n+7776FU\n", ("A]0;B", "C[2JD")),
    (json.dumps({"header": {"先手": "A\x1b]0;B\x07"}, "moves": [
        {"comments": ["C\x1b[2J\x9bD"]}, {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}}}]}),
     ("A]0;B", "C[2JD")),
    ('[White "A\x1b]0;B\x07"]\n[Variant "shogi"]\n\n{C\x1b[2J\x9bD} 1. c4 *\n', ("A]0;B", "C[2JD")),
    ("*C\x1b[2J\x9bD\n76歩 34歩\n", ("", "C[2JD")),
])
def test_a_record_commands_no_terminal(text: str, kept: tuple[str, str]) -> None:
    record = read_record(text)
    assert (record.names[0], record.comments[0]) == kept
    assert_printable(record)


@each(("text", "fault"), [
    ("https://example.org/game/1\n", refused(about="set-up")),
    ("TODO: tell A\n牛乳：二本\n", refused(about="set-up")),
    ("# a comment\n*and another\n", refused(about="set-up")),
    ("usi\nid name Gakushi\nusiok\nposition startpos moves 7g7f\ngo infinite\ninfo string a: b\nbestmove 3c3d\n",
     refused(about="header")),
    ("[2026-11-20 12:00:00] > usi\n", refused(about="set-up")),
    ("position startpos\ngo infinite\nbestmove 7g7f\n", refused(about="SFEN", count=5)),
    ("<!DOCTYPE html>\n<title>A: B</title>\n", refused(about="header")),
    ("[]\n", refused(about="list")),
    ('{"a": 1}\n', refused(about="initial")),
    ('["a", {}]\n', refused(formats=..., line='["a", {}]')),
    ("1234 5678\n", refused(sfen=..., text="1234")),
    ("\nhello\nworld\n", refused(formats=..., line="hello")),
    ("", refused(about="empty")),
    (b"\xbd\xf1\xff\xfe\x80\x90" * 9, refused(formats=...)),
    *((data, refused(formats=...))
      for data in (b"V2.2\nN+\x81\n", b"V\0\n", b"\xff\xfeV", b"\x1b$\xff")),
])
def test_what_is_no_record_is_no_empty_game(text: str | bytes, fault: refused) -> None:
    for strict in (False, True):
        with fault:
            read_records(text, strict)


# -- Encodings ---------------------------------------------------------------------------------------------------------

KIF = "手合割：平手\n先手：春野ｱｲｳ\n後手：ﾊﾙﾉ\n手数----\n   1 ７六歩(77)\n   2 ３四歩(33)\n"


@each("codec", ["utf-8", "cp932", "euc_jp", "utf-16", "utf-16-le", "utf-16-be", "iso2022_jp_ext"])
@each("padding", ["", "\0", "\x1a", "\x1a\0\0\0\0", "\0" * 511])
def test_what_fills_up_a_file_is_no_text(codec: str, padding: str) -> None:
    for text in (KIF, KIF.replace("\n", "\r\n")):
        for data in ((text + padding).encode(codec), text.encode(codec) + padding.encode()):
            record = read_record(data)
            assert (record.moves, record.names) == (["7g7f", "3c3d"], ("春野ｱｲｳ", "ﾊﾙﾉ"))


def test_a_comment_declares_no_encoding() -> None:
    text = ("'encoding=Shift_JIS\n' ---- Kifu for Windows V7 V7.70 CSA形式棋譜ファイル ----\n"
            "V2.2\nN+春野一歩\nPI\n+\n+7776FU\nT1\n")
    record = read_record(text.encode("cp932"))
    assert record.comments[0].startswith("encoding=Shift_JIS\n ---- Kifu for Windows")
    data = encoded(Path("game.csa"), record)
    assert find_records(data)[1:] == ("CSA", "UTF-8")
    assert read_record(data) == record
    for names in (("Müller", "é"), ("ｱｲｳｴｵｶ", "A")):
        latin = replace(record, names=names, comments={0: "encoding=Shift_JIS"})
        assert read_record(encoded(Path("game.csa"), latin)) == latin
    declared = "'encoding=Shift_JIS\nN+ﾃｸ\nPI\n+\n"         # é of Latin in UTF-8, but for the declaration
    assert read_record(declared.encode("cp932")).names == ("ﾃｸ", "")


# -- How long it takes -------------------------------------------------------------------------------------------------

FEW, MANY, RATIO = 250, 4_000, 6     # copies of a token; how many times longer than in proportion is too long
QUICK = 0.01                            # seconds in which MANY are read where nothing is read twice
HEADS = {
    "kif": "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n", "header": "手合割：平手\n先手：A\n",
    "ki2": "手合割：平手\n\n▲７六歩 ", "csa": "PI\n+\n+7776FU\n", "pgn": '[Variant "shogi"]\n\n1. c4 ',
    "jkf": '{"moves": [{}, {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}}, "comments": [',
    "usi": "position startpos moves 7g7f ", "moves": "76歩 34歩 ", "nothing": "",
}
TOKENS = {
    "kif": [" ", "\n", "*a\n", "#a\n", "変化：1手\n", "変化：2手\n2 ３五歩\n", "   2 ３四歩(33)\n", "(", ")", "+",
            "まで1手で先手", "   2 ３四歩(33) (", "0:", "１", "x", "同　", "|\n", "\r"],
    "header": [" ", "\n", "a：", "：", "a：b\n", "|", "| ・", "先手の持駒：歩1", "後手の持駒：", "手番：後手\n", "+-",
               "１ "],
    "ki2": [" ", "\n", "▲", "△", "△３四歩 ", "、", "(0:01) ", "（", "同", "まで", "*a\n", "投了"],
    "csa": [" ", "\n", "'a\n", "'*a\n", "T1\n", "T1,", ",", "/\n", "-3334FU", "P1 * ", "P+00FU", "%", "+", "$a:", "\t"],
    "pgn": [" ", "\n", "{", "}", "{a} ", "(", ")", "(1. h4) ", ";a\n", "1.", "[a ", '[a "', "\\", "$1 ", "-", "won ",
            "1-0 ", "*"],
    "jkf": ["[", "{", "]", "}", '"a", ', '"', "{}, ", "[],", "\\", " "],
    "usi": [" ", "\n", "3c3d ", "sfen ", "position ", "/", "a/", "1/", "#\n", "position startpos\n"],
    "moves": [" ", "\n", ",", "1. ", "同 ", "(", "(0:01) ", "*a\n", "34歩 ", "投了 ", "まで"],
    "nothing": [" ", "\n", "{", "[", "▲", "a", "：", "1", "/", "'", "*\n", "a：\n", "１.", "a/", "1/", "\0", "\x1a",
                "\x1b$"],
}


def seconds(head: str, token: str, count: int) -> float:
    """The processor time of reading. The garbage collector is off, because it would go through all of pytest's
    objects."""
    data = (head + token * count).encode()
    gc.disable()
    try:
        began = process_time()
        with suppress(ValueError):
            find_records(data, strict=False)
        return process_time() - began
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", TOKENS)
def test_reading_takes_time_in_proportion_to_the_text(kind: str) -> None:
    for token in TOKENS[kind]:
        print("token:", repr(token))
        times = [seconds(HEADS[kind], token, MANY)]
        if times[0] > QUICK:
            few = min(seconds(HEADS[kind], token, FEW) for _ in range(3))
            while times[-1] / MANY >= RATIO * few / FEW:    # the machine may have been busy
                assert len(times) < 3, (few, times)
                times.append(seconds(HEADS[kind], token, MANY))


def test_reading_takes_time_in_proportion_to_the_moves() -> None:
    shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"]
    for write in (format_kif, format_csa):
        few, many = (write(GameRecord(moves=shuffle * count)) for count in (40, 320))
        times = []
        for text in (few, many):
            began = process_time()
            assert len(read_record(text).moves) % 4 == 0
            times.append(process_time() - began)
        assert times[1] < RATIO * 8 * times[0] + QUICK
