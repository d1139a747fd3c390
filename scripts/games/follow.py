"""A match on the terminal while it is played."""
import sys
from collections.abc import Iterator

from scripts.games.standings import Standings
from scripts.stats.elo import Sprt
from usi.console.terminal import TimeLeft, progress


def follow(course: Iterator[Standings], games: int, label: str = "", sprt: Sprt | None = None,
           lines: bool = False) -> Standings:
    """Play a match to its end, and show on a terminal how far it is; with `lines`, a line on stderr for each game."""
    standings = next(course)
    kept = len(standings.games)
    left = TimeLeft(games - kept)
    for standings in course:
        if lines:
            assert standings.last is not None
            progress("")
            line = standings.line(standings.last)
            print(f"game {standings.last + 1} of {games}: {line}", file=sys.stderr, flush=True)
        done = len(standings.games)
        progress(f"{label} {done} of {games} games{left.after(done - kept)}: {standings.headline(sprt)}".lstrip())
    progress("")
    return standings
