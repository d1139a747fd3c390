"""Readers of typed text: positions in USI, whole numbers, and names with typing errors."""
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from engine import Position
from engine.errors import Phrase
from engine.records.usi import names_position

_LETTERS = "PLNSGBRKplnsgbrk"
# Behind the board: side to move, hands, move number.
_BEHIND_BOARD = re.compile(rf"[bw]|-|[0-9{_LETTERS}]+|moves")
_MOVE = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[A-Z]\*[1-9][a-i]")


def read_position(words: str) -> Position:
    """The position of a text: USI's `position` arguments, with or without that word, or a bare SFEN. An empty text is
    the start position. Raises UserError, quoting the fault."""
    return Position.from_usi(words.strip().removeprefix("position ").strip() or "startpos")


def sources(words: Sequence[str]) -> Iterator[str]:
    """The sources named by arguments, positions (in quotes or not) and files in any mixture: each position as one text.

    >>> list(sources(["startpos", "moves", "7g7f", "a.kif", "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"]))
    ['startpos moves 7g7f', 'a.kif', 'sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1']
    """
    current: list[str] = []
    for word in words:
        if current and not _goes_on(current, word):
            yield " ".join(current)
            current = []
        current.append(word)
    if current:
        yield " ".join(current)


def _goes_on(current: list[str], word: str) -> bool:
    """Whether a word continues the position that these words begin. A position in quotes is complete."""
    if any(" " in part for part in (current[0], word)) or not names_position(current[0]):
        return False
    if current[-1] in ("position", "sfen"):
        return True
    if "moves" in current:
        return _MOVE.fullmatch(word) is not None
    return word == "moves" if "startpos" in current else _BEHIND_BOARD.fullmatch(word) is not None


LONGEST = 40        # digits: no limit of ours has so many, and Python refuses to read a few thousand

_NUMBER = re.compile(r"([-+]?)0*([0-9]*)")


def whole_number(word: str) -> int | None:
    """The number that a word stands for; None if it is no number. A number longer than any limit becomes the largest
    one.

    >>> whole_number("-0012"), whole_number("1_000"), whole_number("9" * 5000) == 10**40 - 1
    (-12, None, True)
    """
    if not word.isascii() or not word[-1:].isdecimal() or not (match := _NUMBER.fullmatch(word)):
        return None
    sign, digits = match.groups()
    size = int(digits or 0) if len(digits) <= LONGEST else 10**LONGEST - 1
    return -size if sign == "-" else size


LONGER = 3      # a word this many times as long as a name is never similar


def did_you_mean(fault: Phrase, word: str, known: Iterable[str]) -> Phrase:
    """A complaint about a word, with the most similar known word, if one is similar.

    >>> str(did_you_mean(Phrase("no such command"), "anaylze", ["analyze", "play"]))
    "no such command; did you mean 'analyze'?"
    """
    by_letters = {name.lower(): name for name in known}
    if len(word) > LONGER * max(map(len, by_letters), default=0):
        return fault    # comparing a whole file would take seconds and gigabytes
    close = get_close_matches(word.lower(), by_letters, n=1)
    return Phrase("{fault}; did you mean '{name}'?", fault=fault, name=by_letters[close[0]]) if close else fault
