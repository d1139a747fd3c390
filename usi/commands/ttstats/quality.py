"""How well the keys of a search spread over its table, compared with an ideal hash (docs/lab/HASH.md).

A key selects a bucket, and some of its bits are stored in the entry. The statistics take these as HASH_BITS that
continue the hash, and CODE_BITS of a check code. Then a probe is one of four cases. What an ideal hash gives is known
for keys that were never stored before, so repeats are left out: an evicted key returns to a full bucket, and such keys
would make a perfect hash look broken.
"""
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from search.counted import CODE_BITS, HASH_BITS, SLOTS

if TYPE_CHECKING:
    from search.counted import Counts

Verdict = Literal["sound", "broken", "undecided"]

CASES = ("empty", "other hash", "other check code", "hit")
EMPTY = 0
BLOCKS = 256                # equal parts of the table, for the chi-square
SUSPICIOUS = 4.0            # standard deviations; chance exceeds them once in 16,000 times
ENOUGH = 10                 # below this, in itself and in variance, a count is not normally distributed
ENOUGH_IN_BLOCK = 5.0       # least expected keys per block for a meaningful chi-square


def expected_cases(fill: Sequence[int], hash_bits: int = HASH_BITS, code_bits: int = CODE_BITS) -> tuple[float, ...]:
    """The probability of each case for a new key, with fill[k] buckets that have k of their `slots` entries in use.

    Each bucket and each of the 2^s values of the key's s = hash_bits + code_bits stored bits are equally likely. The k
    entries of a bucket hold different values. So with N buckets

        hit             sum of fill[k] / N * k / 2^s        (a false hit, since the key is new)
        empty           sum of fill[k] / N * (1 - k / 2^s)  over the buckets that are not full
        other hash      fill[slots] / N * q
        other check     fill[slots] / N * (1 - slots / 2^s - q)

    where q is the chance that all entries of a full bucket are among the 2^s - 2^code_bits numbers of another hash: the
    product over j < slots of (2^s - 2^code_bits - j) / (2^s - j), nearly (1 - 2^-hash_bits)^slots. With one entry to a
    bucket these are 1 - u/N, u/N (1 - 2^-r), u/N 2^-r (1 - 2^-c) and u/N 2^-(r+c) for u entries in use.
    """
    slots = len(fill) - 1
    codes = 2.0 ** (hash_bits + code_bits)
    q = math.prod((codes - 2.0**code_bits - j) / (codes - j) for j in range(slots))
    hit = sum(count * k / codes for k, count in enumerate(fill))
    empty = sum(count * (1 - k / codes) for k, count in enumerate(fill[:-1]))
    cases = (empty, fill[-1] * q, fill[-1] * (1 - slots / codes - q), hit)
    return tuple(case / sum(fill) for case in cases)


