"""The points on which GUIs and match runners insist, as a black box: a real process, a real search, and nothing but
pipes between. Each test bears the number of the point it checks."""
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import usi
from engine import Position
from tests.mates import mates
from tests.processes import NEEDS_PROC, wait_for_end
from tests.realtime import assert_in_time, start_up
from tests.usi.conftest import ENGINE, PATIENCE_S, Client, Start
from usi.wire import KEEP_ALIVE

MATED = "4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1"
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATE_IN_FIVE = "l2+B4l/7s1/2s4pk/p3p1N2/1P3gpP1/P3P3G/1pNPGSP2/5K2L/L1+r4N1 b RN4Pbgs3p 111"
DECLARABLE = "1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b 2R2B4G 1"
HANDICAPS = {
    "lance": "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "bishop": "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "rook": "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "rook and lance": "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "two pieces": "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "four pieces": "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "six pieces": "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "eight pieces": "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "ten pieces": "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
}

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


def test_01_usiok_and_play_without_the_packaged_weights(start: Start, tmp_path: Path) -> None:
    """Also 11: the missing file is named, and material alone is the fallback."""
    copied = without_weights(tmp_path)
    client = start([sys.executable, "-P", "-m", "usi"], env={**os.environ, "PYTHONPATH": str(copied)})
    client.send("usi", "setoption name USI_Hash value 16")
    client.expect("usiok")
    missing, used = client.settle()
    assert str(copied / "eval" / "data" / "default.weights") in missing
    assert used == "info string evaluating by material alone"
    assert Position().is_legal(client.bestmove("go nodes 1000"))


def without_weights(folder: Path) -> Path:
    """A copy of the package, linked file by file, in which the weights are missing."""
    root = Path(usi.__file__).parents[1]
    for room in ("engine", "tt", "eval", "search", "usi"):
        for path in (root / room).rglob("*"):
            if path.is_file() and path.suffix != ".weights" and "__pycache__" not in path.parts:
                link = folder / path.relative_to(root)
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(path)
    return folder


@pytest.fixture(scope="module")
def introduction() -> Iterator[list[str]]:
    """All that an engine says up to its answer to `usi`, its first command."""
    client = Client(ENGINE)
    client.send("usi")
    yield client.expect("usiok")
    client.close()


def test_02_id_once(introduction: list[str]) -> None:
    assert sum(line.startswith("id name ") for line in introduction) == 1
    assert sum(line.startswith("id author ") for line in introduction) == 1


def test_04_options_that_runners_need(introduction: list[str]) -> None:
    names = {line.split()[2] for line in introduction if line.startswith("option")}
    assert names >= {
        "Threads", "USI_Hash", "USI_Ponder", "Stochastic_Ponder", "MultiPV", "MaxMovesToDraw", "NetworkDelay",
        "NetworkDelay2", "MinimumThinkingTime", "SlowMover", "RoundUpToFullSecond", "ResignValue", "DrawValueBlack",
        "DrawValueWhite", "EnteringKingRule", "NodesLimit", "DepthLimit", "PvInterval", "ConsiderationMode",
        "OutputFailLHPV", "GenerateAllLegalMoves", "DebugLogFile", "Clear_Hash",
    }


def test_03_option_lines(introduction: list[str]) -> None:
    options = [line for line in introduction if line.startswith("option")]
    assert len(options) > 20
    for line in options:
        words = line.split(" ")
        assert words[:2] == ["option", "name"]
        assert words[3] == "type", "no space in a name"
        values = dict(zip(words[5::2], words[6::2], strict=True))       # of one token each
        match words[4]:
            case "spin":
                assert int(values["min"]) <= int(values["default"]) <= int(values["max"])
            case "check":
                assert values["default"] in ("true", "false")
            case "combo":
                choices = [value for key, value in zip(words[5::2], words[6::2], strict=True) if key == "var"]
                assert values["default"] in choices
            case "string":
                assert values.keys() == {"default"}
            case kind:
                assert (kind, values) == ("button", {})


def test_05_silent_before_the_first_command(introduction: list[str]) -> None:
    assert introduction[0].startswith("id name ")


def test_06_ascii_one_message_a_line(engine: Client) -> None:
    """The client decodes every line as ASCII; here come some that are made of what was sent."""
    engine.send("先手\u2028usiok", "position sfen 王\x85", "setoption name 名前 value 値", "go depth 1 速く")
    lines = engine.expect("bestmove")
    assert [line.startswith("info string ") for line in lines[:4]] == [True] * 4


