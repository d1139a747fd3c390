"""Counts of what a search stores in its table, by iteration: `engine bench --tt-report`."""
from collections import Counter
from collections.abc import Iterator

from search import Info, Searcher


class TrafficReport:
    """Sums the traffic of all searches of one searcher, whose reports `on_info` hears, by depth of iteration."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._before = Counter(searcher.traffic)
        self.by_depth: dict[int, Counter[str]] = {}

    def on_info(self, info: Info) -> None:
        """Count what has been stored since the last report for the iteration reported now."""
        now = Counter(self._searcher.traffic)
        self.by_depth.setdefault(info.depth, Counter()).update(now - self._before)
        self._before = now

    def as_json(self) -> list[dict[str, int]]:
        """For each depth, the numbers of stores and of contradictions."""
        return [{"depth": depth, "stores": traffic["stores"], "contradictions": traffic["contradictions"]}
                for depth, traffic in sorted(self.by_depth.items())]

    def as_lines(self) -> Iterator[str]:
        """A table with a row for each depth and one for all."""
        yield f"depth {'stores':>12} {'contradictions':>15} {'share':>8}"
        for depth, traffic in sorted(self.by_depth.items()):
            yield row(f"{depth:5}", traffic)
        yield row("  all", sum(self.by_depth.values(), Counter()))


def row(head: str, traffic: Counter[str]) -> str:
    share = traffic["contradictions"] / traffic["stores"] if traffic["stores"] else 0.0
    return f"{head} {traffic['stores']:12} {traffic['contradictions']:15} {share:8.3%}"
