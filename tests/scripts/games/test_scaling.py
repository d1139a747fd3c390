"""A match at several limits: its table, its picture, and that it goes on."""
from pathlib import Path

import pytest

from engine import BLACK, WHITE
from scripts import match, report
from scripts.games.matches import Match
from scripts.games.played import PlayedGame
from scripts.games.scaling import Limit, Row
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import Tally
from scripts.games.timecontrol import TimeControl
from scripts.games.usi_player import UsiPlayer
from tests.each import each
from tests.scripts.commands import invoke


def row(unit: str, amount: int, *winners: int | None) -> Row:
    """Of games in which Black's answers cost 10 ms, depth 3 and 100 nodes, White's 20 ms, depth 5 and 300 nodes."""
    games = {number: PlayedGame(winner, "mate", "startpos moves 7g7f 3c3d", 0, [(10, 5, 3, 100), (20, -5, 5, 300)])
             for number, winner in enumerate(winners)}
    return Row.of(Limit(unit, amount), Tally(games))


def test_a_row_says_what_a_limit_came_to() -> None:
    # A is Black in games of even number: 2 and ½ of two pairs, so 2½ of 4.
    cells = row("nodes", 20000, BLACK, WHITE, None, BLACK).cells()
    assert cells[:2] == ["20000 nodes", "4"]
    assert float(cells[2].partition(" ± ")[0]) == pytest.approx(88.7, abs=0.1)      # 400 log10(2.5 / 1.5)
    assert cells[3:] == ["4.0", "4.0", "13333", "13333"]


def test_both_players_have_the_limit_and_no_other() -> None:
    ours, other = SearchPlayer(nodes=9, hash_mb=1), SearchPlayer(nodes=8, hash_mb=1)
    engine = UsiPlayer.parse("engine", TimeControl(nodes=9))
    Limit("nodes", 9).require_alone(Match((ours, ours.varied("history_bonus=5")), ["startpos"]))
    Limit("nodes", 9).require_alone(Match((engine, engine), ["startpos"]))
    for players in ((ours, other), (engine, UsiPlayer.parse("movetime=9 engine", TimeControl(nodes=9)))):
        with pytest.raises(ValueError, match="a limit of its own"):
            Limit("nodes", 9).require_alone(Match(players, ["startpos"]))
    with pytest.raises(ValueError, match="of two players, not 3"):
        Limit("nodes", 9).require_alone(Match((ours, ours, ours), ["startpos"]))


@each(("arguments", "complaint"), [
    (["--a", "nodes=7"], "a limit of its own"), (["--sprt", "0", "5"], "for a match with one limit"),
    (["--depth", "3"], "--depth"),
    (["--picture", "a.txt"], "does not end in"),
])
def test_what_cannot_be_played_is_refused(arguments: list[str], complaint: str) -> None:
    assert complaint in invoke(match, "--nodes", 8, "--nodes", 9, "--games", 2, *arguments, status=1).output


@pytest.mark.slow
def test_the_command_continues_with_the_games_missing(tmp_path: Path) -> None:
    openings = tmp_path / "openings.sfen"
    openings.write_text("4k4/9/4P4/9/9/9/9/9/4K4 b G 1\nstartpos moves 7g7f 3c3d\n", encoding="utf-8")

    def played(games: int, *more: object, status: int = 0) -> str:
        return invoke(match, "--a", "eval=material", "--b", "eval=material", "--nodes", 20, "--nodes", 40, "--games",
                      games, "--openings", openings, "--hash", 1, "--out", tmp_path / "out", *more,
                      status=status).output

    def kept() -> dict[str, list[str]]:
        return {path.name: path.read_text(encoding="utf-8").splitlines() for path in (tmp_path / "out").iterdir()}

    first = played(2)
    assert [len(lines) for lines in kept().values()] == [3, 3]
    before = kept()
    lines = [line.split() for line in played(4).splitlines()]
    assert [line[:3] for line in lines if line[0].isdigit()][-2:] == [["20", "nodes", "4"], ["40", "nodes", "4"]]
    assert "Elo" in first
    after = kept()
    assert {name: lines[:3] for name, lines in after.items()} == before
    assert sorted(after) == ["20-nodes.jsonl", "40-nodes.jsonl"]
    assert all(len(lines) == 5 for lines in after.values())


def test_a_match_that_was_played_is_summed_up(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    played = invoke(match, "--a", "eval=material", "--b", "eval=material", "--nodes", 20, "--games", 2,
                    "--max-plies", 30, "--out", kept).output
    again = invoke(report, kept, "--out", tmp_path / "report").output
    assert again.startswith("2 games: ")
    assert played.endswith(again)
    assert (tmp_path / "report" / "report.html").exists()
    assert "more than one" in invoke(match, "--nodes", 20, "--games", 2, "--picture", "a.svg", status=2).output