def test_07_stderr_is_silent_for_a_whole_game(own_engine: Client) -> None:
    game = Position()
    own_engine.send("usinewgame")
    while game.ply < 60:
        move = own_engine.bestmove(f"position startpos moves {' '.join(game.moves)}", "go nodes 300")
        if move in ("resign", "win"):
            break
        game.push(move)
    own_engine.send("gameover draw", "quit")
    assert own_engine.wait() == 0
    assert own_engine.stderr == ""


def test_08_one_readyok_each(engine: Client) -> None:
    engine.send("isready", "isready")
    assert engine.expect("readyok") == ["readyok"]
    assert engine.expect("readyok") == ["readyok"]
    engine.bestmove("go nodes 100")
    engine.send("gameover win")
    assert engine.settle() == []


# Loads when it has said that it is still at it.
SLOW_TO_LOAD = """
import threading
from usi import loading, wire
sent, load, put = threading.Event(), loading.load_evaluator, wire.Wire._put
wire.KEEP_ALIVE_S = 0.05
wire.Wire._put = lambda self, line: (put(self, line), sent.set() if line == wire.KEEP_ALIVE else None)
loading.load_evaluator = lambda name: (sent.wait(), load(name))[1]
from usi.cli import main
main()
"""


def test_09_signs_of_life_while_loading(start: Start) -> None:
    client = start([sys.executable, "-P", "-c", SLOW_TO_LOAD])
    client.send("usi", "setoption name USI_Hash value 16")
    client.expect("usiok")
    client.send("isready")
    first, *lines = client.expect("readyok")
    assert first == KEEP_ALIVE
    assert [line for line in lines if line != KEEP_ALIVE] == ["readyok"]


def test_10_usinewgame_before_isready(client: Client) -> None:
    client.send("usi", "setoption name USI_Hash value 16", "usinewgame", "isready")
    client.expect("usiok")
    assert [line for line in client.expect("readyok") if line != KEEP_ALIVE] == ["readyok"]


def test_11_missing_weights_are_named_in_full(engine: Client, tmp_path: Path) -> None:
    engine.send(f"setoption name EvalFile value {tmp_path}/absent.weights")
    missing, used = engine.settle()
    assert missing.startswith("info string ")
    assert f"{tmp_path}/absent.weights" in missing
    assert used == "info string evaluating by the packaged weights"


def test_12_unknown_commands_and_options(engine: Client) -> None:
    engine.send("xyzzy", "bestmove 7g7f", "setoption name NoSuch value 3", "setoption NoSuch")
    lines = engine.settle()
    assert len(lines) == 4
    assert all(line.startswith("info string") for line in lines)
    assert "xyzzy" in lines[0]
    assert "NoSuch" in lines[2]


def test_13_spellings_of_values(engine: Client) -> None:
    engine.send("setoption name DebugLogFile value ", "setoption name DebugLogFile value <empty>")
    for value in ("true", "false", "1", "0"):
        engine.send(f"setoption name usi_ponder value {value}")
    assert engine.settle() == []


def test_14_out_of_range_is_said(engine: Client) -> None:
    engine.send("setoption name MultiPV value 100000", "setoption name Threads value -1")
    lines = engine.settle()
    assert "593" in lines[0]
    assert "1..512" in lines[1]
    engine.send("setoption name MultiPV value 1")
    assert Position().is_legal(engine.bestmove("go nodes 100"))


@pytest.mark.parametrize(("option", "said", "least"), [
    ("USI_Hash value 524288", r"USI_Hash 524288 MB cannot be allocated \(a limit of yours .*\), (\d+) MB is used", 16),
    ("Threads value 512", r"Threads 512 need more memory than there is \(.*\), (\d+) are used", 2),
])
def test_14_memory_that_cannot_be_had(start: Start, option: str, said: str, least: int) -> None:
    """Half a TB of table, or 9 GB for threads, where there are 800 MB to address."""
    client = start(["/bin/sh", "-c", f"ulimit -v {800 << 10}; exec {shlex.join(ENGINE)}"])
    client.ready()
    client.send(f"setoption name {option}")
    (line,) = client.settle()
    match = re.fullmatch(f"info string {said}", line)
    assert match
    assert least <= int(match[1]) < 800
    assert Position().is_legal(client.bestmove("go nodes 1000"))


