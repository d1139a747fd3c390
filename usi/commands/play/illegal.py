"""Why a move is not legal, in words: for a person who has typed it."""
from engine import Position
from engine.notation.pieces import (
    GOLD,
    HAND_ORDER,
    KING,
    LETTERS,
    NAMES,
    PAWN,
    PROMOTED,
    SIDES,
    SQUARES,
    STUCK_RANKS,
    WHITE_PIECE,
    ranks_ahead,
    square_index,
    square_name,
)

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


def moves_so(position: Position, usi: str) -> bool:
    """Whether a piece that stands where the move begins moves so on an empty board; of a drop, always."""
    piece = 0 if usi[1] == "*" else position.piece_at(usi[:2])
    return not piece or _path(piece, square_index(usi[:2]), square_index(usi[2:4])) is not None


def _why_no_drop(position: Position, usi: str) -> str:
    kind, target = LETTERS.index(usi[0]), square_index(usi[2:])
    board, side = position.placement.board, position.turn
    name = NAMES[kind]
    if not position.hand(side).get(usi[0]):
        return f"{SIDES[side]} has no {name} in hand; the hand holds {hand_text(position, side)}"
    if board[target]:
        return f"{usi[2:]} is taken by {_piece_text(board, target, side)}, and drops need an empty square"
    if _is_stuck(kind, target, side):
        return f"a {name} on {usi[2:]} could never move again, so it must not be dropped there"
    if kind == PAWN:
        for square in range(target // 9 * 9, target // 9 * 9 + 9):
            if board[square] == PAWN + WHITE_PIECE * side:
                return (f"two pawns: there already is an unpromoted pawn of {SIDES[side]}'s on file {usi[2]}, on "
                        f"{square_name(square)}")
    board[target] = kind + WHITE_PIECE * side
    if attackers := _attackers_of_king(board, side):
        return _check_text(position, board, attackers[0])
    # All other drops are allowed but one kind.
    return f"a pawn must not be dropped to give mate, and after {usi} the king would have no way out"


def _why_no_move(position: Position, usi: str) -> str:
    origin, target, promotes = square_index(usi[:2]), square_index(usi[2:4]), usi.endswith("+")
    board, side = position.placement.board, position.turn
    piece = board[origin]
    if not piece:
        return f"there is no piece on {usi[:2]}"
    kind, name = piece % WHITE_PIECE, NAMES[piece % WHITE_PIECE]
    if piece // WHITE_PIECE != side:
        return f"the {name} on {usi[:2]} is {SIDES[1 - side]}'s, but it is {SIDES[side]}'s turn"
    path = _path(piece, origin, target)
    if path is None:
        return f"a {name} does not move from {usi[:2]} to {usi[2:4]}"
    for square in path:
        if board[square]:
            return (f"the way of the {name} from {usi[:2]} to {usi[2:4]} is blocked by "
                    f"{_piece_text(board, square, side)}")
    if board[target] and board[target] // WHITE_PIECE == side:
        return f"{_piece_text(board, target, side)} is {SIDES[side]}'s own"
    if promotes and kind >= GOLD:
        return f"a {name} cannot promote"
    if promotes and not (_in_zone(origin, side) or _in_zone(target, side)):
        return f"a {name} promotes only where its move begins or ends in the far three ranks"
    if not promotes and _is_stuck(kind, target, side):
        return f"a {name} on {usi[2:4]} could never move again, so it must promote: {usi}+"
    board[target], board[origin] = piece + PROMOTED * promotes, 0
    return _check_text(position, board, _attackers_of_king(board, side)[0])


def _check_text(position: Position, board: list[int], attacker: int) -> str:
    """Why the king of the side to move must not be left as on this board, to which a move has led."""
    side, before = position.turn, position.placement.board
    king = board.index(KING + WHITE_PIECE * side)
    name = f"the {NAMES[board[attacker] % WHITE_PIECE]} on {square_name(attacker)}"
    if before[king] != board[king]:
        return f"the king would be in check on {square_name(king)}, by {name}"
    if attacker in _attackers_of_king(before, side):
        return f"{SIDES[side]} is in check by {name}, and this does not end it"
    return f"the piece is pinned: without it the king on {square_name(king)} would be in check by {name}"


def hand_text(position: Position, side: int) -> str:
    """What a side holds, in words.

    >>> hand_text(Position("4k4/9/9/9/9/9/9/9/4K4 b R2P 1"), 0)
    'a rook and 2 pawns'
    """
    held = position.hand(side)
    words = [f"a {NAMES[kind]}" if held[LETTERS[kind]] == 1 else f"{held[LETTERS[kind]]} {NAMES[kind]}s"
             for kind in HAND_ORDER if LETTERS[kind] in held]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "nothing"


def _piece_text(board: list[int], square: int, side: int) -> str:
    whose = "the" if board[square] // WHITE_PIECE == side else f"{SIDES[1 - side]}'s"
    return f"{whose} {NAMES[board[square] % WHITE_PIECE]} on {square_name(square)}"


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
