"""What somebody may have meant who wrote a word that is none of those known."""
from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Words to put behind a complaint, "" where nothing known is like it.

    >>> did_you_mean("anaylze", ["analyze", "play"])
    "; did you mean 'analyze'?"
    """
    by_letters = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_letters, n=1)
    return f"; did you mean '{by_letters[close[0]]}'?" if close else ""
