"""The core of Gakushi: the board, its moves and its rules.

>>> from engine import Position
>>> Position().perft(2)
900
"""
from types import ModuleType

from engine.system.cpu import VERSION as __version__
from engine.system.cpu import chosen, require

# Before loading any module compiled for certain processors.
require()
__path__ = chosen(__path__)

from engine import board  # noqa: E402
from engine.board import MATE, MATE_IN_MAX_PLY, MAX_PLY, SUPERIOR, Position, sfen_faults  # noqa: E402
from engine.errors import UserError  # noqa: E402
from engine.pieces import (  # noqa: E402
    BISHOP,
    DRAGON,
    GOLD,
    HORSE,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PRO_KNIGHT,
    PRO_LANCE,
    PRO_PAWN,
    PRO_SILVER,
    PROMOTED,
    ROOK,
    SILVER,
    WHITE_PIECE,
)
from engine.rules import RULES  # noqa: E402
from engine.sfen import STARTPOS_SFEN  # noqa: E402


def _for_people() -> ModuleType:
    """The module that draws positions and reads and writes moves in notation, loaded when first needed."""
    from engine.records import moves

    return moves


board.for_people = _for_people

BLACK = 0
WHITE = 1

__all__ = ["BISHOP", "BLACK", "DRAGON", "GOLD", "HORSE", "KING", "KNIGHT", "LANCE", "MATE", "MATE_IN_MAX_PLY",
           "MAX_PLY", "PAWN", "PROMOTED", "PRO_KNIGHT", "PRO_LANCE", "PRO_PAWN", "PRO_SILVER", "ROOK", "RULES",
           "SILVER", "STARTPOS_SFEN", "SUPERIOR", "WHITE", "WHITE_PIECE", "Position", "UserError", "__version__",
           "sfen_faults"]
