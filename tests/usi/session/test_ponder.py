"""Pondering in all its forms, as a black box. Both ways to ponder have to obey the same protocol."""
import time

import pytest

from engine import Position
from tests.each import each
from tests.measured import assert_in_time
from tests.usi.conftest import Client

GUESS = "startpos moves 7g7f 3c3d"
OTHER = "startpos moves 7g7f 8c8d"
FAST = "btime 0 wtime 0 byoyomi 50"


@pytest.fixture(params=["Stochastic_Ponder false", "Stochastic_Ponder true"])
def ponderer(engine: Client, request: pytest.FixtureRequest) -> Client:
    engine.set("USI_Ponder true", "MinimumThinkingTime 0", "RoundUpToFullSecond false", "NetworkDelay2 0",
               request.param)
    return engine


def ponder(client: Client, position: str, clock: str = "") -> None:
    """Ponder, and assert that no answer comes."""
    client.send(f"position {position}", f"go ponder {clock}")
    client.unanswered()


def answers(client: Client, position: str) -> None:
    """Assert that one answer comes, is legal in that position, and is followed by nothing."""
    assert Position.from_usi(position).is_legal(client.expect("bestmove")[-1].split()[1])
    assert client.settle() == []


@each(("ahead", "hit"), [
    (FAST, ""), ("", FAST), ("btime 9000000 wtime 9000000", FAST), ("depth 3", ""),
    ("nodes 500", "btime 9000000 wtime 9000000"),
])
def test_ponderhit(ponderer: Client, ahead: str, hit: str) -> None:
    ponder(ponderer, GUESS, ahead)
    ponderer.send(f"ponderhit {hit}")
    answers(ponderer, GUESS)


@pytest.mark.timing
def test_clocks_at_the_hit_are_a_share_and_not_a_time_for_the_move(ponderer: Client) -> None:
    """A ponder without a clock, and then 60 seconds for the game: the move does not take its maximum."""
    def seconds() -> float:
        ponder(ponderer, GUESS)
        begin = time.monotonic()
        ponderer.send("ponderhit btime 60000 wtime 60000")
        answers(ponderer, GUESS)
        return time.monotonic() - begin

    assert_in_time(3.0, seconds)        # the share is 0.9 s, the most 4.3 s


def test_time_runs_from_the_hit(ponderer: Client) -> None:
    """At most half of a byoyomi is kept in reserve, however late the machine has been."""
    ponder(ponderer, GUESS, "btime 0 wtime 0 byoyomi 200")
    ponderer.silence(0.25)
    begin = time.monotonic()
    ponderer.send("ponderhit")
    answers(ponderer, GUESS)
    assert time.monotonic() - begin > 0.09


@each(("position", "end"), [
    ("sfen 4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1", "usinewgame"),                         # mated
    ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "stop"),                                 # mates in one
    ("sfen 1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b 2R2B4G 1", "ponderhit"),     # may declare
    ("sfen 4k4/9/9/9/9/9/9/4r4/4K4 b - 1", "gameover lose"),                        # a single move
])
def test_no_answer_before_the_end_and_nothing_behind_it(ponderer: Client, position: str, end: str) -> None:
    """Even if there is nothing to think about."""
    ponder(ponderer, position, FAST)
    ponderer.send(end)
    assert ponderer.expect("bestmove")
    ponderer.send("ponderhit", f"ponderhit {FAST}", "stop")
    assert ponderer.settle() == []
    ponderer.send(f"position {OTHER}", f"go {FAST}")
    answers(ponderer, OTHER)
