"""Self-play for training: starts, games, and runs that are interrupted and continued."""
import json
import os
import shlex
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
from scripts.games.player import Offence
from scripts.games.usi_player import close_engines
from scripts.training import filling, selfplay
from scripts.training import starts as starting
from scripts.training.files import read
from scripts.training.filling import generate
from scripts.training.rivals import OwnSearch, RivalReply
from scripts.training.samples import MAX_SCORE
from scripts.training.selfplay import (
    EARLY_PLIES,
    SelfPlayer,
    SelfPlayRecipe,
    SelfPlaySession,
    TrainingGame,
    play_session,
    sessions,
)
from scripts.training.starts import BALANCE, UNBALANCED
from search import MATERIAL, Limits, Result, Searcher, Settings
from search.parameters import SETS
from tests.each import each
from tests.faults import refused
from tests.networks import nnbin, random_arrays
from tests.processes import NEEDS_PROC, workers_of
from tests.scripts.commands import invoke
from tests.scripts.conftest import STUB
from tests.scripts.stub_engine import CYCLE
from usi.workers.pool import worker_pool

QUICK = SelfPlayRecipe(depth=None, nodes=40, max_plies=60, hash_mb=1)
LATE = "ln1g1k1nl/1r1s2g2/p1pppp1pp/6p2/1p5P1/2PP5/PPS1PPP1P/2GK3R1/LN3GSNL b Bb 61"


def player(recipe: SelfPlayRecipe = QUICK, seed: int = 1) -> SelfPlayer:
    return SelfPlayer(recipe, load(OPENINGS)[:20], Random(seed))


@pytest.fixture(scope="module")
def late() -> list[str]:
    """Positions of all ages from a few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starting, "LATE_PLY", 20)
        patch.setattr(starting, "KEPT_FOR_STARTS", 1)
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
        if kind not in UNBALANCED:
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
def test_odd_starts_lack_pieces_or_have_them_in_the_opponents_hand(
    monkeypatch: pytest.MonkeyPatch, going_over: float
) -> None:
    """No piece is added to the board, and the kings stay where they were."""
    monkeypatch.setattr(starting, "STAYING", (0.5,))
    monkeypatch.setattr(starting, "GOING_OVER", (going_over,))
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
    def some() -> list[SelfPlaySession]:
        return list(islice(sessions(QUICK, load(OPENINGS), "material", "1"), 3))

    def games(session: SelfPlaySession, count: int) -> list[bytes]:
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
    text = generate(out, QUICK, load(OPENINGS)[:20], 100, 1, seed="1")
    first = out.read_bytes()
    assert text.startswith(f"{len(first) // 40} positions, ")
    out.write_bytes(first[:-3])
    generate(out, QUICK, load(OPENINGS)[:20], len(first) // 40 + 50, 1, seed="1")
    assert out.read_bytes().startswith(first[:-40])
    found = read(out)
    assert len(found) >= len(first) // 40 + 50
    assert len({record["sfen"].tobytes() for record in found}) == len(found)
    for record in found:
        assert unpacked(record["sfen"].tobytes()).is_legal(usi(int(record["move"])))
    assert "0 games" in generate(out, QUICK, load(OPENINGS)[:20], 50, 2, seed="1"), "there are enough"


def test_positions_of_another_recipe_are_refused(tmp_path: Path) -> None:
    """A recipe without weights, from an older version, counts as one of material."""
    out = tmp_path / "some.psv"

    def go_on(**changes: Any) -> None:
        generate(out, replace(QUICK, **changes), load(OPENINGS)[:20], 1, 1, seed="1")

    go_on()
    recipe = out.with_suffix(".json")
    old = asdict(QUICK)
    assert json.loads(recipe.read_text()) == old
    with refused(path=..., what=..., names="nodes, max_plies", remedy="name another file", values=...):
        go_on(nodes=41, max_plies=61)
    assert old.pop("weights") == "material"
    recipe.write_text(json.dumps(old))
    go_on()
    with refused(path=..., what=..., names="weights", remedy="name another file", values=...):
        go_on(weights="123")


def test_a_rival_has_one_side_in_some_of_the_games(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    movers: list[tuple[int, Searcher]] = []
    search = SelfPlayer._searched

    def note(self: SelfPlayer, searcher: Searcher, position: Position) -> Result:
        movers.append((position.turn, searcher))
        return search(self, searcher, position)

    monkeypatch.setattr(SelfPlayer, "_searched", note)
    one = player(only("opening", rivals={str(weights): "digest"}, rival_games=60, max_plies=20, nodes=5))
    assert isinstance(one.rivals[0], OwnSearch)
    rival = one.rivals[0].searcher
    assert rival
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


class Fool:
    """A rival that plays the last legal move, with a score by which it is recognised."""

    searcher: Searcher | None = None
    SCORE = 2222

    def __init__(self) -> None:
        self.games: list[bool] = []
        self.plies: list[int] = []

    def begin(self) -> None:
        self.plies.clear()

    def answer(self, position: Position) -> RivalReply:
        self.plies.append(position.move_number)
        return RivalReply(self.move(position), self.SCORE)

    def move(self, position: Position) -> str:
        return position.legal_moves()[-1]

    def end(self, orderly: bool) -> None:
        self.games.append(orderly)


class Quitter(Fool):
    def move(self, position: Position) -> str:
        return "resign" if len(self.plies) > 3 else super().move(position)


def against(rival: Fool, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> SelfPlayer:
    """A player whose games are all against this rival, and which always plays its best move."""
    monkeypatch.setattr(selfplay, "STRAY", 0)
    one = player(only("opening", rival_games=100, **{"max_plies": 40} | changes))
    one.rivals = [rival]
    return one


@each("own_values", [True, False])
def test_a_rival_moves_and_with_own_values_every_score_and_best_move_is_ours(
    own_values: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fool = Fool()
    one = against(fool, monkeypatch, own_values=own_values)
    ours: dict[int, RivalReply] = {}
    search = one._own
    monkeypatch.setattr(one, "_own", lambda position: ours.setdefault(position.move_number, search(position)))
    differences = 0
    for _ in range(4):
        ours.clear()
        found = one.play().records
        plies = found["gamePly"].tolist()
        assert plies == list(range(plies[0], plies[0] + len(plies)))
        assert set(ours) == (set(plies) if own_values else set(plies) - set(fool.plies))
        for record, after in pairwise([*found, None]):
            position, ply = unpacked(record["sfen"].tobytes()), int(record["gamePly"])
            last = Fool().move(position)
            move, score = ours.get(ply, (last, Fool.SCORE))
            assert score is not None
            assert (usi(int(record["move"])), record["score"]) == (move, max(-MAX_SCORE, min(MAX_SCORE, score)))
            played = last if ply in fool.plies else move
            differences += played != move
            if after is not None:
                position.push(played)
                assert position.key == unpacked(after["sfen"].tobytes()).key
    assert fool.games == [True] * 4
    assert (differences > 10) == own_values, "where it does not move as we would, the file has our move"


def test_the_result_against_a_rival_is_kept_for_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    quitter = Quitter()
    game = against(quitter, monkeypatch, own_values=True, play_out=100).play()
    assert game.end == "resignation"
    rivals = [int(record["gamePly"]) in quitter.plies for record in game.records]
    assert rivals[-1], "the position in which it resigned is valued, too"
    assert game.records["game_result"].tolist() == [-1 if rival else 1 for rival in rivals]


def test_only_the_scores_of_both_decide_a_game_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our score says that we have lost. The game goes on until the rival's score agrees."""
    monkeypatch.setattr(SelfPlayer, "_own", lambda self, position: RivalReply(position.legal_moves()[0], -3000))
    for says, decided in ((2999, False), (3000, True)):
        fool = Fool()
        fool.SCORE = says
        one = against(fool, monkeypatch, own_values=True, play_out=0, max_plies=30)
        assert [one.play().end == "score" for _ in range(2)] == [decided] * 2


