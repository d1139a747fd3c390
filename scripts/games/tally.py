"""The results of two players against each other."""
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from engine import BLACK, WHITE
from scripts.games.played import PlayedGame
from scripts.games.rules import End
from scripts.games.schedule import color_of_first
from scripts.stats.elo import Sprt, estimate


def points(number: int, game: PlayedGame) -> float:
    """A's points in a game: 0, ½ or 1."""
    return 0.5 if game.winner is None else float(game.winner == color_of_first(number))


def pair_points(games: Mapping[int, PlayedGame]) -> dict[int, float]:
    """A's points in each pair whose games have been played, 0 to 2, by the pair's number."""
    return {number // 2: points(number, games[number]) + points(number + 1, games[number + 1])
            for number in sorted(games) if number % 2 == 0 and number + 1 in games}


def decimal(value: float | None, digits: int = 0) -> str:
    """The number as text for a table."""
    return "-" if value is None else f"{value:.{digits}f}"


@dataclass
class Figures:
    """Time, nodes and depth of one player's moves. Means are over the moves for which the player reported them."""

    moves: int = 0
    time_ms: int = 0
    slowest_ms: int = 0
    depths: list[int] = field(default_factory=lambda: [0, 0])           # sum, count
    nodes: list[int] = field(default_factory=lambda: [0, 0, 0])         # sum, count, and the ms they took
    offences: Counter[End] = field(default_factory=Counter)

    def add(self, game: PlayedGame, side: int) -> None:
        for time_ms, _, depth, nodes in game.of(side):
            self.moves += 1
            self.time_ms += time_ms
            self.slowest_ms = max(self.slowest_ms, time_ms)
            if depth is not None:
                self.depths = [self.depths[0] + depth, self.depths[1] + 1]
            if nodes is not None:
                self.nodes = [self.nodes[0] + nodes, self.nodes[1] + 1, self.nodes[2] + time_ms]
        if game.offender == side:
            self.offences[game.end] += 1

    @property
    def mean_depth(self) -> float | None:
        total, count = self.depths
        return total / count if count else None

    @property
    def nodes_per_second(self) -> float | None:
        nodes, searches, searching_ms = self.nodes
        return 1000 * nodes / max(searching_ms, 1) if searches else None

    def cells(self) -> list[str]:
        nodes, searches, _ = self.nodes
        return [str(self.moves), decimal(nodes / searches if searches else None), decimal(self.nodes_per_second),
                decimal(self.mean_depth, 1), decimal(self.time_ms / self.moves if self.moves else None, 1),
                str(self.slowest_ms),
                ", ".join(f"{end} {count}" for end, count in self.offences.most_common()) or "none"]


FIGURES = ["player", "moves", "nodes/move", "nodes/s", "depth", "ms/move", "slowest ms", "offences"]


def figure_rows(names: Sequence[str], figures: Sequence[Figures]) -> list[list[str]]:
    """A table of the players' figures."""
    return [FIGURES, *([name, *each.cells()] for name, each in zip(names, figures, strict=True))]


def known(value: float) -> float | None:
    """The number for JSON, which has no infinity."""
    return value if isfinite(value) else None


