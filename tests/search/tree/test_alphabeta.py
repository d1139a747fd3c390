"""Each selective step by itself, at one node: where it fires, and where it must not.

Only the step tested is on, and material alone counts, so that evaluations are known. What happened is read from the
value, from the number of moves played, and from the table: it has each child that was searched, and to which depth.
"""
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine import Position
from search import MATERIAL, Info, Limits, Searcher, Settings
from search.parameters import DEFAULTS, SWITCH
from tests.each import each
from tests.probes import key_after, move16, probe, store
from tests.search_probes import Tree

OFF = {name: 0 for name in DEFAULTS if name.startswith(SWITCH)}
# Margins that the figures below go by, so that tuning does not touch them.
MARGINS = {"rfp_margin": 62, "rfp_margin_unknown": 46, "null_margin": 261, "null_margin_slope": 11,
           "probcut_margin": 154, "small_probcut_margin": 287, "lmr_base": 1133}
# The node is the position after White's king has gone to 5a. Then Black moves, with a king and three pawns.
ROOT = "9/4k4/9/9/9/9/6PPP/9/8K w - 1"
TO_5A = ["5b5a"]


def only(switch: str, **params: int) -> Tree:
    return Tree({**OFF, **MARGINS, switch: 1, **params})


def root() -> Position:
    return Position(ROOT)


def after(position: Position, path: Sequence[str]) -> Position:
    node = position.copy()
    for move in path:
        node.push(move)
    return node


def depth_of(tree: Tree, key: int) -> int | None:
    """To which depth the table has a value of the position; None if it has never been there."""
    entry = probe(tree.table, key)
    return None if entry is None else max(entry["lower_depth"], entry["upper_depth"]) - 1


def knowing(tree: Tree, move: str = "", **known: Any) -> Tree:
    """The table knows this of the node, if anything."""
    if known:
        store(tree.table, after(root(), TO_5A).key, move=move16(move) if move else 0, evaluation=300, **known)
    return tree


def children(tree: Tree, node: Position) -> dict[str, int]:
    """The moves searched from the node, and how deep."""
    found = {move: depth_of(tree, key_after(node, move)) for move in node.legal_moves()}
    return {move: depth for move, depth in found.items() if depth is not None}


# -- The node ----------------------------------------------------------------------------------------------------------

@each(("params", "window", "depth", "known", "fires"), [
    ({}, (-1, 0), 3, {}, True),
    ({}, (-1, 1), 2, {}, False),                                        # not at PV nodes,
    ({}, (289, 290), 3, {}, False),                                     # below the margin,
    ({"rfp_depth": 1}, (-1, 0), 2, {}, False),                          # beyond its depth
    ({}, (-1, 0), 3, {"move": "1i2i", "depth": 0, "lower": 0}, False),  # or where the table has a quiet move
])
def test_rfp_returns_at_once_far_above_beta(params: dict[str, int], window: tuple[int, int], depth: int,
                                            known: dict[str, Any], fires: bool) -> None:
    tree = knowing(only("use_rfp", **params), **known)
    found = tree.search(root(), TO_5A, *window, depth)
    assert found == (100, 0) if fires else found[1] > 0


def test_a_null_move_is_enough_where_a_cut_is_expected() -> None:
    """Not at other nodes, nor close to beta. At high depth a search without null moves has to confirm the cut."""
    position = root()
    assert only("use_null_move").search(position, TO_5A, -1, 0, 3, cut_node=True) == (300, 1)
    assert only("use_null_move").search(position, TO_5A, -1, 0, 3)[1] > 1
    assert only("use_null_move").search(position, TO_5A, 99, 100, 3, cut_node=True)[1] > 1
    for verified in (False, True):
        tree = only("use_null_move", null_base=1, null_verification_depth=4 if verified else 5)
        assert tree.search(position, TO_5A, -1, 0, 4, cut_node=True)[0] >= 0
        assert bool(children(tree, after(position, TO_5A))) == verified


