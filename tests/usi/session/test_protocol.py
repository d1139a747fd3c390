"""USI text against its meaning, without an engine."""
from dataclasses import replace

import pytest
from rsshogi.usi import UsiBound, parse_bestmove, parse_info

from engine import MATE, MATE_IN_MAX_PLY, MAX_PLY
from search import Clock, Info, Limits, Result
from search.limits import UNBOUNDED, TimeLimit
from tests.each import each
from tests.faults import refused
from usi.session import protocol
from usi.session.protocol import UNLIMITED_GO_MS, Go, Until


@each(("line", "word", "arguments"), [
    ("usi", "usi", ""), ("go  depth\t3", "go", "depth\t3"), ("", "", ""),
    ("position\tstartpos  moves", "position", "startpos  moves"),
])
def test_command(line: str, word: str, arguments: str) -> None:
    assert protocol.parse_command(line) == (word, arguments)


@each(("arguments", "name", "value"), [
    ("name USI_Hash value 64", "USI_Hash", "64"),
    ("name Clear_Hash", "Clear_Hash", ""),
    ("name DebugLogFile value", "DebugLogFile", ""),
    ("name DebugLogFile value <empty>", "DebugLogFile", "<empty>"),
    ("name DebugLogFile value /a  b/value of 棋譜.log", "DebugLogFile", "/a  b/value of 棋譜.log"),
    ("name\tMultiPV\tvalue\t3", "MultiPV", "3"), ("name Multi  PV  value", "Multi  PV", ""),
    ("name MultiPV values", "MultiPV values", ""), ("name value 3", "value 3", ""),
    ("name DebugLogFile value a value b", "DebugLogFile", "a value b"),
])
def test_setoption(arguments: str, name: str, value: str) -> None:
    assert protocol.parse_setoption(arguments) == (name, value)


@each("arguments", ["", "USI_Hash 64", "value 3"])
def test_setoption_of_another_shape_is_quoted(arguments: str) -> None:
    with refused(arguments=arguments):
        protocol.parse_setoption(arguments)


@each(("arguments", "limits"), [
    ("", Limits(movetime=UNLIMITED_GO_MS)), ("depth 5", Limits(depth=5)), ("depth 0", Limits(depth=1)),
    ("nodes 1000 searchmoves 7g7f 2g2f", Limits(nodes=1000, searchmoves=("7g7f", "2g2f"))),
    ("searchmoves 7g7f movetime 300", Limits(movetime=300, searchmoves=("7g7f",))),
    ("depth 10 nodes 1000 movetime 500", Limits(depth=10, nodes=1000, movetime=500)),
    ("btime 1 wtime 2 depth 3", Limits(depth=3, clock=Clock((1, 2)))),
    ("movetime 500 btime 1 wtime 2", Limits(movetime=500)), ("byoyomi 300", Limits(clock=Clock(byoyomi=300))),
    ("btime 1000 wtime 2000 byoyomi 300", Limits(clock=Clock((1000, 2000), byoyomi=300))),
    ("btime 1 wtime 2 binc 3 winc 4", Limits(clock=Clock((1, 2), increment=(3, 4)))),
    ("btime -5 wtime 7", Limits(clock=Clock((0, 7)))),
    ("btime 99999999999999999999 wtime 0", Limits(clock=Clock((UNBOUNDED, 0)))),
    (f"btime -{'5' * 5000} wtime {'5' * 5000}", Limits(clock=Clock((0, UNBOUNDED)))),
    *((f"depth {plies}", Limits(depth=MAX_PLY - 1)) for plies in ("99999999999999999999", "5" * 5000)),
])
def test_go_for_a_move(arguments: str, limits: Limits) -> None:
    assert protocol.parse_go(arguments) == Go(limits)


