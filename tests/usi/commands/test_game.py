"""A game against a person: clocks, endings, moves taken back, and why a win cannot be declared."""
import csv
from pathlib import Path

from engine import BLACK, STARTPOS_SFEN, WHITE, Position
from engine.records.record import GameRecord
from search import Clock
from tests.each import each
from tests.faults import refused
from usi.commands.play.game import GameClock, GameInPlay, why_no_declaration

DECLARATIONS = Path(__file__).parents[2] / "engine" / "data" / "declaration.tsv"
LAP = ("2h3h", "8b7b", "3h2h", "7b8b")
DECLARABLE = "+B+R1G1GS2/1K7/+P+P+P+P2+P2/9/9/9/9/9/4k4 b RB2G3S4N4L12P 1"


def game(sfen: str = STARTPOS_SFEN, clock: GameClock | None = None, *moves: str) -> GameInPlay:
    started = GameInPlay(GameRecord(sfen), clock or GameClock(), "CSARule27")
    for move in moves:
        started.make_move(move, 1000)
    return started


def test_main_time_then_byoyomi_then_the_flag() -> None:
    clock = GameClock(main=10_000, byoyomi=5_000)
    assert clock.spend(BLACK, 8_000)
    assert clock.left == [2_000, 10_000]
    assert clock.spend(BLACK, 7_000)
    assert clock.text(BLACK) == "0:00 + 5 s"
    assert clock.spend(BLACK, 5_000)
    assert not clock.spend(BLACK, 5_001)
    assert clock.used == [25_001, 0]


def test_increment_comes_after_the_move() -> None:
    clock = GameClock(main=10_000, increment=3_000)
    assert clock.spend(WHITE, 4_000)
    assert clock.left == [10_000, 9_000]
    assert clock.shown() == Clock((10_000, 9_000), (3_000, 3_000))
    assert not clock.spend(WHITE, 9_001)


def test_without_limits_the_clock_counts_up() -> None:
    clock = GameClock()
    assert clock.spend(BLACK, 10**9)
    assert clock.spend(WHITE, 61_000)
    assert clock.text(WHITE) == "1:01"


def test_who_oversteps_the_time_loses_and_the_move_is_not_played() -> None:
    played = game(STARTPOS_SFEN, GameClock(main=1_500), "7g7f")
    played.make_move("3c3d", 1_501)
    assert played.ending
    assert (played.ending.terminal, played.winner) == ("TIME_UP", BLACK)
    assert played.position.moves == ["7g7f"]


PERPETUAL = ("+ILLEGAL_ACTION", "Black loses: perpetual check to the fourth repetition")


@each(("sfen", "moves", "ending", "winner"), [
    ("k8/2S6/1G7/9/9/9/9/9/4K4 w - 1", (), ("TSUMI", "White has no legal move, and so loses"), BLACK),
    (STARTPOS_SFEN, 3 * LAP, ("SENNICHITE", "a draw: the position has come up for the fourth time"), None),
    ("5k3/9/9/9/9/9/9/4R4/K8 b - 1", 3 * ("5h4h", "4a5a", "4h5h", "5a4a"), PERPETUAL, WHITE),   # White completes it
    ("5k3/9/9/9/9/9/9/5R3/K8 w - 1", 3 * ("4a5a", "4h5h", "5a4a", "5h4h"), PERPETUAL, WHITE),   # Black
])
def test_the_rules_end_a_game_with_its_last_move(sfen: str, moves: tuple[str, ...], ending: tuple[str, str],
                                                 winner: int | None) -> None:
    played = game(sfen, None, *moves[:-1])
    assert (played.ending is None) == bool(moves)
    for move in moves[-1:]:
        played.make_move(move, 0)
    assert (played.ending, played.winner) == (ending, winner)


def test_declaration_only_where_it_wins() -> None:
    with refused(side="Black", reasons="the king is not in the far three ranks, 0 of the 10 other pieces needed are "
                 "there, they and the hand make 0 of the 28 points needed"):
        game().declare()
    declared = GameInPlay(GameRecord(DECLARABLE), GameClock(), "CSARule24")
    declared.declare()
    assert (declared.ending, declared.winner) == (("KACHI", "Black declares a win: the king has entered"), BLACK)


def test_reasons_against_declaring_agree_with_the_rule() -> None:
    with DECLARATIONS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    seen = set()
    for row in rows:
        position = Position(row["sfen"])
        for rule in ("CSARule27", "CSARule27H"):
            reasons = str(why_no_declaration(position, rule).fields["reasons"])
            assert (reasons == "") == position.can_declare(rule), row["name"]
            seen.add(reasons == "")
    assert seen == {True, False}


def test_taking_back_gives_the_time_back() -> None:
    clock = GameClock(main=60_000)
    played = game(STARTPOS_SFEN, clock, "7g7f", "3c3d", "2g2f")
    played.take_back(2)
    assert played.position.moves == ["7g7f"]
    assert clock.left == [59_000, 60_000]
    assert clock.used == [1_000, 0]
    assert played.record(("", "")).times == {1: 1}


def test_the_end_can_be_taken_back() -> None:
    played = game(STARTPOS_SFEN, GameClock(main=60_000), "7g7f")
    played.resign(30_000)
    played.take_back(0)
    assert played.ending is None
    assert played.clock.left == [59_000, 60_000]
