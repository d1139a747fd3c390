"""The numbering of weights against definitions written out in Python, and the tables that they add up to."""
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.arrays import Array
from eval.features import INVERSE, MIRROR
from eval.learning.quantised import dense, part, quantise_tables
from eval.tables import SCALE
from eval.tables.expansion import checked_factors, expand
from eval.tables.factors import SHAPES, SPARSE, STARTS, TURN_SHAPES, WEIGHTS
from tests.each import each
from tests.faults import refused
from tests.weights import Factors, no_factors

HANDS, FEATURES, TRIANGLE = 90, 1548, 1548 * 1549 // 2
FLIPPED = np.arange(81).reshape(9, 9)[::-1].ravel()     # squares in the mirror
EMPTY = no_factors()

Tables = tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]


class Whose(NamedTuple):
    """Whether a set of weights is for Black or for the side to move."""

    suffix: str     # of their names
    number: int     # where KK and KKP have them
    sign: int       # of an image with the sides exchanged


BLACK, MOVER = Whose("", 0, -1), Whose("_turn", 1, 1)
for_either = pytest.mark.parametrize("whose", [BLACK, MOVER], ids=["black", "mover"])


def only(*names: str, seed: int = 1, size: int = 3000) -> Factors:
    """Random factors in these sets; in a sparse set, only some 100,000."""
    rng = np.random.default_rng(seed)
    factors = dict(EMPTY)
    for name in names:
        if name in SPARSE:
            numbers = np.unique(rng.integers(0, np.prod(SHAPES[name]), 100_000, np.uint32))
            values = rng.integers(1, size, len(numbers), np.int16) * rng.choice(np.array([-1, 1], np.int16),
                                                                                len(numbers))
            factors |= {f"{name}_index": numbers, f"{name}_value": values}
        else:
            factors[name] = rng.integers(-size, size, SHAPES[name], np.int16)
    return factors


def tables_of(*names: str, seed: int = 1, size: int = 3000) -> Tables:
    return expanded(only(*names, seed=seed, size=size))


def expanded(factors: Mapping[str, Array]) -> Tables:
    kk, kkp, kpp = map(np.asarray, expand(factors))
    return kk, kkp, kpp


@lru_cache(1)       # tables are large
def tables_for_both(name: str) -> Tables:
    return tables_of(name, f"{name}_turn")


def kings_tables(name: str, whose: Whose) -> Tables:
    """KK and KKP for Black or for the side to move, expanded from one set of weights; and KPP."""
    kk, kkp, kpp = tables_for_both(name)
    return kk[..., whose.number], kkp[..., whose.number], kpp


def triangle(one: int, other: int) -> int:
    high, low = max(one, other), min(one, other)
    return high * (high + 1) // 2 + low


def kind_side(feature: int) -> int:
    return (feature - HANDS) // 81


def file_rank(feature: int) -> tuple[int, int]:
    return divmod((feature - HANDS) % 81, 9)


# -- What each set ties together: equal keys of a pair or place mean equal table entries ------------------------------

def vector_key(one: int, other: int) -> Hashable:
    """Unordered, with the mirror taken into account; sides are not exchanged here."""
    if one < HANDS or other < HANDS:
        hand, board = min(one, other), max(one, other)
        return hand, kind_side(board)
    (file, rank), (other_file, other_rank) = file_rank(one), file_rank(other)
    apart = abs(file - other_file)
    return min((kind_side(one), kind_side(other), apart, other_rank - rank),
               (kind_side(other), kind_side(one), apart, rank - other_rank))


def rank_key(one: int, other: int) -> Hashable:
    if one < HANDS or other < HANDS:
        hand, board = min(one, other), max(one, other)
        return hand, kind_side(board), file_rank(board)[1]
    (file, rank), (other_file, other_rank) = file_rank(one), file_rank(other)
    return *sorted([(kind_side(one), rank), (kind_side(other), other_rank)]), abs(file - other_file)


def place_key(one: int, other: int) -> Hashable:
    return min(tuple(sorted(pair)) for pair in ((one, other), (MIRROR[one], MIRROR[other])))


