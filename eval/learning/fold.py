"""Counting the distinct entries of tables by king and pieces, after folding their symmetries.

A table is indexed by a tuple such as (king, P, P). A `Symmetry` maps tuples to tuples that must have the same value (or
the negated one). An orbit is the set of tuples reached from one tuple by all products of symmetries; folding stores one
number per orbit. `count_orbits` counts them by Burnside's lemma, quickly for sets of any size. `label_orbits`
enumerates all tuples of a small set. The two functions share no code, so each checks the other. """
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError

Map = NDArray[np.int64]         # Map[x] is the image of x


@dataclass(frozen=True)
class Symmetry:
    """Maps a tuple x to y with y[c] = maps[c][x[sources[c]]]. It must be a bijection."""

    sources: tuple[int, ...]
    maps: tuple[Map, ...]

    def after(self, first: "Symmetry") -> "Symmetry":
        """The symmetry that applies `first`, then this one."""
        return Symmetry(
            tuple(first.sources[source] for source in self.sources),
            tuple(map_[first.maps[source]] for source, map_ in zip(self.sources, self.maps, strict=True)),
        )

    def count_fixed(self) -> int:
        """The number of tuples that it maps to themselves.

        On a cycle of coordinates, one value determines all others; after one round it must be the same again."""
        fixed = 1
        left = set(range(len(self.sources)))
        while left:
            start = left.pop()
            around = self.maps[start]
            coordinate = self.sources[start]
            while coordinate != start:
                left.remove(coordinate)
                around = around[self.maps[coordinate]]
                coordinate = self.sources[coordinate]
            fixed *= int(np.count_nonzero(around == np.arange(len(around))))
        return fixed

    def _key(self) -> tuple[object, ...]:
        return self.sources, *(map_.tobytes() for map_ in self.maps)


def product(*maps: Map) -> Symmetry:
    """The symmetry that maps each coordinate by its own map, without exchanging any."""
    return Symmetry(tuple(range(len(maps))), maps)


def group(shape: Sequence[int], generators: Sequence[Symmetry]) -> list[Symmetry]:
    """All products of the generators, the identity first. `shape` gives the number of values of each coordinate."""
    identity = product(*(np.arange(size) for size in shape))
    known = {identity._key(): identity}
    new = [identity]
    while new:
        found = {symmetry._key(): symmetry
                 for symmetry in (generator.after(old) for old in new for generator in generators)}
        new = [symmetry for key, symmetry in found.items() if key not in known]
        known |= found
    return list(known.values())


def count_orbits(shape: Sequence[int], generators: Sequence[Symmetry] = ()) -> int:
    """The number of orbits: by Burnside's lemma, the mean number of tuples that a symmetry of the group fixes."""
    symmetries = group(shape, generators)
    orbits, rest = divmod(sum(symmetry.count_fixed() for symmetry in symmetries), len(symmetries))
    assert rest == 0
    return orbits


def label_orbits(shape: Sequence[int], generators: Sequence[Symmetry] = ()) -> NDArray[np.int64]:
    """A label for each tuple: the least number in its orbit, with tuples numbered in C order.

    Needs memory for all tuples. Labels spread from image to image until nothing changes."""
    tuples = np.indices(shape).reshape(len(shape), -1)
    images = [np.ravel_multi_index([map_[tuples[source]] for source, map_ in zip(g.sources, g.maps, strict=True)],
                                   tuple(shape))
              for g in generators]
    labels = np.arange(math.prod(shape))
    changed = True
    while changed:
        before = labels
        for image in images:
            labels = np.minimum(labels, labels[image])
        changed = not np.array_equal(labels, before)
    return labels


def count_labels(labels: NDArray[np.int64]) -> int:
    """The number of orbits that `label_orbits` found."""
    return int(np.count_nonzero(labels == np.arange(len(labels))))


def merged_share(kept: NDArray[np.int64], folded: NDArray[np.int64]) -> float:
    """The share of `folded`'s orbits that merge tuples of several orbits of `kept`."""
    pairs = np.unique(np.stack([folded, kept]), axis=1)
    _, counts = np.unique(pairs[0], return_counts=True)
    return float(np.mean(counts > 1))


