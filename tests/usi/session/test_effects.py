"""The effect of each option, with the engine as a black box; never just that the option exists.

Options of time are tested in tests/search/test_clock.py, EvalFile and EvalDir in test_evaluation.py,
EnteringKingRule and the values of draws in test_checklist.py, ponder in test_ponder.py.
"""
import os
import re
from pathlib import Path

import pytest

from engine import Position
from tests.usi.conftest import Client

MIDDLE_GAME = "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
LOST = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b2g 1"     # by some 60 pawns, but not yet mated


def infos(engine: Client, *commands: str) -> list[str]:
    """The reports of one search."""
    engine.send(*commands)
    return [line for line in engine.expect("bestmove") if line.startswith("info depth")]


def field(line: str, name: str) -> int:
    return int(line.split(f" {name} ")[1].split()[0])


# Values


def test_resign_value(engine: Client) -> None:
    engine.set("EvalFile material", "ResignValue 1000")     # which does not depend on the weights
    assert engine.bestmove(LOST, "go depth 2") == "resign"
    engine.set("ResignValue 30000")
    assert Position(LOST.split(maxsplit=2)[2]).is_legal(engine.bestmove("go depth 2"))


# Reports


def test_bounds_are_reported_unless_they_are_not_wanted(engine: Client) -> None:
    engine.set("PvInterval 0", "EvalFile material")     # by which there are some, whatever the weights
    command = ("setoption name Clear_Hash", MIDDLE_GAME, "go depth 9")
    assert any(re.search(r" score cp -?\d+ (lower|upper)bound nodes ", line) for line in infos(engine, *command))
    for option in ("OutputFailLHPV false", "ConsiderationMode true"):
        engine.set("OutputFailLHPV true", option)
        exact = infos(engine, *command)
        assert [field(line, "depth") for line in exact] == list(range(1, 10))
        assert not any("bound" in line for line in exact)


# Memory


@pytest.mark.parametrize("forget", ["setoption name Clear_Hash", "isready", "usinewgame"])
def test_a_search_repeats_itself_when_all_is_forgotten(engine: Client, forget: str) -> None:
    first, warm, again = (field(infos(engine, *told, "go depth 8")[-1], "nodes") for told in ((), (), (forget,)))
    assert first == again != warm


def test_usi_hash(engine: Client) -> None:
    engine.set("USI_Hash 1")
    small = field(infos(engine, "go nodes 30000")[-1], "hashfull")
    engine.set("USI_Hash 32")
    assert small > 3 * field(infos(engine, "go nodes 30000")[-1], "hashfull")


# The log


def test_debug_log_is_a_transcript_with_times(engine: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For any file name, until another log is opened; a failed attempt to open one changes nothing."""
    monkeypatch.chdir(tmp_path)
    name = "表示 ソ.log".encode("shift_jis")       # with bytes that are backslashes in ASCII
    engine.set(f"DebugLogFile {os.fsdecode(name)}")
    engine.send("setoption name DebugLogFile value absent/log")
    assert engine.settle() == [
        f"info string '{tmp_path}/absent/log': there is no such file or folder; look at the name"]
    engine.send("go movetime 200")
    answered = engine.expect("bestmove")
    engine.set("DebugLogFile <empty>")
    engine.bestmove("go nodes 1")
    log = Path(os.fsdecode(name)).read_text(encoding="ascii").splitlines()
    lines = [re.fullmatch(r" *(\d+\.\d{3}) ([<>]) (.*)", line) for line in log]
    assert all(lines)
    times, directions, texts = zip(*(line.groups() for line in lines if line), strict=True)
    go = texts.index("go movetime 200")
    best = texts.index(answered[-1])
    assert (directions[go], directions[best]) == ("<", ">")
    assert list(texts[go + 1:best + 1]) == answered
    assert sorted(map(float, times)) == list(map(float, times))
    assert float(times[best]) - float(times[go]) > 0.1
    assert texts[-1] == "setoption name DebugLogFile value <empty>", "what came after it is not logged"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="writes to /dev/full")
def test_log_on_a_full_disk_is_given_up(engine: Client) -> None:
    engine.send("setoption name DebugLogFile value /dev/full")
    (said,) = engine.settle()
    assert said.startswith("info string DebugLogFile '/dev/full' is given up: ")
    assert Position().is_legal(engine.bestmove("go nodes 100"))
