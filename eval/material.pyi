from engine import Position

SLOPE: int

def balance(position: Position) -> int:
    """Black's material over White's, summed in full."""
def worth(piece: int) -> int:
    """What a piece (a code of engine.pieces) is worth for Black, on the board as in hand. UserError if the
    code is none."""
