"""JKF: files as its libraries write them, and refusals. (In test_records other programs read the files that we
write.)"""
import json
from typing import Any

import pytest

from engine import STARTPOS_SFEN, Position
from engine.records.handicaps import HANDICAPS
from engine.records.jkf import format_jkf, parse_jkf
from engine.records.record import GameRecord
from tests.each import each


def square(name: str) -> dict[str, int]:
    return {"x": int(name[0]), "y": "abcdefghi".index(name[1]) + 1}


def game(*moves: Any, **more: Any) -> str:
    return json.dumps({"header": {}, "moves": [{}, *moves]} | more, ensure_ascii=False)


def nested(depth: int) -> list[Any]:
    """A move with a variation in place of it, with a variation in place of its move, …"""
    return [{"move": {"from": square("7g"), "to": square("7f")}, "forks": [nested(depth - 1)] if depth else []}]


def test_what_is_written() -> None:
    record = GameRecord(moves=["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"], names=("A", "B"), headers={"EVENT": "x"},
                        comments={0: "first", 2: "two\nlines"}, times={1: 3661, 2: 5, 3: 2}, terminal="TORYO",
                        variations={3: [GameRecord(Position.from_usi("startpos moves 7g7f 3c3d").sfen, ["4i5h"])]})
    found = json.loads(format_jkf(record))
    assert found["header"] == {"棋戦": "x", "手合割": "平手", "先手": "A", "後手": "B"}
    assert found["initial"] == {"preset": "HIRATE"}
    assert found["moves"] == [
        {"comments": ["first"]},
        {"move": {"color": 0, "from": square("7g"), "to": square("7f"), "piece": "FU"},
         "time": {"now": {"h": 1, "m": 1, "s": 1}, "total": {"h": 1, "m": 1, "s": 1}}},
        {"move": {"color": 1, "from": square("3c"), "to": square("3d"), "piece": "FU"}, "comments": ["two", "lines"],
         "time": {"now": {"h": 0, "m": 0, "s": 5}, "total": {"h": 0, "m": 0, "s": 5}}},
        {"move": {"color": 0, "from": square("8h"), "to": square("2b"), "piece": "KA", "capture": "KA",
                  "promote": True},
         "time": {"now": {"h": 0, "m": 0, "s": 2}, "total": {"h": 1, "m": 1, "s": 3}},
         "forks": [[{"move": {"color": 0, "from": square("4i"), "to": square("5h"), "piece": "KI", "relative": "R"}}]]},
        {"move": {"color": 1, "from": square("3a"), "to": square("2b"), "piece": "GI", "capture": "UM", "same": True}},
        {"move": {"color": 0, "to": square("4e"), "piece": "KA"}},
        {"special": "TORYO"},
    ]
    assert parse_jkf(format_jkf(record)) == [record]


def test_moves_that_nothing_has_completed() -> None:
    (record,) = parse_jkf(game(
        {"move": {"to": square("7f"), "piece": "FU"}}, {"move": {"to": square("3d"), "piece": "FU"}},
        {"move": {"to": square("2b"), "piece": "KA", "promote": True}}, {"move": {"same": True, "piece": "GI"}},
        {"move": {"to": square("5h"), "piece": "KI", "relative": "L"}},
        {"move": {"to": square("5e"), "piece": "KA", "relative": "H"}}, initial=None))
    assert (record.initial_sfen, record.moves) == (
        STARTPOS_SFEN, ["7g7f", "3c3d", "8h2b+", "3a2b", "6i5h", "B*5e"])


@each("name", HANDICAPS)
def test_handicaps(name: str) -> None:
    assert parse_jkf(game(header={"手合割": name}))[0].initial_sfen == HANDICAPS[name]


@pytest.mark.parametrize(("terminal", "special"), [
    ("+ILLEGAL_ACTION", "ILLEGAL_ACTION"), ("-ILLEGAL_ACTION", "ILLEGAL_MOVE"), ("TIME_UP", "TIME_UP")])
