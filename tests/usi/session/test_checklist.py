"""The requirements of GUIs and match runners, tested as a black box: a real search behind pipes. Each test bears the
number of the point it checks. Other files prove these:

- 01 without any weights, 09, 11, 14 and 32 at every end: test_loading.py; 33: test_cli.py
- 19, a bad position is named and the last good one kept: test_what_is_said_when (test_states.py)
- 22: test_the_smaller_limit_holds (tests/search/test_searcher.py) and test_settings_follow_the_options
  (test_options.py)
- 23, no answer to `go infinite` before `stop`, however little there is to think about:
  test_an_answer_that_must_wait_waits; nor at a `ponderhit`: test_thinking_alone_knows_what_awaits_a_hit
  (both in test_thinking.py)
"""
import os
import re
import time
from pathlib import Path

import pytest

from engine import Position
from engine.records.handicaps import HANDICAPS
from tests.each import each
from tests.measured import assert_in_time, start_up
from tests.usi.conftest import ENGINE, PATIENCE_S, Client, Start
from usi.session.wire import KEEP_ALIVE

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATE_IN_FIVE = "l2+B4l/7s1/2s4pk/p3p1N2/1P3gpP1/P3P3G/1pNPGSP2/5K2L/L1+r4N1 b RN4Pbgs3p 111"
DECLARABLE = "1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b 2R2B4G 1"

# Start


@pytest.mark.timing
def test_01_usiok_within_two_seconds(start: Start) -> None:
    def seconds() -> float:
        begin = time.monotonic()
        client = start(ENGINE)
        client.send("usi")
        client.expect("usiok")
        return time.monotonic() - begin

    assert_in_time(2.0, seconds, overhead=start_up)


def test_02_to_10_and_17_introduction(client: Client) -> None:
    """Nothing before the first command; then who it is and what can be set, whatever white space a client sends."""
    client.send("usi", "", "\t setoption  name\tUSI_Hash  value\t16 ", "usinewgame", "isready", "isready", end="\r\n")
    introduction = client.expect("usiok")
    assert [line.split()[:2] for line in introduction[:2]] == [["id", "name"], ["id", "author"]]
    assert {line.split()[2] for line in introduction[2:-1]} >= {
        "Threads", "USI_Hash", "USI_Ponder", "Stochastic_Ponder", "MultiPV", "MaxMovesToDraw", "NetworkDelay",
        "NetworkDelay2", "MinimumThinkingTime", "SlowMover", "RoundUpToFullSecond", "ResignValue", "DrawValueBlack",
        "DrawValueWhite", "EnteringKingRule", "NodesLimit", "DepthLimit", "PvInterval", "ConsiderationMode",
        "OutputFailLHPV", "GenerateAllLegalMoves", "DebugLogFile", "Clear_Hash",
    }
    assert [line for line in client.expect("readyok") if line != KEEP_ALIVE] == ["readyok"]
    assert client.expect("readyok") == ["readyok"]
    client.send(" position  startpos\tmoves   7g7f ", "go\tdepth  1", end="\r\n")
    assert Position.from_usi("startpos moves 7g7f").is_legal(client.expect("bestmove")[-1].split()[1])


@each(("sent", "said"), [
    ("xyzzy", "'xyzzy'"), ("bestmove 7g7f", "bestmove"), ("setoption name NoSuch value 3", "'NoSuch'"),
    ("setoption NoSuch", "NoSuch"), ("先手\u2028usiok", "."), ("position sfen 王\x85", "."),
    ("setoption name 名前 value 値", "."), ("go searchmoves 速", "."),
    ("isredy", "; did you mean 'isready'\\?$"), ("setoption name USI_Hsh value 3", "; did you mean 'USI_Hash'\\?$"),
    ("setoption name mutlipv value 3", "; did you mean 'MultiPV'\\?$"),
    ("debug on", "is not (supported|needed)"), ("register later", "is not (supported|needed)"),
    ("setoption name USI_Strength value 3", "is not (supported|needed)"),
])
def test_06_12_what_is_not_known_is_answered_in_one_line_of_ascii(engine: Client, sent: str, said: str) -> None:
    """The client decodes every line as ASCII."""
    engine.send("position startpos", sent)
    (line,) = engine.settle() if not sent.startswith("go") else engine.expect("bestmove")[:1]
    assert line.startswith("info string ")
    assert re.search(said, line)


