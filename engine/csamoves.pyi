from engine import Position

KIND_NAMES: list[str]

def play_lines(position: Position, lines: list[str], first: int, moves: list[str], times: dict[int, float]) -> int:
    """Play the moves of `lines` from index `first` on, up to the first line that is neither move nor time. Returns the
    number of lines read. A line holds one move, with its time (`+7776FU,T12`) or without; the time may follow on the
    next line (`T12`). Appends each move to `moves` in USI, and sets its seconds in `times`, by the number of moves so
    far."""
