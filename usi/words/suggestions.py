"""What somebody may have meant who wrote a word that is none of those known."""
from collections.abc import Iterable
from difflib import get_close_matches

LONGER = 3      # a word so many times as long as a name is never like it: two thirds of its letters are too many


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Words to put behind a complaint, "" where nothing known is like it.

    >>> did_you_mean("anaylze", ["analyze", "play"])
    "; did you mean 'analyze'?"
    """
    by_letters = {name.lower(): name for name in known}
    if len(word) > LONGER * max(map(len, by_letters), default=0):
        return ""       # a comparison takes seconds and gigabytes where the word is a whole file
    close = get_close_matches(word.lower(), by_letters, n=1)
    return f"; did you mean '{by_letters[close[0]]}'?" if close else ""