@pytest.mark.parametrize("verified", [False, True])
def test_a_verified_null_move_rests_on_what_both_searches_rest_on(verified: bool) -> None:
    """Passing meets no loop. The search without null moves holds by going back to the root."""
    path = [*TO_5A, "1i1h", "5a5b"]
    tree = only("use_null_move", null_base=1, null_verification_depth=4 if verified else 5, use_ghi_guard=1)
    store(tree.table, after(root(), path).key, move=move16("1h1i"), evaluation=300, depth=0, lower=0)
    assert tree.search(root(), path, -101, -100, 4, cut_node=True)[0] >= -100
    assert tree.on_path == verified


@each(("searched", "known", "options", "depth"), [
    (3, {}, {"cut_node": True}, 2),
    (3, {}, {}, 3),                                                     # not at all nodes,
    (2, {}, {"cut_node": True}, 2),                                     # below its depth,
    (3, {"move": "1i2i", "depth": 0, "lower": 0}, {"cut_node": True}, 3),   # with a table move
    (3, {}, {"cut_node": True, "lmr_before": 4}, 3),                    # or where LMR has taken several plies already
])
def test_iir_takes_a_ply_where_no_table_move_is_known(searched: int, known: dict[str, Any], options: dict[str, Any],
                                                      depth: int) -> None:
    tree = knowing(only("use_iir", iir_depth=3), **known)
    tree.search(root(), TO_5A, 500, 501, searched, **options)
    assert depth_of(tree, after(root(), TO_5A).key) == depth


@each(("lmr_before", "margin", "depth"), [(3, 80, 3), (2, 80, 2), (2, -1, 1), (1, -1, 2), (0, -1, 2)])
def test_hindsight_corrects_the_depth_that_a_reduction_has_left(lmr_before: int, margin: int, depth: int) -> None:
    """A ply deeper if the evaluations, which add up to 0 here, do not justify the reduction, a ply less if both sides
    are content. Without a reduction the depth stays."""
    tree = only("use_hindsight", hindsight_margin=margin)
    tree.search(root(), TO_5A, 500, 501, 2, lmr_before=lmr_before)
    assert depth_of(tree, after(root(), TO_5A).key) == depth


CAPTURE = Position("9/4k4/9/9/4r4/9/4L4/9/8K w - 1")      # the lance will take the rook
TO_4A = ["5b4a"]


def test_probcut_needs_one_capture_that_beats_beta_by_far() -> None:
    """Not below its depth, nor where the table has a value below the raised beta."""
    beta = -250     # the evaluation is -700
    tree = only("use_probcut")
    value, played = tree.search(CAPTURE, TO_4A, beta - 1, beta, 3)
    assert (value >= beta, played) == (True, 1)
    assert children(tree, after(CAPTURE, TO_4A)) == {"5g5e": 0}
    assert only("use_probcut").search(CAPTURE, TO_4A, beta - 1, beta, 2)[1] > 1
    tree = only("use_probcut")
    store(tree.table, after(CAPTURE, TO_4A).key, evaluation=-700, depth=1, upper=beta + 50)
    assert tree.search(CAPTURE, TO_4A, beta - 1, beta, 3)[1] > 1
    assert only("use_probcut").search(CAPTURE, TO_4A, 1400, 1401, 3)[1] > 1, "the rook is not worth that"


@each(("depth", "lower", "fires"), [(1, 387, True), (0, 387, False), (1, 386, False)])
def test_small_probcut_takes_the_tables_word(depth: int, lower: int, fires: bool) -> None:
    """Not if its bound is of too low a depth, nor if it is too close to beta."""
    tree = knowing(only("use_small_probcut"), depth=depth, lower=lower)
    assert (tree.search(root(), TO_5A, 99, 100, 5) == (387, 0)) == fires


