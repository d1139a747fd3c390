"""Why a move is not legal, in words: for a person who has typed it, or whose record has it."""
from collections.abc import Sequence

from engine import Position
from engine.notation.japanese import hand as japanese_hand
from engine.notation.pieces import (
    GOLD,
    HAND_ORDER,
    KING,
    LETTERS,
    NAMES,
    PAWN,
    PROMOTED,
    SQUARES,
    STUCK_RANKS,
    WHITE_PIECE,
    ranks_ahead,
    square_index,
    square_name,
)
from usi.language import _, language, piece_name, side_name, square_text

_FORWARD, _BACK = ((0, -1),), ((0, 1),)
_SIDEWAYS = ((-1, 0), (1, 0))
_AHEAD, _BEHIND = ((-1, -1), (1, -1)), ((-1, 1), (1, 1))      # diagonally
_STRAIGHT, _DIAGONAL = _FORWARD + _BACK + _SIDEWAYS, _AHEAD + _BEHIND
_AS_GOLD = _STRAIGHT + _AHEAD
# By kind, as (files, ranks) for Black, who moves towards lower ranks: single steps, and directions without an end.
_STEPS = ((), _FORWARD, (), ((-1, -2), (1, -2)), _FORWARD + _DIAGONAL, (), (), _AS_GOLD, _STRAIGHT + _DIAGONAL,
          _AS_GOLD, _AS_GOLD, _AS_GOLD, _AS_GOLD, _STRAIGHT, _DIAGONAL)
_SLIDES = ((), (), _FORWARD, (), (), _DIAGONAL, _STRAIGHT, (), (), (), (), (), (), _DIAGONAL, _STRAIGHT)


def explain_illegal(position: Position, usi: str) -> str | None:
    """What forbids a move, in a sentence; None if it is legal. ValueError for a text that is no move at all.

    >>> explain_illegal(Position(), "8h2b")
    'the way of the bishop from 8h to 2b is blocked by the pawn on 7g'
    """
    if position.is_legal(usi):
        return None
    return _why_no_drop(position, usi) if usi[1] == "*" else _why_no_move(position, usi)


def explain_all_illegal(position: Position, moves: Sequence[str]) -> str:
    """What forbids a move of which a record says only where it goes: it could be any of these, which are all illegal
    moves of one kind of piece to one square.

    >>> explain_all_illegal(Position(), ["4i5h+", "6i5h+"]), explain_all_illegal(Position(), ["4i5e", "6i5e", "G*5e"])
    ('a gold cannot promote', "no gold of Black's can go to 5e")
    """
    held = position.hand(position.turn)
    possible = [move for move in moves if (move[0] in held if move[1] == "*" else moves_so(position, move))]
    on_board = [move for move in moves if move[1] != "*"]
    if possible or len(on_board) < 2:
        return explain_illegal(position, [*possible, *on_board, *moves][0]) or ""
    kind = position.piece_at(on_board[0][:2]) % WHITE_PIECE
    return _("no {piece} of {side}'s can go to {square}", piece=piece_name(kind),
             side=side_name(position.turn), square=square_text(moves[0][2:4]))


def moves_so(position: Position, usi: str) -> bool:
    """Whether a piece that stands where the move begins moves so on an empty board; of a drop, always."""
    piece = 0 if usi[1] == "*" else position.piece_at(usi[:2])
    return not piece or _path(piece, square_index(usi[:2]), square_index(usi[2:4])) is not None


