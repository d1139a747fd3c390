from engine import Position

CODINGS: dict[str, int]

def packed(position: Position, coding: str = "psfen") -> bytes:
    """The position in 32 bytes, in coding "hcp" (Apery) or "psfen" (YaneuraOu). Raises UserError if a king is missing.

    >>> from engine import Position
    >>> unpacked(packed(Position(), "hcp"), "hcp").sfen == Position().sfen
    True
    """
def unpacked(bits: bytes, coding: str = "psfen") -> Position:
    """The position packed into 32 bytes; its ply, which is not packed, is 1. Raises UserError if the bytes hold no
    legal position."""
def move16(usi: str, coding: str = "psfen") -> int:
    """A USI move in 16 bits, in this coding. Raises UserError if the text is no move.

    >>> move16("7g7f"), move16("P*5e", "hcp")
    (7739, 10408)"""
def usi(move: int, coding: str = "psfen") -> str:
    """The move coded by 16 bits, in USI; "" for 0 (no move). Raises UserError if they code no move."""
