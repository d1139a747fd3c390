"""Positions as people name them, in the words of USI: one reader for all commands."""
import re
from collections.abc import Iterator, Sequence

from engine import Position
from engine.records.usi import names_position

_LETTERS = "PLNSGBRKplnsgbrk"
# Behind the board: whose turn it is, hands, the number of the move.
_BEHIND_BOARD = re.compile(rf"[bw]|-|[0-9{_LETTERS}]+|moves")
_MOVE = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[A-Z]\*[1-9][a-i]")


def read_position(words: str) -> Position:
    """A position in the words that USI has for it, with or without `position` before them, or a bare SFEN; nothing at
    all is the start of the game. UserError, quoting what is wrong."""
    return Position.from_usi(words.strip().removeprefix("position ").strip() or "startpos")


def sources(words: Sequence[str]) -> Iterator[str]:
    """Arguments that are positions, in quotes or not, and files, in any mixture: each position as one text.

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
    """Whether a word belongs to the position that these have begun; what stands in quotes is whole."""
    if any(" " in part for part in (current[0], word)) or not names_position(current[0]):
        return False
    if current[-1] in ("position", "sfen"):
        return True
    if "moves" in current:
        return _MOVE.fullmatch(word) is not None
    return word == "moves" if "startpos" in current else _BEHIND_BOARD.fullmatch(word) is not None
