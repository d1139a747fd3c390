"""Whole numbers as people and GUIs write them, of any length."""
import re

LONGEST = 40        # digits: no limit of ours has so many, and Python refuses to read a few thousand

_NUMBER = re.compile(r"([-+]?)0*([0-9]*)")


def whole_number(word: str) -> int | None:
    """The number that a word is, or None if it is none; in place of one that is longer than any limit, the largest that
    is not.

    >>> whole_number("-0012"), whole_number("1_000"), whole_number("9" * 5000) == 10**40 - 1
    (-12, None, True)
    """
    if not word.isascii() or not word[-1:].isdecimal() or not (match := _NUMBER.fullmatch(word)):
        return None
    sign, digits = match.groups()
    size = int(digits or 0) if len(digits) <= LONGEST else 10**LONGEST - 1
    return -size if sign == "-" else size