@each(("switch", "alpha", "options"), [
    ("use_rfp", -2000, {}), ("use_null_move", -2000, {"cut_node": True}),
    ("use_probcut", -2000, {}), ("use_iir", 100, {"cut_node": True}), ("use_hindsight", 100, {"lmr_before": 3}),
])
def test_in_check_no_node_is_cut_or_changes_its_depth(switch: str, alpha: int, options: dict[str, Any]) -> None:
    position = Position("4l4/k8/9/9/9/9/4P1PPP/9/4K4 b - 1")
    path = ["5g5f", "5a5f"]     # the lance takes, and gives check
    tree = only(switch, iir_depth=3)
    _, played = tree.search(position, path, alpha, alpha + 1, 3, **options)
    assert played > 1
    assert depth_of(tree, after(position, path).key) == 3
    assert after(position, path).in_check


# -- The moves ---------------------------------------------------------------------------------------------------------

def test_lmp_leaves_out_late_quiet_moves() -> None:
    """Not in check, where all evasions are searched."""
    node = after(root(), TO_5A)
    tree = only("use_lmp")
    tree.search(root(), TO_5A, 500, 501, 1)
    assert len(children(tree, node)) == 2
    tree = Tree(OFF)
    tree.search(root(), TO_5A, 500, 501, 1)
    assert len(children(tree, node)) == len(node.legal_moves()) > 5
    position, path = Position("4l4/k8/9/9/9/9/4P1PPP/9/4K4 b - 1"), ["5g5f", "5a5f"]
    tree = only("use_lmp")
    tree.search(position, path, 500, 501, 1)
    assert len(children(tree, after(position, path))) == len(after(position, path).legal_moves()) > 3


def searched(tree: Tree, position: Position, alpha: int, depth: int, *, path: Sequence[str] = TO_5A,
             continuations: Mapping[str, int] | None = None) -> dict[str, int]:
    """The moves searched from a node that is expected to stay below alpha, and how deep."""
    tree.search(position, path, alpha, alpha + 1, depth, continuations=continuations)
    return children(tree, after(position, path))


WITH_ROOK = Position("9/4k4/9/9/9/9/6PPP/9/R7K w - 1")


def test_history_pruning_leaves_out_quiet_moves_of_poor_history() -> None:
    """Not those that give check, nor the first move, whatever its history."""
    checks = {move for move in after(WITH_ROOK, TO_5A).legal_moves() if after(WITH_ROOK, TO_5A).gives_check(move)}
    all_moves = searched(Tree(OFF), WITH_ROOK, 5000, 1).keys()
    poor = {"1g1f": -9000, "9i5i": -9000}
    assert "9i5i" in checks
    assert searched(only("use_history_pruning"), WITH_ROOK, 5000, 1, continuations=poor).keys() == all_moves - {"1g1f"}
    poor = dict.fromkeys(all_moves, -9000)
    left = searched(only("use_history_pruning"), WITH_ROOK, 5000, 1, continuations=poor).keys()
    assert left - checks
    assert len(left - checks) == 1


def test_futility_pruning_leaves_out_quiet_moves_far_below_alpha() -> None:
    """Not checks, nor where the evaluation is close enough. The value is what the moves might have had."""
    checks = {move for move in after(WITH_ROOK, TO_5A).legal_moves() if after(WITH_ROOK, TO_5A).gives_check(move)}
    all_moves = searched(Tree(OFF), WITH_ROOK, 3000, 1).keys()
    left = searched(only("use_futility_pruning"), WITH_ROOK, 3000, 1).keys()
    assert checks & all_moves < left < all_moves
    assert len(left - checks) == 1
    assert len(searched(only("use_futility_pruning"), root(), 300 + 50, 1)) == 6
    assert only("use_futility_pruning").search(WITH_ROOK, TO_5A, 3000, 3001, 1)[0] > 1350


def test_futility_pruning_spares_moves_near_the_other_king() -> None:
    """Moves to within two squares of it."""
    with_silver = Position("9/4k4/9/4S4/9/9/6PPP/9/8K w - 1")

    def left(near: int) -> set[str]:
        return set(searched(only("use_futility_pruning", futility_near=near), with_silver, 3000, 1))

    assert len(left(0)) == 1
    assert left(5000) == left(0) | {move for move in after(with_silver, TO_5A).legal_moves() if move[3] == "c"}