def text_table(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> list[str]:
    """Lines with aligned columns: the columns in `left` to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = set(left)
    return ["  ".join(cell.ljust(width) if place in left else cell.rjust(width)
                      for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]


@dataclass
class Tally:
    """The games of two players, A and B, by number: games 2n and 2n + 1 are a pair, and A has Black in 2n."""

    games: dict[int, PlayedGame] = field(default_factory=dict)

    @property
    def pairs(self) -> list[int]:
        """Complete pairs by A's score: 0, ½, 1, 1½, 2."""
        scores = Counter(pair_points(self.games).values())
        return [scores[half / 2] for half in range(5)]

    @property
    def half_pairs(self) -> list[float]:
        """A's points in the games whose pair is not complete."""
        return [points(number, game) for number, game in self.games.items() if number ^ 1 not in self.games]

    @property
    def wins_draws_losses(self) -> tuple[int, int, int]:
        counts = Counter(points(number, game) for number, game in self.games.items())
        return counts[1], counts[0.5], counts[0]

    def figures(self) -> tuple[Figures, Figures]:
        """The figures of A and of B."""
        a, b = Figures(), Figures()
        for number, game in self.games.items():
            a.add(game, color_of_first(number))
            b.add(game, 1 - color_of_first(number))
        return a, b

    def headline(self, sprt: Sprt | None = None) -> str:
        """The state of the match in one line."""
        wins, draws, losses = self.wins_draws_losses
        parts = [f"{len(self.games)} games: +{wins} ={draws} -{losses}", *self.brief(sprt)]
        if any(self.pairs):
            parts.insert(2, f"LOS {100 * estimate(self.pairs).superiority:.1f} %")
        return ", ".join(parts)

    def brief(self, sprt: Sprt | None = None) -> list[str]:
        """Elo with its error and the test's ratio, for a line that also has the number of games."""
        if not any(self.pairs):
            return []
        return [f"Elo {estimate(self.pairs)}", *([f"LLR {sprt.ratio(self.pairs):+.2f}"] if sprt else [])]

    def as_json(self, sprt: Sprt | None = None) -> dict[str, object]:
        """The results for JSON. Infinite and unknown numbers are None."""
        wins, draws, losses = self.wins_draws_losses
        values: dict[str, object] = {"games": len(self.games), "wins": wins, "draws": draws, "losses": losses,
                                     "pairs": self.pairs}
        if any(self.pairs):
            found = estimate(self.pairs)
            values |= {"elo": known(found.elo), "elo_error": known(found.error), "los": found.superiority,
                       "nelo": known(found.normalized), "nelo_error": known(found.normalized_error)}
        if sprt:
            values["sprt"] = {"elo0": sprt.elo0, "elo1": sprt.elo1, "llr": sprt.ratio(self.pairs),
                              "bounds": sprt.bounds, "accepted": sprt.verdict(self.pairs)}
        return values

    def summary(self, sprt: Sprt | None = None, names: tuple[str, str] = ("A", "B")) -> str:
        """The statistics, for the end of the match."""
        lines = [self.headline(sprt)]
        if not self.games:
            return lines[0]
        lines.append(f"pairs by {names[0]}'s score 0, 0.5, 1, 1.5, 2: " + " ".join(map(str, self.pairs)))
        if any(self.pairs) and isfinite((found := estimate(self.pairs)).normalized_error):
            lines.append(f"nElo {found.normalized:+.1f} ± {found.normalized_error:.1f}")
        lines += [*about(self.games.values()),
                  *text_table(figure_rows(names, self.figures()), left=(0, 7))]
        if sprt:
            low, high = sprt.bounds
            verdict = {"elo0": f"{sprt.elo0:g} Elo accepted", "elo1": f"{sprt.elo1:g} Elo accepted",
                       None: "no verdict yet"}[sprt.verdict(self.pairs)]
            lines.append(f"SPRT {sprt.elo0:g} against {sprt.elo1:g}: LLR {sprt.ratio(self.pairs):+.2f} "
                         f"in ({low:.2f}, {high:.2f}), {verdict}")
        return "\n".join(lines)


def about(games: Iterable[PlayedGame]) -> list[str]:
    """Lines about games in general: how they ended, and how long they were."""
    games = list(games)
    ends = Counter(game.end for game in games)
    black = sum(game.winner == BLACK for game in games)
    white = sum(game.winner == WHITE for game in games)
    return ["ends: " + ", ".join(f"{end} {count}" for end, count in ends.most_common()),
            f"Black won {black}, White {white}",
            f"length without opening: {sum(game.plies for game in games) / len(games):.1f} plies on average"]