@each(("arguments", "go"), [
    ("infinite", Go(until=Until.STOP)), ("ponder infinite", Go(until=Until.STOP)),
    ("infinite nodes 9 movetime 5 byoyomi 3", Go(Limits(nodes=9), Until.STOP)),
    ("ponder", Go(Limits(movetime=UNLIMITED_GO_MS), Until.HIT)), ("ponder depth 3", Go(Limits(depth=3), Until.HIT)),
    ("ponder btime 1 wtime 2 byoyomi 3", Go(Limits(clock=Clock((1, 2), byoyomi=3)), Until.HIT)),
    ("mate", Go(mate=0)), ("mate infinite", Go(mate=0)), ("infinite mate", Go(mate=0)),
    ("mate 5000", Go(mate=5000)), ("ponder mate 5000", Go(mate=5000)), ("perft 4", Go(perft=4)),
    ("depth five nodes 7 fast", Go(Limits(nodes=7), ignored=("depth", "five", "fast"))),
])
def test_go_that_waits_searches_for_no_move_or_has_words_to_ignore(arguments: str, go: Go) -> None:
    assert protocol.parse_go(arguments) == go


def test_rtime_is_a_time_drawn_at_random() -> None:
    drawn = {protocol.parse_go("rtime 100 btime 9 wtime 9").limits for _ in range(200)}
    assert len(drawn) > 10
    assert all(limits.movetime and 100 <= limits.movetime <= 150 for limits in drawn)


@pytest.mark.parametrize("time", [None, 300, Clock(byoyomi=5)])
def test_a_hit_changes_the_time_and_nothing_else(time: TimeLimit | None) -> None:
    go = Go(Limits(depth=9, nodes=8, searchmoves=("7g7f",), movetime=7), Until.HIT)
    assert go.hit(time) == Go(Limits(depth=9, nodes=8, searchmoves=("7g7f",)).with_time(7 if time is None else time))


@each(("arguments", "time", "ignored"), [
    ("", None, ()), ("soon", None, ("soon",)), ("depth 3 infinite", None, ()), ("movetime 300", 300, ()),
    ("btime 1 wtime 2 byoyomi 3", Clock((1, 2), byoyomi=3), ()),
])
def test_ponderhit(arguments: str, time: TimeLimit | None, ignored: tuple[str, ...]) -> None:
    hit = protocol.parse_ponderhit(arguments)
    assert (hit.time, hit.ignored) == (time, ignored)


@each(("score", "text"), [
    (0, "cp 0"), (-123, "cp -123"), (MATE_IN_MAX_PLY - 1, f"cp {MATE_IN_MAX_PLY - 1}"),
    (MATE - 1, "mate 1"), (MATE_IN_MAX_PLY, "mate 246"), (-MATE + 2, "mate -2"), (-MATE, "mate 0"),
])
def test_score(score: int, text: str) -> None:
    assert protocol.format_score(score) == text


def test_info_line() -> None:
    info = Info(12, 20, 2, -MATE + 8, "exact", 5000, 250, 17, ("7g7f", "3c3d", "B*5e"))
    line = protocol.format_info(info)
    assert line == (
        "info depth 12 seldepth 20 multipv 2 score mate -8 nodes 5000 nps 20000 hashfull 17 time 250 pv 7g7f 3c3d B*5e"
    )
    read = parse_info(line)
    assert read.score is not None
    assert read.score.mated_in_ply() == 8
    assert read.pv is not None
    assert [move.to_usi() for move in read.pv] == ["7g7f", "3c3d", "B*5e"]
    assert " nps 5000000 " in protocol.format_info(replace(info, time_ms=0)), "in no time it has a speed, too"


@pytest.mark.parametrize(("bound", "read"), [("lower", UsiBound.LOWER), ("upper", UsiBound.UPPER)])
def test_bound_stands_behind_the_score(bound: str, read: UsiBound) -> None:
    line = protocol.format_info(Info(1, 1, 1, 30, bound, 7, 1, 0, ("7g7f",)))  # type: ignore[arg-type]
    assert f"score cp 30 {bound}bound nodes" in line
    assert parse_info(line).bound is read


@each(("result", "line"), [
    (Result("7g7f", "3c3d", 0, 1, 1, 1), "bestmove 7g7f ponder 3c3d"),
    (Result("7g7f", None, -999, 1, 1, 1), "bestmove 7g7f"),
    (Result("7g7f", "3c3d", -1000, 1, 1, 1), "bestmove resign"),
    (Result(None, None, -MATE, 0, 0, 0, "mated"), "bestmove resign"),
    (Result(None, None, MATE - 1, 0, 0, 0, "declaration"), "bestmove win"),
])
def test_bestmove_line(result: Result, line: str) -> None:
    assert protocol.format_result(result, resign_value=1000) == line
    assert parse_bestmove(line).to_string() == line.replace("none", "")
