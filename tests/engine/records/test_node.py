"""A game as a tree of nodes: what each node shows, and how variations are promoted and deleted."""
import copy
import pickle
from collections.abc import Callable
from random import Random

import pytest

from engine import Position
from engine.records.game import Game
from engine.records.node import GameNode
from engine.records.record import GameRecord
from tests.each import each
from tests.engine.records.test_game import KIF, walked
from tests.engine.records.trees import random_tree
from tests.faults import refused

# In JKF a variation may begin in place of another one's first move.
AFTER = Position.from_usi("startpos moves 7g7f").sfen
NESTED = GameRecord(moves=["7g7f", "3c3d"], variations={2: [
    GameRecord(AFTER, ["8c8d", "2g2f"], comments={0: "または", 2: "飛先"},
               variations={1: [GameRecord(AFTER, ["4a3b"])]})]})


@pytest.fixture
def game() -> Game:
    return Game.read(KIF)


def tree(node: GameNode) -> dict[str, object]:
    """The tree of a game, found by following `choices` by hand."""
    return {child.moves[-1]: tree(child) for child in node.children}


def said(game: Game) -> dict[tuple[str, ...], str]:
    return {tuple(node.moves): node.comment for node in game.nodes() if node.comment}


def at(game: Game, *moves: str) -> GameNode:
    return next(node for node in game.nodes() if node.moves == list(moves))


def test_nodes_show_the_game(game: Game) -> None:
    assert [(node.ply, node.move, node.time) for node in game] == [
        (1, "7g7f", 1.0), (2, "3c3d", 1.0), (3, "2g2f", 1.0)]
    assert len(game) == 3
    first, last = next(iter(game)), list(game)[-1]
    assert (last.terminal, first.terminal, game.root.move, game.root.parent) == ("TORYO", None, None, None)
    assert [child.move for child in first.children] == ["3c3d", "8c8d"]
    assert [node.moves[1:] for node in game.nodes()] == [
        [], [], ["3c3d"], ["3c3d", "2g2f"], ["3c3d", "8h2b+"], ["3c3d", "8h2b+", "3a2b"], ["8c8d"]]
    varied = last.parent.children[1] if last.parent else last
    assert (varied.comment, varied.is_variation, last.is_variation) == ("交換", True, False)
    assert [node.move for node in varied] == ["3a2b"]
    assert varied.position == Position.from_usi("startpos moves 7g7f 3c3d 8h2b+")
    assert varied.position.moves == varied.moves
    assert (varied, {varied}) == (at(game, *varied.moves), {at(game, *varied.moves)})
    assert varied != at(Game.read(KIF), *varied.moves)
    assert (repr(varied), repr(game.root)) == ("<GameNode 3 8h2b+ '交換'>", "<GameNode 0 start>")


def test_the_cursor_is_a_node(game: Game) -> None:
    game.node = at(game, "7g7f", "3c3d", "8h2b+")
    assert (game.moves, game.position, game.comment) == (game.node.moves, game.node.position, "交換")
    assert game.back() == "8h2b+"
    assert game.node == at(game, "7g7f", "3c3d")
    with refused(node="<GameNode 1 7g7f>"):
        game.node = next(iter(Game.read(KIF)))
    second = copy.copy(game)
    second.forward()
    assert (second.record, second.moves, game.moves) == (game.record, ["7g7f", "3c3d", "2g2f"], ["7g7f", "3c3d"])
    twin = pickle.loads(pickle.dumps(second))
    assert (twin, twin.node.moves, twin.position.moves) == (second, second.moves, second.moves)


def test_games_are_equal_by_tree_start_and_comments(game: Game) -> None:
    other = Game.read(game.text("jkf"))
    other.record.names = ("別人", "")
    other.record.times = {}
    assert other == game
    assert Game() == Game(GameRecord()) != Game(GameRecord(AFTER))
    changes: list[Callable[[Game], object]] = [
        lambda game: at(game, "7g7f").add("1c1d"), lambda game: setattr(game.root, "comment", "平手"),
        lambda game: at(game, "7g7f", "8c8d").promote(), lambda game: at(game, "7g7f", "8c8d").delete(),
        lambda game: setattr(game.record, "terminal", None)]
    for change in changes:
        changed = copy.deepcopy(game)
        assert changed == game
        change(changed)
        assert changed != game
    # However its lines lie in the record.
    assert Game(GameRecord(moves=["7g7f"])) == Game(GameRecord(variations={1: [GameRecord(moves=["7g7f"])]}))
    assert game != game.record


