"""The sizes of the evaluation's tables in each layout."""
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eval.learning.fold import (
    BONANZA,
    REACHABLE,
    SKETCH,
    SKETCH_KKP,
    IndexSet,
    Symmetry,
    count_labels,
    count_orbits,
    label_orbits,
    merged_share,
    product,
    shogi_set,
    sketch_set,
)

BYTES = 2           # of an int16


@dataclass(frozen=True)
class Layout:
    """A table of the evaluation: its name and the number of its entries."""

    name: str
    elements: int

    @property
    def megabytes(self) -> float:
        """The size in MB (10**6 bytes), as int16."""
        return self.elements * BYTES / 1e6


@dataclass(frozen=True)
class OrbitCounts:
    """The sizes of one table of a small set: all tuples, and their orbits, by Burnside's lemma and by force."""

    name: str
    tuples: int
    by_lemma: int
    by_force: int
    merged: float | None = None     # KPP only: share of classes that merge orbits if each P is folded separately

    @property
    def agrees(self) -> bool:
        return self.by_lemma == self.by_force


def shogi_layouts(index_set: IndexSet) -> list[Layout]:
    """The tables of a set with sides."""
    kings, p = index_set.kings, index_set.size
    folded_kings = count_orbits([kings], [product(index_set.king_mirror)])
    pairs = count_orbits([p, p], [_exchange(p)])
    mirror = [index_set.kpp_mirror]
    return [
        Layout(f"KPP, none folded, {kings} kings", count_orbits(index_set.kpp)),
        Layout(f"KPP, king {folded_kings}, square", folded_kings * count_orbits([p, p])),
        Layout(f"KPP, king {folded_kings}, triangular", folded_kings * pairs),
        Layout("KPP, exact orbits", count_orbits(index_set.kpp, [*mirror, index_set.kpp_exchange])),
        Layout("KKP, none folded", count_orbits(index_set.kkp)),
        Layout("KKP, mirror orbits", count_orbits(index_set.kkp, [index_set.kkp_mirror])),
        Layout("KKP, mirror and side", count_orbits(index_set.kkp, [index_set.kkp_mirror, index_set.kkp_turn])),
    ]


def sketch_layouts(index_set: IndexSet, kkp_set: IndexSet) -> list[Layout]:
    """The tables of a set without sides. Its KPP mirrors each P independently of the king, which merges entries that
    should differ. KPP is indexed in three stages: from P to folded P, from two folded P to their pair, from king and
    pair to the weight."""
    kings, p = index_set.kings, index_set.size
    folded = count_orbits([p], [product(index_set.mirror)])
    pairs = count_orbits([folded, folded], [_exchange(folded)])
    return [
        Layout("KKP, mirror orbits", count_orbits(kkp_set.kkp, [kkp_set.kkp_mirror])),
        Layout("P, folded on its own", folded),
        Layout("pair of such", pairs),
        Layout(f"KPP of such pairs, {kings} kings", kings * pairs),
        Layout("  with the three stages' tables", p + folded * folded + kings * pairs),
        Layout("KPP, exact orbits", count_orbits(index_set.kpp, [index_set.kpp_mirror, index_set.kpp_exchange])),
    ]


def comparisons() -> Iterator[OrbitCounts]:
    """Compare both ways of counting on small sets of every kind: odd and even boards, with and without hands, with
    squares left out."""
    for index_set in (
        shogi_set("3 x 3, 2 kinds", hands=(3,), stuck_ranks=(0, 0), files=3, ranks=3),
        shogi_set("3 x 4, a kind stuck", hands=(3, 2), stuck_ranks=(1, 0), files=3, ranks=4),
        shogi_set("4 x 3, no middle file", hands=(2,), stuck_ranks=(0, 2), files=4, ranks=3),
        shogi_set("5 x 2, no hands", hands=(), stuck_ranks=(0, 0), files=5, ranks=2),
        sketch_set("3 x 3 and a hand, 3 kinds", kinds=3, files=3, ranks=3),
        sketch_set("5 x 3 and a hand, 2 kinds", kinds=2, files=5, ranks=3),
    ):
        yield from compare(index_set)


def compare(index_set: IndexSet) -> Iterator[OrbitCounts]:
    """Count every folding of a small set's tables in both ways."""
    exact = [index_set.kpp_mirror, index_set.kpp_exchange]
    yield _compared(f"{index_set.name}: KPP, mirror", index_set.kpp, exact[:1])
    yield _compared(f"{index_set.name}: KPP, mirror and exchange", index_set.kpp, exact, _merged(index_set))
    yield _compared(f"{index_set.name}: KKP, mirror", index_set.kkp, [index_set.kkp_mirror])
    if index_set.inverse is not None:
        yield _compared(f"{index_set.name}: KKP, mirror and side", index_set.kkp,
                        [index_set.kkp_mirror, index_set.kkp_turn])


def _compared(name: str, shape: tuple[int, ...], generators: list[Symmetry],
              merged: float | None = None) -> OrbitCounts:
    labels = label_orbits(shape, generators)
    return OrbitCounts(name, len(labels), count_orbits(shape, generators), count_labels(labels), merged)


def _merged(index_set: IndexSet) -> float:
    kings, same = np.arange(index_set.kings), np.arange(index_set.size)
    alone = product(kings, index_set.mirror, same)
    return merged_share(label_orbits(index_set.kpp, [index_set.kpp_mirror, index_set.kpp_exchange]),
                        label_orbits(index_set.kpp, [alone, index_set.kpp_exchange]))


def _exchange(size: int) -> Symmetry:
    same = np.arange(size)
    return Symmetry((1, 0), (same, same))


def tables() -> dict[str, list[Layout]]:
    """All layouts, by the name of the index set."""
    return {
        BONANZA.name: shogi_layouts(BONANZA),
        REACHABLE.name: shogi_layouts(REACHABLE),
        SKETCH.name: sketch_layouts(SKETCH, SKETCH_KKP),
    }
