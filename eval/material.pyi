from engine import Position

SLOPE: int

def balance(position: Position) -> int:
    """Black's material minus White's, in centipawns."""
def worth(piece: int) -> int:
    """The value of a piece (a code of engine.pieces) for Black, in centipawns; the same on the board and in hand.
    Raises UserError for an invalid code."""