def test_repr_says_what_game_it_is(game: Game) -> None:
    game.to_end()
    assert repr(game) == "<Game 春野一歩 - ?, 3 moves, 2 variations, TORYO, at ply 3 2g2f>"
    assert repr(Game()) == "<Game, 0 moves, 0 variations, at ply 0>"
    assert Game()       # though it has no moves
    assert game._repr_svg_() == game.node._repr_svg_() == game.position.svg()


def test_a_promoted_variation_is_the_line(game: Game) -> None:
    node, old, cursor = (at(game, "7g7f", "3c3d", *move) for move in (["8h2b+"], ["2g2f"], ["8h2b+", "3a2b"]))
    game.node = cursor
    node.promote()
    assert [each.move for each in game] == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert (game.record.terminal, old.terminal, old.time, node.time) == (None, "TORYO", 1.0, None)
    assert (node.comment, node.is_variation, old.is_variation, game.is_variation) == ("交換", False, True, False)
    assert (old.is_in_game, old.position.moves, game.moves) == (True, old.moves, cursor.moves)
    assert Game.read(game.text("kif")) == game
    before = copy.deepcopy(game.record)
    node.promote()                      # it is the line already
    assert game.record == before
    old.promote()
    assert game == Game.read(KIF)
    assert game.record.initial_sfen == Position().sfen


def numbered(rng: Random) -> Game:
    """A random game, whose nodes have their numbers as comments."""
    record = GameRecord()
    random_tree(record, Position(), rng, 1)
    game = Game(record)
    for number, node in enumerate(game.nodes()):
        node.comment = f"{number}"
    return game


@each("seed", range(30))
def test_promoting_keeps_all_lines_and_comments(seed: int) -> None:
    rng = Random(seed)
    game = numbered(rng)
    everything = list(game.nodes())
    lines, words = walked(game), said(game)
    for _ in range(6):
        node = rng.choice(everything)
        begins = next(before for before in [node, *ancestors(node)]
                      if not before.parent or before != before.parent.children[0] or not before.is_variation)
        node.promote()
        assert not begins.parent or begins == begins.parent.children[0]
        assert (walked(game), said(game)) == (lines, words)
        assert all(node.comment == f"{number}" for number, node in enumerate(everything))
        assert Game.read(game.text("kif")) == game


def ancestors(node: GameNode) -> list[GameNode]:
    return [node.parent, *ancestors(node.parent)] if node.parent else []


@each("seed", range(30))
def test_deleting_takes_one_branch_away(seed: int) -> None:
    rng = Random(seed)
    game = numbered(rng)
    while len(everything := list(game.nodes())) > 1:
        node = rng.choice(everything[1:])
        game.node = rng.choice(everything)
        words, cursor = said(game), game.moves
        node.delete()
        length = node.ply
        assert said(game) == {moves: text for moves, text in words.items() if list(moves[:length]) != node.moves}
        assert game.moves == (cursor[:length - 1] if cursor[:length] == node.moves else cursor)
        assert game.position.moves == game.moves
        assert Game.read(game.text("kif")) == game


def test_nodes_may_be_deleted_on_the_way(game: Game) -> None:
    for node in game.nodes():
        if node.is_variation:
            node.delete()
    assert list(game.nodes()) == [game.root, *game]


def test_what_was_deleted_says_so(game: Game) -> None:
    node = at(game, "7g7f", "3c3d", "8h2b+", "3a2b")
    at(game, "7g7f", "3c3d", "8h2b+").delete()
    assert (node.is_in_game, node.moves[-2:], repr(node)) == (False, ["8h2b+", "3a2b"], "<GameNode 4 3a2b 'deleted'>")
    for ask in (lambda: node.comment, lambda: node.children, node.promote, node.delete):
        with refused(move="3a2b", ply=4):
            ask()
    with refused(node=repr(node)):
        game.node = node
    with refused(about="deleted"):
        game.root.delete()
    assert game.record.variations.keys() == {2}


