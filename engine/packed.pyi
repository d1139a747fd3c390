from engine import Position

CODINGS: dict[str, int]

def packed(position: Position, coding: str = "psfen") -> bytes:
    """The position's 32 bytes, in coding "hcp" (Apery) or "psfen" (YaneuraOu). UserError if a king is missing.

    >>> from engine import Position
    >>> unpacked(packed(Position(), "hcp"), "hcp").sfen == Position().sfen
    True
    """
def unpacked(bits: bytes, coding: str = "psfen") -> Position:
    """The position of 32 bytes; it is at ply 1, for they do not say. UserError if they are no legal position's."""
def move16(usi: str, coding: str = "psfen") -> int:
    """A move in 16 bits, as the coding's records have it; UserError if it is no move's text.

    >>> move16("7g7f"), move16("P*5e", "hcp")
    (7739, 10408)"""
def usi(move: int, coding: str = "psfen") -> str:
    """The move that 16 bits stand for, "" for 0 (no move); UserError if they stand for none."""
