"""Self-play for training: starts, games, and runs that are interrupted and continued."""
import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import BLACK, WHITE, Position
from engine.packed import unpacked, usi
from engine.sfen import Placement
from scripts import generate as generate_module
from scripts.games.openings import OPENINGS, load
from scripts.training import filling, selfplay
from scripts.training.files import read
from scripts.training.filling import generate
from scripts.training.selfplay import (
    BALANCE,
    EARLY_PLIES,
    SelfPlayer,
    SelfPlayRecipe,
    Session,
    TrainingGame,
    play_session,
    sessions,
)
from search import MATERIAL, Limits, Result, Searcher, Settings
from search.parameters import SETS
from tests.processes import NEEDS_PROC, workers_of
from tests.scripts.commands import invoke

QUICK = SelfPlayRecipe(depth=None, nodes=40, max_plies=60, hash_mb=1)
LATE = "ln1g1k1nl/1r1s2g2/p1pppp1pp/6p2/1p5P1/2PP5/PPS1PPP1P/2GK3R1/LN3GSNL b Bb 61"


def player(recipe: SelfPlayRecipe = QUICK, seed: int = 1) -> SelfPlayer:
    return SelfPlayer(recipe, load(OPENINGS)[:20], Random(seed))


@pytest.fixture(scope="module")
def late() -> list[str]:
    """Positions of all ages from a few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selfplay, "LATE_PLY", 20)
        patch.setattr(selfplay, "KEPT_FOR_STARTS", 1)
        one = player()
        for _ in range(6):
            one.play()
    return list(one.starts.late)


def only(kind: str, **changes: Any) -> SelfPlayRecipe:
    return replace(QUICK, mix={kind: 1}, **changes)


def command(out: Path, *arguments: object) -> list[object]:
    return ["--out", out, "--nodes", 40, "--hash", 1, "--eval-file", "material", *arguments]


# -- Starts ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("kind", ["opening", "random", "handicap", "entering", "endgame", "odd"])
def test_starts_are_positions_to_play_on_and_no_two_games_alike(kind: str, late: list[str]) -> None:
    starts = player(only(kind)).starts
    starts.late.extend(late)
    drawn = [starts.draw() for _ in range(20)]
    assert [name for name, _ in drawn].count(kind) >= (10 if kind == "entering" else 20), "a king may find no place"
    assert len({position.sfen for _, position in drawn}) > 10
    judge = Searcher(hash_mb=1, evaluator=MATERIAL)
    for _, position in drawn:
        assert position.legal_moves()
        if kind not in selfplay.UNBALANCED:
            judge.clear()
            assert abs(judge.search(position, Limits(depth=1), Settings()).score) < 3 * BALANCE


def test_an_entering_start_has_a_king_in_the_enemys_camp(late: list[str]) -> None:
    starts = player(only("entering")).starts
    starts.late.extend(late)
    sides = set()
    for _ in range(30):
        kind, position = starts.draw()
        if kind == "entering":
            black, white = (position.placement.board.index(king) % 9 for king in (8, 24))
            sides.add((black < 3, white > 5))
    assert sides == {(True, False), (False, True), (True, True)}


@pytest.mark.parametrize("going_over", [0, 0.5, 1])
def test_of_odd_starts_pieces_are_gone_or_in_the_other_hand(
    monkeypatch: pytest.MonkeyPatch, going_over: float
) -> None:
    """Nothing is there that was not before, and kings stay where they were."""
    monkeypatch.setattr(selfplay, "STAYING", (0.5,))
    monkeypatch.setattr(selfplay, "GOING_OVER", (going_over,))
    before = Position(LATE)
    starts = player().starts
    counts = set()

    def pieces(placement: Placement) -> int:
        return sum(map(bool, placement.board)) + sum(map(sum, placement.hands))

    for _ in range(50):
        position = starts._plundered(before.copy())
        if position is None:
            continue
        after = position.placement
        assert position.turn == before.turn
        assert all(piece in (0, old) for piece, old in zip(after.board, before.placement.board, strict=True))
        assert sum(piece & 15 == 8 for piece in after.board) == 2
        counts.add(pieces(after))
        if going_over == 0:
            assert all(new <= old for side in range(2)
                       for new, old in zip(after.hands[side], before.placement.hands[side], strict=True))
    whole = pieces(before.placement)
    assert counts == {whole} if going_over == 1 else min(counts) < max(counts) < whole


def test_late_starts_come_from_balanced_late_positions_of_earlier_games() -> None:
    starts = player(only("endgame")).starts
    assert starts.draw()[0] == "random", "as long as there is none"
    late, early = Position(LATE), Position()
    for _ in range(2000):
        starts.note(early, 0)
        starts.note(late, BALANCE + 1)
    assert not starts.late
    for _ in range(2000):
        starts.note(late, -BALANCE)
    assert 20 < len(starts.late) < 500
    assert starts.draw()[0] == "endgame"


# -- Games -------------------------------------------------------------------------------------------------------------

def test_records_hold_the_best_move_also_where_another_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "STRAY", 1)
    monkeypatch.setattr(selfplay, "MARGIN", 10000)
    one = player()
    searched: list[tuple[str, str | None, int]] = []
    inner = one.searcher

    class Spy:
        def search(self, position: Position, limits: Limits, settings: Settings,
                   report: Callable[..., None] | None = None) -> Any:
            result = inner.search(position, limits, settings, report)
            if limits == one.limits:
                searched.append((position.sfen.rsplit(" ", 1)[0], result.bestmove, result.score))
            return result

    monkeypatch.setattr(one, "searcher", Spy())
    game = one.play()
    found = [(unpacked(record["sfen"].tobytes()), usi(int(record["move"])), int(record["score"]))
             for record in game.records]
    assert [(position.sfen.rsplit(" ", 1)[0], move, score) for position, move, score in found] == searched
    followed = []
    for (position, move, _), (after, _, _) in pairwise(found):
        position.push(move)
        followed.append(position.key == after.key)
    assert not all(followed[:EARLY_PLIES])
    assert all(followed[EARLY_PLIES:])


def test_results_and_plies_fit_the_game() -> None:
    one = player(replace(QUICK, nodes=None, depth=2, max_plies=320, play_out=50))
    ends = set()
    for _ in range(12):
        game = one.play()
        ends.add(game.end)
        turns = [unpacked(record["sfen"].tobytes()).turn for record in game.records]
        winners = {None if not result else turn if result == 1 else 1 - turn
                   for result, turn in zip(game.records["game_result"].tolist(), turns, strict=True)}
        assert len(winners) == 1
        plies = game.records["gamePly"].tolist()
        assert plies == list(range(plies[0], plies[0] + len(plies)))
        if game.end == "score":
            assert int(game.records[-1]["game_result"]) * int(game.records[-1]["score"]) >= 3000
        if game.end == "mate":
            assert game.records[-1]["game_result"] == 1
    assert {"score", "mate"} <= ends


def test_games_played_out_are_never_cut_short() -> None:
    def ends(play_out: int) -> set[str]:
        one = player(replace(only("handicap"), decisive_score=100, play_out=play_out))
        return {one.play().end for _ in range(5)}
    assert "score" in ends(0)
    assert "score" not in ends(100)


def test_the_last_ply_allowed_makes_a_draw() -> None:
    game = player(replace(only("random"), max_plies=15, play_out=100)).play()
    assert game.end == "length"
    assert not game.records["game_result"].any()
    assert game.records["gamePly"][-1] == 15


# -- Sessions ----------------------------------------------------------------------------------------------------------

def test_a_session_depends_on_its_number_alone() -> None:
    def some() -> list[Session]:
        return list(islice(sessions(QUICK, load(OPENINGS), "material", "1"), 3))

    def games(session: Session, count: int) -> list[bytes]:
        return [game.records.tobytes() for game in play_session(replace(session, games=count))]

    first, second, third = some()
    assert [first, second, third] == some()
    assert set(first.openings) != set(second.openings)
    alone = games(second, 2)
    games(first, 1)
    assert games(second, 2) == alone != games(third, 2)


# -- Runs --------------------------------------------------------------------------------------------------------------

def test_a_run_is_continued_where_it_ended(tmp_path: Path) -> None:
    out = tmp_path / "some.psv"
    text = generate(out, QUICK, load(OPENINGS)[:20], 100, 1, seed=1)
    first = out.read_bytes()
    assert text.startswith(f"{len(first) // 40} of 100 positions")
    out.write_bytes(first[:-3])
    generate(out, QUICK, load(OPENINGS)[:20], len(first) // 40 + 50, 1, seed=1)
    assert out.read_bytes().startswith(first[:-40])
    found = read(out)
    assert len(found) >= len(first) // 40 + 50
    assert len({record["sfen"].tobytes() for record in found}) == len(found)
    for record in found:
        assert unpacked(record["sfen"].tobytes()).is_legal(usi(int(record["move"])))
    assert "0 games" in generate(out, QUICK, load(OPENINGS)[:20], 50, 2, seed=1), "there are enough"


def test_positions_of_another_recipe_are_refused(tmp_path: Path) -> None:
    """A recipe from before there were weights is one of material."""
    out = tmp_path / "some.psv"

    def go_on(**changes: Any) -> None:
        generate(out, replace(QUICK, **changes), load(OPENINGS)[:20], 1, 1, seed=1)

    go_on()
    recipe = out.with_suffix(".json")
    old = asdict(QUICK)
    assert json.loads(recipe.read_text()) == old
    with pytest.raises(ValueError, match="differs in nodes, max_plies; name another file"):
        go_on(nodes=41, max_plies=61)
    assert old.pop("weights") == "material"
    recipe.write_text(json.dumps(old))
    go_on()
    with pytest.raises(ValueError, match="differs in weights; name another file"):
        go_on(weights="123")


def test_a_rival_has_one_side_in_some_of_the_games(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    movers: list[tuple[int, Searcher]] = []
    search = SelfPlayer._searched

    def note(self: SelfPlayer, searcher: Searcher, position: Position) -> Result:
        movers.append((position.turn, searcher))
        return search(self, searcher, position)

    monkeypatch.setattr(SelfPlayer, "_searched", note)
    one = player(only("opening", rivals={str(weights): "digest"}, rival_games=60, max_plies=20, nodes=5))
    rival, = one.rivals
    assert (one.searcher.evaluate(Position()), rival.evaluate(Position())) == (0, 12)
    kinds: Counter[tuple[bool, ...]] = Counter()
    for _ in range(40):
        movers.clear()
        one.play()
        by_side = [{searcher for turn, searcher in movers if turn == side} for side in (BLACK, WHITE)]
        assert all(len(side) <= 1 for side in by_side), "it keeps its side"
        kinds[tuple(rival in side for side in by_side)] += 1
    assert kinds[True, True] == 0
    assert min(kinds[False, False], kinds[True, False], kinds[False, True]) >= 4


@pytest.mark.slow
@NEEDS_PROC
def test_neither_number_nor_death_of_workers_shows_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tmp_path / "one.psv", tmp_path / "two.psv"
    generate(one, QUICK, load(OPENINGS), 5000, 1, seed=1, evaluation="material")
    killed: list[int] = []
    note = filling.Course.note

    def kill_one(self: filling.Course, game: TrainingGame, have: int) -> None:
        if not killed:
            killed.extend(workers_of(os.getpid())[:1])
            os.kill(killed[0], signal.SIGKILL)
        note(self, game, have)
    monkeypatch.setattr(filling.Course, "note", kill_one)
    generate(two, QUICK, load(OPENINGS), 5000, 2, seed=1, evaluation="material")
    assert killed
    assert two.read_bytes() == one.read_bytes()


def test_the_command_fills_a_file_of_hcpe_by_a_weights_file(tmp_path: Path, weights: Path) -> None:
    out = tmp_path / "some.hcpe"
    printed = invoke(generate_module, *command(out, "--positions", 50, "--mix", "opening=0,random=1", "--params",
                                               "short,rfp_depth=3", "--eval-file", weights)).stdout
    assert printed.startswith(f"{len(read(out))} of 50 positions")
    assert "ends: " in printed
    recipe = json.loads(out.with_suffix(".json").read_text())
    assert recipe["params"] == {**SETS["short"], "rfp_depth": 3}
    assert recipe["weights"] == sha256(weights.read_bytes()).hexdigest()
    assert SelfPlayer(QUICK, ["startpos"], Random(1), str(weights)).searcher.evaluate(Position()) == 12


@pytest.mark.parametrize("text", ['{"name": "mine"}', "[]", "mine", '{"nodes": "many"}'])
def test_a_foreign_file_of_the_recipe_s_name_is_left_alone(tmp_path: Path, text: str) -> None:
    recipe = tmp_path / "a.json"
    recipe.write_text(text)
    said = invoke(generate_module, *command(tmp_path / "a.psv", "--positions", 1), status=1).output
    assert f"{recipe} is no recipe of self-play; move it away" in said
    assert recipe.read_text() == text
    assert not (tmp_path / "a.psv").exists()