# White's king has gone to 5b. Black may take a gold and three pawns; the capture on 5c gives check.
CAPTURES = Position("4k4/9/4p4/1g1pPp3/1P1P1P3/9/9/9/5L2K w - 1")
TO_5B = ["5a5b"]
GOLD, CHECK, PAWNS = "8e8d", "5d5c+", {"6e6d", "4e4d"}


def test_capture_futility_leaves_out_captures_that_win_too_little() -> None:
    """Not the first move, nor a capture that gives check, nor one that could reach alpha."""
    assert after(CAPTURES, TO_5B).gives_check(CHECK)
    assert searched(Tree(OFF), CAPTURES, 3000, 1, path=TO_5B).keys() >= {GOLD, CHECK, *PAWNS}
    left = searched(only("use_capture_futility"), CAPTURES, 3000, 1, path=TO_5B).keys()
    assert {GOLD, CHECK} <= left
    assert not left & PAWNS
    left = searched(only("use_capture_futility", capture_futility_base=5000), CAPTURES, 3000, 1, path=TO_5B).keys()
    assert left >= PAWNS


def test_see_pruning_leaves_out_moves_that_lose_material() -> None:
    """Not those that lose no more than the depth allows."""
    position = Position("9/4k4/9/p8/9/9/9/9/R7K w - 1")     # a pawn takes the rook on 9e
    every = searched(Tree(OFF), position, 3000, 5).keys()
    assert every - searched(only("use_see_pruning"), position, 3000, 5).keys() == {"9i9e"}
    assert searched(only("use_see_pruning", see_quiet_slope=3000), position, 3000, 5).keys() == every


# -- Depths ------------------------------------------------------------------------------------------------------------

def with_table_move(tree: Tree, lower: int, depth: int) -> Tree:
    """Store in the table that 1g1f, played from the node, is worth at least `lower`, by a search of this depth."""
    return knowing(tree, "1g1f", lower=lower, depth=depth)


@each(("params", "lower", "depth", "depths"), [
    ({"singular_depth": 3}, 900, 3, (6, 4)),        # the node gets a ply more, too
    ({"singular_depth": 3}, 900, 0, (3, 3)),        # not if the table's bound is from too low a depth,
    ({"singular_depth": 3}, 250, 3, (3, 3)),        # has rivals
    ({"singular_depth": 3}, -31900, 3, (3, 3)),     # or is a mate
    ({"singular_depth": 3, "deepening_value": 899}, 900, 3, (3, 3)),    # or says that the game is decided
    ({"singular_depth": 3, "deepening_value": 900}, 900, 3, (6, 4)),
    ({}, 900, 3, (3, 3)),
])
def test_a_table_move_without_rival_is_extended(params: dict[str, int], lower: int, depth: int,
                                                depths: tuple[int, int]) -> None:
    found = searched(with_table_move(only("use_singular", **params), lower, depth), root(), 1000, 4)
    assert (found["1g1f"], found["1i1h"]) == depths


def test_a_table_move_that_only_goes_to_and_fro_is_not_extended() -> None:
    """The third move of one piece in a row, back to where it came from; not where another piece has moved between."""
    def depth(path: str) -> int:
        tree = only("use_singular", singular_depth=3, shuffling_ply=0, shuffling_plies=0)
        store(tree.table, after(root(), path.split()).key, move=move16("1i1h"), evaluation=300, lower=900, depth=3)
        return searched(tree, root(), 1000, 4, path=path.split())["1i1h"]

    assert depth("5b5a 1i1h 5a4a 1h1i 4a3a") == 3
    assert depth("5b5a 1i1h 5a4a 2g2f 4a3a 1h1i 3a2a") == 6


@each(("lower", "params", "fires"), [
    (250, {}, True),
    (900, {}, False),                       # not where only the table move holds it
    (900, {"singular_excess": 0}, True),    # of a table value above beta only a part binds its rivals
    (900, {"singular_excess": 1024}, False),
])
def test_multi_cut_fails_high_where_the_rivals_hold_beta_too(lower: int, params: dict[str, int], fires: bool) -> None:
    """The table move itself is not searched then."""
    tree = with_table_move(only("use_singular", singular_depth=3, **params), lower, 3)
    assert (tree.search(root(), TO_5A, 200, 201, 4) == (300, 1)) == fires
    assert ("1g1f" in children(tree, after(root(), TO_5A))) != fires