def test_15_log_file_with_spaces_and_japanese_in_its_name(engine: Client, tmp_path: Path) -> None:
    path = tmp_path / "将棋 の log.txt"
    engine.send(f"setoption name DebugLogFile value {path}")
    engine.settle()
    assert any(line.endswith("> readyok") for line in path.read_text(encoding="utf-8").splitlines())


def test_15_log_file_with_a_name_in_shift_jis(engine: Client, tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + "/表示 ソ.log".encode("shift_jis")      # with bytes that are backslashes in ASCII
    engine.send(f"setoption name DebugLogFile value {os.fsdecode(name)}")
    engine.settle()
    with open(name, encoding="utf-8") as log:
        assert any(line.endswith("> readyok\n") for line in log)


def test_15_log_file_that_cannot_be_opened_is_named(engine: Client, tmp_path: Path) -> None:
    engine.send(f"setoption name DebugLogFile value {tmp_path}/missing/log")
    assert any(str(tmp_path) in line for line in engine.settle())


def pv_numbers(lines: list[str]) -> set[str]:
    return {line.split(" multipv ")[1].split()[0] for line in lines if " multipv " in line}


def test_16_multipv_changes_between_searches(engine: Client) -> None:
    engine.send("go depth 3")
    assert pv_numbers(engine.expect("bestmove")) == {"1"}
    engine.send("setoption name MultiPV value 3", "go depth 3")
    assert pv_numbers(engine.expect("bestmove")) == {"1", "2", "3"}
    engine.send("setoption name MultiPV value 1", "go depth 3")
    assert pv_numbers(engine.expect("bestmove")) == {"1"}


def test_16_options_during_a_search_do_no_harm(engine: Client) -> None:
    engine.send("go infinite")
    engine.expect("info")
    engine.send("setoption name USI_Hash value 8", "setoption name MultiPV value 2", "setoption name Threads value 2",
                "setoption name Clear_Hash", "isready")
    engine.expect("readyok")
    assert Position().is_legal(engine.bestmove("stop"))
    engine.send("go depth 2")
    assert pv_numbers(engine.expect("bestmove")) == {"1", "2"}


def test_17_white_space_of_any_kind(client: Client) -> None:
    client.send("usi", "", "\t setoption  name\tUSI_Hash  value\t16 ", "isready", end="\r\n")
    client.expect("usiok")
    assert client.expect("readyok") == ["readyok"]
    client.send(" position  startpos\tmoves   7g7f ", "go\tdepth  1", end="\r\n")
    assert Position.from_usi("startpos moves 7g7f").is_legal(client.expect("bestmove")[-1].split()[1])


# Positions


@pytest.mark.parametrize("sfen", HANDICAPS.values(), ids=HANDICAPS.keys())
def test_18_handicaps(engine: Client, sfen: str) -> None:
    assert Position(sfen).is_legal(engine.bestmove(f"position sfen {sfen}", "go depth 2"))


def test_18_long_game_with_moves_that_do_not_promote(engine: Client) -> None:
    """600 plies: pawns that could promote do not, then golds go to and fro."""
    game = Position.from_usi("startpos moves 2g2f 8c8d 2f2e 8d8e 2e2d 8e8f 2d2c 8f8g 2c2b 8g8h")
    shuttle = ["6i6h", "4a4b", "6h6i", "4b4a"]
    for ply in range(590):
        game.push(shuttle[ply % 4])
    assert game.is_legal(engine.bestmove(f"position startpos moves {' '.join(game.moves)}", "go depth 1"))


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ("sfen lnsgkgsnl/9/9 b - 1", "lnsgkgsnl/9/9"),
        ("sfen", "sfen"),
        ("startpos moves 7g7f 7g7f", "7g7f"),
        ("startpos moves hello", "hello"),
        ("somewhere", "somewhere"),
    ],
)
def test_19_bad_position_is_named_and_the_last_good_one_kept(engine: Client, bad: str, named: str) -> None:
    engine.send("position startpos moves 7g7f", f"position {bad}")
    (line,) = engine.settle()
    assert named in line
    assert Position.from_usi("startpos moves 7g7f").is_legal(engine.bestmove("go depth 1"))


def test_20_go_without_position(engine: Client) -> None:
    assert Position().is_legal(engine.bestmove("go depth 1"))


def test_18_startpos_moves_with_none_behind_and_position_twice(engine: Client) -> None:
    engine.send("position startpos moves 7g7f", "position startpos moves")
    assert Position().is_legal(engine.bestmove("go depth 1"))


# Time and limits


