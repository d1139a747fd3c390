"""Random sessions and games, in which a model of the protocol judges each line.

GAKUSHI_FUZZ_SECONDS says how long each test lasts, GAKUSHI_TEST_SEED what is drawn, GAKUSHI_FUZZ_ENGINE another engine.
"""
import os
import shlex
import sys

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
