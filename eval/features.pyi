from engine import Position

INVERSE: tuple[int, ...]        # by feature, see features.pxd
MIRROR: tuple[int, ...]

def features_of(position: Position) -> tuple[int, int, list[int]]:
    """The squares of Black's and White's king (81: none) and the features of all other pieces, by piece number, in
    Black's view: (int, int, int[38])."""
def pieces_of(position: Position) -> list[tuple[int, int, int, int]]:
    """All pieces in play but the kings, by piece number, as tuples (feature, piece, square, unit). `piece` is a code of
    engine.pieces. In hand the square is 81 and `unit` numbers the pieces of a kind from 1; on the board it is 0."""