def check_ties(values: dict[Hashable, set[int]], negated: dict[Hashable, Hashable]) -> None:
    """Assert that every key has one value, that exchanging the sides negates it, and that other keys mostly differ."""
    assert all(len(found) == 1 for found in values.values())
    opposite = [(key, negated[key]) for key in values if negated[key] in values]
    assert opposite
    for key, other in opposite:
        assert min(values[key]) == -min(values[other])
        if key == other:
            assert values[key] == {0}
    assert len({abs(min(found)) for found in values.values()}) > 0.3 * min(len(values), 3000)


@pytest.mark.parametrize(("name", "key"), [("pp", place_key), ("pp_vector", vector_key), ("pp_rank", rank_key)])
def test_a_pair_set_ties_together_what_it_says(name: str, key: Callable[[int, int], Hashable]) -> None:
    *_, kpp = tables_of(name)
    assert (kpp == kpp[0]).all()                # wherever the king is
    rng = np.random.default_rng(2)
    values: dict[Hashable, set[int]] = defaultdict(set)
    negated = {}
    for one, other in rng.integers(0, FEATURES, (6000, 2)).tolist():
        if one == other:
            continue
        if name != "pp" and max(one, other) < HANDS:
            assert kpp[0, triangle(one, other)] == 0
            continue
        for a, b in ((one, other), (INVERSE[one], INVERSE[other])):
            values[key(a, b)].add(int(kpp[0, triangle(a, b)]))
            values[key(a, b)].add(int(kpp[0, triangle(MIRROR[a], MIRROR[b])]))
            negated[key(a, b)] = key(INVERSE[a], INVERSE[b])
    check_ties(values, negated)


@for_either
@pytest.mark.parametrize(("name", "least"), [("kk", 0), ("p", 400), ("kp", 500), ("kkp", 30)])
def test_a_set_with_kings_is_tied_to_the_mirror_and_to_the_other_side(name: str, least: int, whose: Whose) -> None:
    kk, kkp, kpp = kings_tables(name, whose)
    assert (bool(kk.any()), bool(kkp.any()), bool(kpp.any())) == (name == "kk", name != "kk", False)
    assert (kk == kk[FLIPPED][:, FLIPPED]).all()
    assert (kk == whose.sign * kk[::-1, ::-1].T).all()
    assert (kkp == kkp[FLIPPED][:, FLIPPED][:, :, list(MIRROR)]).all()
    assert (kkp == whose.sign * kkp[::-1, ::-1].transpose(1, 0, 2)[:, :, list(INVERSE)]).all()
    assert len(np.unique(kkp[30, 0])) > least
    if name == "p":
        assert (kkp == kkp[0, 0]).all()
    if name == "kp":
        # mine[bk][p] -+ mine[80 - wk][inverse p]: apart from a constant, one king's share does not depend on the other.
        assert ((kkp[30] - kkp[10]) == (kkp[30] - kkp[10])[0]).all()


@for_either
def test_kp_vector_is_tied_by_the_vector_from_the_king(whose: Whose) -> None:
    _, kkp, _ = kings_tables("kp_vector", whose)
    assert not kkp[:, :, :HANDS].any()
    values = defaultdict(set)
    for king in range(81):
        difference = kkp[king, 7].astype(int) - kkp[40, 7]      # White's share goes out
        for feature in range(HANDS, FEATURES, 7):
            def vector(king: int, feature: int = feature) -> Hashable:
                (file, rank), (king_file, king_rank) = file_rank(feature), divmod(king, 9)
                return kind_side(feature), abs(file - king_file), rank - king_rank
            values[vector(king), vector(40)].add(int(difference[feature]))
    assert all(len(found) == 1 for found in values.values())
    assert len({min(found) for found in values.values()}) > 1000


@for_either
def test_every_orbit_of_kk_has_a_weight_of_its_own(whose: Whose) -> None:
    kk = expanded({**EMPTY, f"kk{whose.suffix}": np.arange(1, 1702, dtype=np.int16)})[0][..., whose.number]
    orbits = defaultdict(set)
    for black in range(81):
        for white in range(81):
            images = [(black, white), (80 - white, 80 - black)]
            images += [(int(FLIPPED[a]), int(FLIPPED[b])) for a, b in images]
            if whose is BLACK and {images[0], images[2]} & {images[1], images[3]}:
                assert kk[black, white] == 0
            else:
                orbits[min(images)].add(abs(int(kk[black, white])))
    assert all(len(found) == 1 for found in orbits.values())
    assert len({min(found) for found in orbits.values()}) == len(orbits)


