"""Random sessions and games, in which a model of the protocol judges each line. It finds no fault with our engine, and
it finds the faults of others.

GAKUSHI_FUZZ_SECONDS says how long each test lasts, GAKUSHI_TEST_SEED what is drawn, GAKUSHI_FUZZ_ENGINE another engine.
"""
import os
import shlex
import sys
import textwrap
from pathlib import Path

import pytest

from tests.fuzz.protocol_model import Violation
from tests.fuzz.random_sessions import run_sessions
from tests.fuzz.strict_games import play_games

SESSION_SECONDS = 300       # no session begins later


ENGINE = shlex.split(os.environ.get("GAKUSHI_FUZZ_ENGINE", f"{shlex.quote(sys.executable)} -P -m usi"))
SECONDS = float(os.environ.get("GAKUSHI_FUZZ_SECONDS", 0))      # without it one session, and two games
SEED = int(os.environ.get("GAKUSHI_TEST_SEED", 7))


def test_random_sessions() -> None:
    counts = run_sessions(ENGINE, SECONDS or SESSION_SECONDS, SEED, None if SECONDS else 1)
    assert counts["sessions"] >= 1
    assert counts["answers"] > 0


def test_games_are_played_by_the_rules() -> None:
    games = int(SECONDS / 3) or 2       # one takes about three seconds
    ends, parsed = play_games(ENGINE, games, 300 if SECONDS else 100, SEED)
    assert ends.total() == games
    assert parsed["bestmove"] > games


FAULTY = """
    import sys
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "usi": print("usiok")
        elif word == "isready": print("readyok")
        elif word == "go": print("bestmove 5i5a")
        elif word == "quit": break
        sys.stdout.flush()
"""


def test_engine_that_moves_illegally_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(textwrap.dedent(FAULTY))
    with pytest.raises(Violation, match=r"(?s)session 0 of seed 1: 'bestmove 5i5a'.*> 'bestmove 5i5a'"):
        run_sessions([sys.executable, str(path)], SESSION_SECONDS, 1, 1)
    with pytest.raises(Violation, match="game 1: 'bestmove 5i5a'"):
        play_games([sys.executable, str(path)], 1, 100, 1)


PV = "info depth 1 seldepth 1 multipv 1 score cp 3 nodes 5 nps 5 hashfull 0 time 1 pv"
