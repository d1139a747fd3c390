"""One game: its end by the referee, its repeatability, the data kept of it; and our own players."""
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import BLACK, WHITE, Position
from eval.loading import load_evaluator
from scripts.games.game import Pairing, play_game
from scripts.games.played import PlayedGame
from scripts.games.rules import AGREED_PLIES, Rules
from scripts.games.search_player import SearchPlayer
from search import Clock
from tests.each import each
from tests.faults import refused


def test_declaration_ends_a_game(quick: SearchPlayer) -> None:
    # White's king and ten pieces in the camp, worth 28 points; White needs 27.
    entered = "4K4/9/9/9/9/9/+p+p+pgsg+p+p+p/7k1/8+b w RB2G3S4N4L3Pr9p 1"
    game = play_game(Pairing(entered, (quick, quick)))
    assert (game.winner, game.end, game.plies) == (WHITE, "declaration", 0)


def nodes(game: PlayedGame) -> list[int]:
    return [sum(nodes or 0 for *_, nodes in game.of(side)) for side in (BLACK, WHITE)]


def test_the_same_game_twice_and_its_figures(quick: SearchPlayer) -> None:
    players = (replace(quick, nodes=500), replace(quick, nodes=800))
    pairing = Pairing("startpos moves 7g7f 3c3d", players, Rules(max_plies=30))
    first, second = play_game(pairing), play_game(pairing)
    assert (first.record, nodes(first)) == (second.record, nodes(second))
    assert first.record.startswith(pairing.opening)
    assert 14 <= nodes(first)[BLACK] / 500 <= 15
    assert nodes(first)[WHITE] > nodes(first)[BLACK]


def test_players_who_agree_end_a_game(quick: SearchPlayer) -> None:
    rook_missing = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    game = play_game(Pairing(rook_missing, (quick, quick), Rules(decisive_score=200)))
    assert (game.winner, game.end, game.plies) == (BLACK, "score", AGREED_PLIES)
    assert play_game(Pairing(rook_missing, (quick, quick), Rules(max_plies=12, decisive_score=0))).end == "length"


def test_players_by_their_differences(quick: SearchPlayer) -> None:
    varied = quick.varied("rfp_margin=-3,threads=2,hash=8,movetime=40,")
    assert varied == SearchPlayer({"rfp_margin": -3}, movetime=40, threads=2, hash_mb=8, eval_file="material")
    assert quick.varied("eval=some/file,nodes=9") == replace(quick, nodes=9, eval_file="some/file")
    assert quick.varied("") == quick
    assert (varied.limits.nodes, varied.limits.movetime) == (None, 40)
    assert quick.varied("byoyomi=30").limits.clock == Clock(byoyomi=30)


@each(("text", "more"), [
    ("history_bonus", {}), ("history_bonus=big", {}), ("eval", {}), ("=1", {"name": "", "names": ...}),
    ("histroy_bonus=3", {"name": "histroy_bonus", "names": ...}), ("nodes=0", {"range": ...}),
    ("hash=0", {"range": ...}), ("threads=100000", {"range": "1<=x<=512"}),
    ("level=21", {"range": "0<=x<=20"}), ("rfp_beta=-1", {"range": ...}),
])
def test_a_difference_that_cannot_be_is_quoted(quick: SearchPlayer, text: str, more: dict[str, Any]) -> None:
    with refused(text=text, **more):
        quick.varied(text)


def test_a_player_has_one_limit() -> None:
    with refused(limits="nodes=1, movetime=1"):
        SearchPlayer(nodes=1, movetime=1)
    with refused(limits=...):
        SearchPlayer()


def test_figures_of_a_game_whose_opening_ends_with_black() -> None:
    game = PlayedGame(WHITE, "crash", "startpos moves 7g7f 3c3d 2g2f", 1,
                [(10, 1, 2, 300), (20, None, None, None), (5, 0, 1, 100)], "ended by SIGSEGV")
    assert (game.moves, game.plies, game.first, game.offender) == (["7g7f", "3c3d", "2g2f"], 2, WHITE, BLACK)
    assert (nodes(game), game.of(WHITE)) == ([0, 400], [(10, 1, 2, 300), (5, 0, 1, 100)])
    assert PlayedGame(WHITE, "mate", "startpos", 0).offender is None


def test_players_evaluate_by_their_own_tables(quick: SearchPlayer, weights: Path) -> None:
    start = Position()
    assert quick.searcher().evaluate(start) == 0
    assert quick.varied(f"eval={weights}").searcher().evaluate(start) == 12
    assert replace(quick, eval_file=None).searcher().evaluate(start) == load_evaluator().evaluate(start)
