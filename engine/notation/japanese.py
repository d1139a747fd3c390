"""The words for squares, pieces and numbers that the board picture and KIF share."""

from engine.notation.pieces import HAND_ORDER

FILE_DIGITS = "１２３４５６７８９"
RANK_DIGITS = "一二三四五六七八九"
MARKS = "▲△"                                              # by side
SIDE_NAMES = ("先手", "後手")
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
    return "十" * (count // 10) + "〇一二三四五六七八九"[count % 10].strip("〇")


NUMBERS = {number(count): count for count in range(1, 20)}


def hand(counts: list[int]) -> str:
    """A hand, given by kind, in Japanese.

    >>> hand([0, 2, 0, 0, 0, 0, 1, 0])
    '飛　歩二'
    """
    held = [KIND_NAMES[kind] + (number(counts[kind]) if counts[kind] > 1 else "")
            for kind in HAND_ORDER if counts[kind]]
    return "　".join(held) or "なし"
