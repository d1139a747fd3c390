"""Matches: pairs, tallies, the record that a match continues from, and the sequential stop."""
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine import BLACK, WHITE
from engine.errors import UserError
from scripts import match as match_module
from scripts import report
from scripts.games.game import Pairing, play_game
from scripts.games.matches import Match, follow, run
from scripts.games.openings import OPENINGS, load
from scripts.games.played import PlayedGame
from scripts.games.rules import End, Rules
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import Tally
from scripts.stats.elo import Sprt
from tests.faults import refused
from tests.scripts.commands import invoke, other_run
from usi.console import progress
from usi.files.journal import Journal


def game(winner: int | None, end: End = "mate") -> PlayedGame:
    return PlayedGame(winner, end, "startpos moves 7g7f 3c3d", 0, [(10, 5, 3, 100), (20, -5, 5, 300)])


@pytest.fixture(scope="module")
def short(quick: SearchPlayer) -> Match:
    """A match of games of a few plies, four openings in all."""
    return Match((quick, replace(quick, nodes=60)), load(OPENINGS)[:4], Rules(max_plies=20))


def test_tally_counts_for_a_whatever_its_colour() -> None:
    # A has Black in games of even number: it wins the first pair 2-0, makes 1½ of the second and ½ of the third.
    winners = [BLACK, WHITE, None, WHITE, None, BLACK]
    tally = Tally({number: game(winner) for number, winner in enumerate(winners)})
    assert tally.pairs == [0, 1, 0, 1, 1]
    assert tally.wins_draws_losses == (3, 2, 1)
    tally.games[6] = game(BLACK)
    assert tally.pairs == [0, 1, 0, 1, 1], "half a pair does not count"
    assert tally.half_pairs == [1]
    a, b = tally.figures()
    assert (a.nodes[0], b.nodes[0]) == (4 * 100 + 3 * 300, 3 * 100 + 4 * 300)
    assert (a.moves, a.time_ms, a.slowest_ms) == (7, 4 * 10 + 3 * 20, 20)


def test_summary_says_what_was_measured() -> None:
    tally = Tally({0: game(BLACK), 1: game(None, "repetition")})
    text = tally.summary(Sprt(0, 10))
    assert "2 games: +1 =1 -0, Elo +190.8 ± unknown, LOS 100.0 %" in text
    assert "ends: mate 1, repetition 1" in text
    assert "pairs by A's score 0, 0.5, 1, 1.5, 2: 0 0 0 1 0" in text
    assert "no verdict yet" in text
    # 100 and 300 nodes in 10 and 20 ms, to depths 3 and 5.
    assert text.splitlines()[-2:][0].split() == ["B", "2", "200", "13333", "4.0", "15.0", "20", "none"]
    assert Tally().summary() == "0 games: +0 =0 -0"


def test_a_match_is_the_same_in_one_process_and_in_two(short: Match) -> None:
    def records(jobs: int) -> list[str]:
        *_, tally = run(short, 4, jobs)
        return [tally.games[number].record for number in range(4)]
    assert records(1) == records(2)
    orders = [replace(short, seed=seed).pairings() for seed in (1, 1, 2, 3, 4)]
    assert orders[0] == orders[1], "the seed shuffles the openings"
    assert any(order != orders[0] for order in orders)


