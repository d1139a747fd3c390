"""Explains why a move is illegal, for a person who typed it or whose record has it."""
from collections.abc import Sequence
from functools import cache

from engine import Position
from engine.errors import Listed, Phrase
from engine.pieces import (
    GOLD,
    HAND_ORDER,
    KING,
    LETTERS,
    NAMES,
    PAWN,
    PROMOTED,
    SIDES,
    SQUARES,
    WHITE_PIECE,
    square_index,
    square_name,
)
from engine.sfen import Placement, format_sfen


def explain_illegal(position: Position, usi: str) -> Phrase | None:
    """The reason why a move is illegal, in a sentence; None if it is legal. Raises UserError for a text that is no
    move.

    >>> str(explain_illegal(Position(), "8h2b"))
    'the way of the bishop from 8h to 2b is blocked by the pawn on 7g'
    """
    if position.is_legal(usi):
        return None
    return _why_no_drop(position, usi) if usi[1] == "*" else _why_no_move(position, usi)


def explain_all_illegal(position: Position, moves: Sequence[str]) -> Phrase:
    """The reason why all of these moves are illegal: moves of one kind of piece to one square, for a record that gives
    only the square.

    >>> str(explain_all_illegal(Position(), ["4i5h+", "6i5h+"])), str(explain_all_illegal(Position(), ["4i5e", "6i5e"]))
    ('a gold cannot promote', "no gold of Black's can go to 5e")
    """
    held = position.hand(position.turn)
    possible = [move for move in moves if (move[0] in held if move[1] == "*" else moves_so(position, move))]
    on_board = [move for move in moves if move[1] != "*"]
    if possible or len(on_board) < 2:
        reason = explain_illegal(position, [*possible, *on_board, *moves][0])
        assert reason
        return reason
    kind = position.piece_at(on_board[0][:2]) % WHITE_PIECE
    return Phrase("no {piece} of {side}'s can go to {square}", piece=Phrase(NAMES[kind]),
                  side=Phrase(SIDES[position.turn]), square=Phrase(moves[0][2:4]))


def moves_so(position: Position, usi: str) -> bool:
    """Whether the piece at the move's origin could move like this on an empty board; always True for a drop."""
    piece = 0 if usi[1] == "*" else position.piece_at(usi[:2])
    return not piece or _goes_to(piece, usi[:2], usi[2:4])


