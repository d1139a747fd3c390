"""A match: its players, openings and rules; and a run that stores the games in a file and shows the progress."""
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.errors import UserError, one_line
from scripts.games.game import Pairing, Player, needs_workers, pairings, play_game
from scripts.games.openings import digest_of, require_room
from scripts.games.played import GAMES
from scripts.games.rules import Rules
from scripts.games.schedule import Schedule, encounters
from scripts.games.search_player import SearchPlayer
from scripts.games.standings import Standings
from scripts.games.usi_player import UsiPlayer
from scripts.stats.elo import Sprt
from usi.console.progress import Progress, progress
from usi.files.journal import Journal
from usi.workers.pool import worker_pool
from usi.workers.tasks import own_files


@dataclass(frozen=True)
class Match:
    """Players and openings. Each pair of players that meet plays each opening twice, with colours swapped."""

    players: tuple[Player, ...]
    openings: list[str]
    rules: Rules = field(default_factory=Rules)
    seed: int = 1               # shuffles the openings
    gauntlet: bool = False      # only the first meets the others

    @property
    def names(self) -> list[str]:
        return [player.name if isinstance(player, UsiPlayer) else chr(ord("A") + place)
                for place, player in enumerate(self.players)]

    @property
    def encounters(self) -> list[tuple[int, int]]:
        return encounters(len(self.players), self.gauntlet)

    def pairings(self) -> list[Pairing]:
        openings = Random(self.seed).sample(self.openings, len(self.openings))
        return pairings(Schedule(self.encounters), openings, self.players, self.rules)

    def conditions(self) -> dict[str, object]:
        """Everything that the games depend on, for JSON, so that games of different matches are never mixed."""
        digest = digest_of(self.openings)
        return {"players": [player.conditions(self.rules) for player in self.players], "names": self.names,
                "encounters": self.encounters, "rules": vars(self.rules), "seed": self.seed, "openings": digest}


def run(match: Match, games: int, jobs: int = 1, sprt: Sprt | None = None, out: Path | None = None,
        scheduler: str | None = None) -> Iterator[Standings]:
    """Play the games that the file `out` lacks, up to `games` for each pair of players that meet. Yields the standings
    before the first and after each. Ends earlier when `sprt` has a verdict. `jobs` and `scheduler` go to `worker_pool`.

    A game is written when it ends, but enters the standings after all games with smaller numbers: otherwise quick games
    would count more in a sequential test. Raises UserError for an odd number of games, for more games than the openings
    allow, for a sequential test of more than two players, and if `out` holds another match.
    """
    todo = match.pairings()
    if games % 2 or not 0 < games <= 2 * len(match.openings):
        raise UserError("{games} games cannot be played: {count} openings make an even number up to {most}",
                        games=games, count=len(match.openings), most=2 * len(match.openings))
    if sprt and len(match.players) > 2:
        raise UserError("a sequential test is between two players, not {count}", count=len(match.players))
    todo = todo[:games * len(match.encounters)]
    require_room([pairing.opening for pairing in todo], match.rules.max_plies)
    standings = Standings(match.names, match.encounters)
    engines = any(map(needs_workers, todo))
    # Also done without a file if there are engines, because it reports engines that do not start.
    conditions = match.conditions() if out or engines else {}
    journal = Journal(out, GAMES, conditions)
    waiting = {number: game for number, game in journal.found.items() if number < len(todo)}
    if more := len(journal.found) - len(waiting):
        print(f"{one_line(out)} has {more} games more than asked for, which do not count here; raise --games",
              file=sys.stderr)

    def decided() -> bool:
        last = standings.last
        return bool(sprt and last is not None and last % 2 and sprt.verdict(standings.tallies[0].pairs))

    def add_to_standings(number: int) -> bool:
        """Add a finished game to the standings. Returns whether it was waiting."""
        if number not in waiting or decided():
            return False
        standings.add(number, waiting.pop(number))
        return True

    try:
        following = 0
        while following < len(todo) and add_to_standings(following):
            following += 1
        yield standings
        missing = [number for number in range(following, len(todo)) if number not in waiting]
        if not missing or decided():
            return
        files = own_files(player.eval_file for player in match.players if isinstance(player, SearchPlayer))
        with worker_pool(play_game, jobs, engines, scheduler, files) as play_all:
            for number, game in play_all((number, todo[number]) for number in missing):
                waiting[number] = game
                journal.add(number, game)
                while add_to_standings(following):
                    following += 1
                    yield standings
                if decided():
                    return
    finally:
        journal.close()


def follow(course: Iterator[Standings], games: int, label: str = "", sprt: Sprt | None = None,
           lines: bool = False) -> Standings:
    """Play a match to its end and show its progress; with `lines`, a line on stderr for each game."""
    standings = next(course)
    played = Progress(games, "games", len(standings.games))
    for standings in course:
        if lines:
            assert standings.last is not None
            progress("")
            line = standings.line(standings.last)
            print(f"game {standings.last + 1} of {games}: {line}", file=sys.stderr, flush=True)
        played.tell(len(standings.games), label, *standings.brief(sprt))
    progress("")
    return standings
