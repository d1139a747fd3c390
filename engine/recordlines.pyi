from engine import Position

KIND_NAMES: list[str]

def has_controls(text: str) -> bool:
    """Whether a text has control characters other than tabs and line ends, or halves of letters."""

def add_comment(comments: dict[int, str], longer: dict[int, list[str]], ply: int, line: str) -> None:
    """Add a line of comment on a ply: the first to `comments`, all to `longer` if there are more."""

def play_csa(position: Position, lines: list[str], first: int, moves: list[str], times: dict[int, float],
             comments: dict[int, str], longer: dict[int, list[str]]) -> int:
    """Play the moves of `lines` from index `first` on, up to the first line that is neither a move, a time nor a
    comment on a move. Returns the number of lines read.

    A line holds one move, with its time (`+7776FU,T12`) or without; the time may follow on the next line (`T12`).
    Appends each move to `moves` in USI, sets its seconds in `times`, and adds each line of a comment (`'*…`) to
    `comments` and `longer` (see `add_comment`), all by the number of moves so far."""

def play_kif(position: Position, lines: list[str], first: int, number: int, previous: int, moves: list[str],
             times: dict[int, float], comments: dict[int, str], longer: dict[int, list[str]]) -> int:
    """Play the moves of KIF lines, like the function above for CSA. The moves are numbered, the next one `number`;
    `previous` is the target of the move before, -1 if there was none. Empty lines are skipped."""
