"""Names of pieces, and the board with a number for each."""
from engine.pieces import FILES, HAND_ORDER, RANKS, SQUARES, WHITE_PIECE, row_slice
from engine.sfen import SYMBOLS, parse_sfen
from usi.words.language import _, hand_name, side_name

HEADING = 13        # columns of what a line is about
CELL = 7            # characters to a square of the picture
NARROW_CELL = 6     # … without decimals


def on_board(piece: int, square: int) -> str:
    return SYMBOLS[piece] + FILES[square // 9] + RANKS[square % 9]


def in_hand(piece: int, unit: int) -> str:
    return f"{SYMBOLS[piece]}*{unit}"


def score_line(sfen: str, score: int) -> str:
    """The evaluation for the side to move, in centipawns."""
    return _("score {score:+} centipawns for {side}, who is to move", score=score,
             side=side_name(parse_sfen(sfen).turn))


def picture(sfen: str, shares: dict[str, float], width: int | None = None) -> list[str]:
    """The board, each piece's share below it, and the hands' with the sum for each kind; for a terminal with that many
    columns, if they are few."""
    is_narrow = width is not None and width < 9 * CELL + 3
    cell, decimals = (NARROW_CELL, 0) if is_narrow else (CELL, 1)
    board, hands, *_ = parse_sfen(sfen)
    squares = list(range(SQUARES))

    def share(square: int) -> str:
        worth = shares[on_board(board[square], square)] if board[square] else None
        return " " * cell if worth is None else f"{worth:+{cell}.{decimals}f}"

    def hand(side: int) -> str:
        sums = {SYMBOLS[kind + WHITE_PIECE * side]: count for kind in HAND_ORDER if (count := hands[side][kind])}
        worth = (f"{count if count > 1 else ''}{symbol} "
                 f"{sum(shares[f'{symbol}*{unit}'] for unit in range(1, count + 1)):+.1f}"
                 for symbol, count in sums.items())
        return f"{hand_name(side)}: {', '.join(worth) or '-'}"

    lines = [hand(1), "".join(f"{file:>{cell}}" for file in reversed(FILES))]
    for rank, letter in enumerate(RANKS):
        row = squares[row_slice(rank)]
        lines.append("".join(f"{SYMBOLS[board[square]]:>{cell}}" for square in row) + f"  {letter}")
        lines.append("".join(map(share, row)).rstrip())
    return [*lines, hand(0)]