def _why_no_drop(position: Position, usi: str) -> Phrase:
    kind, target = LETTERS.index(usi[0]), square_index(usi[2:])
    board, side = position.placement.board, position.turn
    name = Phrase(NAMES[kind])
    if not position.hand(side).get(usi[0]):
        return Phrase("{side} has no {piece} in hand; the hand holds {hand}", side=Phrase(SIDES[side]), piece=name,
                      hand=hand_text(position, side))
    if board[target]:
        return Phrase("{square} is taken by {piece}, and drops need an empty square", square=Phrase(usi[2:]),
                      piece=_piece_text(board, target, side))
    if usi not in _drops_alone(kind, side):
        return Phrase("a {piece} on {square} could never move again, so it must not be dropped there", piece=name,
                      square=Phrase(usi[2:]))
    if kind == PAWN:
        for square in range(target // 9 * 9, target // 9 * 9 + 9):
            if board[square] == PAWN + WHITE_PIECE * side:
                return Phrase("two pawns: there already is an unpromoted pawn of {side}'s on file {file}, on {square}",
                              side=Phrase(SIDES[side]), file=usi[2], square=Phrase(square_name(square)))
    board[target] = kind + WHITE_PIECE * side
    # A drop that leaves no check is allowed, unless it is a drop-pawn mate.
    return _check_text(position, board) or Phrase(
        "a pawn must not be dropped to give mate, and after {move} the king would have no way out", move=usi)


def _why_no_move(position: Position, usi: str) -> Phrase:
    origin, target, promotes = square_index(usi[:2]), square_index(usi[2:4]), usi.endswith("+")
    board, side = position.placement.board, position.turn
    piece = board[origin]
    if not piece:
        return Phrase("there is no piece on {square}", square=Phrase(usi[:2]))
    kind, name = piece % WHITE_PIECE, Phrase(NAMES[piece % WHITE_PIECE])
    if piece // WHITE_PIECE != side:
        return Phrase("the {piece} on {square} is {owner}'s, but it is {side}'s turn", piece=name,
                      square=Phrase(usi[:2]), owner=Phrase(SIDES[1 - side]), side=Phrase(SIDES[side]))
    if not _goes_to(piece, usi[:2], usi[2:4]):
        return Phrase("a {piece} does not move from {origin} to {target}", piece=name, origin=Phrase(usi[:2]),
                      target=Phrase(usi[2:4]))
    for square in _between(origin, target):
        if board[square]:
            return Phrase("the way of the {piece} from {origin} to {target} is blocked by {other}", piece=name,
                          origin=Phrase(usi[:2]), target=Phrase(usi[2:4]), other=_piece_text(board, square, side))
    if board[target] and board[target] // WHITE_PIECE == side:
        return Phrase("{piece} is {side}'s own", piece=_piece_text(board, target, side), side=Phrase(SIDES[side]))
    if promotes and kind >= GOLD:
        return Phrase("a {piece} cannot promote", piece=name)
    alone = _moves_alone(piece, usi[:2])
    if promotes and usi not in alone:
        return Phrase("a {piece} promotes only where its move begins or ends in the far three ranks", piece=name)
    if not promotes and usi not in alone:
        return Phrase("a {piece} on {square} could never move again, so it must promote: {move}+", piece=name,
                      square=Phrase(usi[2:4]), move=usi)
    board[target], board[origin] = piece + PROMOTED * promotes, 0
    reason = _check_text(position, board)
    assert reason
    return reason


def _check_text(position: Position, board: list[int]) -> Phrase | None:
    """The reason why a move must not lead to this board: its side is in check there; None if it is not."""
    side, king = position.turn, KING + WHITE_PIECE * position.turn
    checkers = _checkers(board, side)
    if not checkers:
        return None
    attacker, of_king = checkers[0], Phrase(square_name(board.index(king)))
    name = _piece_text(board, square_index(attacker), 1 - side)
    if position.placement.board.index(king) != board.index(king):
        return Phrase("the king would be in check on {square}, by {piece}", square=of_king, piece=name)
    if attacker in position.checkers():
        return Phrase("{side} is in check by {piece}, and this does not end it", side=Phrase(SIDES[side]), piece=name)
    return Phrase("the piece is pinned: without it the king on {square} would be in check by {piece}",
                  square=of_king, piece=name)


def hand_text(position: Position, side: int) -> Phrase:
    """A side's hand in words.

    >>> str(hand_text(Position("4k4/9/9/9/9/9/9/9/4K4 b R2P 1"), 0))
    'a rook and 2 pawns'
    """
    held = position.hand(side)
    kinds = [(NAMES[kind], held[LETTERS[kind]]) for kind in HAND_ORDER if LETTERS[kind] in held]
    return Listed((Phrase("a {piece}", piece=Phrase(name)) if count == 1 else
                   Phrase("{count} {piece}s", count=count, piece=Phrase(name)) for name, count in kinds),
                  " and ") if kinds else Phrase("nothing")


def _piece_text(board: list[int], square: int, side: int) -> Phrase:
    name, place = Phrase(NAMES[board[square] % WHITE_PIECE]), square_name(square)
    if board[square] // WHITE_PIECE == side:
        return Phrase("the {piece} on {square}", piece=name, square=Phrase(place))
    return Phrase("{owner}'s {piece} on {square}", owner=Phrase(SIDES[1 - side]), piece=name, square=Phrase(place))


def _alone(board: list[int], hand: list[int], side: int) -> Position:
    """A position with this board and only the hand of the side to move."""
    empty = [0] * len(hand)
    hands = (hand, empty) if side == 0 else (empty, hand)
    return Position(format_sfen(Placement(board, hands, side, 1)))


@cache
def _moves_alone(piece: int, origin: str) -> frozenset[str]:
    """The moves of a piece on an empty board."""
    board = [0] * SQUARES
    board[square_index(origin)] = piece
    return frozenset(_alone(board, [0] * KING, piece // WHITE_PIECE).legal_moves())


@cache
def _drops_alone(kind: int, side: int) -> frozenset[str]:
    """The drops of a piece on an empty board."""
    return frozenset(_alone([0] * SQUARES, [int(each == kind) for each in range(KING)], side).legal_moves())


def _goes_to(piece: int, origin: str, target: str) -> bool:
    return any(move[2:4] == target for move in _moves_alone(piece, origin))


def _between(origin: int, target: int) -> range:
    """The squares between two squares on a straight line; none for a knight's move."""
    files, ranks = target // 9 - origin // 9, target % 9 - origin % 9
    distance = max(abs(files), abs(ranks))
    return range(origin, target, (target - origin) // distance)[1:] if distance > 1 and not (
        files % distance or ranks % distance) else range(0)


def _checkers(board: list[int], side: int) -> list[str]:
    """The squares of the pieces that check a side's king; none without a king. The other king may be in check, too."""
    king, other = (KING + WHITE_PIECE * each for each in (side, 1 - side))
    checkers = _alone([0 if piece == other else piece for piece in board], [0] * KING, side).checkers()
    if king in board and other in board:
        at, own = square_name(board.index(other)), square_name(board.index(king))
        checkers += [at] * _goes_to(other, at, own)
    return sorted(checkers)
