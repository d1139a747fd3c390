"""`engine eval`: the parts add up to the evaluation, however the tables are filled."""
import itertools
import math
import re
from random import Random

import numpy as np
import pytest

from engine import Position
from eval.evaluator import Evaluator
from eval.features import INVERSE, MIRROR, features_of
from eval.learning.fold import BONANZA
from eval.loading import load_evaluator
from eval.material import balance
from eval.network import COMMON, EvalNetwork
from eval.tables import EvalTables
from tests.networks import COMMON_LIMITS, random_arrays
from usi.commands.explain import network
from usi.commands.explain.tables import HEAVIEST, Tables, as_lines, explain
from usi.words.wording import columns_of

FEATURES = 1548
TRIANGLE = FEATURES * (FEATURES + 1) // 2
MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Random ones with all the symmetries, each value of KPP a function of its number."""
    rng = np.random.default_rng(5)
    king, turn = BONANZA.king_mirror, np.arange(81)[::-1]
    signs = np.array([-1, 1], np.int16)     # of the sides exchanged: for Black, and for the side to move
    kk = rng.integers(-2000, 2000, (81, 81, 2))
    kk = kk + kk[np.ix_(king, king)]
    kk = kk + signs * kk[np.ix_(turn, turn)].transpose(1, 0, 2)
    kkp = rng.integers(-500, 500, (81, 81, FEATURES, 2), np.int16)
    kkp = kkp + kkp[np.ix_(king, king, np.array(MIRROR))]
    kkp = kkp + signs * kkp[np.ix_(turn, turn, np.array(INVERSE))].transpose(1, 0, 2, 3)
    # One row for all kings, shifted a little from one to the next: 45 real ones would fill the memory.
    row = np.round(rng.laplace(0, 300, TRIANGLE + 45)).astype(np.int16)
    kpp = np.lib.stride_tricks.as_strided(row, (45, TRIANGLE), row.strides * 2, writeable=False)
    return Tables(kk=kk.astype(np.int16), kkp=kkp, kpp=kpp, tempo=330, scale=32)


def walks(seed: int) -> list[str]:
    """Positions of a random game."""
    rng = Random(seed)
    position = Position()
    sfens = [position.sfen]
    for _ in range(150):
        moves = position.legal_moves()
        if not moves:
            break
        position.push(rng.choice(moves))
        sfens.append(position.sfen)
    return [*sfens[::15], sfens[-1]]


def mirrored(king: int) -> int:
    return int(BONANZA.king_mirror[king])


def position_feature(sfen: str) -> int:
    """The feature of the only piece besides the kings."""
    (feature,) = filter(None, features_of(Position(sfen))[2])
    return feature


def units_by_loops(position: Position, tables: Tables) -> tuple[int, ...]:
    """KK, KKP and the two halves of KPP for Black, then KK and KKP for the side to move, as the contract has them, one
    number at a time."""
    black, white, features = features_of(position)
    listed = [feature for feature in features if feature]
    halves = []
    for king, seen in ((black, listed), (80 - white, [INVERSE[p] for p in listed])):
        folded, pieces = (king, seen) if king < 45 else (mirrored(king), [MIRROR[p] for p in seen])
        halves.append(sum(int(tables.kpp[folded, max(i, j) * (max(i, j) + 1) // 2 + min(i, j)])
                          for i, j in itertools.combinations(pieces, 2)))
    kk, kk_turn = np.asarray(tables.kk)[black, white].tolist()
    kkp, kkp_turn = (sum(int(tables.kkp[black, white, p, whose]) for p in listed) for whose in (0, 1))
    return kk, kkp, halves[0], -halves[1], kk_turn, kkp_turn


def test_parts_and_the_shares_of_pieces_add_up_to_the_evaluation(tables: Tables) -> None:
    playing = Evaluator(EvalTables.from_arrays(tables.kk, tables.kkp, tables.kpp, tables.tempo))
    for sfen in [*walks(0), *walks(1)]:
        position = Position(sfen)
        found = explain(position, tables)
        kk, kkp, black_half, white_half, kk_turn, kkp_turn = units_by_loops(position, tables)
        sign = -1 if position.turn else 1
        assert found.material == balance(position)
        assert (found.kk * 32, sum(found.kkp) * 32) == (kk, kkp)
        assert (found.kpp[0] * 32, found.kpp[1] * 32) == (black_half, white_half)
        assert (found.kk_turn * 32, sum(found.kkp_turn) * 32) == (sign * kk_turn, sign * kkp_turn)
        units = 32 * balance(position) + kk + kkp + black_half + white_half
        assert found.score == math.trunc((sign * units + kk_turn + kkp_turn + 330) / 32) == playing.evaluate(position)
        assert found.shares is not None
        assert sum(found.shares.values()) * 32 == (kk + kkp + black_half + white_half + sign * (kk_turn + kkp_turn))
        assert len(found.shares) == 40
        for name in found.shares:
            symbol, place = re.fullmatch(r"(\+?[A-Za-z])(.+)", name).groups()     # type: ignore[union-attr]
            if place[0] == "*":
                assert 1 <= int(place[1:]) <= position.hand(symbol.islower())[symbol.upper()]
            else:
                assert position.piece_at(place) & 16 == 16 * symbol.islower()


def test_heaviest_pairs(tables: Tables) -> None:
    """A pair with a planted large value comes first and counts for the right king."""
    entry = np.zeros((45, TRIANGLE), np.int16)
    planted = Tables(kk=tables.kk, kkp=tables.kkp, kpp=entry, tempo=0, scale=32)
    rook, pawn = (position_feature(sfen) for sfen in ("4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "4k4/9/9/9/9/9/2P6/9/4K4 b - 1"))
    entry[44, rook * (rook + 1) // 2 + pawn] = 320      # 44 is 5i; White's king on 5a sees its own rook and pawn so
    (first, second, *rest) = explain(Position(), planted).pairs
    assert {(pair.king, frozenset(pair.pieces), pair.centipawns) for pair in (first, second)} == {
        ("K5i", frozenset(("P7g", "R2h")), 10.0), ("k5a", frozenset(("p3c", "r8b")), -10.0)}
    assert len(rest) == HEAVIEST - 2
    assert all(pair.centipawns == 0 for pair in rest)


def test_report_for_readers(tables: Tables) -> None:
    found = explain(Position(MATSURI), tables)
    assert found.shares is not None
    lines = as_lines(found)
    assert lines[1] == f"{'material':33} {found.material:+9.1f}"
    assert re.fullmatch(r"KPP, by king +[+-][\d.]+ +[+-][\d.]+ +[+-][\d.]+", lines[4])
    assert lines[5] == f"{'KK, turn':33} {found.kk_turn:+9.1f}"
    assert lines[6].startswith("KKP, turn ")
    assert len([line for line in lines if re.fullmatch(r"[Kk]\d[a-i] +\S+ +\S+ +[+-]\d+\.\d", line)]) == HEAVIEST
    assert lines[-1] == f"score {found.score:+} centipawns for White, who is to move (cut off to whole ones)"
    assert not float(found.for_black).is_integer()
    second_rank = lines.index(next(line for line in lines if line.endswith("  b")))
    assert lines[second_rank].split() == [*".....", "+P", ".", "g", "k", "b"]
    assert lines[second_rank + 1].split() == [f"{found.shares[name]:+.1f}" for name in ("+P4b", "g2b", "k1b")]
    pawns = sum(found.shares[f"p*{unit}"] for unit in range(1, 6))
    assert any(line.startswith("White's hand: ") and line.endswith(f"5p {pawns:+.1f}") for line in lines)


@pytest.mark.usefixtures("japanese")
def test_report_in_japanese(tables: Tables) -> None:
    """Pieces and squares have their Japanese names, in columns that stand one below the other."""
    found = explain(Position(MATSURI), tables)
    assert found.shares is not None
    lines = as_lines(found)
    start = next(number for number, line in enumerate(lines) if line.split() == list("９８７６５４３２１"))
    ranks = lines[start + 1:start + 19:2]
    assert [line[-1] for line in ranks] == list("一二三四五六七八九")
    assert {columns_of(line) for line in ranks} == {columns_of(lines[start]) + 4}
    assert ranks[1].split()[:9] == [*"・・・・・", "と", "・", "v金", "v玉"]
    pawns = sum(found.shares[f"p*{unit}"] for unit in range(1, 6))
    assert any(line.startswith("後手の持駒: ") and line.endswith(f"歩5 {pawns:+.1f}") for line in lines)
    place = r"[▲△](?:[１-９][一二三四五六七八九]|持駒)[玉飛龍角馬金銀全桂圭香杏歩と]\d*"
    pairs = [line for line in lines if re.fullmatch(rf"{place} +{place} +{place} +[+-]\d+\.\d", line)]
    assert len(pairs) == HEAVIEST
    assert len({columns_of(line) for line in pairs}) == 1
    assert not re.search(r"[a-zA-Z]", "".join([*ranks, *pairs]).replace("v", ""))


# -- A network ---------------------------------------------------------------------------------------------------------

def test_a_network_is_told_by_what_each_piece_adds() -> None:
    evaluator = load_evaluator()
    assert isinstance(evaluator.source, EvalNetwork)
    for sfen in [*walks(1), MATSURI]:
        position = Position(sfen)
        found = network.explain(position, evaluator.source)
        assert found.score == evaluator.evaluate(position)
        assert found.for_black == balance(position) + found.network
        assert len(found.removals) == 38
        report = network.as_json(found)
        assert report["removals"].keys() == found.removals.keys()
        lines = network.as_lines(found)
        assert lines[-1].startswith(f"score {found.score:+} centipawns for ")
        assert lines[2].split() == ["network", f"{found.network:+}"]


def test_a_removal_is_the_difference_to_the_position_without_the_piece() -> None:
    evaluator = load_evaluator()
    assert isinstance(evaluator.source, EvalNetwork)
    found = network.explain(Position(), evaluator.source).removals["P7g"]
    without = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1")
    assert found.material == 100
    assert found.both == evaluator.evaluate(Position()) - evaluator.evaluate(without)
    assert "".join(network.as_lines(network.explain(Position(), evaluator.source))).count(f"{found.both:+.1f}")


def test_a_network_that_values_the_material_itself() -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(random_arrays(1, COMMON_LIMITS), form=COMMON))
    assert isinstance(evaluator.source, EvalNetwork)
    for sfen in walks(1):
        position = Position(sfen)
        found = network.explain(position, evaluator.source)
        assert found.material == 0
        assert {removal.material for removal in found.removals.values()} == {0}
        assert found.score == evaluator.evaluate(position)
    assert network.as_lines(found)[1].split() == ["material", "+0"]


def test_a_network_says_nothing_without_a_king() -> None:
    evaluator = load_evaluator()
    assert isinstance(evaluator.source, EvalNetwork)
    found = network.explain(Position("4k4/9/9/9/9/9/9/9/9 b P 1"), evaluator.source)
    assert (found.material, found.network, found.removals, found.score) == (100, 0, {}, 100)


@pytest.mark.parametrize("sfen", [
    "4k4/9/4p4/9/2P6/9/9/1B7/9 b R2P 1",    # no king of Black's
    MATSURI,
])
def test_material_alone(tables: Tables, sfen: str) -> None:
    position = Position(sfen)
    found = explain(position, None if "K" in sfen else tables)
    assert found.score == (-balance(position) if position.turn else balance(position))
    assert as_lines(found) == [
        f"material {balance(position):+}, without tables", "",
        f"score {found.score:+} centipawns for {('Black', 'White')[position.turn]}, who is to move"]