def kkp_images() -> NDArray[np.int32]:
    """The numbers of the four images of each entry of KKP, by definition. Entries are numbered in C order. The first
    image is the entry itself; in the last two the sides are exchanged."""
    mirror, inverse = np.array(MIRROR), np.array(INVERSE)
    black, white, feature = np.ogrid[:81, :81, :FEATURES]

    def number(black: NDArray[np.int64], white: NDArray[np.int64], feature: NDArray[np.int64]) -> NDArray[np.int32]:
        return ((black * 81 + white) * FEATURES + feature).ravel().astype(np.int32)

    exchanged = 80 - white, 80 - black, inverse[feature]
    return np.stack([number(black, white, feature), number(FLIPPED[black], FLIPPED[white], mirror[feature]),
                     number(*exchanged), number(FLIPPED[80 - white], FLIPPED[80 - black], mirror[exchanged[2]])])


@pytest.mark.slow
def test_every_orbit_of_kkp_has_a_weight_of_its_own() -> None:
    """Brute force over all entries. The first entry of an orbit belongs to the first pair of kings among its images."""
    images = kkp_images()
    first = images.min(axis=0)
    is_exchanged = images[:2].min(axis=0) != first
    is_first = first == images[0]
    firsts, orbits = first[is_first], (np.cumsum(is_first) - 1)[first]
    pairs = np.unique(firsts // FEATURES)
    numbers = (np.searchsorted(pairs, firsts // FEATURES) * FEATURES + firsts % FEATURES).astype(np.uint32)
    values = np.random.default_rng(5).integers(1, 32000, len(firsts), np.int16)
    for whose in (BLACK, MOVER):
        name = f"kkp{whose.suffix}"
        _, kkp, _ = expanded({**EMPTY, f"{name}_index": numbers, f"{name}_value": values})
        expected = np.where(is_exchanged, whose.sign, 1) * values[orbits]
        assert np.array_equal(kkp[..., whose.number].ravel(), expected)
        assert not kkp[..., 1 - whose.number].any()


def test_a_king_on_file_5_sees_mirror_images_alike() -> None:
    rng = np.random.default_rng(3)
    mirror = MIRROR
    residual: dict[int, int] = {}
    entries: dict[tuple[int, int, int], tuple[int, int]] = {}    # of the table: the same pair in the mirror
    for king, one, other in rng.integers(0, (45, FEATURES, FEATURES), (3000, 3)).tolist():
        here, there = triangle(one, other), triangle(mirror[one], mirror[other])
        entries[king, here, min(here, there) if king >= 36 else here] = (king, there)
        number = king * TRIANGLE + (min(here, there) if king >= 36 else here)
        residual[number] = int(rng.integers(1, 1000))
    numbers, values = zip(*sorted(residual.items()), strict=True)
    *_, kpp = expanded({**EMPTY, "kpp_index": np.array(numbers, np.uint32), "kpp_value": np.array(values, np.int16)})
    for (king, here, first), image in entries.items():
        assert kpp[king, here] == residual[king * TRIANGLE + first]
        assert king < 36 or kpp[image] == kpp[king, here]


# -- Sums --------------------------------------------------------------------------------------------------------------

@pytest.mark.slow
def test_tables_are_exactly_the_sum_of_what_each_set_gives() -> None:
    """The sets are divided into halves in several ways, so that any two sets are once in different halves."""
    names = [name for name in SHAPES if name != "tempo"]
    factors = only(*names, seed=4, size=600)
    total = expanded(factors)
    assert all(table.any() for table in total)
    for bit in range(len(names).bit_length()):
        halves: list[Factors] = [dict(EMPTY), dict(EMPTY)]
        for number, name in enumerate(names):
            halves[number >> bit & 1] |= {key: array for key, array in factors.items()
                                          if key in (name, f"{name}_index", f"{name}_value")}
        for whole, one, other in zip(total, *map(expanded, halves), strict=True):
            assert np.array_equal(whole - one, other)       # far from where int16 ends


def test_sets_for_the_side_to_move_may_be_absent() -> None:
    """Older files lack all of these sets. A file may also lack only one of them."""
    factors = only("kk", "p", "kkp", "pp", "p_turn", "kkp_turn", size=600)
    old = {name: array for name, array in factors.items() if "_turn" not in name}
    assert len(old) == len(factors) - len(TURN_SHAPES) - 1      # KKP's has two arrays
    zeros = {name: np.zeros_like(array) for name, array in EMPTY.items() if "_turn" in name}
    for given, meant in ((old, old | zeros), ({**old, "p_turn": factors["p_turn"]}, factors | {
            "kkp_turn_index": EMPTY["kkp_turn_index"], "kkp_turn_value": EMPTY["kkp_turn_value"]})):
        found = checked_factors(given)
        assert found.keys() == meant.keys()
        assert all(np.array_equal(np.asarray(array), meant[name]) for name, array in found.items())
    kk, kkp, _ = expanded(old)
    assert kk[..., BLACK.number].any()
    assert not kk[..., MOVER.number].any()
    assert not kkp[..., MOVER.number].any()


@pytest.mark.parametrize(("names", "table"), [(("p_turn", "kp_turn"), "kkp_turn"), (("pp", "pp_rank"), "kpp")])
def test_a_sum_that_does_not_fit_is_refused(names: tuple[str, ...], table: str) -> None:
    with refused(name=table):
        tables_of(*names, size=32000)


# -- Factors and weights ---------------------------------------------------------------------------------------------

def test_quantised_weights_come_back() -> None:
    factors = only(*(name for name in SHAPES if name != "tempo"))
    weights = dense(factors, -120)
    assert weights[0] == -3.75
    assert (part(weights, "kp") == factors["kp"].ravel() / SCALE).all()
    again, tempo = quantise_tables(weights)
    assert tempo == -120
    assert again.keys() == factors.keys()
    assert all((again[name] == array).all() for name, array in factors.items())


def test_rounding_is_to_the_nearest_and_small_residuals_go() -> None:
    weights = np.zeros(WEIGHTS, np.float32)
    part(weights, "p")[5] = 1.6 / SCALE
    part(weights, "kpp")[[7, 9, 11]] = np.array([1.6, -2.4, 2.6]) / SCALE
    factors, _ = quantise_tables(weights)
    assert factors["p"][5] == 2
    assert factors["kpp_index"].tolist() == [7, 9, 11]
    assert factors["kpp_value"].tolist() == [2, -2, 3]
    factors, _ = quantise_tables(weights, threshold=3)
    assert factors["p"][5] == 2
    assert factors["kpp_index"].tolist() == [11]
    for value in (1024.0, np.nan):
        weights[STARTS["kp"] + 3] = value
        with refused(name="kp", largest=...):
            quantise_tables(weights)


def misshapen(name: str, found: str = "int16", shape: object = ...) -> refused:
    return refused(name=f"factor {name}", found=found, shape=shape, dtype="int16", wanted=...)


@each(("change", "fault"), [
    ({"p": None}, refused(names=["p"])),
    ({"kkp_turn_value": None}, refused(names=["kkp_turn_value"])),
    ({"p_turn": EMPTY["p"][:7]}, misshapen("p_turn", shape=(7,))),
    ({"kkp_turn_index": np.array([1701 * 1548], np.uint32), "kkp_turn_value": np.ones(1, np.int16)},
     refused(name="kkp_turn", most=2633148)),
    ({"q": EMPTY["p"]}, refused(names=["q"])),
    ({"p": EMPTY["p"].astype(np.int32)}, misshapen("p", found="int32")),
    ({"kp": EMPTY["kp"][:44]}, misshapen("kp", shape=(44, 1548))),
    ({"kpp_index": np.zeros(1, np.uint32)}, refused(name="kpp", numbers=1, weights=0)),
    ({"kkp_index": np.array([3, 3], np.uint32), "kkp_value": np.ones(2, np.int16)}, refused(name="kkp", most=...)),
    ({"kpp_index": np.array([45 * TRIANGLE], np.uint32), "kpp_value": np.ones(1, np.int16)},
     refused(name="kpp", most=53951670)),
])
def test_malformed_factors_are_refused(change: dict[str, NDArray[np.int16] | None], fault: refused) -> None:
    factors = {name: array for name, array in {**EMPTY, **change}.items() if array is not None}
    with fault:
        expand(factors)
