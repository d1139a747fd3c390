"""Records as programs write them: Shogidokoro, ShogiGUI, Kifu for Windows, 81Dojo, Shogi Wars, Floodgate and others."""
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import UserError
from engine.records.record import GameRecord
from tests.each import each
from tests.faults import refused
from usi.commands.records import find_games, left_out

DATA = Path(__file__).parents[2] / "data" / "dialects.txt"


@dataclass(frozen=True)
class Dialect:
    """A record of the data, and what has to be read of it."""

    name: str
    data: bytes
    is_whole: bool
    moves: list[str]
    terminal: str | None


def dialects() -> list[Dialect]:
    _, *sections = DATA.read_text(encoding="utf-8").split("\n=== ")
    return [_dialect(section) for section in sections]


def _dialect(section: str) -> Dialect:
    heading, _, text = section.partition("\n")
    name, encoding, extent, moves, terminal = heading.split(" | ")
    codec = encoding.removesuffix("-1")
    data = (text.rstrip("\n") if name.startswith("cut_off") else text).encode(codec)
    return Dialect(name, data[:-1] if codec != encoding else data, extent == "whole", moves.split(),
                   terminal if terminal != "-" else None)


DIALECTS = {dialect.name: dialect for dialect in dialects()}


def read(name: str) -> GameRecord:
    (record,) = find_games(DIALECTS[name].data, strict=False).records
    return record


@each("dialect", DIALECTS.values())
def test_a_record_is_read_as_far_as_it_can_be_and_strictly_only_if_it_is_whole(dialect: Dialect) -> None:
    record = read(dialect.name)
    assert (record.moves, record.terminal) == (dialect.moves, dialect.terminal)
    assert bool(left_out(record)) != dialect.is_whole
    assert "\n" not in left_out(record)
    if dialect.is_whole:
        assert find_games(dialect.data).records == [record]
    else:
        with pytest.raises(UserError):
            find_games(dialect.data)


@each(("name", "said"), [
    ("offence_two_pawns.kif", "line 11, '   9 ９五歩打': '９五歩打' is not legal in"),
    ("offence_two_pawns.kif", "two pawns: there already is an unpromoted pawn of Black's on file 9"),
    ("wars_converted.kif", "line 11, '先手時間切れ': this is no move, comment or end of a game"),
    ("gekisashi_clipboard.ki2", "'------------------------------': this is no move, comment or end of a game; "
                                "and 1 more"),
    ("cut_off_in_a_letter.kif", "line 6, '   3 ２六\ufffd': '２六\ufffd' is no KIF move"),
    ("lost_line.kif", "this is move 3, not 5"),
    ("odd_header.kif", "line 1, '将棋大会の棋譜': this is no header of a game"),
    ("cut_off.jkf", "JKF is JSON, which this is not from line 3"),
    ("half_a_letter.jkf", "half of a letter is missing"),
    ("illegal.pgn", "move 3: 'Bxh7+' is not legal in"),
    ("cut_off.usi", "line 1: move 3: '2g2'"),
])
def test_what_was_left_out_is_said(name: str, said: str) -> None:
    assert said in left_out(read(name))


@each(("name", "times"), [
    ("shogidokoro.kif", {1: 1, 2: 2, 3: 63, 4: 0, 5: 1, 6: 0}), ("81dojo.kif", {1: 12, 2: 3, 3: 1}),
    ("piyo.kif", {1: 12, 2: 5, 3: 5}), ("club24_out_of_turn.kif", {1: 1, 2: 22}),
    ("professional_opened.kif", {1: 0, 2: 60, 3: 5400, 4: 120, 5: 0}),
    ("gps.csa", {1: 0, 2: 5, 3: 1}), ("version_3.csa", {1: 1.25, 2: 0.75}),
    ("wars_seconds_left.csa", {3: 10, 4: 3}),       # how much time there was at first, nothing says
    ("wars_seconds_left_lines.csa", {1: 2, 2: 10}),
])
def test_times_of_moves(name: str, times: dict[int, float]) -> None:
    assert read(name).times == times


