"""The board as a picture in SVG, which notebooks and browsers show. usi/pages/data/page.js draws the same one where a
reader clicks through a game: a test opens both in a browser and compares them."""
from collections.abc import Iterable, Iterator
from math import hypot

from engine.errors import Listed, UserError
from engine.pieces import HAND_ORDER, PROMOTED, RANKS, SQUARES, WHITE_PIECE, square_index
from engine.records.japanese import KIND_NAMES, RANK_DIGITS
from engine.sfen import SYMBOLS, Placement

CELL, TALL, LEFT, TOP = 40, 44, 8, 60
WIDTH, BOTTOM = 2 * LEFT + 9 * CELL + 12, TOP + 9 * TALL
ARROW_GAP = 16              # from the centre of a piece, so that its letter stays free
SHOWN_WIDTH = 390           # of the whole picture on a screen, in pixels
RANK_NAMES = {"western": RANKS, "japanese": RANK_DIGITS}
STYLE = """\
.gakushi .field { fill: #f5d9a0; stroke: #7a5a20 } .gakushi .grid { stroke: #7a5a20; stroke-width: .8 }
.gakushi .last { fill: #ffb46b } .gakushi .coordinate { font-size: 10px; fill: #666; text-anchor: middle }
.gakushi .piece path { fill: #fdeec9; stroke: #7a5a20 } .gakushi .count { font-size: 13px; fill: #222 }
.gakushi .piece text { font: 21px "Hiragino Mincho ProN", "Yu Mincho", "Noto Serif CJK JP", serif; text-anchor: middle;
  fill: #111 } .gakushi .piece.promoted text { fill: #b00 }
.gakushi .arrow { stroke: #1f5fa8; fill: #1f5fa8; stroke-width: 5; opacity: .65 }
.gakushi .arrow.reply { stroke: #666; fill: #666; opacity: .4 }"""


def draw_svg(placement: Placement, last: str | None = None, arrows: Iterable[str] = (), flipped: bool = False,
             size: int | None = None, ranks: str = "western") -> str:
    """A picture of a position, `size` pixels wide (SHOWN_WIDTH without it): the square that the `last` move in USI went
    to is marked, `arrows` are moves in USI, the first of them strong. Seen by Black, or by White if `flipped`. `ranks`
    are named as RANK_NAMES has them. Raises UserError for another naming.

    >>> from engine.sfen import STARTPOS_SFEN, parse_sfen
    >>> draw_svg(parse_sfen(STARTPOS_SFEN)).count('class="piece"')
    40
    """
    if ranks not in RANK_NAMES:
        raise UserError("{ranks!r} is no naming of ranks; choose from {namings}", ranks=ranks,
                        namings=Listed(RANK_NAMES))
    parts = [*_board(last, flipped, RANK_NAMES[ranks]), *_pieces(placement, flipped), *_hands(placement, flipped)]
    for number, move in enumerate(arrows):
        parts.append(_arrow(placement, move, "arrow reply" if number else "arrow", flipped))
    height, shown = BOTTOM + 52, size or SHOWN_WIDTH
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="gakushi" viewBox="0 0 {WIDTH} {height}"'
            f' width="{shown}" height="{shown * height // WIDTH}"><style>{STYLE}</style>{"".join(parts)}'
            "</svg>")


def _centre(square: int, flipped: bool) -> tuple[float, float]:
    column, row = 8 - square // 9, square % 9
    if flipped:
        column, row = 8 - column, 8 - row
    return LEFT + (column + .5) * CELL, TOP + (row + .5) * TALL


def _board(last: str | None, flipped: bool, ranks: str) -> Iterator[str]:
    yield f'<rect class="field" x="{LEFT}" y="{TOP}" width="{9 * CELL}" height="{9 * TALL}"/>'
    if last:
        x, y = _centre(square_index(last[2:4]), flipped)
        yield f'<rect class="last" x="{x - CELL / 2:g}" y="{y - TALL / 2:g}" width="{CELL}" height="{TALL}"/>'
    for i in range(9):
        x, y = LEFT + i * CELL, TOP + i * TALL
        if i:
            yield f'<path class="grid" d="M{x} {TOP}V{BOTTOM}M{LEFT} {y}H{LEFT + 9 * CELL}"/>'
        yield _text("coordinate", x + CELL / 2, TOP - 3, str(i + 1 if flipped else 9 - i))
        yield _text("coordinate", LEFT + 9 * CELL + 8, y + TALL / 2 + 4, ranks[8 - i if flipped else i])


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{text}</text>'


def _piece(piece: int, x: float, y: float, flipped: bool, scale: str = "1") -> str:
    kind, turned = piece % WHITE_PIECE, (piece < WHITE_PIECE) == flipped
    return (f'<g class="piece{" promoted" if kind > PROMOTED else ""}" data-piece="{SYMBOLS[piece]}"'
            f' transform="translate({x:g} {y:g}) scale({scale}){" rotate(180)" if turned else ""}">'
            f'<path d="M0 -19L11 -14L15 18H-15L-11 -14Z"/><text y="10">{KIND_NAMES[kind]}</text></g>')


def _pieces(placement: Placement, flipped: bool) -> Iterator[str]:
    for square in range(SQUARES):
        if placement.board[square]:
            yield _piece(placement.board[square], *_centre(square, flipped), flipped)


def _hands(placement: Placement, flipped: bool) -> Iterator[str]:
    for side, hand in enumerate(placement.hands):
        x, y = LEFT + 18, BOTTOM + 28 if (side == 0) != flipped else 24
        for kind in HAND_ORDER:
            if not hand[kind]:
                continue
            yield _piece(kind + WHITE_PIECE * side, x, y, flipped, ".9")
            if hand[kind] > 1:
                yield _text("count", x + 15, y + 14, str(hand[kind]))
            x += 50 if hand[kind] > 1 else 38


def _arrow(placement: Placement, move: str, kind: str, flipped: bool) -> str:
    x, y = _centre(square_index(move[2:4]), flipped)
    if move[1] == "*":
        return f'<circle class="{kind}" data-move="{move}" cx="{x:g}" cy="{y:g}" r="18" style="fill: none"/>'
    from_x, from_y = _centre(square_index(move[:2]), flipped)
    length = hypot(x - from_x, y - from_y)
    dx, dy = (x - from_x) / length, (y - from_y) / length
    gap = ARROW_GAP if placement.board[square_index(move[2:4])] else 0
    tip_x, tip_y = x - gap * dx, y - gap * dy
    neck_x, neck_y = tip_x - 10 * dx, tip_y - 10 * dy
    return (f'<path class="{kind}" data-move="{move}" stroke-linejoin="round"'
            f' d="M{from_x + ARROW_GAP * dx:g} {from_y + ARROW_GAP * dy:g}L{neck_x:g} {neck_y:g}'
            f'M{tip_x:g} {tip_y:g}L{neck_x - 5 * dy:g} {neck_y + 5 * dx:g}L{neck_x + 5 * dy:g} {neck_y - 5 * dx:g}Z"/>')
