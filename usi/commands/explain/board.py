"""Names of pieces, and the board with a number for each."""
from engine.pieces import FILES, HAND_ORDER, RANKS, SQUARES, WHITE_PIECE, row_slice
from engine.records.japanese import FILE_DIGITS, KIND_NAMES, RANK_DIGITS, SIDE_MARKS
from engine.sfen import SYMBOLS, parse_sfen
from usi.words.language import _, hand_name, language, side_name, square_text
from usi.words.wording import pad_left

HEADING = 13        # columns of what a line is about
CELL = 7            # characters to a square of the picture
NARROW_CELL = 6     # the same without decimals
IN_HAND = "持駒"
_PIECES = {symbol: piece for piece, symbol in SYMBOLS.items()}


def on_board(piece: int, square: int) -> str:
    return SYMBOLS[piece] + FILES[square // 9] + RANKS[square % 9]


def in_hand(piece: int, unit: int) -> str:
    return f"{SYMBOLS[piece]}*{unit}"


def shown_name(name: str) -> str:
    """A piece, given as `on_board` or `in_hand` names it, in the user's language.

    >>> from usi.words.language import speaking
    >>> with speaking("ja"):
    ...     shown_name("G7h"), shown_name("+p2c"), shown_name("P*2")
    ('▲７八金', '△２三と', '▲持駒歩2')
    """
    if language() != "ja":
        return name
    symbol, _star, unit = name.partition("*") if "*" in name else (name[:-2], "", "")
    side, kind = divmod(_PIECES[symbol], WHITE_PIECE)
    place = IN_HAND if unit else square_text(name[-2:])
    return f"{SIDE_MARKS[side]}{place}{KIND_NAMES[kind]}{unit}"


def _symbol(piece: int) -> str:
    """A piece of the picture, or an empty square: in Japanese as records draw it, White's behind a v."""
    if language() != "ja":
        return SYMBOLS[piece]
    return ("v" if piece >= WHITE_PIECE else "") + KIND_NAMES[piece % WHITE_PIECE]


def score_line(sfen: str, score: int) -> str:
    """The evaluation for the side to move, in centipawns."""
    return _("score {score:+} centipawns for {side}, who is to move", score=score,
             side=side_name(parse_sfen(sfen).turn))


def picture(sfen: str, shares: dict[str, float], width: int | None = None) -> list[str]:
    """The board with each piece's share below it, and the hands with the sum for each kind. A narrow terminal gets
    narrower cells."""
    is_narrow = width is not None and width < 9 * CELL + 3
    cell, decimals = (NARROW_CELL, 0) if is_narrow else (CELL, 1)
    board, hands, *_ = parse_sfen(sfen)
    squares, is_japanese = list(range(SQUARES)), language() == "ja"

    def share(square: int) -> str:
        worth = shares[on_board(board[square], square)] if board[square] else None
        return " " * cell if worth is None else f"{worth:+{cell}.{decimals}f}"

    def hand(side: int) -> str:
        worth = []
        for kind in HAND_ORDER:
            if count := hands[side][kind]:
                piece, number = kind + WHITE_PIECE * side, str(count) if count > 1 else ""
                total = sum(shares[in_hand(piece, unit)] for unit in range(1, count + 1))
                name = KIND_NAMES[kind] + number if is_japanese else number + SYMBOLS[piece]
                worth.append(f"{name} {total:+.1f}")
        return f"{hand_name(side)}: {', '.join(worth) or '-'}"

    lines = [hand(1), "".join(pad_left(file, cell) for file in reversed(FILE_DIGITS if is_japanese else FILES))]
    for rank, name in enumerate(RANK_DIGITS if is_japanese else RANKS):
        row = squares[row_slice(rank)]
        lines.append("".join(pad_left(_symbol(board[square]), cell) for square in row) + f"  {name}")
        lines.append("".join(map(share, row)).rstrip())
    return [*lines, hand(0)]
