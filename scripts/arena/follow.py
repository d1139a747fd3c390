"""A match on the terminal while it is played."""
import sys
from collections.abc import Iterator

from scripts.arena.stats.elo import Sprt
from scripts.arena.stats.standings import Standings
from scripts.cli.progress import progress_bar


def follow(course: Iterator[Standings], games: int, label: str = "", sprt: Sprt | None = None,
           lines: bool = False) -> Standings:
    """Play a match to its end, with a progress bar if there is a terminal, and a line on stderr for
    each game if `lines` are wanted."""
    def state(standings: Standings | None) -> str:
        return standings.headline(sprt) if standings else ""

    with progress_bar(games, label, item_show_func=state, show_pos=False, show_percent=False, width=20) as bar:
        standings = next(course)
        bar.update(len(standings.games), standings)
        for standings in course:
            if lines:
                assert standings.last is not None
                clear = "\r\033[K" if sys.stderr.isatty() else ""
                text = f"game {standings.last + 1} of {games}: {standings.line(standings.last)}"
                print(clear + text, file=sys.stderr, flush=True)
            bar.update(1, standings)
    return standings