def _why_no_drop(position: Position, usi: str) -> str:
    kind, target = LETTERS.index(usi[0]), square_index(usi[2:])
    board, side = position.placement.board, position.turn
    name = piece_name(kind)
    if not position.hand(side).get(usi[0]):
        return _("{side} has no {piece} in hand; the hand holds {hand}", side=side_name(side), piece=name,
                 hand=hand_text(position, side))
    if board[target]:
        return _("{square} is taken by {piece}, and drops need an empty square", square=square_text(usi[2:]),
                 piece=_piece_text(board, target, side))
    if _is_stuck(kind, target, side):
        return _("a {piece} on {square} could never move again, so it must not be dropped there", piece=name,
                 square=square_text(usi[2:]))
    if kind == PAWN:
        for square in range(target // 9 * 9, target // 9 * 9 + 9):
            if board[square] == PAWN + WHITE_PIECE * side:
                return _("two pawns: there already is an unpromoted pawn of {side}'s on file {file}, on {square}",
                         side=side_name(side), file=usi[2], square=square_text(square_name(square)))
    board[target] = kind + WHITE_PIECE * side
    if attackers := _attackers_of_king(board, side):
        return _check_text(position, board, attackers[0])
    # All other drops are allowed but one kind.
    return _("a pawn must not be dropped to give mate, and after {move} the king would have no way out", move=usi)


def _why_no_move(position: Position, usi: str) -> str:
    origin, target, promotes = square_index(usi[:2]), square_index(usi[2:4]), usi.endswith("+")
    board, side = position.placement.board, position.turn
    piece = board[origin]
    if not piece:
        return _("there is no piece on {square}", square=square_text(usi[:2]))
    kind, name = piece % WHITE_PIECE, piece_name(piece % WHITE_PIECE)
    if piece // WHITE_PIECE != side:
        return _("the {piece} on {square} is {owner}'s, but it is {side}'s turn", piece=name,
                 square=square_text(usi[:2]), owner=side_name(1 - side), side=side_name(side))
    path = _path(piece, origin, target)
    if path is None:
        return _("a {piece} does not move from {origin} to {target}", piece=name, origin=square_text(usi[:2]),
                 target=square_text(usi[2:4]))
    for square in path:
        if board[square]:
            return _("the way of the {piece} from {origin} to {target} is blocked by {other}", piece=name,
                     origin=square_text(usi[:2]), target=square_text(usi[2:4]), other=_piece_text(board, square, side))
    if board[target] and board[target] // WHITE_PIECE == side:
        return _("{piece} is {side}'s own", piece=_piece_text(board, target, side), side=side_name(side))
    if promotes and kind >= GOLD:
        return _("a {piece} cannot promote", piece=name)
    if promotes and not (_in_zone(origin, side) or _in_zone(target, side)):
        return _("a {piece} promotes only where its move begins or ends in the far three ranks", piece=name)
    if not promotes and _is_stuck(kind, target, side):
        return _("a {piece} on {square} could never move again, so it must promote: {move}+", piece=name,
                 square=square_text(usi[2:4]), move=usi)
    board[target], board[origin] = piece + PROMOTED * promotes, 0
    return _check_text(position, board, _attackers_of_king(board, side)[0])


def _check_text(position: Position, board: list[int], attacker: int) -> str:
    """Why the king of the side to move must not be left as on this board, to which a move has led."""
    side, before = position.turn, position.placement.board
    king = board.index(KING + WHITE_PIECE * side)
    name = _("the {piece} on {square}", piece=piece_name(board[attacker] % WHITE_PIECE),
             square=square_text(square_name(attacker)))
    of_king = square_text(square_name(king))
    if before[king] != board[king]:
        return _("the king would be in check on {square}, by {piece}", square=of_king, piece=name)
    if attacker in _attackers_of_king(before, side):
        return _("{side} is in check by {piece}, and this does not end it", side=side_name(side), piece=name)
    return _("the piece is pinned: without it the king on {square} would be in check by {piece}",
             square=of_king, piece=name)


def hand_text(position: Position, side: int) -> str:
    """What a side holds, in words.

    >>> hand_text(Position("4k4/9/9/9/9/9/9/9/4K4 b R2P 1"), 0)
    'a rook and 2 pawns'
    """
    if language() == "ja":
        return japanese_hand(position.placement.hands[side])
    held = position.hand(side)
    words = [f"a {NAMES[kind]}" if held[LETTERS[kind]] == 1 else f"{held[LETTERS[kind]]} {NAMES[kind]}s"
             for kind in HAND_ORDER if LETTERS[kind] in held]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "nothing"


def _piece_text(board: list[int], square: int, side: int) -> str:
    name, place = piece_name(board[square] % WHITE_PIECE), square_name(square)
    if board[square] // WHITE_PIECE == side:
        return _("the {piece} on {square}", piece=name, square=square_text(place))
    return _("{owner}'s {piece} on {square}", owner=side_name(1 - side), piece=name, square=square_text(place))


def _path(piece: int, origin: int, target: int) -> list[int] | None:
    """The squares between, for a piece that moves so on an empty board; None for one that does not."""
    forward = -1 if piece >= WHITE_PIECE else 1
    files, ranks = target // 9 - origin // 9, (target % 9 - origin % 9) * forward
    kind = piece % WHITE_PIECE
    if (files, ranks) in _STEPS[kind]:
        return []
    distance = max(abs(files), abs(ranks))
    for step in _SLIDES[kind]:
        if distance and (step[0] * distance, step[1] * distance) == (files, ranks):
            return [origin + (step[0] * 9 + step[1] * forward) * way for way in range(1, distance)]
    return None


def _attackers_of_king(board: list[int], side: int) -> list[int]:
    """Where the pieces stand that give check to a side; none if it has no king."""
    king = KING + WHITE_PIECE * side
    found = []
    for square in range(SQUARES if king in board else 0):
        if board[square] and board[square] // WHITE_PIECE != side:
            path = _path(board[square], square, board.index(king))
            if path is not None and not any(board[between] for between in path):
                found.append(square)
    return found


def _in_zone(square: int, side: int) -> bool:
    return ranks_ahead(square, side) < 3


def _is_stuck(kind: int, square: int, side: int) -> bool:
    return ranks_ahead(square, side) < STUCK_RANKS.get(kind, 0)
