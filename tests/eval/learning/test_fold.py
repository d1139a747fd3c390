"""Orbits counted by Burnside's lemma and one by one, and the sizes that the layouts have."""
import itertools

import numpy as np
import pytest

from eval.learning.fold import (
    BONANZA,
    REACHABLE,
    SKETCH,
    SKETCH_KKP,
    IndexSet,
    Symmetry,
    count_labels,
    count_orbits,
    group,
    label_orbits,
    merged_share,
    product,
    shogi_set,
    sketch_set,
)
from tests.each import each
from tests.faults import refused

SMALL = [
    shogi_set("3 x 3", hands=(3,), stuck_ranks=(0, 0), files=3, ranks=3),
    shogi_set("a kind stuck", hands=(2, 3), stuck_ranks=(1, 0), files=3, ranks=4),
    shogi_set("no middle file", hands=(2,), stuck_ranks=(0, 2), files=4, ranks=3),
    shogi_set("one square", hands=(), stuck_ranks=(0,), files=1, ranks=1),
    sketch_set("with hand", kinds=3, files=3, ranks=3),
]


def orbits_by_sets(shape: tuple[int, ...], generators: list[Symmetry]) -> int:
    """The orbits, found in the plainest way: each is grown as a set of tuples."""
    left = set(itertools.product(*map(range, shape)))
    orbits = 0
    while left:
        orbits += 1
        reached = [left.pop()]
        while reached:
            tuple_ = reached.pop()
            for g in generators:
                image = tuple(int(map_[tuple_[source]]) for source, map_ in zip(g.sources, g.maps, strict=True))
                if image in left:
                    left.remove(image)
                    reached.append(image)
    return orbits


def foldings(index_set: IndexSet) -> list[tuple[tuple[int, ...], list[Symmetry]]]:
    found: list[tuple[tuple[int, ...], list[Symmetry]]] = [
        (index_set.kpp, []),
        (index_set.kpp, [index_set.kpp_mirror]),
        (index_set.kpp, [index_set.kpp_exchange]),
        (index_set.kpp, [index_set.kpp_mirror, index_set.kpp_exchange]),
        (index_set.kkp, [index_set.kkp_mirror]),
    ]
    if index_set.inverse is not None:
        found += [(index_set.kkp, [index_set.kkp_turn]), (index_set.kkp, [index_set.kkp_mirror, index_set.kkp_turn])]
    return found


@pytest.mark.parametrize("index_set", SMALL, ids=lambda index_set: index_set.name)
def test_three_ways_of_counting_agree(index_set: IndexSet) -> None:
    for shape, generators in foldings(index_set):
        expected = orbits_by_sets(shape, generators)
        assert count_orbits(shape, generators) == expected
        assert count_labels(label_orbits(shape, generators)) == expected


@each("seed", range(20))
def test_counts_agree_on_random_symmetries(seed: int) -> None:
    """Symmetries of any order that exchange coordinates in any way, quite unlike a board."""
    rng = np.random.default_rng(seed)
    one, other = (Symmetry(tuple(rng.permutation(3).tolist()), tuple(rng.permutation(4) for _ in range(3)))
                  for _ in range(2))
    assert count_orbits((4, 4, 4), [one]) == orbits_by_sets((4, 4, 4), [one])
    for generators in ([one], [one, other]):
        assert count_labels(label_orbits((4, 4, 4), generators)) == orbits_by_sets((4, 4, 4), generators)


@pytest.mark.parametrize("index_set", [*SMALL, BONANZA, REACHABLE, SKETCH, SKETCH_KKP],
                         ids=lambda index_set: index_set.name)
def test_maps_are_involutions_that_commute(index_set: IndexSet) -> None:
    for mirror, turn in ((index_set.king_mirror, index_set.king_turn), (index_set.mirror, index_set.inverse)):
        assert np.array_equal(mirror[mirror], np.arange(len(mirror)))
        if turn is not None:
            assert np.array_equal(turn[turn], np.arange(len(turn)))
            assert np.array_equal(turn[mirror], mirror[turn])


def test_sizes_of_the_index_sets_and_of_a_group() -> None:
    assert (BONANZA.size, REACHABLE.size) == (1548, 1476)
    assert (SKETCH.size, SKETCH_KKP.size, SKETCH.kings) == (1640, 820, 82)
    assert len(group(BONANZA.kpp, [BONANZA.kpp_mirror, BONANZA.kpp_exchange])) == 4, "two involutions that commute"
    with refused(name="82 squares, 20 kinds"):
        _ = SKETCH.kkp_turn         # a change of sides needs sides


def test_folding_each_p_on_its_own_merges_what_differs() -> None:
    index_set = SMALL[0]
    exact = label_orbits(index_set.kpp, [index_set.kpp_mirror, index_set.kpp_exchange])
    alone = product(np.arange(index_set.kings), index_set.mirror, np.arange(index_set.size))
    folded = label_orbits(index_set.kpp, [alone, index_set.kpp_exchange])
    assert 0.4 < merged_share(exact, folded) < 0.71
    assert merged_share(exact, exact) == 0
