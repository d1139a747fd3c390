from engine import Position

def _order(position: Position, table_move: int = 0, killers: tuple[int, int] = (0, 0), qsearch: bool = False,
           recapture: int | None = None) -> list[str]: ...
