from engine import Position

KIND_NAMES: list[str]

def play_lines(position: Position, lines: list[str], first: int, moves: list[str], times: dict[int, float]) -> int:
    """Play the moves of `lines` from index `first` on, until a line holds anything else; return the number of lines
    taken. A line has one move, with its time (`+7776FU,T12`) or without; the time may be the next line (`T12`).
    `moves` gets each move in USI; `times` gets its seconds, by the length of `moves` then."""