class Departures:
    """Counts of the nodes that use a value of the table or store one, by the case of a probe. It is determined when the
    search leaves the node, because the node's children may have filled its bucket by then."""

    def __init__(self, megabytes: int) -> None:
        self._buckets = megabytes << 14
        self._fill = [self._buckets] + [0] * SLOTS      # number of buckets by used entries
        self._seen: set[int] = set()                    # the positions stored so far
        self._new = 0                                   # positions added to them since `_fill` changed
        self.cases = [0] * len(CASES)
        self.first = [0] * len(CASES)
        self.expected = [0.0] * len(CASES)
        self.variance = [0.0] * len(CASES)
        self.blocks = [0] * BLOCKS

    def leave(self, case: int, filled: int, bucket: int, position: int) -> None:
        """Count a node; see search_counted."""
        self.cases[case] += 1
        if position not in self._seen:
            self._seen.add(position)
            self._new += 1
            self.first[case] += 1
            self.blocks[bucket * BLOCKS // self._buckets] += 1
        if case == EMPTY:       # the following store fills an entry
            self._expect()
            self._fill[filled] -= 1
            self._fill[filled + 1] += 1

    def _expect(self) -> None:
        """Add what an ideal hash gives for the new positions, all of which met the same `_fill`."""
        for case, chance in enumerate(expected_cases(self._fill)):
            self.expected[case] += self._new * chance
            self.variance[case] += self._new * chance * (1 - chance)
        self._new = 0

    def quality(self, counts: "Counts") -> "Quality":
        """The figures of all nodes so far, and of the counts of the search that they belong to."""
        self._expect()
        return Quality(counts["entries"], SLOTS, counts["used"], counts["references"], tuple(self.cases),
                       tuple(self.first), tuple(self.expected), tuple(self.variance), tuple(self.blocks),
                       counts["false_hits"], counts["collisions"], counts["expected_false_hits"],
                       counts["contradictions"])


@dataclass(frozen=True)
class Quality:
    """The counts of the four cases of a probe (in the order of CASES), and statistics of them."""

    entries: int                    # of the table
    slots: int                      # entries per bucket
    used: int                       # entries in use at the end
    references: int                 # nodes that probed the table
    cases: tuple[int, ...]          # of nodes that stored a value or used one
    first: tuple[int, ...]          # of these, nodes whose position was stored for the first time
    expected: tuple[float, ...]     # of `first`, for an ideal hash
    variance: tuple[float, ...]     # of `first`
    blocks: tuple[int, ...]         # first-time keys by equal parts of the table
    false_hits: int                 # references answered with another position's entry
    collisions: int                 # false hits by keys equal in all 64 bits
    expected_false_hits: float      # for an ideal hash
    contradictions: dict[str, int]  # new bounds that crossed the opposite old one, by cause

    @property
    def moves(self) -> int:
        """Nodes counted in `cases`."""
        return sum(self.cases)

    @property
    def expected_used(self) -> float:
        """The mean number of entries that this many first-time keys fill: N E[min(X, slots)] for N buckets, with X
        binomial with sum(first) trials of probability 1/N."""
        buckets = self.entries // self.slots
        keys = sum(self.first)
        chance = math.exp(keys * math.log1p(-1 / buckets))      # of X = k, here for k = 0
        missing = 0.0
        for k in range(self.slots):
            missing += (self.slots - k) * chance
            chance *= (keys - k) / ((k + 1) * (buckets - 1))
        return buckets * (self.slots - missing)

    @property
    def z_by_case(self) -> tuple[float | None, ...]:
        """The standard deviations between `first` and `expected`; None where the counts are too small."""
        keys = sum(self.first)
        return tuple(
            (count - mean) / math.sqrt(variance) if max(variance, min(count, keys - count)) >= ENOUGH else None
            for count, mean, variance in zip(self.first, self.expected, self.variance, strict=True)
        )

    @property
    def z(self) -> float:
        """The value of `z_by_case` farthest from 0; 0 if there is none."""
        return max((z for z in self.z_by_case if z is not None), key=abs, default=0.0)

    @property
    def chi2_blocks(self) -> int:
        return len(self.blocks)

    @property
    def chi2(self) -> float:
        """The chi-square of the keys per block: about len(blocks) - 1 for an ideal hash."""
        mean = sum(self.blocks) / len(self.blocks)
        return sum((count - mean) ** 2 for count in self.blocks) / mean if mean else 0.0

    @property
    def chi2_z(self) -> float | None:
        """`chi2` in standard deviations (Wilson and Hilferty 1931), positive if the keys are too uneven; None for too
        few keys."""
        if sum(self.blocks) < ENOUGH_IN_BLOCK * len(self.blocks):
            return None
        spread = 2 / (9 * (len(self.blocks) - 1))
        return float(((self.chi2 / (len(self.blocks) - 1)) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))

    @property
    def faults(self) -> list[str]:
        """Descriptions of figures that an ideal hash would hardly ever give."""
        found = []
        if abs(self.z) >= SUSPICIOUS:
            found.append("first-time keys meet the table in other proportions than chance would have it")
        if self.chi2_z is not None and self.chi2_z >= SUSPICIOUS:
            found.append("first-time keys use the parts of the table unevenly")
        if self._excess_of_false_hits():
            found.append("too many entries are taken for another position's")
        return found

    @property
    def verdict(self) -> Verdict:
        if self.faults:
            return "broken"
        return "undecided" if self.chi2_z is None or not any(self.z_by_case) else "sound"

    def _excess_of_false_hits(self) -> bool:
        """Whether there are more false hits than chance gives, at the level of SUSPICIOUS deviations. False hits are
        rare and Poisson distributed; the tail is at most exp(count - mean) (mean / count)^count (Chernoff)."""
        count, mean = self.false_hits, self.expected_false_hits
        if count <= mean:
            return False
        return count - mean + count * math.log(mean / count) < math.log(math.erfc(SUSPICIOUS / math.sqrt(2)) / 2)
