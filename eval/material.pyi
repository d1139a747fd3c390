from engine import Position

SLOPE: int

def balance(position: Position) -> int: ...
