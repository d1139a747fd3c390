"""The results of any number of players: a tally for each two, ratings, and tables."""
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scripts.games.played import PlayedGame
from scripts.games.schedule import Schedule
from scripts.games.tally import Figures, Tally, about, figure_rows, known, text_table
from scripts.stats.elo import Sprt
from scripts.stats.rating import RatedGames, Rating, rate


@dataclass
class Standings:
    """The games of a match by number; see schedule.Schedule."""

    names: Sequence[str]
    encounters: Sequence[tuple[int, int]]
    games: dict[int, PlayedGame] = field(default_factory=dict)
    last: int | None = None             # the game added last

    def __post_init__(self) -> None:
        self.schedule = Schedule(self.encounters)
        self.tallies = [Tally() for _ in self.encounters]
        for number, game in self.games.items():
            self._enter(number, game)

    def add(self, number: int, game: PlayedGame) -> None:
        self.games[number] = game
        self.last = number
        self._enter(number, game)

    def _enter(self, number: int, game: PlayedGame) -> None:
        slot = self.schedule.slot(number)
        self.tallies[slot.encounter].games[slot.in_encounter] = game

    def players_of(self, number: int) -> tuple[int, int]:
        """The players of Black and White in a game."""
        slot = self.schedule.slot(number)
        return slot.black, slot.white

    def figures(self) -> list[Figures]:
        """The figures of each player."""
        found = [Figures() for _ in self.names]
        for number, game in self.games.items():
            for side, player in enumerate(self.players_of(number)):
                found[player].add(game, side)
        return found

    @property
    def offences(self) -> int:
        return sum(game.offender is not None for game in self.games.values())

    def results(self) -> Iterator[RatedGames]:
        """The pairs of games, and single games, that ratings are computed from."""
        for (a, b), tally in zip(self.encounters, self.tallies, strict=True):
            for half_points, count in enumerate(tally.pairs):
                yield from [RatedGames(a, b, half_points / 2, 2)] * count
            for points in tally.half_pairs:
                yield RatedGames(a, b, points, 1)

    def ratings(self, anchor: int | None = None, elo: float = 0) -> list[Rating]:
        return rate(len(self.names), list(self.results()), anchor, elo)

    def line(self, number: int) -> str:
        """A game in one line: Black, White, the result and the reason."""
        game = self.games[number]
        black, white = (self.names[player] for player in self.players_of(number))
        result = {0: "1-0", 1: "0-1", None: "1/2-1/2"}[game.winner]
        detail = f": {game.detail}" if game.detail else ""
        end = game.end
        if game.offender is not None:
            end_of = (black, white)[game.offender]
            return f"{black} - {white} {result} ({end} of {end_of} at ply {len(game.moves) + 1}{detail})"
        return f"{black} - {white} {result} ({end}, {len(game.moves)} plies)"

    def headline(self, sprt: Sprt | None = None) -> str:
        """The state in one line."""
        if len(self.names) == 2:
            return self.tallies[0].headline(sprt)
        line = f"{len(self.games)} games"
        if self.games:
            ranked = sorted(zip(self.ratings(), self.names, strict=True), key=lambda item: -item[0].elo)
            line += ": " + ", ".join(f"{name} {rating.elo:+.0f}" for rating, name in ranked)
        return line

    def brief(self, sprt: Sprt | None = None) -> list[str]:
        """The state in brief, for a line that also has the number of games."""
        if len(self.names) == 2:
            return self.tallies[0].brief(sprt)
        return [self.headline().partition(": ")[2]] if self.games else []

    def as_json(self, sprt: Sprt | None = None) -> dict[str, object]:
        """All results for JSON; in `encounters` they are the first player's. Infinite and unknown numbers are None."""
        ratings = self.ratings() if self.games else []
        return {
            "games": len(self.games), "offences": self.offences,
            "players": [{"name": name, "rating": known(rating.elo), "error": known(rating.error)}
                        for name, rating in zip(self.names, ratings, strict=False)],
            "encounters": [{"first": self.names[a], "second": self.names[b], **tally.as_json(sprt)}
                           for (a, b), tally in zip(self.encounters, self.tallies, strict=True)]}

    def summary(self, sprt: Sprt | None = None, anchor: int | None = None, elo: float = 0) -> str:
        """All tables, for the end of the match."""
        if len(self.names) == 2:
            return self.tallies[0].summary(sprt, (self.names[0], self.names[1]))
        if not self.games:
            return self.headline()
        lines = [f"{len(self.games)} games", *about(self.games.values()), "",
                 *text_table(self.rating_rows(anchor, elo), left=(1,)), "", *text_table(self.cross_rows()), "",
                 *text_table(figure_rows(self.names, self.figures()), left=(0, 7))]
        return "\n".join(lines)

    def points(self) -> list[tuple[float, int]]:
        """The points and the number of games of each player."""
        found = [(0.0, 0)] * len(self.names)
        for result in self.results():
            for player, points in ((result.first, result.points), (result.second, result.games - result.points)):
                total, games = found[player]
                found[player] = total + points, games + result.games
        return found

    def rating_rows(self, anchor: int | None, elo: float) -> list[list[str]]:
        """A table of ratings, the strongest first."""
        ratings, points = self.ratings(anchor, elo), self.points()
        order = sorted(range(len(self.names)), key=lambda player: (ratings[player].elo != ratings[player].elo,
                                                                   -ratings[player].elo))
        rows = [["", "player", "Elo", "± 95 %", "points", "games", "score"]]
        for rank, player in enumerate(order, 1):
            total, games = points[player]
            error = "fixed" if player == anchor else f"{ratings[player].error:.1f}"
            rows.append([str(rank), self.names[player], f"{ratings[player].elo:+.1f}", error, f"{total:g}", str(games),
                         f"{100 * total / games:.1f} %" if games else "-"])
        return rows

    def cross_rows(self) -> list[list[str]]:
        """Wins, draws and losses of each player (a row) against each other (a column)."""
        cells = [["-"] * len(self.names) for _ in self.names]
        for (a, b), tally in zip(self.encounters, self.tallies, strict=True):
            wins, draws, losses = tally.wins_draws_losses
            cells[a][b], cells[b][a] = f"+{wins} ={draws} -{losses}", f"+{losses} ={draws} -{wins}"
        return [["", *self.names], *([name, *row] for name, row in zip(self.names, cells, strict=True))]
