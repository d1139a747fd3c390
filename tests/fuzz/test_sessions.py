"""Random sessions and games, in which a model of the protocol judges each line.

GAKUSHI_FUZZ_SECONDS says how long each test lasts, GAKUSHI_TEST_SEED what is drawn, GAKUSHI_FUZZ_ENGINE another engine.
"""
import os
import random
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence

from engine import Position
from scripts.games.openings import OPENINGS, load
from tests.fuzz.checked_engine import CheckedEngine
from tests.fuzz.protocol_model import Violation
from tests.fuzz.random_sessions import run_sessions

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


# -- Games over USI, one engine on both sides, whose every line is checked: --------------------------------------------

MAX_PLIES = 320


def play_game(engine: CheckedEngine, opening: str, nodes: int, multi_pv: int) -> str:
    """One game; returns its end. Violation as soon as the engine says what it must not."""
    game = Position.from_usi(opening)
    engine.tell(f"setoption name MultiPV value {multi_pv}\nusinewgame\n".encode())
    start = Position.from_usi(opening.partition(" moves ")[0]).sfen
    while len(game.moves) < MAX_PLIES:
        engine.tell(f"position sfen {start} moves {' '.join(game.moves)}\ngo nodes {nodes}\n".encode())
        best = engine.last_answer().split()[1]
        if best in ("resign", "win"):
            break
        game.push(best)
        if game.repetition() != "none":
            best = "repetition"
            break
    else:
        best = "length"
    engine.tell(b"gameover draw\n")
    engine.settle()
    return best


def play_games(words: Sequence[str], games: int, nodes: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Play games with the engine of this command; how they ended, and how many lines of each kind were parsed.
    Violation, with the game's number, at the first fault."""
    rng = random.Random(seed)
    openings = load(OPENINGS)
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        engine = CheckedEngine(list(words), folder)
        try:
            engine.tell(b"usi\nsetoption name USI_Hash value 16\nsetoption name Threads value 1\n"
                        b"setoption name PvInterval value 0\nisready\n")
            for number in range(games):
                engine.transcript.clear()
                ends[play_game(engine, rng.choice(openings), nodes, multi_pv=1 + number % 3)] += 1
            engine.end("quit")
        except Violation as violation:
            raise Violation(f"game {ends.total() + 1}: {violation}") from None
        finally:
            engine.kill()
    return ends, engine.model.parsed