def pv_numbers(lines: list[str]) -> set[str]:
    return {line.split(" multipv ")[1].split()[0] for line in lines if " multipv " in line}


def test_16_multipv_and_other_options_change_between_searches(engine: Client) -> None:
    """The same if they come during a search, which they do not disturb."""
    engine.send("go infinite")
    lines = engine.expect("info depth")
    engine.send("setoption name USI_Hash value 8", "setoption name MultiPV value 3", "setoption name Threads value 2",
                "setoption name Clear_Hash", "isready")
    lines += engine.expect("readyok")
    engine.send("stop")
    assert pv_numbers(lines + engine.expect("bestmove")) == {"1"}
    engine.send("go depth 3")
    assert pv_numbers(engine.expect("bestmove")) == {"1", "2", "3"}
    engine.send("setoption name MultiPV value 1", "go depth 3")
    assert pv_numbers(engine.expect("bestmove")) == {"1"}


# Positions


def test_18_handicaps(engine: Client) -> None:
    for sfen in HANDICAPS.values():
        assert Position(sfen).is_legal(engine.bestmove(f"position sfen {sfen}", "go depth 2"))


# Time and limits


def seconds_of(engine: Client, clock: str) -> float:
    engine.send("setoption name Clear_Hash")
    engine.settle()
    begin = time.monotonic()
    assert Position().is_legal(engine.bestmove(f"go {clock}"))
    return time.monotonic() - begin


@pytest.mark.timing
@pytest.mark.parametrize(("clock", "seconds"), [
    ("btime 0 wtime 0 byoyomi 1500", 1.5), ("byoyomi 1500", 1.5), ("btime 0 wtime 0 byoyomi 100", 0.1),
    ("btime 2000 wtime 2000", 2.0), ("btime 1000 wtime 1000 binc 1000 winc 1000", 2.0), ("movetime 500", 0.5),
])
def test_21_never_late(engine: Client, clock: str, seconds: float) -> None:
    engine.bestmove("go nodes 100")
    assert_in_time(seconds, lambda: seconds_of(engine, clock))


@pytest.mark.timing
@pytest.mark.parametrize(("clock", "seconds"), [
    ("btime 30000 wtime 30000 byoyomi 500", 0.2), ("btime 50000 wtime 50000", 0.15),
    ("btime 20000 wtime 20000 binc 500 winc 500", 0.15), ("btime 0 wtime 0 byoyomi 1000", 0.8),
])
def test_21_time_is_used(engine: Client, clock: str, seconds: float) -> None:
    """A move gets at least a quarter of its share of the main time (a 70th), however soon it is settled, and nearly all
    of a byoyomi."""
    engine.set("NetworkDelay2 100", "MinimumThinkingTime 0", "RoundUpToFullSecond false")
    assert seconds_of(engine, clock) > seconds


@pytest.mark.timing
def test_23_stop_is_answered_at_once(engine: Client) -> None:
    engine.set("PvInterval 0")

    def seconds() -> float:
        engine.send("go infinite")
        engine.expect("info depth 5 ")
        begin = time.monotonic()
        engine.send("stop")
        engine.expect("bestmove")
        return time.monotonic() - begin

    assert_in_time(0.1, seconds)


@each("commands", [("go infinite", "stop"), ("go ponder btime 0 wtime 0 byoyomi 10", "ponderhit")])
def test_23_25_what_ends_a_search_directly_behind_its_go(engine: Client, commands: tuple[str, str]) -> None:
    for _ in range(25):
        engine.send(*commands)
        engine.expect("bestmove")
    assert engine.settle() == []


# Results


def test_28_a_declaration_is_announced_before_the_answer_may_come(engine: Client) -> None:
    engine.send(f"position sfen {DECLARABLE}", "go infinite")
    assert engine.expect("info string a win by declaration (CSARule27): ")
    engine.unanswered()
    engine.send("stop")
    assert engine.expect("bestmove") == ["bestmove win"]


