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
from tests.faults import refused


def square(name: str) -> dict[str, int]:
    return {"x": int(name[0]), "y": "abcdefghi".index(name[1]) + 1}


def game(*moves: Any, **more: Any) -> str:
    return json.dumps({"header": {}, "moves": [{}, *moves]} | more, ensure_ascii=False)


def nested(depth: int) -> list[Any]:
    """A move with a variation in its place, whose first move has a variation in its place, and so on."""
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


@each(("text", "fault"), [
    ("{", refused(line=1, column=2, text="")),
    ('{"moves": [{}, {"mo', refused(line=1, column=17, text='"mo')),
    ('{"a":' + "[" * 100_000, refused(about="nested")),
    ("[]", refused(about="list")),
    ('{"moves": {}}', refused(key="moves", value=...)),
    ('{"header": {"x": 1}}', refused(about="text", what=..., value=1)),
    ('{"header": {"手合割": "百枚落ち"}}', refused(name="百枚落ち", names=..., other="その他")),
    ('{"header": {"手合割": "その他"}}', refused(about="handicap", name="その他")),
    ('{"initial": {"preset": "11"}}', refused(text="11", names=...)),
    ('{"initial": {"preset": "OTHER", "data": {"board": [[{"color": 0, "kind": "XX"}]]}}}',
     refused(name="XX", file=1, rank=1)),
    ('{"initial": {"preset": "OTHER", "data": {"board": [[{"color": 2, "kind": "FU"}]]}}}',
     refused(about="side", value=2)),
    ('{"initial": {"preset": "OTHER", "data": {"hands": [{"TO": 1}]}}}', refused(about="hand", name="TO")),
    ('{"initial": {"preset": "OTHER", "data": {"hands": [{"FU": 19}]}}}', refused(count=19, name="FU")),
    ('{"moves": [1]}', refused(about="stands", value=1)),
    (game({}), refused(at=1, entry=...)),
    (game({"special": "GAME_OVER"}), refused(about="game", at=1, text="GAME_OVER")),
    (game({"special": "TORYO"}, {"special": "TORYO"}), refused(about="comes", at=2)),
    (game({"move": {"from": square("7g"), "to": {"x": 0, "y": 1}}}), refused(about="square", at=1, text=...)),
    (game({"move": {"from": square("7g"), "to": square("7e")}}), refused(at=1, sfen=..., text=...)),
    (game({"move": {"to": square("5h"), "piece": "KI"}}), refused(at=1, text=..., moves=["4i5h", "6i5h"], sfen=...)),
    (game({"move": {"same": True, "piece": "KI"}}), refused(about="goes", at=1, text='{"same": true, "piece": "KI"}')),
    (game({"move": {"to": square("7f")}}), refused(about="piece", at=1, text='{"to": {"x": 7, "y": 6}}')),
    (game({"special": "TORYO", "comments": [1]}), refused(about="text", at=1, what=..., value=1)),
    (game({"special": "TORYO", "time": {"now": {"s": -1}}}), refused(at=1, value=-1, name="s")),
    (game({"special": "TORYO", "forks": [{}]}), refused(about="fork", at=1, value=...)),
    (game({"special": "TORYO", "forks": [[{"special": "X"}]]}), refused(about="game", at=1, text="X")),
    (game(*nested(101)), refused(most=100)),
])
def test_records_that_are_refused(text: str, fault: refused) -> None:
    with fault:
        parse_jkf(text)


def test_a_move_in_the_first_entry_is_the_first_of_the_game() -> None:
    written = json.loads(format_jkf(GameRecord(moves=["7g7f", "3c3d"], comments={0: "before", 1: "a comment"})))
    del written["moves"][0]
    assert parse_jkf(json.dumps(written))[0].moves == ["7g7f", "3c3d"]
    assert parse_jkf(json.dumps(written))[0].comments == {1: "a comment"}
    assert parse_jkf('{"moves": [{"special": "TORYO"}]}')[0].terminal == "TORYO"
