"""The board as a terminal shows it: in SFEN's own letters, as `d` does since stdout is ASCII in USI, or in Japanese."""
import re

from engine.records.japanese import SIDE_NAMES
from engine.records.picture import draw_set_up
from engine.sfen import parse_sfen


def diagram(sfen: str, from_white: bool = False,
            hands_of: tuple[str, str] = ("Black's hand", "White's hand")) -> list[str]:
    """The lines of a picture of a canonical SFEN: the far side's hand, the board as Black or White sees it, the near
    side's hand, with what the hands are called."""
    board, _turn, hands, _ply = sfen.split()
    turned = slice(None, None, -1 if from_white else 1)
    rows = []
    for rank, row in zip("abcdefghi", board.split("/"), strict=True):
        cells = re.findall(r"\+?.", re.sub(r"\d", lambda empty: "." * int(empty[0]), row))
        rows.append("".join(f"{cell:>3}" for cell in cells[turned]) + f"  {rank}")
    black = f"{hands_of[0]}: " + ("".join(re.findall(r"\d*[A-Z]", hands)) or "-")
    white = f"{hands_of[1]}: " + ("".join(re.findall(r"\d*[a-z]", hands)) or "-")
    files = "".join(f"{file:>3}" for file in "987654321"[turned])
    return [black if from_white else white, files, *rows[turned], white if from_white else black]


def japanese_diagram(sfen: str, from_white: bool = False, sides: tuple[str, str] = SIDE_NAMES) -> list[str]:
    """The same as Japanese records picture it; a `v` marks White's pieces, from either side."""
    lines = draw_set_up(parse_sfen(sfen), sides)
    if not from_white:
        return lines
    white, files, edge, *rows, _, black = lines
    turned = [re.sub(r"\|(.*)\|", lambda row: f"|{''.join(re.findall('..', row[1])[::-1])}|", row)
              for row in reversed(rows)]
    return [black, f"  {files.strip()[::-1]}", edge, *turned, edge, white]