def test_the_first_variation_stands_in_for_a_deleted_line(game: Game) -> None:
    at(game, "7g7f", "3c3d", "2g2f").delete()
    assert ([node.move for node in game], game.record.terminal) == (["7g7f", "3c3d", "8h2b+", "3a2b"], None)
    at(game, "7g7f").delete()
    assert game == Game()


def test_a_variation_in_place_of_anothers_first_move_is_a_choice_too() -> None:
    game = Game(copy.deepcopy(NESTED))
    assert tree(game.root) == {"7g7f": {"3c3d": {}, "8c8d": {"2g2f": {}}, "4a3b": {}}}
    assert Game.read(game.text("jkf")) == game
    game.go_to(1)
    assert (game.choices, game.forward(2), game.back()) == (["3c3d", "8c8d", "4a3b"], "4a3b", "4a3b")
    at(game, "7g7f", "4a3b").promote()
    assert list(tree(at(game, "7g7f"))) == ["4a3b", "3c3d", "8c8d"]
    at(game, "7g7f", "8c8d").promote()
    assert said(game) == {("7g7f", "8c8d"): "または", ("7g7f", "8c8d", "2g2f"): "飛先"}
    game = Game(copy.deepcopy(NESTED))
    at(game, "7g7f", "8c8d").delete()
    assert tree(game.root) == {"7g7f": {"3c3d": {}, "4a3b": {}}}


def test_a_variation_may_be_an_end_alone() -> None:
    game = Game.read("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n   2 投了\n")
    game.forward()
    assert game.choices == ["3c3d"]
    assert Game.read(game.text("kif")).record == game.record
    assert "()" not in game.text("pgn", strict=False)     # which has no place for it
    at(game, "7g7f", "3c3d").delete()
    assert (game.record.moves, game.record.terminal, game.record.variations) == (["7g7f"], "TORYO", {})
    game.play("8c8d")
    at(game, "7g7f", "8c8d").promote()
    assert (game.record.moves, game.record.terminal) == (["7g7f", "8c8d"], None)
    assert [(each.moves, each.terminal) for each in game.record.variations[2]] == [([], "TORYO")]


def test_nodes_are_added_in_any_notation(game: Game) -> None:
    node = game.root.add("▲２六歩").add("3334FU")
    assert (node.moves, node.is_variation, node.add("7g7f").ply) == (["2g2f", "3c3d"], True, 3)
    assert game.root.add("7g7f") == next(iter(game))
    with refused(sfen=..., text="7g7e"):
        game.root.add("7g7e")


def test_annotations_are_read_written_and_go_with_their_moves() -> None:
    game = Game.read('[Variant "shogi"]\n\n1. c4! $14 g6 (1... c6?? 2. b4 $0) 2. b4 *\n')
    assert [node.nags for node in game] == [(1, 14), (), ()]
    first = game.root.children[0]
    varied = first.children[1]
    assert varied.nags == (4,)
    text = game.text("pgn")
    assert "1. c4 $1 $14 g6 (1... c6 $4 2. b4) 2. b4 *" in text
    again = Game.read(text)
    assert again == game
    again.root.children[0].nags = [2]
    assert again != game
    varied.promote()
    assert [node.nags for node in game] == [(1, 14), (4,), ()]
    assert first.children[1].nags == ()
    first.nags = ()
    assert [node.nags for node in game] == [(), (4,), ()]
    varied.delete()
    assert {nag for node in game.nodes() for nag in node.nags} == set()
    with refused(about="annotate"):
        game.root.nags = (1,)
    with refused(name="nag", number=0, least=1):
        first.nags = (0,)
    with refused(name="nag", number=256, most=255):
        first.nags = (256,)
    first.nags = [3]
    with refused(format="KIF", things=...):
        game.text("kif")
    assert game.text("kif", strict=False)
