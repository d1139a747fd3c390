"""Tournaments: who meets whom, the tables, and the command that plays them."""
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import BLACK, WHITE
from scripts import match as match_module
from scripts import report as report_module
from scripts.games.matches import Match
from scripts.games.openings import OPENINGS, load
from scripts.games.played import PlayedGame
from scripts.games.schedule import encounters
from scripts.games.search_player import SearchPlayer
from scripts.games.standings import Standings
from scripts.games.usi_player import UsiPlayer
from scripts.report import anchored
from tests.faults import refused
from tests.scripts.commands import invoke

Stub = Callable[..., UsiPlayer]


def won(winner: int | None) -> PlayedGame:
    return PlayedGame(winner, "mate" if winner is not None else "repetition", "startpos", 0)


@pytest.mark.parametrize(("nodes", "gauntlet", "encounters"), [
    ((50, 60), False, 1), ((50, 60, 70), False, 3), ((50, 60, 70), True, 2),
])
def test_every_encounter_plays_every_opening_from_both_sides(quick: SearchPlayer, nodes: tuple[int, ...],
                                                             gauntlet: bool, encounters: int) -> None:
    players = tuple(quick.varied(f"nodes={count}") for count in nodes)
    match = Match(players, load(OPENINGS)[:3], gauntlet=gauntlet)
    games = match.pairings()
    assert len(games) == len({(game.opening, str(game.players)) for game in games}) == 3 * 2 * encounters
    standings = Standings(match.names, match.encounters)
    for number, game in enumerate(games):
        assert game.players == tuple(players[player] for player in standings.players_of(number))
        assert game.opening == games[number ^ 1].opening


def test_the_table_of_a_tournament() -> None:
    # a beats b with either colour and draws with c; b and c win one each; of the second round only one game is played.
    winners = [BLACK, WHITE, None, None, BLACK, BLACK, WHITE]
    standings = Standings(["a", "b", "c"], encounters(3, False), dict(enumerate(map(won, winners))))
    assert standings.points() == [(3, 5), (2, 5), (2, 4)]
    assert [tally.wins_draws_losses for tally in standings.tallies] == [(2, 0, 1), (0, 2, 0), (1, 0, 1)]
    assert standings.tallies[0].pairs == [0, 0, 0, 0, 1]
    assert standings.cross_rows() == [["", "a", "b", "c"], ["a", "-", "+2 =0 -1", "+0 =2 -0"],
                                      ["b", "+1 =0 -2", "-", "+1 =0 -1"], ["c", "+0 =2 -0", "+1 =0 -1", "-"]]
    rows = standings.rating_rows(None, 0)
    assert [row[1] for row in rows] == ["player", "a", "c", "b"]
    assert standings.rating_rows(1, 1500)[-1][:4] == ["3", "b", "+1500.0", "fixed"]
    assert standings.headline().startswith("7 games: a +")
    assert "ends: mate 5, repetition 2\nBlack won 3, White 2" in standings.summary()


def test_a_game_in_one_line() -> None:
    standings = Standings(["a", "b"], [(0, 1)])
    standings.add(0, won(None))
    standings.add(1, PlayedGame(WHITE, "crash", "startpos moves 7g7f 3c3d", 0, [], "ended by SIGSEGV"))
    assert standings.line(0) == "a - b 1/2-1/2 (repetition, 0 plies)"
    assert standings.line(1) == "b - a 0-1 (crash of b at ply 3: ended by SIGSEGV)"
    assert standings.offences == 1
    assert [figures.offences for figures in standings.figures()] == [{}, {"crash": 1}]


def written(player: UsiPlayer) -> str:
    return f"name={player.name} " + " ".join(player.command)


@pytest.mark.slow
def test_the_command_plays_a_gauntlet_and_names_who_misbehaves(stub: Stub, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ["--nodes", "1", "--games", "2", "--jobs", "2", "--gauntlet", "--out", str(out),
                 *(written(stub(name)) for name in ("good", "talks", "crashes", "resigns"))]
    openings = tmp_path / "openings.sfen"
    openings.write_text("startpos\n")
    done = invoke(match_module, *arguments, "--openings", openings, status=3)
    printed, lines = done.stdout, done.stderr.splitlines()
    assert lines[0] == "game 1 of 6: good - talks 1/2-1/2 (repetition, 12 plies)"
    assert lines[2] == ("game 3 of 6: good - crashes 1-0 (crash of crashes at ply 4: ended with exit code 1; "
                        "stderr: Segmentation fault, so to speak)")
    assert lines[5] == "game 6 of 6: resigns - good 0-1 (resignation, 2 plies)"
    assert "ends: repetition 2, crash 2, resignation 2" in printed
    again = invoke(report_module, out, "--anchor", "good=100").output
    assert [line.split() for line in again.splitlines() if line.startswith(("1 ", "2 "))] == [
        ["1", "good", "+100.0", "fixed", "5", "6", "83.3", "%"], ["2", "talks", "+100.0", "0.0", "1", "2", "50.0", "%"]]
    assert sum("crash 2" in line for line in printed.splitlines()) == 2     # among the ends, and with its name
    assert invoke(match_module, *arguments, "--openings", openings, status=3).output == printed


def test_the_command_stops_if_an_engine_does_not_start(stub: Stub) -> None:
    def complaint(*arguments: object) -> str:
        return invoke(match_module, "--games", 2, *arguments, status=1).output

    assert complaint("--nodes", 1, *map(written, (stub("good"), stub("ends")))) == (
        "Error: ends does not start: ended with exit code 0\n")
    assert complaint("--nodes", 1, "/bin/true").startswith("Error: give two engines or more")
    assert complaint("--depth", 1).startswith("Error: --time, --inc, --depth")


def test_anchors() -> None:
    names = ["a", "b=c"]
    assert anchored(None, names) == (None, 0)
    assert anchored("a", names) == (0, 0)
    assert anchored("a=-12.5", names) == (0, -12.5)
    assert anchored("b=c=7", names) == (1, 7)
    for text in ("d", "a=", "a=x", "b"):
        with refused(text=text, names=names):
            anchored(text, names)
