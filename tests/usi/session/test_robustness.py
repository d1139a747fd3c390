"""Hostile input: garbage, closed pipes, signals, a killed parent. The engine never hangs, leaves no orphan, prints no
traceback on stdout, and answers each `go` once."""
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Position
from tests.each import each
from tests.processes import NEEDS_PROC, wait_for_end
from tests.usi.conftest import ENGINE, PATIENCE_S, Client, Start
from usi.cli import main


def works(client: Client) -> None:
    """Assert that the engine still answers, once, for the position that it was given."""
    client.send("stop")
    client.settle()
    game = "startpos moves 7g7f"
    assert Position.from_usi(game).is_legal(client.bestmove(f"position {game}", "go nodes 300"))
    assert client.settle() == []


def test_invalid_text_is_named(engine: Client) -> None:
    for raw in (b"position startpos moves \xff\xfe\n", b"setoption name \x83\x5c value \x95\x5c\n",
                b"go depth \xc3\x28 nodes 100\n", b"\xef\xbb\xbfusi\n", b"setoption name MultiPV value \x00\n",
                b"setoption name DebugLogFile value /tmp/\x00\n"):
        engine.write(raw)
        assert engine.expect("info string"), raw
        works(engine)


@pytest.mark.slow
@each(("head", "filler"), [
    ("", "x"), ("position startpos moves ", "7g7f "), ("position sfen ", "x"), ("setoption name ", "x "),
    ("setoption name MultiPV value ", "9"), ("go searchmoves ", "7g7f "), ("go searchmoves ", "x"), ("go depth ", "9"),
    ("go ", "7g7f "), ("ponderhit ", "x "), ("bench ", "5"), ("bench -", "5"), ("go mate 1", "0"), ("go perft ", "x"),
    ("ponderhit btime ", "9"), ("position startpos moves 7", "7"), ("getoption ", "x"), ("setoption name A value", " "),
    ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b ", "9"),
    ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ", "9"),
])
def test_lines_of_half_a_megabyte(engine: Client, head: str, filler: str) -> None:
    engine.write(head.encode() + filler.encode() * (500_000 // len(filler)) + b"\n")
    engine.send("stop")
    lines = engine.settle()
    assert sum(map(len, lines)) < 100_000, "what is quoted is cut short"
    works(engine)


def test_game_of_ten_thousand_moves(engine: Client) -> None:
    moves = ["6i6h", "4a4b", "6h6i", "4b4a"] * 2500
    assert Position().is_legal(engine.bestmove(f"position startpos moves {' '.join(moves)}", "go nodes 300"))
    works(engine)


@each("commands", [
    ["ponderhit", "stop", "gameover", "go ponder", "ponderhit", "ponderhit", "stop", "stop"],
    ["go infinite", "usinewgame", "isready", "usi", "go infinite", "gameover draw"],
    ["go infinite", "go infinite", "go infinite", "stop"],
    ["go ponder", "go mate infinite", "go infinite", "go depth 1"],
    ["go perft 9", "go depth 1", "go mate 1", "position startpos", "isready"],
    ["go infinite", "eval", "d", "setoption name USI_Hash value 1", "isready", "stop"],
])
@each("stochastic", ["true", "false"])
def test_commands_in_any_order_get_one_answer_to_each_go(engine: Client, commands: list[str], stochastic: str) -> None:
    engine.send(f"setoption name Stochastic_Ponder value {stochastic}", "position startpos moves 7g7f", *commands,
                "stop", "isready")
    lines = [line for _ in range(commands.count("isready") + 1) for line in engine.raw_until("readyok")]
    assert [line.split()[0] for line in lines if line.startswith(("bestmove", "checkmate"))] == [
        "checkmate" if "mate" in command else "bestmove"
        for command in commands if command.startswith("go ") and "perft" not in command]


# Pipes that close


def test_closed_stdout_ends_it_even_mid_search(start: Start) -> None:
    client = start(["/bin/sh", "-c", f"{shlex.join(ENGINE)} | head -n 1"])
    client.send("usi", "setoption name USI_Hash value 8", "setoption name PvInterval value 0", "go infinite")
    client.expect("id name")
    assert client.wait() == 0     # that of `head`


@each("stream", ["stdin", "stdout"])
def test_without_standard_input_or_output_it_says_so(stream: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Python has None in place of a stream that is closed as it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, stream, None)
        patch.setattr(sys, f"__{stream}__", None)
        with pytest.raises(SystemExit) as ended:
            main([], prog_name="engine")
        getattr(sys, stream).close()        # which stands in for it
    assert ended.value.code == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: USI needs standard input and output")


# Signals


@each(("state", "number"), [
    ("go infinite", signal.SIGINT), ("go perft 12", signal.SIGINT), ("go infinite", signal.SIGTERM),
])
def test_signal_in_any_state(start: Start, state: str, number: signal.Signals) -> None:
    client = start(ENGINE)
    client.ready("PvInterval 0", "USI_OwnBook false")
    client.send("position startpos moves 7g7f 3c3d", state)
    if state == "go infinite":
        client.expect("info")
    for _ in range(1 + (number == signal.SIGINT)):      # an impatient person presses Ctrl-C twice
        client.process.send_signal(number)
    assert client.process.wait(PATIENCE_S) == (0 if number == signal.SIGINT else -number)
    if state != "go perft 12":      # its lines have their own form
        client.wait()               # the client judges every line that was still on its way
    assert client.stderr == ""


PARENT = """
import subprocess, sys, time
engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(engine.pid, flush=True)
engine.stdin.write(b"setoption name USI_Hash value 8\\ngo infinite\\n")
engine.stdin.flush()
engine.stdout.readline()
print("thinks", flush=True)
time.sleep(600)
"""


@NEEDS_PROC
def test_killed_parent_leaves_no_orphan() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, *ENGINE], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert parent.stdout.readline() == b"thinks\n"
        os.kill(parent.pid, signal.SIGKILL)
    wait_for_end([pid])


# -- What the engine needs to start, and does not need: ----------------------------------------------------------------

WITHOUT = """
import sys
sys.modules["numpy"] = sys.modules["importlib.metadata"] = None
from usi.cli import main
main([])
"""


def test_plays_without_numpy_and_metadata(start: Start) -> None:
    client = start([sys.executable, "-c", WITHOUT])
    client.send("usi")
    assert any(line.startswith("id name Gakushi ") for line in client.expect("usiok"))
    client.set("USI_OwnBook false", "USI_Hash 1")
    for evaluation in ("<empty>", "tables"):
        client.set(f"EvalFile {evaluation}")
        assert Position().is_legal(client.bestmove("position startpos", "go nodes 100"))


def test_files_of_the_users_in_the_working_folder_are_not_taken_for_ours(tmp_path: Path) -> None:
    for name in ("engine.py", "search.py", "click.py", "eval/__init__.py"):
        foreign = tmp_path / name
        foreign.parent.mkdir(exist_ok=True)
        foreign.write_text(f"raise SystemExit('the wrong {name}')\n")
    done = subprocess.run([sys.executable, "-m", "usi", "perft", "1"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "30" in done.stdout