class Cheat(Fool):
    """A rival that gives illegal moves in its first games."""

    spoils = 2

    def move(self, position: Position) -> str:
        if len(self.games) < self.spoils:
            raise Offence("illegal move", "9z9z")
        return super().move(position)


def test_a_game_that_a_rival_spoils_is_not_kept(monkeypatch: pytest.MonkeyPatch,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    cheat = Cheat()
    game = against(cheat, monkeypatch, play_out=100).play()
    assert cheat.games == [False, False, True]
    assert game.end == "length"
    assert capsys.readouterr().err == "a rival spoilt a game, which is not kept: illegal move: 9z9z\n" * 2
    cheat = Cheat()
    cheat.spoils = 3
    with refused(count=3, fault="illegal move: 9z9z"):
        against(cheat, monkeypatch).play()


def engine(behaviour: str) -> str:
    return shlex.join([*STUB, behaviour])


@pytest.fixture
def from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of the engine of these tests, which moves its rook to and fro, begin at the start position."""
    monkeypatch.setattr(starting.Starts, "draw", lambda _: ("opening", Position()))
    monkeypatch.setattr(selfplay, "STRAY", 0)


@pytest.mark.usefixtures("from_the_start")
def test_a_usi_engine_spars_and_the_scores_are_ours(told: list[str]) -> None:
    sides = set()
    one = player(replace(QUICK, spars={f"nodes=9 {engine('good')}": "Stub"}, rival_games=100, max_plies=4))
    for _ in range(6):
        game = one.play()
        assert game.end == "length"
        positions = [unpacked(record["sfen"].tobytes()) for record in game.records]
        keys = [position.key for position in positions]
        followed = []
        for ply, move in enumerate(CYCLE[:2]):
            positions[ply].push(move)
            followed.append(positions[ply].key == keys[ply + 1])
        assert sum(followed) == 1
        rival = followed.index(True)
        assert usi(int(game.records[rival]["move"])) != CYCLE[rival]
        sides.add(rival)
    assert sides == {BLACK, WHITE}
    assert {"usinewgame", "go nodes 9", "gameover draw", "setoption name MaxMovesToDraw value 4"} <= set(told)
    close_engines()


@pytest.mark.usefixtures("from_the_start", "told")
@each(("behaviour", "end"), [("illegal", "illegal move"), ("declares", "false declaration"), ("crashes", "crash")])
def test_an_engine_that_misbehaves_spoils_its_game(behaviour: str, end: str) -> None:
    one = player(replace(QUICK, spars={engine(behaviour): "Stub"}, rival_games=100, max_plies=8))
    with refused(count=3, fault=...) as raised:
        one.play()
    assert str(raised.fields["fault"]).startswith(f"{end}: ")


@pytest.mark.usefixtures("from_the_start", "told")
def test_the_command_spars_and_its_recipe_names_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "worker_pool", lambda work, jobs, *_: worker_pool(work, jobs))     # in this process
    out, rival = tmp_path / "some.psv", engine("resigns")
    printed = invoke(generate_module, *command(out, "--positions", 5, "--spar", rival, "--rival-games", 100)).output
    assert "ends: resignation" in printed
    assert json.loads(out.with_suffix(".json").read_text())["spars"] == {rival: "Stub"}
    close_engines()


def test_another_engines_network_is_a_rival_whose_values_are_not_learned(tmp_path: Path) -> None:
    rival, out = tmp_path / "nn.bin", tmp_path / "a.psv"
    rival.write_bytes(nnbin(random_arrays(3)))
    for name in (rival, f"{rival}@20"):
        arguments = command(out, "--positions", 20, "--rival", name, "--rival-games", 100, "--max-plies", 40)
        said = invoke(generate_module, *arguments, status=2).output
        assert f"--rival {name} is another engine's network; add --own-values" in said
        assert not out.exists()
        invoke(generate_module, *arguments, "--own-values")
        recipe = json.loads(out.with_suffix(".json").read_text())
        assert recipe["rivals"] == {str(name): sha256(rival.read_bytes()).hexdigest()}
        assert recipe["own_values"]
        for path in (out, out.with_suffix(".json")):
            path.unlink()


@each(("options", "fault"), [
    (("--spar", "byoyomi=100 engine"), refused(text="byoyomi=100 engine")),
    (("--spar", "/none/such"), refused(about="started", name="such", fault=...)),
])
def test_a_rival_that_cannot_play_is_refused_before_anything_is_written(
    options: tuple[str, ...], fault: refused, tmp_path: Path
) -> None:
    fault.ended(invoke(generate_module, *command(tmp_path / "a.psv", "--positions", 1, *options), status=1))
    assert not list(tmp_path.iterdir())


def test_own_values_are_of_rivals(tmp_path: Path) -> None:
    printed = invoke(generate_module, *command(tmp_path / "a.psv", "--positions", 1, "--own-values"), status=2).output
    assert "--own-values says nothing without --rival" in printed
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@NEEDS_PROC
def test_neither_number_nor_death_of_workers_shows_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tmp_path / "one.psv", tmp_path / "two.psv"
    generate(one, QUICK, load(OPENINGS), 5000, 1, seed="1", evaluation="material")
    killed: list[int] = []
    note = filling.Course.note

    def kill_one(self: filling.Course, game: TrainingGame, have: int) -> None:
        if not killed:
            killed.extend(workers_of(os.getpid())[:1])
            os.kill(killed[0], signal.SIGKILL)
        note(self, game, have)
    monkeypatch.setattr(filling.Course, "note", kill_one)
    generate(two, QUICK, load(OPENINGS), 5000, 2, seed="1", evaluation="material")
    assert killed
    assert two.read_bytes() == one.read_bytes()


def test_the_command_fills_a_file_of_hcpe_by_a_weights_file(tmp_path: Path, weights: Path) -> None:
    out = tmp_path / "some.hcpe"
    printed = invoke(generate_module, *command(out, "--positions", 50, "--mix", "opening=0,random=1", "--params",
                                               "short,rfp_depth=3", "--eval-file", weights)).stdout
    assert printed.startswith(f"{len(read(out))} positions, ")
    assert "ends: " in printed
    recipe = json.loads(out.with_suffix(".json").read_text())
    assert recipe["params"] == {**SETS["short"], "rfp_depth": 3}
    assert recipe["weights"] == sha256(weights.read_bytes()).hexdigest()
    assert SelfPlayer(QUICK, ["startpos"], Random(1), str(weights)).searcher.evaluate(Position()) == 12


@pytest.mark.parametrize("text", ['{"name": "mine"}', "[]", "mine", '{"nodes": "many"}'])
def test_a_foreign_file_of_the_recipe_s_name_is_left_alone(tmp_path: Path, text: str) -> None:
    recipe = tmp_path / "a.json"
    recipe.write_text(text)
    refused(path=recipe).ended(invoke(generate_module, *command(tmp_path / "a.psv", "--positions", 1), status=1))
    assert recipe.read_text() == text
    assert not (tmp_path / "a.psv").exists()