@pytest.mark.parametrize("clock", [
    "btime 0 wtime 0 byoyomi 100", "byoyomi 100", "btime 100 wtime 100", "btime 100 wtime 100 binc 100 winc 100",
    "movetime 100", "rtime 100", "",
])
def test_21_22_clocks_of_every_kind(engine: Client, clock: str) -> None:
    engine.set("MinimumThinkingTime 0", "RoundUpToFullSecond false")
    assert Position().is_legal(engine.bestmove(f"go {clock}"))


def seconds_of(engine: Client, clock: str) -> float:
    engine.send("setoption name Clear_Hash")
    engine.settle()
    begin = time.monotonic()
    assert Position().is_legal(engine.bestmove(f"go {clock}"))
    return time.monotonic() - begin


@pytest.mark.timing
@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        ("btime 0 wtime 0 byoyomi 1500", 1.5),
        ("byoyomi 1500", 1.5),
        ("btime 0 wtime 0 byoyomi 100", 0.1),
        ("btime 2000 wtime 2000", 2.0),
        ("btime 1000 wtime 1000 binc 1000 winc 1000", 2.0),
        ("movetime 500", 0.5),
    ],
)
def test_21_never_late(engine: Client, clock: str, seconds: float) -> None:
    engine.bestmove("go nodes 100")
    assert_in_time(seconds, lambda: seconds_of(engine, clock))


@pytest.mark.timing
@pytest.mark.parametrize(("clock", "seconds"), [
    ("btime 30000 wtime 30000 byoyomi 500", 0.2),
    ("btime 50000 wtime 50000", 0.15),
    ("btime 20000 wtime 20000 binc 500 winc 500", 0.15),
    ("btime 0 wtime 0 byoyomi 1000", 0.8),
])
def test_21_time_is_used(engine: Client, clock: str, seconds: float) -> None:
    """A move gets at least a quarter of its share of the main time (a 70th), however soon it is settled, and nearly all
    of a byoyomi."""
    engine.set("NetworkDelay2 100", "MinimumThinkingTime 0", "RoundUpToFullSecond false")
    assert seconds_of(engine, clock) > seconds


@pytest.mark.parametrize("limits", ["depth 2", "nodes 500", "depth 3 nodes 100000",
                                    "depth 2 btime 999999999999999999999 wtime 0 byoyomi -7", "nodes 0"])
def test_22_limits(engine: Client, limits: str) -> None:
    assert Position().is_legal(engine.bestmove(f"go {limits}"))


def test_22_searchmoves(engine: Client) -> None:
    assert engine.bestmove("go depth 3 searchmoves 9g9f 1g1f") in ("9g9f", "1g1f")


def test_22_illegal_searchmoves_are_named(engine: Client) -> None:
    engine.send("go depth 2 searchmoves 5a5b 9g9f")
    lines = engine.expect("bestmove")
    assert any("5a5b" in line for line in lines if line.startswith("info string"))
    assert lines[-1].split()[1] == "9g9f"


@pytest.mark.parametrize(("option", "value"), [("NodesLimit", 2000), ("DepthLimit", 2)])
def test_22_limits_by_option(engine: Client, option: str, value: int) -> None:
    """Of a search without an end it ends the search, but not before `stop` its answer."""
    engine.set(f"{option} {value}")
    engine.send("go infinite")
    engine.expect("info")
    engine.unanswered()
    engine.send("stop", "go movetime 1000000000")
    engine.expect("bestmove")
    engine.expect("bestmove")


@pytest.mark.parametrize("sfen", ["startpos", f"sfen {MATED}", f"sfen {MATE_IN_ONE}", f"sfen {DECLARABLE}"])
@pytest.mark.parametrize("mode", ["infinite", "ponder btime 100 wtime 100 byoyomi 100"])
def test_23_25_no_answer_before_stop(engine: Client, sfen: str, mode: str) -> None:
    engine.send(f"position {sfen}", f"go {mode}")
    engine.unanswered()
    engine.send("stop")
    engine.expect("bestmove")
    assert engine.settle() == []


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


def test_23_stop_directly_behind_go(engine: Client) -> None:
    for _ in range(30):
        engine.send("go infinite", "stop")
        engine.expect("bestmove")
    assert engine.settle() == []


def test_24_silence_while_idle(engine: Client) -> None:
    engine.send("stop", "ponderhit", "ponderhit btime 0 wtime 0 byoyomi 1000", "gameover lose", "gameover")
    assert engine.settle() == []
    engine.bestmove("go depth 1")
    engine.send("stop", "ponderhit", "gameover draw")
    assert engine.settle() == []


