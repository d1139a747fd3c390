"""The same position and move seen from the other side: the board turned round, the colours exchanged."""
import re

_TURNED = str.maketrans("123456789abcdefghi", "987654321ihgfedcba")


def flip_move(usi: str) -> str:
    """A move of one side as the other side would play it.

    >>> flip_move("8h2b+"), flip_move("P*5e")
    ('2b8h+', 'P*5e')
    """
    return usi.translate(_TURNED)


def flip_sfen(sfen: str) -> str:
    """An SFEN seen from the other side; a canonical one stays so. Its move number may be missing, and stays as it is.

    >>> flip_sfen("4k4/9/9/9/9/9/9/9/2K6 b R2Pg 3")
    '6k2/9/9/9/9/9/9/9/4K4 w Gr2p 3'
    """
    board, turn, hands, *ply = sfen.split()
    cells = "".join(reversed(re.findall(r"\+?[^+]", board))).swapcase()
    items = re.findall(r"\d*[a-zA-Z]", hands.swapcase())
    turned = "".join(sorted(items, key=str.islower)) or "-"     # Black's come first; the order of the kinds stays
    return " ".join([cells, "w" if turn == "b" else "b", turned, *ply])
