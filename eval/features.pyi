from engine import Position

INVERSE: tuple[int, ...]        # by feature, see features.pxd
MIRROR: tuple[int, ...]

def features_of(position: Position) -> tuple[int, int, list[int]]: ...
def pieces_of(position: Position) -> list[tuple[int, int, int, int]]: ...