@each(("alpha", "cut_node", "depth"), [(310, False, 1), (330, True, 2), (330, False, 4)])
def test_a_table_move_with_rivals_is_searched_less_deep_where_a_cut_is_expected(alpha: int, cut_node: bool,
                                                                                depth: int) -> None:
    """Three plies less if the table's bound is above beta, two at other cut nodes, none elsewhere."""
    tree = with_table_move(only("use_singular", singular_depth=3, singular_margin=640), 320, 3)
    tree.search(root(), TO_5A, alpha, alpha + 1, 5, cut_node=cut_node)
    assert children(tree, after(root(), TO_5A))["1g1f"] == depth


# White's knight attacks the rook: moves of other pieces lose it.
ATTACKED = Position("9/4k4/9/9/9/9/1n4PPP/9/R7K w - 1")


def test_lmr_reduces_late_moves_and_searches_those_again_that_beat_alpha() -> None:
    """Not the first move, nor at depth 1."""
    plain = searched(Tree(OFF), root(), 2000, 4)
    assert set(plain.values()) == {3}
    reduced = searched(only("use_lmr"), root(), 2000, 4)
    assert reduced.keys() == plain.keys()
    assert sorted(reduced.values()) == [1, 1, 1, 1, 1, 3]
    assert searched(only("use_lmr"), root(), 2000, 1) == searched(Tree(OFF), root(), 2000, 1)
    found = searched(only("use_lmr"), ATTACKED, 500, 4)     # one that saves the rook comes late
    assert found.pop("9i9a+") == 3
    assert sorted(found.values()) == [1, 1, 1, 1, 1, 3]


TAKEN = Position("4k4/9/9/9/9/4p4/4P4/3G1G3/8K w - 1")


def test_lmr_reduces_moves_that_take_back_less() -> None:
    backs = {"4h5g", "6h5g"}

    def depths(retakes: int) -> tuple[list[int], list[int]]:
        found = searched(only("use_lmr", lmr_retakes=retakes), TAKEN, 5000, 4, path=["5f5g+"])
        return (sorted(found[move] for move in backs), sorted(found[move] for move in found.keys() - backs))

    assert depths(0)[0] == [1, 3]
    assert depths(2048)[0] == [3, 3]
    assert depths(0)[1] == depths(2048)[1]


@each(("lower", "params", "depth"), [
    (900, {}, 5), (900, {"lmr_deeper": 0}, 3), (900, {"deepening_value": 900}, 5),
    (900, {"deepening_value": 899}, 3),     # the table's value says that the game is decided
    (-900, {"deepening_value": 899}, 3),
])
def test_a_negative_reduction_searches_deeper(lower: int, params: dict[str, int], depth: int) -> None:
    path = ["5f5g+"]
    tree = only("use_lmr", lmr_retakes=20_000, **params)
    store(tree.table, after(TAKEN, path).key, evaluation=0, lower=lower, depth=0)
    found = searched(tree, TAKEN, 5000, 4, path=path)
    assert max(found["4h5g"], found["6h5g"]) == depth


def test_a_second_search_is_deeper_or_shallower_by_what_the_first_found() -> None:
    def depth(**params: int) -> int:
        return searched(Tree({**OFF, "use_lmr": 1, "use_research_depth": 1, **params}), ATTACKED, 500, 4)["9i9a+"]

    assert depth() == 4
    assert depth(research_deeper=4000) == 3
    assert depth(research_deeper=4000, research_shallower=4000) == 2


# -- Quiescence --------------------------------------------------------------------------------------------------------