@dataclass(frozen=True)
class IndexSet:
    """A numbering of kings and pieces, and how the symmetries of the board act on the numbers."""

    name: str
    king_mirror: Map            # mirror image across the middle file
    mirror: Map                 # the same for P, the number of a piece by kind, side and place
    king_turn: Map | None       # a king on the board turned by 180 degrees; None if the set has no sides
    inverse: Map | None         # the same for P, which also changes sides

    @property
    def kings(self) -> int:
        return len(self.king_mirror)

    @property
    def size(self) -> int:
        """The number of values of P."""
        return len(self.mirror)

    # The tables' shapes and symmetries.

    @property
    def kpp(self) -> tuple[int, int, int]:
        return self.kings, self.size, self.size

    @property
    def kkp(self) -> tuple[int, int, int]:
        return self.kings, self.kings, self.size

    @property
    def kpp_mirror(self) -> Symmetry:
        return product(self.king_mirror, self.mirror, self.mirror)

    @property
    def kpp_exchange(self) -> Symmetry:
        same = np.arange(self.size)
        return Symmetry((0, 2, 1), (np.arange(self.kings), same, same))

    @property
    def kkp_mirror(self) -> Symmetry:
        return product(self.king_mirror, self.king_mirror, self.mirror)

    @property
    def kkp_turn(self) -> Symmetry:
        """The exchange of sides. Raises UserError if the set has no sides."""
        if self.king_turn is None or self.inverse is None:
            raise UserError("the index set {name!r} knows no sides to change", name=self.name)
        return Symmetry((1, 0, 2), (self.king_turn, self.king_turn, self.inverse))


def shogi_set(name: str, hands: Sequence[int], stuck_ranks: Sequence[int], files: int = 9, ranks: int = 9) -> IndexSet:
    """An index set in Bonanza's order: for each kind in hand Black's and White's counts, then for each kind on the
    board Black's and White's squares.

    `hands` gives the number of counts of each kind in hand, 0 included. `stuck_ranks` gives, for each kind on the
    board, how many of the farthest ranks get no number. A square is file * ranks + rank."""
    squares = files * ranks

    def mirrored(square: int) -> int:
        return (files - 1 - square // ranks) * ranks + square % ranks

    places = [("hand", kind, side, count) for kind, counts in enumerate(hands) for side in (0, 1)
              for count in range(counts)]
    places += [("board", kind, side, square) for kind, stuck in enumerate(stuck_ranks) for side in (0, 1)
               for square in range(squares)
               if stuck <= (square if side == 0 else squares - 1 - square) % ranks]
    numbers = {place: number for number, place in enumerate(places)}
    return IndexSet(
        name,
        np.array([mirrored(square) for square in range(squares)]),
        np.array([numbers[where, kind, side, at if where == "hand" else mirrored(at)]
                  for where, kind, side, at in places]),
        np.arange(squares)[::-1],
        np.array([numbers[where, kind, 1 - side, at if where == "hand" else squares - 1 - at]
                  for where, kind, side, at in places]),
    )


def sketch_set(name: str, kinds: int, files: int = 9, ranks: int = 9) -> IndexSet:
    """An index set without sides: every kind, and the king, on every square or in hand. The hand counts as one more
    square, which mirroring keeps."""
    board = np.arange(files * ranks).reshape(files, ranks)[::-1].ravel()
    mirror = np.append(board, files * ranks)
    return IndexSet(name, mirror, (len(mirror) * np.arange(kinds)[:, None] + mirror).ravel(), None, None)


BONANZA = shogi_set("fe_end 1548", hands=(19, 5, 5, 5, 5, 3, 3), stuck_ranks=(0,) * 9)
# Without the squares on which a pawn, lance or knight could never move.
REACHABLE = shogi_set("fe_end 1476", hands=(19, 5, 5, 5, 5, 3, 3), stuck_ranks=(1, 1, 2, 0, 0, 0, 0, 0, 0))
# The set that was considered for folding first. Its KKP has fewer kinds.
SKETCH = sketch_set("82 squares, 20 kinds", kinds=20)
SKETCH_KKP = sketch_set("82 squares, 10 kinds", kinds=10)
