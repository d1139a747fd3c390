"""The board in SFEN's own letters: what `d` shows, since stdout is ASCII in USI."""
import re


def diagram(sfen: str) -> list[str]:
    """The lines of a picture of a canonical SFEN: White's hand, the board from Black's side, Black's hand."""
    board, _turn, hands, _ply = sfen.split()
    rows = []
    for rank, row in zip("abcdefghi", board.split("/"), strict=True):
        cells = re.findall(r"\+?.", re.sub(r"\d", lambda empty: "." * int(empty[0]), row))
        rows.append("".join(f"{cell:>3}" for cell in cells) + f"  {rank}")
    black = "".join(re.findall(r"\d*[A-Z]", hands))
    white = "".join(re.findall(r"\d*[a-z]", hands))
    return [f"White's hand: {white or '-'}", "  9  8  7  6  5  4  3  2  1", *rows, f"Black's hand: {black or '-'}"]
