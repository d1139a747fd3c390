from engine import Position

INVERSE: tuple[int, ...]        # by feature, see features.pxd
MIRROR: tuple[int, ...]

def features_of(position: Position) -> tuple[int, int, list[int]]:
    """The squares of Black's and of White's king (81: there is none) and the features of all other pieces, by piece
    number, as Black sees them: (int, int, int[38])."""
def pieces_of(position: Position) -> list[tuple[int, int, int, int]]:
    """All pieces in play but the kings, by piece number, as tuples (feature, piece, square, unit): a piece as
    engine.pieces has it; unit counts the pieces of a kind in hand from 1, and there the square is 81; on the
    board unit is 0."""
