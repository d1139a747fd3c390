"""The path mark in the real search: a bound that the table gives away freely is true on every path.

Each bound is set against a search of equal depth without a table, on a path that holds nothing but the node and its
parent as the root: what repeats a position above the node on other paths repeats none there.
"""
from collections import Counter
from random import Random

import pytest

from engine import Position
from search import MATERIAL, Limits, Searcher, Settings
from tests.probes import probe
from tests.search.conftest import UNSELECTIVE
from tests.search_probes import minimax_value

# Kings near the corners, few pieces, much to shuttle.
SPARSE = [
    "8k/7R1/9/9/9/9/9/9/K8 b - 1",
    "7k1/9/6+P2/9/9/9/9/9/1K7 b - 1",
    "8k/9/7B1/6G2/9/9/9/9/K8 w - 1",
    "7k1/8p/6S2/6L2/9/9/3b5/9/K8 b - 1",
    "8k/6+P2/5+P3/9/9/3s5/9/9/1K7 w - 1",
]
PLAIN = {**UNSELECTIVE, "qsearch": 0, "exact_depth": 1}
DEPTH = 6
FAR = 31000     # bounds beyond are mates, which count from the node: left out
ON_PATH = {"lower": 2, "upper": 4}


def tally(sfen: str, draw_value: int, **params: int) -> Counter[str]:
    """Count the table's bounds, free and path-dependent ones, and the false ones of each, on random walks from a
    position that was just searched."""
    searcher = Searcher(hash_mb=2, params={**PLAIN, **params}, evaluator=MATERIAL)
    searcher.search(Position(sfen), Limits(depth=DEPTH), Settings(draw_value=(draw_value, draw_value)))
    plain = Searcher(hash_mb=1, params={**PLAIN, "table": 0}, in_calling_thread=True, evaluator=MATERIAL)
    rng = Random(1)
    result: Counter[str] = Counter()
    seen = set()
    for _ in range(1000):
        position = Position(sfen)
        for _ in range(rng.randint(1, DEPTH - 2)):
            if not position.is_mate():
                position.push(rng.choice(position.legal_moves()))
        entry = probe(searcher.table, position.key)
        if position.key in seen or entry is None:
            continue
        seen.add(position.key)
        last = position.pop()
        draw = draw_value if position.turn == Position(sfen).turn else -draw_value
        for side, bound, depth in (("lower", entry["lower"], entry["lower_depth"] - 1),
                                   ("upper", entry["upper"], entry["upper_depth"] - 1)):
            if depth < 1 or abs(bound) >= FAR:
                continue
            value = -plain.search(Position(position.sfen), Limits(depth=depth + 1, searchmoves=(last,)),
                                  Settings(draw_value=(draw, draw))).score
            kind = "marked" if entry["marks"] & ON_PATH[side] else "free"
            result[kind] += 1
            result[f"{kind} and false"] += value < bound if side == "lower" else value > bound
    return result


def total(**params: int) -> Counter[str]:
    return sum((tally(sfen, draw, **params) for sfen in SPARSE for draw in (-3000, 500)), Counter())


def test_without_the_guard_false_bounds_are_given_away() -> None:
    unguarded = total(use_ghi_guard=0)
    assert unguarded["free and false"] > 0
    assert unguarded["marked"] == 0


def test_with_the_guard_no_false_bound_is_given_away() -> None:
    guarded = total()
    assert guarded["free"] > 500
    assert guarded["free and false"] == 0
    assert guarded["marked and false"] > 0, "the marks would be idle"


@pytest.mark.parametrize("sfen", ["8k/7pp/9/9/9/9/9/9/K8 b - 1", "kl7/pp7/9/9/9/9/9/7PP/7LK b - 1"])
def test_root_values_are_those_of_plain_minimax(sfen: str) -> None:
    for depth in range(4, 8):
        expected = minimax_value(Position(sfen), depth, {"qsearch": 0}, draw_value=150)
        searcher = Searcher(hash_mb=2, params=PLAIN, evaluator=MATERIAL)
        assert searcher.search(Position(sfen), Limits(depth=depth), Settings(draw_value=(150, 150))).score == expected
