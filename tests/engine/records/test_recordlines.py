"""The compiled reader of move lines agrees with the readers in Python: every CSA or KIF text gives the same records and
the same faults with it and without it."""
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine import Position
from engine.recordlines import has_controls
from engine.records import csa, kif
from engine.records.csa import format_csa
from engine.records.files import find_records
from engine.records.kif import format_kif
from engine.records.record import GameRecord, printable
from tests.each import each
from tests.engine.records.trees import random_tree

DIALECTS = (Path(__file__).parents[2] / "data" / "dialects.txt").read_text(encoding="utf-8").split("\n=== ")[1:]
# Parts of lines, among them those on which the two readers could differ.
PIECES = [
    *("", " ", "\u3000", "\t", "+", "*", "**", "'", "'*", "'C", "#", "(", ")", "-", "PI", "99 ", "00"),
    *("\x1b", "\0", "▲", "/"),
    *("( 0:01/00:00:01)", "(1:02:03)", "(59)", "(:1)", "(0:1.5/)", "(0:01(", "(1234567:00)", "(0:01/00:00:01)+", "+ "),
    *("(0:01/)(0:02/)", "(0:99999/1)", "(999999:59)", "( 0: 01)", "０", "(１:２)", "T12", ",T5", "T", "T1234567"),
    *("同", "同　", "打", "成", "不成", "成銀", "全", "竜", "１", "1", "一", "(77)", "(00)", "投了", "%TORYO"),
    *("変化：3手", "７六歩(77)", "+7776FU", "手数----"),
]


def texts(rng: Random) -> list[str]:
    record = GameRecord()
    random_tree(record, Position(), rng, 1)
    record.times = {ply: rng.choice([0, 5, 61, 3661]) for ply in range(1, len(record.moves) + 1) if rng.random() < 0.8}
    record.comments = {ply: rng.choice(["one", "two\nlines", "", " 評価値 12\n\n", "'"])
                       for ply in range(len(record.moves) + 1) if rng.random() < 0.5}
    record.terminal = rng.choice([None, "TORYO", "SENNICHITE"])
    return [format_kif(record), format_csa(replace(record, variations={}))]


def damaged(text: str, rng: Random) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(lines))
        line = lines[at]
        cut = rng.randint(0, len(line))
        lines[at:at + 1] = rng.choice([
            [line[:cut] + rng.choice(PIECES) + line[cut:]], [line[:cut] + line[cut + 1:]], [line, line], [],
            [line, rng.choice(PIECES)], [line + rng.choice(PIECES)], [line.replace(rng.choice("(:/ +"), "")]])
    return rng.choice(["\n", "\n", "\r\n"]).join(lines)


def seen(text: str, strict: bool) -> object:
    try:
        found = find_records(text, strict)
    except ValueError as fault:
        return str(fault)
    return found.format, found.records, [[str(fault) for fault in record.faults] for record in found.records]


def assert_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for strict in (False, True):
        fast = seen(text, strict)
        with monkeypatch.context() as slowly:
            slowly.setattr(csa, "play_csa", lambda *given: 0)
            slowly.setattr(kif, "play_kif", lambda *given: 0)
            assert seen(text, strict) == fast, text


@each("seed", range(150))
def test_damaged_records_are_read_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    for text in texts(rng):
        for _ in range(4):
            assert_same(damaged(text, rng), monkeypatch)


@each("text", DIALECTS)
def test_records_of_all_programs_are_read_alike(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(text.partition("\n")[2], monkeypatch)


@each("code", [*range(0x100), 0x2028, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x1F642])
def test_a_text_without_controls_is_printable_as_it_is(code: int) -> None:
    text = f"a{chr(code)}b"
    assert has_controls(text) == (printable(text) != text)
    assert printable(text) == (text if not has_controls(text) else "a b" if chr(code).isspace() else "ab")
