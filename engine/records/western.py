"""Moves in Western notation, as George Hodges introduced it: P-7f, Bx2b+, N*5e, G6i-5h."""
from engine.board import Position
from engine.pieces import LETTERS, PROMOTED, WHITE_PIECE
from engine.records.record import require_legal


def usi_to_western(position: Position, usi: str) -> str:
    """A legal move in Western notation, which `pgn_to_usi` reads; UserError if it is not legal.

    >>> [usi_to_western(Position(), move) for move in ("7g7f", "6i5h")]
    ['P-7f', 'G6i-5h']
    """
    require_legal(position, usi, usi)
    if usi[1] == "*":
        return usi
    kind = position.piece_at(usi[:2]) % WHITE_PIECE
    letter = LETTERS[kind] if kind <= PROMOTED else "+" + LETTERS[kind - PROMOTED]
    rivals = [move for move in position.legal_moves() if move[2:4] == usi[2:4] and move[1] != "*"
              and move[:2] != usi[:2] and position.piece_at(move[:2]) % WHITE_PIECE == kind]
    sign = "x" if position.piece_at(usi[2:4]) else "-"
    promotion = "+" if usi.endswith("+") else "=" if position.is_legal(usi + "+") else ""
    return letter + usi[:2] * bool(rivals) + sign + usi[2:4] + promotion