def test_ends(terminal: str, special: str) -> None:
    written = format_jkf(GameRecord(moves=["7g7f"], terminal=terminal))
    assert json.loads(written)["moves"][-1] == {"special": special}
    assert parse_jkf(written)[0].winner == GameRecord(moves=["7g7f"], terminal=terminal).winner


@each(("text", "message"), [
    ("{", r"JKF is JSON, which this is not from line 1, column 2 on, at ''; save"),
    ('{"moves": [{}, {"mo', r"line 1, column 17 on, at '\"mo'"),
    ('{"a":' + "[" * 100_000, "the JSON is nested too deeply"),
    ("[]", "JKF is one JSON object"),
    ('{"moves": {}}', "'moves' is {}, of the wrong type"),
    ('{"header": {"x": 1}}', "the header 'x' is 1, which is no text"),
    ('{"header": {"手合割": "百枚落ち"}}', "'百枚落ち' is no handicap"),
    ('{"header": {"手合割": "その他"}}', "the handicap is その他, but there is no initial position"),
    ('{"initial": {"preset": "11"}}', "'11' is no preset; JKF knows HIRATE, KY, "),
    ('{"initial": {"preset": "OTHER", "data": {"board": [[{"color": 0, "kind": "XX"}]]}}}',
     "there is no 'XX' on file 1"),
    ('{"initial": {"preset": "OTHER", "data": {"board": [[{"color": 2, "kind": "FU"}]]}}}', "the side is 2"),
    ('{"initial": {"preset": "OTHER", "data": {"hands": [{"TO": 1}]}}}', "no hand can hold 'TO'"),
    ('{"initial": {"preset": "OTHER", "data": {"hands": [{"FU": 19}]}}}', "a hand holds 19 of 'FU'"),
    ('{"moves": [1]}', "1 stands where a JSON object has to"),
    (game({}), "move 1: {} is neither a move nor an end"),
    (game({"special": "GAME_OVER"}), "move 1: 'GAME_OVER' is no way to end a game"),
    (game({"special": "TORYO"}, {"special": "TORYO"}), "move 2: this comes after the end of the game"),
    (game({"move": {"from": square("7g"), "to": {"x": 0, "y": 1}}}), "move 1: {'x': 0, 'y': 1} is no square"),
    (game({"move": {"from": square("7g"), "to": square("7e")}}), "move 1: .* is not legal in"),
    (game({"move": {"to": square("5h"), "piece": "KI"}}), "move 1: .* could be 4i5h or 6i5h"),
    (game({"move": {"same": True, "piece": "KI"}}), "move 1: .* does not say where it goes"),
    (game({"move": {"to": square("7f")}}), "move 1: .* does not say which piece moves"),
    (game({"special": "TORYO", "comments": [1]}), "move 1: a comment is 1, which is no text"),
    (game({"special": "TORYO", "time": {"now": {"s": -1}}}), "move 1: a time has -1 for 's'"),
    (game({"special": "TORYO", "forks": [{}]}), "move 1: a fork is {}, which is no list"),
    (game({"special": "TORYO", "forks": [[{"special": "X"}]]}), "move 1: 'X' is no way to end a game"),
    (game(*nested(101)), "there are more than 100 variations within one another"),
])
def test_records_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_jkf(text)


def test_a_move_in_the_first_entry_is_the_first_of_the_game() -> None:
    written = json.loads(format_jkf(GameRecord(moves=["7g7f", "3c3d"], comments={0: "before", 1: "a comment"})))
    del written["moves"][0]
    assert parse_jkf(json.dumps(written))[0].moves == ["7g7f", "3c3d"]
    assert parse_jkf(json.dumps(written))[0].comments == {1: "a comment"}
    assert parse_jkf('{"moves": [{"special": "TORYO"}]}')[0].terminal == "TORYO"
