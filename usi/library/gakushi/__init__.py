"""The library by one name: positions, games, search, mates, and other engines over USI (docs/PYTHON.md).

>>> from gakushi import Position, analyse
>>> found = analyse(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), nodes=1000)
>>> found.bestmove, found.mate
('G*5b', 1)
"""
import sys
from importlib.util import find_spec
from pathlib import Path

# Where our packages lie: beside this one once it is installed, above it in a checkout.
_ROOTS = (Path(__file__).resolve().parents[1], Path(__file__).resolve().parents[3])


def _require_own(name: str) -> None:
    """ImportError if a program has a module of its own by the name of one of our packages."""
    spec = getattr(sys.modules.get(name), "__spec__", None) or find_spec(name)
    if spec and spec.origin and Path(spec.origin).resolve().parents[1] not in _ROOTS:
        raise ImportError(f"{spec.origin} hides Gakushi's package {name!r}; rename that file, or keep its folder off "
                          "sys.path")


for _name in ("engine", "tt", "eval", "search", "usi"):
    _require_own(_name)

from engine import (  # noqa: E402
    BISHOP,
    BLACK,
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
    STARTPOS_SFEN,
    WHITE,
    WHITE_PIECE,
    Position,
    UserError,
    __version__,
    sfen_faults,
)
from engine.declaration import Declaration  # noqa: E402
from engine.records.files import read_record, read_records  # noqa: E402
from engine.records.game import Game  # noqa: E402
from engine.records.node import GameNode  # noqa: E402
from engine.records.record import GameRecord, IllegalMove  # noqa: E402
from search import (  # noqa: E402
    MATERIAL,
    TABLES,
    Clock,
    Info,
    Limits,
    PositionAnalysis,
    Result,
    Searcher,
    SearcherPool,
    SearchHandle,
    Settings,
    analyse,
    analyse_async,
)
from search.mate import MateInfo, MateResult, MateSolver, mate_in_1, solve  # noqa: E402
from tt import TranspositionTable  # noqa: E402
from usi.client import Answer, EngineGone, EngineSilent, ProtocolError, UsiClient, UsiFault  # noqa: E402
from usi.client.async_client import AsyncSearch, AsyncUsiClient  # noqa: E402
from usi.client.replies import EngineInfo, EngineOption  # noqa: E402

__all__ = [
    "BISHOP", "BLACK", "DRAGON", "GOLD", "HORSE", "KING", "KNIGHT", "LANCE", "MATERIAL", "PAWN", "PROMOTED",
    "PRO_KNIGHT", "PRO_LANCE", "PRO_PAWN", "PRO_SILVER", "ROOK", "SILVER", "STARTPOS_SFEN", "TABLES", "WHITE",
    "WHITE_PIECE", "Answer", "AsyncSearch", "AsyncUsiClient", "Clock", "Declaration", "EngineGone", "EngineInfo",
    "EngineOption", "EngineSilent", "Game", "GameNode", "GameRecord", "IllegalMove", "Info", "Limits", "MateInfo",
    "MateResult", "MateSolver", "Position", "PositionAnalysis", "ProtocolError", "Result", "SearchHandle", "Searcher",
    "SearcherPool", "Settings", "TranspositionTable", "UserError", "UsiClient", "UsiFault", "__version__", "analyse",
    "analyse_async", "mate_in_1", "read_record", "read_records", "sfen_faults", "solve",
]