@pytest.mark.parametrize("option", ["Stochastic_Ponder false", "Stochastic_Ponder true"])
@pytest.mark.parametrize(
    ("ponder", "hit"),
    [
        ("go ponder btime 0 wtime 0 byoyomi 300", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 300"),
        ("go ponder", "ponderhit"),
    ],
)
def test_25_ponderhit(engine: Client, option: str, ponder: str, hit: str) -> None:
    engine.set(option)
    engine.send("position startpos moves 7g7f 3c3d", ponder)
    engine.unanswered()
    engine.send(hit)
    assert Position.from_usi("startpos moves 7g7f 3c3d").is_legal(engine.expect("bestmove")[-1].split()[1])
    assert engine.settle() == []


@pytest.mark.parametrize("option", ["Stochastic_Ponder false", "Stochastic_Ponder true"])
def test_25_ponder_miss_leaves_a_clean_state(engine: Client, option: str) -> None:
    engine.set(option)
    engine.send("position startpos moves 7g7f 3c3d", "go ponder btime 0 wtime 0 byoyomi 300")
    engine.unanswered()
    assert Position.from_usi("startpos moves 7g7f 3c3d").is_legal(engine.bestmove("stop"))
    after_miss = Position.from_usi("startpos moves 7g7f 8c8d")
    assert after_miss.is_legal(engine.bestmove("position startpos moves 7g7f 8c8d", "go btime 0 wtime 0 byoyomi 300"))
    assert engine.settle() == []


@pytest.mark.parametrize("option", ["Stochastic_Ponder false", "Stochastic_Ponder true"])
@pytest.mark.parametrize("end", ["quit", "stop", "gameover lose", "go depth 1"])
def test_25_every_end_of_a_ponder_is_answered(engine: Client, option: str, end: str) -> None:
    """A runner may wait for it even behind `quit`: cshogi's does if `gameover` has overtaken its `go ponder`."""
    engine.set(option)
    engine.send("position startpos moves 7g7f 3c3d", "go ponder", end)
    engine.expect("bestmove")
    if end == "quit":
        assert engine.wait() == 0
        return
    if end.startswith("go"):
        engine.expect("bestmove")
    assert engine.settle() == []


def test_25_ponderhit_directly_behind_go(engine: Client) -> None:
    for _ in range(20):
        engine.send("go ponder btime 0 wtime 0 byoyomi 50", "ponderhit")
        engine.expect("bestmove", PATIENCE_S)
    assert engine.settle() == []


def test_26_new_position_and_go_during_a_search(engine: Client) -> None:
    engine.send("position startpos", "go infinite")
    engine.expect("info")
    engine.send("position startpos moves 7g7f", "go depth 1")
    first, second = (engine.expect("bestmove")[-1].split()[1] for _ in range(2))
    assert Position().is_legal(first)
    assert Position.from_usi("startpos moves 7g7f").is_legal(second)
    assert engine.settle() == []


def test_23_gameover_ends_a_search(engine: Client) -> None:
    engine.send("go ponder")
    engine.unanswered()
    engine.send("gameover lose")
    engine.expect("bestmove")
    assert engine.settle() == []


# Results


def test_27_mated_resigns(engine: Client) -> None:
    assert engine.bestmove(f"position sfen {MATED}", "go depth 3") == "resign"


def test_27_ponder_move_is_legal(engine: Client) -> None:
    game = Position()
    for _ in range(10):
        engine.send(f"position startpos moves {' '.join(game.moves)}", "go depth 3")
        _, best, *ponder = engine.expect("bestmove")[-1].split()
        game.push(best)
        if ponder:
            assert game.is_legal(ponder[1])


def test_28_a_declaration_is_announced_before_the_answer_may_come(engine: Client) -> None:
    engine.send(f"position sfen {DECLARABLE}", "go infinite")
    assert engine.expect("info string a win by declaration (CSARule27): ")
    engine.unanswered()
    engine.send("stop")
    assert engine.expect("bestmove") == ["bestmove win"]


@pytest.mark.parametrize("rule", ["NoEnteringKing", "CSARule24", "CSARule27", "CSARule27H", "TryRule"])
def test_28_declares_only_by_the_rule_in_force(engine: Client, rule: str) -> None:
    engine.send(f"setoption name EnteringKingRule value {rule}")
    best = engine.bestmove(f"position sfen {DECLARABLE}", "go depth 1")
    assert (best == "win") == (rule not in ("NoEnteringKing", "TryRule"))


BLACK_ENTERED = "1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b"
BLACK_WITH_NINE = "1K7/+P+P+P+P+P4/+P+P+P+P5/9/9/9/9/4k4/9 b"
BLACK_IN_CHECK = "rK7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b"
BLACK_AT_RANK_4 = "9/+P+P+P+P+P4/+P+P+P+P+P4/1K7/9/9/9/4k4/9 b"
WHITE_ENTERED = "9/4K4/9/9/9/9/4+p+p+p+p+p/4+p+p+p+p+p/7k1 w"


@pytest.mark.parametrize(("sfen", "rules"), [
    # 10 pieces in the camp make 10 points; the hand the rest.
    (f"{BLACK_ENTERED} 2RB3G 1", "CSARule27 CSARule27H"),                           # 28
    (f"{BLACK_ENTERED} 2RB2G 1", ""),                                               # 27
    (f"{BLACK_ENTERED} 2R2BG 1", "CSARule24 CSARule24H CSARule27 CSARule27H"),      # 31
    (f"{BLACK_ENTERED} 2R2B 1", "CSARule27 CSARule27H"),                            # 30
    (f"{BLACK_WITH_NINE} 2R2B4G4S 1", ""),
    (f"{BLACK_IN_CHECK} R2B4G4S 1", ""),
    (f"{BLACK_AT_RANK_4} 2R2B4G 1", ""),
    (f"{WHITE_ENTERED} 3G4S4N4L8P2r2bg 1", "CSARule24 CSARule24H CSARule27 CSARule27H"),     # 31
    (f"{WHITE_ENTERED} 4G4S4N4L8P2r2b 1", "CSARule27 CSARule27H"),                  # 30
    (f"{WHITE_ENTERED} RB4G4S4N4LPrb7p 1", "CSARule27 CSARule27H"),                 # 27
    (f"{WHITE_ENTERED} RB4G4S4N4L2Prb6p 1", ""),                                    # 26
    # White gives rook and bishop: 10 points are missing, so 17 do for 27, and 21 for 24.
    (f"{WHITE_ENTERED} RB4G4S4N4LP7p 1", "CSARule27H"),                             # 17
    (f"{WHITE_ENTERED} RB4G4S4N4L2P6p 1", ""),                                      # 16
    (f"{WHITE_ENTERED} RB4G4S4N8p3lL 1", "CSARule24H CSARule27H"),                  # 21
    (f"{WHITE_ENTERED} RB4G4S4N8p2l2L 1", "CSARule27H"),                            # 20
], ids=lambda text: text.rpartition("/")[2])
def test_28_declares_where_the_rule_holds(engine: Client, sfen: str, rules: str) -> None:
    for rule in ("NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"):
        engine.send(f"setoption name EnteringKingRule value {rule}")
        best = engine.bestmove(f"position sfen {sfen}", "go depth 1")
        assert (best == "win") == (rule in rules.split()), rule
        assert best == "win" or Position(sfen).is_legal(best)


@pytest.mark.parametrize("sfen", [MATE_IN_ONE, MATE_IN_FIVE])
@pytest.mark.parametrize("limit", ["30000", "infinite", ""])
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


@pytest.mark.parametrize("options", [("ResignValue 0",), ("MaxMovesToDraw 1", "DrawValueBlack 30000"), ("MultiPV 3",),
                                     ("EnteringKingRule CSARule24",), ("Stochastic_Ponder true",)], ids=lambda o: o[0])
def test_29_go_mate_whatever_the_options_of_a_game(engine: Client, options: tuple[str, ...]) -> None:
    engine.set(*options)
    engine.send(f"position sfen {MATE_IN_FIVE}", "go mate 30000")
    assert len(engine.expect("checkmate")[-1].split()) == 1 + 5


@pytest.mark.parametrize("plies", [1, 3, 5, 7])
def test_29_mates_up_to_seven_plies(engine: Client, plies: int) -> None:
    """Within seconds, where the limit is a minute."""
    for sfen in mates()[plies][:10]:
        engine.send(f"position sfen {sfen}", "go mate 60000")
        assert len(engine.expect("checkmate")[-1].split()) == 1 + plies, sfen


def test_29_go_mate_without_a_check_to_give(engine: Client) -> None:
    engine.send("position startpos", "go mate infinite")
    assert engine.expect("checkmate")[-1] == "checkmate nomate"


def test_29_no_mate_is_announced_that_a_quiet_move_begins(engine: Client) -> None:
    engine.send("position sfen 5+B1k1/5pP2/7+bp/7N1/4+p1p2/7N1/7+R1/9/9 b Nr4g4sn4l13p 1", "go mate infinite")
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


def test_30_multipv_is_complete_and_its_moves_are_legal(engine: Client) -> None:
    engine.send("setoption name MultiPV value 4", "setoption name PvInterval value 0",
                "position startpos moves 7g7f 3c3d", "go depth 5")
    lines = engine.expect("bestmove")[:-1]
    assert pv_numbers([line for line in lines if "info depth 5 " in line]) == {"1", "2", "3", "4"}
    for line in lines:
        game = Position.from_usi("startpos moves 7g7f 3c3d")
        for move in line.split(" pv ")[1].split():
            game.push(move)


def score(engine: Client, *commands: str) -> str:
    """Of the last line that a search reports, as in "cp 30"."""
    engine.send(*commands)
    info = engine.expect("bestmove")[-2]
    return " ".join(info.split(" score ")[1].split()[:2])


GOLDS = "4a4b 6i6h 4b4a 6h6i"
ROOKS = "8b7b 2h3h 7b6b 3h4h 6b5b 4h5h 5b6b 5h4h 6b7b 4h3h 7b8b 3h2h"       # a cycle of twelve plies


@pytest.mark.parametrize("cycle", [GOLDS, ROOKS], ids=["short", "long"])
@pytest.mark.parametrize(("first", "drawn"), [("", "-777"), ("7g7f", "555")], ids=["White", "Black"])
def test_31_fourth_occurrence_is_a_draw(engine: Client, cycle: str, first: str, drawn: str) -> None:
    """The move that completes it, from a list in which the other side began, is worth the draw value of its side."""
    moves = cycle.split()
    if not first:       # the cycles begin with White's moves
        moves = [moves[number ^ 1] for number in range(len(moves))]
    *before, last = moves * 3
    engine.send("setoption name DrawValueBlack value 555", "setoption name DrawValueWhite value -777")
    game = f"position startpos moves {first} {' '.join(before)}"
    assert score(engine, game, f"go depth 4 searchmoves {last}") == f"cp {drawn}"
    engine.send("setoption name Clear_Hash")
    once = f"position startpos moves {first} {' '.join(moves[:-1])}"
    assert score(engine, once, f"go depth 1 searchmoves {last}") != f"cp {drawn}"


CHASE = "8k/9/9/9/7R1/9/9/9/K8 b 2g2s 1"         # the rook checks for ever, and the king has a way out each time
CHECKS = "2e1e 1a2a 1e2e 2a1a".split()


@pytest.mark.parametrize(("plies", "move", "verdict"), [(11, "2a1a", "mate 1"), (10, "1e2e", "mate -2")])
def test_31_perpetual_check_loses(engine: Client, plies: int, move: str, verdict: str) -> None:
    """The king that completes it wins; the last check but one is lost."""
    moves = " ".join((CHECKS * 3)[:plies])
    assert score(engine, f"position sfen {CHASE} moves {moves}", f"go depth 4 searchmoves {move}") == verdict


def test_31_perpetual_check_completed_by_the_side_that_checks(engine: Client) -> None:
    """From a position with the king to move, the fourth occurrence comes with a check."""
    away = "k8/9/9/9/9/9/9/9/9".replace("k8", "8k")
    moves = ["1a2a", "1e2e", "2a1a", "2e1e"] * 3
    sfen = away.split("/")
    sfen[4], sfen[8] = "8R", "K8"
    game = f"position sfen {'/'.join(sfen)} w 2g2s 1 moves {' '.join(moves[:-1])}"
    assert score(engine, game, f"go depth 4 searchmoves {moves[-1]}").startswith("mate -")


@pytest.mark.parametrize(("played", "drawn"), [(6, False), (7, True)])
def test_31_max_moves_to_draw(engine: Client, played: int, drawn: bool) -> None:
    """MaxMovesToDraw 8: every eighth move makes a draw, and no seventh does."""
    engine.send("setoption name MaxMovesToDraw value 8", "setoption name DrawValueBlack value 555",
                "setoption name DrawValueWhite value -777")
    moves = " ".join(["6i6h", "4a4b", "6h6i", "4b4a", "6i6h", "4a4b", "6h6i"][:played])
    reported = score(engine, f"position startpos moves {moves}", "go depth 1")
    assert (reported in ("cp 555", "cp -777")) == drawn


def test_31_after_the_last_move(engine: Client) -> None:
    """A runner that counts otherwise still gets a move."""
    engine.send("setoption name MaxMovesToDraw value 8")
    moves = ["6i6h", "4a4b", "6h6i", "4b4a"] * 3
    for played in (8, 9):
        game = Position.from_usi(f"startpos moves {' '.join(moves[:played])}")
        assert game.is_legal(engine.bestmove(f"position startpos moves {' '.join(game.moves)}", "go depth 3"))


# End


STATES = ("idle", "go infinite", "go ponder", "go mate infinite", "go perft 12")


def end(engine: Client, state: str, farewell: str) -> float:
    """End an engine in this state; the seconds that it takes."""
    engine.send("position startpos moves 7g7f 3c3d", state.replace("idle", "stop"))
    if state in ("go infinite", "go ponder"):
        engine.expect("info")
    begin = time.monotonic()
    if farewell == "quit":
        engine.send("quit")
    else:
        engine.close_input()
    assert engine.process.wait(PATIENCE_S) == 0
    return time.monotonic() - begin


@pytest.mark.parametrize("farewell", ["quit", "end of input"])
@pytest.mark.parametrize("state", STATES)
def test_32_ends_when_told_to(own_engine: Client, state: str, farewell: str) -> None:
    end(own_engine, state, farewell)


@pytest.mark.timing
@pytest.mark.parametrize("state", STATES)
def test_32_ends_within_a_second(start: Start, state: str) -> None:
    def seconds() -> float:
        client = start(ENGINE)
        client.ready()
        return end(client, state, "quit")

    assert_in_time(1.0, seconds)


@NEEDS_PROC
def test_32_killed_wrapper_leaves_no_orphan(start: Start, tmp_path: Path) -> None:
    wrapper = tmp_path / "wrapper.sh"
    wrapper.write_text(f"#!/bin/sh\n{shlex.join(ENGINE)} &\necho $! > {tmp_path}/pid\nwait\n")
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    # A background job of sh has no input of its own, so the wrapper hands its own on.
    wrapper.write_text(f"#!/bin/sh\nexec 3<&0\n{shlex.join(ENGINE)} <&3 &\necho $! > {tmp_path}/pid\nexec 3<&-\nwait\n")
    client = start([str(wrapper)])
    client.ready()
    client.send("go infinite")
    client.expect("info")
    client.process.kill()
    client.close_input()
    pid = int((tmp_path / "pid").read_text())
    wait_for_end([pid])


def test_32_interrupt_ends_it_with_whole_lines(own_engine: Client) -> None:
    own_engine.send("setoption name PvInterval value 0", "go infinite")
    own_engine.expect("info")
    own_engine.process.send_signal(signal.SIGINT)
    assert own_engine.wait() == 0       # judges every line that was still on its way
    assert own_engine.stderr == ""


def test_32_reader_that_goes_away_ends_it(start: Start) -> None:
    client = start(["/bin/sh", "-c", f"{shlex.join(ENGINE)} | head -n 1"])
    client.send("usi", "setoption name USI_Hash value 16")
    client.expect("id name")
    assert client.wait() == 0     # that of `head`


def test_32_terminated_with_whole_lines(own_engine: Client) -> None:
    own_engine.send("setoption name PvInterval value 0", "go infinite")
    own_engine.expect("info")
    own_engine.process.terminate()
    own_engine.wait()                   # judges every line that was still on its way
    assert own_engine.stderr == ""


# Where it runs


def test_33_bench_repeats_itself() -> None:
    def bench() -> dict[str, Any]:
        command = [*ENGINE, "bench", "--depth", "2", "--hash", "8", "--json"]
        done = subprocess.run(command, capture_output=True, timeout=120, check=True)
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    first, second = bench(), bench()
    assert first["nps"] > 0
    assert first["nodes"] == second["nodes"] > 1000


def test_34_from_another_folder_that_is_read_only_and_through_a_link(start: Start, tmp_path: Path) -> None:
    link = tmp_path / "my engine"
    link.symlink_to(ENGINE[0])
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    client = start([str(link)], cwd=folder, env={**os.environ, "HOME": str(folder)})
    client.ready()
    assert Position().is_legal(client.bestmove("go depth 2"))


def test_every_point_has_a_test() -> None:
    numbers = {int(number) for name in globals() for number in re.findall(r"_(\d\d)(?=_)", name)}
    assert numbers == set(range(1, 35))