def test_an_interrupted_match_plays_only_what_is_missing(
    short: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "deep" / "games.jsonl"
    *_, whole = run(short, 6, out=out)
    lines = out.read_text().splitlines(keepends=True)
    # The last line was cut off while it was written, and another game is missing from the middle.
    out.write_text("".join(lines[:2] + lines[3:6]) + lines[6][:30])
    played: list[int] = []
    add = Journal.add

    def watch(self: Journal[int, PlayedGame], number: int, game: PlayedGame) -> None:
        played.append(number)
        add(self, number, game)
    monkeypatch.setattr(Journal, "add", watch)
    *_, resumed = run(short, 6, out=out)
    assert played == [1, 5]
    assert {number: game.record for number, game in resumed.games.items()} == {
        number: game.record for number, game in whole.games.items()}


@pytest.fixture(scope="module")
def recorded(short: Match, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of two games of `short`."""
    out = tmp_path_factory.mktemp("match") / "games.jsonl"
    *_, _ = run(short, 2, out=out)
    return out


@pytest.mark.parametrize(("change", "name"), [
    ({"players": (SearchPlayer(nodes=51, hash_mb=1, eval_file="material"),) * 2}, "players"),
    ({"rules": Rules(max_plies=21)}, "rules"),
    ({"seed": 2}, "seed"),
    ({"openings": ["startpos"]}, "openings"),
])
def test_a_record_of_another_match_is_refused(
    short: Match, recorded: Path, change: dict[str, object], name: str
) -> None:
    with other_run(recorded, name):
        next(run(replace(short, **change), 2, out=recorded))     # type: ignore[arg-type]


def test_fingerprints_follow_the_parameters_and_the_weights(quick: SearchPlayer, weights: Path) -> None:
    others = {quick.varied(change).fingerprint for change in ("qsearch=0", f"eval={weights}")}
    assert len({quick.fingerprint, *others}) == 3
    assert replace(quick, nodes=99).fingerprint == quick.fingerprint


def test_a_level_plays_the_same_game_again_and_is_kept_with_it(quick: SearchPlayer) -> None:
    weak = quick.varied("level=0,nodes=1000")
    assert weak.conditions(Rules())["level"] == 0
    assert "level" not in quick.conditions(Rules())     # files that were written before there were levels go on
    pairing = Pairing("startpos", (weak, quick), Rules(max_plies=30))
    record = play_game(pairing).record
    assert record == play_game(pairing).record != play_game(replace(pairing, players=(quick, quick))).record


@pytest.mark.parametrize("games", [0, 3, 10, -2])
def test_a_number_of_games_that_makes_no_pairs(short: Match, games: int) -> None:
    with refused(games=games, count=4, most=8):
        next(run(short, games))


def test_a_sequential_test_is_between_two_players(short: Match) -> None:
    with refused(count=3):
        next(run(replace(short, players=(*short.players, short.players[0])), 2, sprt=Sprt(0, 10)))


def test_sprt_stops_a_match_at_the_end_of_a_pair(short: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def a_wins(pairing: Pairing) -> PlayedGame:
        return game(pairing.players.index(short.players[0]))
    monkeypatch.setattr("scripts.games.matches.play_game", a_wins)
    *_, standings = run(replace(short, openings=load(OPENINGS)[:100]), 200, sprt=Sprt(0, 300))
    tally, = standings.tallies
    assert Sprt(0, 300).verdict(tally.pairs) == "elo1"
    assert Sprt(0, 300).verdict([0, 0, 0, 0, tally.pairs[4] - 1]) is None
    assert len(tally.games) == 2 * tally.pairs[4] < 200


def test_the_command_plays_a_pair_and_report_sums_it_up(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = invoke(match_module, "--b", "history_bonus=8", "--nodes", 50, "--games", 2, "--max-plies", 40,
                    "--out", out)
    assert result.stdout.startswith("2 games: +")
    assert sorted(json.loads(each)["number"] for each in out.read_text().splitlines()[1:]) == [0, 1]
    assert [each[:14] for each in result.stderr.splitlines()] == ["game 1 of 2: A", "game 2 of 2: B"]
    assert result.stdout.endswith(invoke(report, out, "--out", tmp_path / "report").stdout)
    assert (tmp_path / "report" / "report.html").exists()
    assert "--depth" in invoke(match_module, "--depth", 3, "--games", 2, status=1).output


def test_a_limit_of_plies_leaves_room_for_a_move(short: Match, quick: SearchPlayer) -> None:
    """The default openings have 8 to 16 plies: with 12, games of no move were counted as draws."""
    too_short = replace(short, rules=Rules(max_plies=12))
    longer = sum(len(opening.split("moves")[1].split()) >= 12 for opening in short.openings)
    assert longer
    with pytest.raises(UserError) as caught:
        list(run(too_short, 8))
    assert caught.value.fields == {"plies": 12, "count": 2 * longer, "all": 8}
    shortened = replace(too_short, openings=["startpos", "startpos moves 7g7f"])
    (*_, standings) = run(shortened, 4)
    assert all(game.plies for game in standings.games.values())


def test_games_of_a_file_that_were_not_asked_for_are_named(short: Match, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games.jsonl"
    list(run(short, 8, out=out))
    capsys.readouterr()
    (standings,) = run(short, 4, out=out)
    assert sorted(standings.games) == [0, 1, 2, 3]
    assert capsys.readouterr().err == f"{out} has 4 games more than asked for, which do not count here; raise --games\n"
    assert len(out.read_bytes().splitlines()) == 9


def test_a_log_has_games_elo_and_llr_on_80_columns(short: Match, monkeypatch: pytest.MonkeyPatch,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    """The line comes each minute; here it comes after each game."""
    monkeypatch.setattr(progress, "REPORT_SECONDS", (0, 0))
    follow(run(short, 8, sprt=Sprt(0, 500)), 8, sprt=Sprt(0, 500))
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("4 of 8 games")]
    assert re.match(r"4 of 8 games, Elo [+-]\S+ ± \S+, LLR [+-]\d\.\d\d, .*left$", lines[0])
    assert len(lines[0]) < 80


def test_results_as_json(tmp_path: Path) -> None:
    arguments = ["--a", "eval=material", "--b", "eval=material", "--nodes", 9, "--max-plies", 30, "--games", 4, "--out",
                 tmp_path / "games.jsonl"]
    found = json.loads(invoke(match_module, *arguments, "--sprt", 0, 10, "--json").stdout)
    assert found["games"] == 4
    assert [player["name"] for player in found["players"]] == ["A", "B"]
    (encounter,) = found["encounters"]
    assert sum(encounter["pairs"]) == 2
    assert encounter["wins"] + encounter["draws"] + encounter["losses"] == 4
    assert encounter["elo"] == encounter["nelo"] == 0, "equal players play equal games"
    assert encounter["elo_error"] is None, "it is not known"
    assert encounter["sprt"]["accepted"] is None
    again = json.loads(invoke(report, tmp_path / "games.jsonl", "--json").stdout)
    del encounter["sprt"]
    assert again == found
