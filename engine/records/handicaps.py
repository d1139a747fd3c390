"""The set-ups that have names in Japanese records."""
from engine.records.japanese import HANDICAP_SIDE_NAMES, SIDE_NAMES
from engine.sfen import STARTPOS_SFEN

# The two ranks that White, the stronger player, starts with; "left" and "right" are White's own.
_HANDICAP_RANKS = {
    "香落ち": "lnsgkgsn1/1r5b1",
    "右香落ち": "1nsgkgsnl/1r5b1",
    "角落ち": "lnsgkgsnl/1r7",
    "飛車落ち": "lnsgkgsnl/7b1",
    "飛香落ち": "lnsgkgsn1/7b1",
    "二枚落ち": "lnsgkgsnl/9",
    "三枚落ち": "lnsgkgsn1/9",
    "四枚落ち": "1nsgkgsn1/9",
    "五枚落ち": "2sgkgsn1/9",
    "左五枚落ち": "1nsgkgs2/9",
    "六枚落ち": "2sgkgs2/9",
    "左七枚落ち": "2sgkg3/9",
    "右七枚落ち": "3gkgs2/9",
    "八枚落ち": "3gkg3/9",
    "十枚落ち": "4k4/9",
    "トンボ": "4k4/1r5b1",
}
EVEN = "平手"
HANDICAPS = {EVEN: STARTPOS_SFEN} | {
    name: f"{ranks}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" for name, ranks in _HANDICAP_RANKS.items()
}
HANDICAP_NAMES = {sfen: name for name, sfen in HANDICAPS.items()}
ENGLISH_NAMES = {                           # before the word "handicap"
    "香落ち": "lance", "右香落ち": "right lance", "角落ち": "bishop", "飛車落ち": "rook", "飛香落ち": "rook-lance",
    "二枚落ち": "two-piece", "三枚落ち": "three-piece", "四枚落ち": "four-piece", "五枚落ち": "five-piece",
    "左五枚落ち": "five-piece (left knight)", "六枚落ち": "six-piece", "左七枚落ち": "seven-piece (left silver)",
    "右七枚落ち": "seven-piece (right silver)", "八枚落ち": "eight-piece", "十枚落ち": "ten-piece",
    "トンボ": "dragonfly",
}
OTHER = "その他"                            # a set-up that a board picture shows


def names_of_sides(initial_sfen: str) -> tuple[str, str]:
    """The Japanese names of the two players in a game that starts here.

    >>> names_of_sides(HANDICAPS["二枚落ち"])
    ('下手', '上手')
    """
    return SIDE_NAMES if HANDICAP_NAMES.get(initial_sfen, EVEN) == EVEN else HANDICAP_SIDE_NAMES
