"""Evaluating the counts of the hash statistics (docs/lab/HASH.md)."""
import math
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["sound", "broken", "undecided"]

CASES = ("empty", "other hash", "other check code", "hit")
SUSPICIOUS = 4.0            # standard deviations; chance exceeds them once in 16,000 times
ENOUGH = 10                 # below this, in itself and in variance, a count is not normally distributed
ENOUGH_IN_BLOCK = 5.0       # least expected keys per block for a meaningful chi-square


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