@each("sfen", [MATE_IN_ONE, MATE_IN_FIVE])
@each("limit", ["30000", "infinite", ""])
def test_29_go_mate_answers_with_checks_to_the_mate(engine: Client, sfen: str, limit: str) -> None:
    engine.send(f"position sfen {sfen}", f"go mate {limit}")
    answer = engine.expect("checkmate")[-1].split()[1:]
    game = Position(sfen)
    for number, move in enumerate(answer):
        assert number % 2 or game.gives_check(move)
        game.push(move)
    assert game.is_mate()
    assert len(answer) % 2
    assert engine.settle() == []


def test_29_go_mate_whatever_the_options_of_a_game(engine: Client) -> None:
    engine.set("ResignValue 0", "MaxMovesToDraw 1", "DrawValueBlack 30000", "MultiPV 3", "EnteringKingRule CSARule24",
               "Stochastic_Ponder true")
    engine.send(f"position sfen {MATE_IN_FIVE}", "go mate 30000")
    assert len(engine.expect("checkmate")[-1].split()) == 1 + 5
    engine.send("position startpos", "go mate infinite")
    assert engine.expect("checkmate")[-1] == "checkmate nomate"


def test_29_go_mate_gives_up_in_time(engine: Client) -> None:
    hard = "3g1n1l1/2p1g1r2/5k2S/4p1N+R1/3+p5/7N1/B8/9/9 b 2GSNb2s3l15p 1"
    engine.send("setoption name USI_Hash value 1", f"position sfen {hard}", "go mate 300")
    assert engine.expect("checkmate")[-1] == "checkmate timeout"
    engine.send("go mate infinite")
    engine.unanswered()
    engine.send("stop")
    assert engine.expect("checkmate")[-1] == "checkmate timeout"
    assert engine.settle() == []


def test_29_useless_interpositions_are_left_out_where_that_is_asked_for(engine: Client) -> None:
    for value, plies in (("true", 1), ("false", 3)):
        engine.send(f"setoption name MateSkipUselessInterpositions value {value}",
                    "position sfen 3R1B1k1/9/6L2/9/9/9/9/9/9 b Rb4g4s4n3l18p 1", "go mate 60000")
        assert len(engine.expect("checkmate")[-1].split()) == 1 + plies


def test_31_after_the_last_move(engine: Client) -> None:
    """A runner that counts the plies differently still gets a move."""
    engine.send("setoption name MaxMovesToDraw value 8")
    moves = ["6i6h", "4a4b", "6h6i", "4b4a"] * 3
    for played in (8, 9):
        game = Position.from_usi(f"startpos moves {' '.join(moves[:played])}")
        assert game.is_legal(engine.bestmove(f"position startpos moves {' '.join(game.moves)}", "go depth 3"))


# End


@pytest.mark.timing
@pytest.mark.parametrize("state", ["stop", "go infinite", "go ponder", "go mate infinite", "go perft 12"])
def test_32_ends_within_a_second(start: Start, state: str) -> None:
    def seconds() -> float:
        client = start(ENGINE)
        client.ready()
        client.send("position startpos moves 7g7f 3c3d", state)
        if state in ("go infinite", "go ponder"):
            client.expect("info")
        begin = time.monotonic()
        client.send("quit")
        assert client.process.wait(PATIENCE_S) == 0
        return time.monotonic() - begin

    assert_in_time(1.0, seconds)


# Where it runs


def test_34_from_another_folder_that_is_read_only_and_through_a_link(start: Start, tmp_path: Path) -> None:
    """Also 07: stderr is silent for a whole game."""
    link = tmp_path / "my engine"
    link.symlink_to(ENGINE[0])
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    if os.access(folder, os.W_OK):      # root may write anywhere but there
        folder = Path("/proc")
    with pytest.raises(OSError):        # noqa: PT011 - any; what matters is that nothing can be written
        (folder / "anything").touch()
    client = start([str(link)], cwd=folder, env={**os.environ, "HOME": str(folder)})
    client.ready("USI_OwnBook false")
    game = Position()
    client.send("usinewgame")
    while game.move_number < 60:
        move = client.bestmove(f"position startpos moves {' '.join(game.moves)}", "go nodes 300")
        if move in ("resign", "win"):
            break
        game.push(move)
    client.send("gameover draw", "quit")
    assert client.wait() == 0
    assert client.stderr == ""
