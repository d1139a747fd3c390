"""A game with a cursor over its variations, written and read back in every notation."""
import copy
import math
import stat
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import Position
from engine.records.files import read_record
from engine.records.formats import SUFFIXES
from engine.records.game import Game
from engine.records.record import GameRecord
from tests.each import each
from tests.engine.records.trees import random_tree
from tests.faults import refused

KIF = """手合割：平手
先手：春野一歩
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:01/00:00:01)+
   3 ２六歩(27)   ( 0:01/00:00:02)+
   4 投了

変化：3手
   3 ２二角成(88)
*交換
   4 同　銀(31)

変化：2手
   2 ８四歩(83)
"""


@pytest.fixture
def game() -> Game:
    return Game.read(KIF)


def test_the_cursor_walks_over_variations_and_back(game: Game) -> None:
    assert (game.moves, game.choices, game.is_variation) == ([], ["7g7f"], False)
    game.go_to(1)
    assert game.choices == ["3c3d", "8c8d"]
    assert (game.forward(), game.choices) == ("3c3d", ["2g2f", "8h2b+"])
    assert game.forward(1) == "8h2b+"
    assert (game.comment, game.is_variation) == ("交換", True)
    game.to_end()
    assert game.moves == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert game.position == Position.from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
    assert game.position.moves == game.moves
    assert [game.back() for _ in range(3)] == ["3a2b", "8h2b+", "3c3d"]
    assert not game.is_variation
    game.forward(1)
    game.go_to(1)
    game.to_end()
    assert game.moves == ["7g7f", "3c3d", "2g2f"]
    game.to_start()
    assert game.moves == []


def test_the_cursor_stays_where_a_step_cannot_be_made(game: Game) -> None:
    with pytest.raises(IndexError, match="start of the game"):
        game.back()
    with pytest.raises(IndexError, match="choice 1 of 1 moves"):
        game.forward(1)
    with pytest.raises(IndexError, match="ply 4 is not between 0 and 3"):
        game.go_to(4)
    with pytest.raises(IndexError, match="ply 9 is not between 0 and 3"):
        game.go_to(np.uint8(9))     # type: ignore[arg-type]    # NumPy's integers will do
    with refused(sfen=..., text="7g7e"):
        game.play("7g7e")
    assert game.moves == []
    game.to_end()
    with pytest.raises(IndexError, match="choice 0 of 0 moves"):
        game.forward()


def test_plies_may_be_numbers_of_numpy(game: Game) -> None:
    game.go_to(np.uint8(2))     # type: ignore[arg-type]    # NumPy's integers will do
    game.go_to(np.uint8(1))     # type: ignore[arg-type]    # NumPy's integers will do
    assert game.moves == ["7g7f"]


def test_a_copy_keeps_what_a_subclass_has() -> None:
    class Titled(Game):
        def __init__(self, title: str, record: GameRecord | None = None) -> None:
            super().__init__(record)
            self.title = title

    game = Titled("Final", read_record(KIF.encode()))
    game.go_to(1)
    twin = copy.copy(game)
    twin.forward()
    assert (twin.title, twin.moves, game.moves) == ("Final", ["7g7f", "3c3d"], ["7g7f"])
    assert twin.record is game.record


def test_a_move_goes_on_enters_a_variation_or_begins_one(game: Game) -> None:
    before = game.text("kif")
    for move in ("▲７六歩", "3c3d", "Bx2b+", "△同　銀"):
        game.play(move)
    assert game.text("kif") == before
    assert game.is_variation
    game.play("B*4e")                       # the variation goes on
    assert game.record.variations[3][0].moves == ["8h2b+", "3a2b", "B*4e"]
    game.go_to(2)
    game.play("6g6f")                       # a new one
    assert [variation.moves for variation in game.record.variations[3]] == [["8h2b+", "3a2b", "B*4e"], ["6g6f"]]
    game.to_start()
    game.to_end()
    game.play("8c8d")                       # behind the end of the game, where White resigned
    assert game.record.moves == ["7g7f", "3c3d", "2g2f"]
    assert (game.record.terminal, game.record.variations[4][0].moves) == ("TORYO", ["8c8d"])


def test_a_new_game_grows() -> None:
    game = Game()
    for move in ("2g2f", "8c8d"):
        game.play(move)
    game.comment = "相掛かり"
    assert (game.record.moves, game.record.comments) == (["2g2f", "8c8d"], {2: "相掛かり"})
    game.comment = ""
    assert game.record.comments == {}
    seen = game.position
    seen.push("2f2e")
    assert game.moves == ["2g2f", "8c8d"]


def walked(game: Game) -> set[tuple[str, ...]]:
    """All lines of a game, by the cursor alone."""
    if not game.choices:
        return {tuple(game.moves)}
    lines = set()
    for choice in range(len(game.choices)):
        game.forward(choice)
        lines |= walked(game)
        game.back()
    return lines


@each("seed", range(20))
@pytest.mark.parametrize("ending", [ending for ending, form in SUFFIXES.items()
                                    if "variations" in form.holds])
def test_all_lines_are_kept_in_files(tmp_path: Path, seed: int, ending: str) -> None:
    """KIF and JKF keep comments and times, too."""
    record = GameRecord()
    random_tree(record, Position(), Random(seed), 2)
    game = Game(record)
    path = tmp_path / f"game{ending}"
    assert "variations" not in game.write(path, strict=False)
    again = Game.read(path)
    assert walked(again) == walked(game)
    assert again.record == record or ending not in (".kif", ".kifu", ".jkf")
    assert list(tmp_path.iterdir()) == [path]
    path.unlink()


def test_a_link_stays_one_and_permissions_are_kept(tmp_path: Path, game: Game) -> None:
    real, link = tmp_path / "real.kifu", tmp_path / "link.kifu"
    real.touch(0o600)
    link.symlink_to(real)
    game.write(link)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert read_record(real).moves == game.record.moves


@each("notation", ["kif", "csa", "jkf"])
@each("seconds", [-1, math.nan, math.inf])
def test_times_that_are_none_are_not_written(notation: str, seconds: float) -> None:
    with refused(number=1, value=seconds):
        Game(GameRecord(moves=["7g7f"], times={1: seconds})).text(notation)


def test_what_cannot_be_written_leaves_the_old_file_alone(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.csa"
    path.write_text("old")
    with refused(format=..., things="variations"):
        game.write(path)
    with refused(path=tmp_path / "game.xyz", endings=...):
        game.write(tmp_path / "game.xyz")
    with refused(notation="sgf", names=...):
        game.text("sgf")
    with pytest.raises(OSError, match="nowhere"):
        game.write(tmp_path / "nowhere" / "game.kif")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("name", ["game.kif", "C:\\games\\one.KIFU", "of/some/folder.d/x.csa"])
def test_a_name_is_not_taken_for_a_record(name: str) -> None:
    with refused(source=name):
        read_record(name)
