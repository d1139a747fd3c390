"""Positions with a mate by checks, by the length of the shortest."""
from functools import cache
from pathlib import Path


@cache
def mates() -> dict[int, list[str]]:
    """SFENs by length in plies, of data/mates.tsv; the side to move is never in check."""
    found: dict[int, list[str]] = {}
    lines = (Path(__file__).parent / "data" / "mates.tsv").read_text(encoding="ascii").splitlines()
    _, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    for sfen, plies in rows:
        found.setdefault(int(plies), []).append(sfen)
    return found