def test_what_belongs_to_a_move_that_was_left_out_goes_with_it() -> None:
    assert read("illegal_in_the_middle.kif").comments == {}
    assert read("illegal_in_a_variation.kif").variations == {}
    assert read("professional_opened.kif").comments == {3: "封じ手の定刻を迎えた。"}


@pytest.mark.parametrize(("codec", "encoding"), [("cp932", "Shift_JIS"), ("utf-8", "UTF-8"), ("euc_jp", "EUC-JP")])
def test_a_letter_that_is_none_costs_no_game(codec: str, encoding: str) -> None:
    whole = "手合割：平手\n先手：春野一歩\n後手：秋山銀\n手数----\n*初手の前\n   1 ７六歩(77)\n   2 ３四歩(33)\n"
    data = whole.encode(codec).replace("初手".encode(codec), b"\x85\xff")
    with refused(formats=...):
        find_games(data)
    found = find_games(data, strict=False)
    assert (found.encoding, found.records[0].moves) == (encoding, ["7g7f", "3c3d"])
    assert f"letters that are not in {encoding}: " in left_out(found.records[0])


def test_a_long_line_is_not_quoted_whole() -> None:
    for line in ("x" * 100_000, f"2 {'x' * 100_000}"):
        (record,) = find_games(f"手合割：平手\n1 ７六歩(77)\n{line}\n".encode(), strict=False).records
        assert len(left_out(record)) < 700


@each("text", [
    "# nothing\nand nothing more\n", "手合割：百枚落ち\n1 ７六歩(77)\n", "V2.2\nPI\n+7777FU\n", '{"header',
    '{"header": {"手合割": ["平手"]}, "moves": [{}]}', "P1-KY-KE\nP+55FU00AL\n+\n+5554FU\n",
    '[Event "?"]\n\n1. e4 e5 2. Nf3 *', '[Variant "crazyhouse"]\n\n1. e4 *', '{"header": {"先手": 1}}',
    "startpos moves 7g7e", "1. Zc4\n"])
def test_a_file_of_which_nothing_can_be_read_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        find_games(text.encode(), strict=False)


@each("text", [
    f"手合割：平手\n1 ７六歩(77) ({'9' * 5000}:00/)\n", f"手合割：平手\n{'9' * 5000} ７六歩(77)\n",
    f"手合割：平手\n1 ７六歩(77)\n変化：{'1' * 5000}手\n", f"PI\n+\n+7776FU,T{'9' * 309}\n",
    f"PI\n+\n+7776FU,L{'9' * 309}\n",
    f'{{"moves": [{{}}, {{"move": {{"from": {{"x": 7, "y": 7}}, "to": {{"x": 7, "y": 6}}}}, "time": {{"now": '
    f'{{"m": 0, "s": {"9" * 5000}}}}}}}]}}'])
def test_numbers_of_thousands_of_digits(text: str) -> None:
    with refused(count=max(map(len, re.findall(r"\d+", text))), most=9):
        find_games(text.encode())


def test_players_comments_and_several_games_of_pgn() -> None:
    record = read("xboard.pgn")
    assert record.names == ("春野一歩", "GNU Shogi 1.4.2")
    assert record.headers == {"EVENT": "Computer Chess Game", "SITE": "desktop", "TIME_LIMIT": "40/300",
                              "START_TIME": "2026/11/20"}
    assert record.comments == {1: "+0.05/6 1", 8: "White resigns"}
    assert read("xboard_set_up.pgn").initial_sfen == "4k4/9/4P4/9/9/9/9/9/4K4 b 2Grg 1"
    games = find_games(DIALECTS["xboard.pgn"].data + b"\n" + DIALECTS["illegal.pgn"].data, strict=False).records
    assert [len(game.moves) for game in games] == [8, 2]
    assert "game 2, move 3" in left_out(games[1])