@each(("path", "alpha", "params", "tried"), [
    (TO_5B, 3000, {}, {GOLD, CHECK, *PAWNS}),
    # Few captures; not counted are those that take back, and those that give check.
    (TO_5B, 3000, {"use_qsearch_count": 1, "qsearch_count": 2}, {GOLD, CHECK}),
    (TO_5B, 3000, {"use_qsearch_count": 1, "qsearch_count": 0}, {CHECK}),
    (["4d4e"], 3000, {"use_qsearch_count": 1, "qsearch_count": 0}, {"4i4e"}),
    # Delta pruning: none that cannot come near alpha, unless it gives check or takes back.
    (TO_5B, 3000, {"use_qsearch_futility": 1}, {CHECK}),
    (["4d4e"], 3000, {"use_qsearch_futility": 1}, {"4i4e"}),
    (TO_5B, 0, {"use_qsearch_futility": 1}, {GOLD}),
])
def test_captures_that_quiescence_tries_below_alpha(path: list[str], alpha: int, params: dict[str, int],
                                                    tried: set[str]) -> None:
    tree = Tree({**OFF, **params})
    tree.search(CAPTURES, path, alpha, alpha + 1, 0, quiescence=True)
    assert set(children(tree, after(CAPTURES, path))) == tried


# -- Values and windows ------------------------------------------------------------------------------------------------

def test_corrections_are_learnt_where_the_evaluation_proved_wrong() -> None:
    """Not from captures, nor from a bound on the wrong side of the evaluation."""
    def learnt(position: Position, path: list[str], alpha: int) -> int:
        tree = only("use_correction")
        tree.search(position, path, alpha, alpha + 1, 3)
        tree.table.clear()
        tree.search(position, path, alpha, alpha + 1, 1)
        return tree.correction

    assert learnt(WITH_ROOK, TO_5A, 1500) > 0, "the rook promotes"
    assert learnt(WITH_ROOK, TO_5A, 2000) == 0, "no more than 2000 may be more than 1350"
    assert learnt(CAPTURES, TO_5B, -500) == 0


def test_corrections_serve_positions_with_the_same_hands() -> None:
    weights = {name: 0 for name in DEFAULTS if name.startswith("correction_") and "learn" not in name}
    tree = only("use_correction", **{**weights, "correction_rate": 100, "correction_hands": 3000})
    tree.search(WITH_ROOK, TO_5A, 1500, 1501, 3)

    def correction(placement: str) -> int:
        tree.search(Position(placement), TO_5A, 1500, 1501, 1)
        return tree.correction

    other = ROOT.replace("PPP", "PP1")
    assert correction(other) > 0
    assert correction(other.replace(" - ", " P ")) == 0


@each(("window", "depth", "cuts"), [
    ((100, 101), 3, True), ((499, 500), 4, True), ((100, 101), 2, False), ((500, 501), 3, False),
    ((100, 102), 3, False),
])
def test_the_table_cuts_off_null_windows_alone(window: tuple[int, int], depth: int, cuts: bool) -> None:
    """The bound must be on the right side, from a search at least as deep."""
    assert (with_table_move(Tree(OFF), 500, depth).search(root(), TO_5A, *window, 3) == (500, 0)) == cuts


def test_aspiration_windows_open_after_a_failure() -> None:
    """From the second iteration on, however narrow; the last report of each is exact. Not where they are wide."""
    def bounds(**params: int) -> list[tuple[int, str]]:
        infos: list[Info] = []
        searcher = Searcher(hash_mb=1, params={**OFF, **params}, evaluator=MATERIAL)
        searcher.search(Position("9/4k4/9/9/9/9/1n4PPP/9/R7K b - 1"), Limits(depth=6), Settings(), infos.append)
        return [(info.depth, info.bound) for info in infos]

    for found in (bounds(), bounds(aspiration_window=1, aspiration_square=32_000)):
        assert {bound for _, bound in found} == {"exact", "lower", "upper"}
        assert found[:2] == [(1, "exact"), (2, "lower")]
        assert [depth for depth, bound in found if bound == "exact"] == [1, 2, 3, 4, 5, 6]
        ends = [one for one, after in zip(found, [*found[1:], (7, "")], strict=True) if one[0] != after[0]]
        assert ends == [(depth, "exact") for depth in range(1, 7)]
    assert all(bound == "exact" for _, bound in bounds(aspiration_window=30000))
