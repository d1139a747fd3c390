"""The words for squares, pieces and numbers that the board picture and KIF share."""

import re

from engine.text.pieces import GOLD, HAND_ORDER

FILE_DIGITS = "１２３４５６７８９"
RANK_DIGITS = "一二三四五六七八九"
MARKS = "▲△"                                              # by side
SIDE_NAMES = ("先手", "後手")
HANDICAP_SIDE_NAMES = ("下手", "上手")
KIND_NAMES = "・歩香桂銀角飛金玉と杏圭全馬龍"                  # by kind, the empty square first


def square_name(square: int) -> str:
    """A square in Japanese.

    >>> square_name(60)
    '７七'
    """
    return FILE_DIGITS[square // 9] + RANK_DIGITS[square % 9]


def number(count: int) -> str:
    """A number from 1 to 19 in Japanese.

    >>> number(18)
    '十八'
    """
    tens, ones = divmod(count, 10)
    return "十" * tens + (RANK_DIGITS[ones - 1] if ones else "")


NUMBERS = {number(count): count for count in range(1, 20)}


_HAND = re.compile(f"([{KIND_NAMES[1:GOLD + 1]}])([十{RANK_DIGITS}]*)")


def hand(counts: list[int]) -> str:
    """A hand, given by kind, in Japanese.

    >>> hand([0, 2, 0, 0, 0, 0, 1, 0])
    '飛　歩二'
    """
    held = [KIND_NAMES[kind] + (number(counts[kind]) if counts[kind] > 1 else "")
            for kind in HAND_ORDER if counts[kind]]
    return "　".join(held) or "なし"


def parse_hand(text: str) -> list[int]:
    """The inverse of `hand`; ValueError if the text is no such list.

    >>> parse_hand("飛　歩十八")
    [0, 18, 0, 0, 0, 0, 1, 0]
    """
    counts = [0] * 8
    items = "".join(text.split())
    if items in ("", "なし"):
        return counts
    if _HAND.sub("", items):
        raise ValueError(f"{text!r} is no hand; write it as 飛　金二　歩十八 or なし")
    for name, count in _HAND.findall(items):
        if count and count not in NUMBERS:
            raise ValueError(f"{count!r} is no number from 一 to 十八")
        counts[KIND_NAMES.index(name)] += NUMBERS[count] if count else 1
    return counts
