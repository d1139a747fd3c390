"""The Japanese words for squares, pieces and numbers, for the board picture and KIF."""

import re

from engine.errors import UserError
from engine.pieces import GOLD, HAND_ORDER

FILE_DIGITS = "１２３４５６７８９"
RANK_DIGITS = "一二三四五六七八九"
SIDE_MARKS = "▲△"                                         # by side
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


# A piece, by its short or its long name, and how many: 歩, 歩兵, 歩十七, 歩１７, 歩×17, 歩17枚.
_HAND = re.compile(rf"([{KIND_NAMES[1:GOLD + 1]}])[車行将馬兵]?[×xX*]?([十{RANK_DIGITS}]+|[0-9０-９]{{1,2}})?枚?")
EMPTY_HANDS = ("", "なし", "無し", "無", "ナシ", "-")
_BETWEEN = re.compile(r"[\s、，,・/]+")


def hand(counts: list[int]) -> str:
    """A hand, given by kind, in Japanese.

    >>> hand([0, 2, 0, 0, 0, 0, 1, 0])
    '飛　歩二'
    """
    held = [KIND_NAMES[kind] + (number(counts[kind]) if counts[kind] > 1 else "")
            for kind in HAND_ORDER if counts[kind]]
    return "　".join(held) or "なし"


def parse_hand(text: str) -> list[int]:
    """The inverse of `hand`, in digits as well. Raises UserError if the text is no such list.

    >>> parse_hand("飛　歩十八"), parse_hand("飛2 歩１７")
    ([0, 18, 0, 0, 0, 0, 1, 0], [0, 17, 0, 0, 0, 0, 2, 0])
    """
    counts = [0] * 8
    items = _BETWEEN.sub("", text)
    if items in EMPTY_HANDS:
        return counts
    if _HAND.sub("", items):
        raise UserError("{text!r} is no hand; write it as 飛　金二　歩十八 or なし", text=text)
    for name, count in _HAND.findall(items):
        if count and not count.isdecimal() and count not in NUMBERS:
            raise UserError("{count!r} is no number from 一 to 十八", count=count)
        counts[KIND_NAMES.index(name)] += int(count) if count.isdecimal() else NUMBERS[count] if count else 1
    return counts
