"""The library by one name: positions, games, search, mates, and other engines over USI (docs/PYTHON.md).

>>> from gakushi import Position, analyse
>>> found = analyse(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), nodes=1000)
>>> found.bestmove, found.mate
('G*5b', 1)
"""
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any


def _checks() -> Any:
    """The module usi.console.installation next to this package, even if Python finds another `usi`."""
    path = Path(__file__).resolve().parents[1] / "usi" / "console" / "installation.py"
    spec = spec_from_file_location("gakushi._installation", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_installation = _checks()
for _fault in _installation.hidden():
    raise ImportError(str(_fault))
try:
    from engine import (
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
    from engine.declaration import Declaration
    from engine.records.files import read_record, read_records
    from engine.records.game import Game
    from engine.records.node import GameNode
    from engine.records.record import GameRecord, IllegalMove
    from search import (
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
    from search.mate import MateInfo, MateResult, MateSolver, mate_in_1, solve
    from tt import TranspositionTable
    from usi.book.db import BookEntry, BookMove
    from usi.book.reader import OpeningBook
    from usi.client import Answer, EngineGone, EngineSilent, ProtocolError, UsiClient, UsiFault
    from usi.client.async_client import AsyncSearch, AsyncUsiClient
    from usi.client.replies import EngineInfo, EngineOption
except _installation.IMPORT_ERRORS:
    for _fault in _installation.faults():
        raise ImportError(str(_fault)) from None
    raise

__all__ = [
    "BISHOP", "BLACK", "DRAGON", "GOLD", "HORSE", "KING", "KNIGHT", "LANCE", "MATERIAL", "PAWN", "PROMOTED",
    "PRO_KNIGHT", "PRO_LANCE", "PRO_PAWN", "PRO_SILVER", "ROOK", "SILVER", "STARTPOS_SFEN", "TABLES", "WHITE",
    "WHITE_PIECE", "Answer", "AsyncSearch", "AsyncUsiClient", "BookEntry", "BookMove", "Clock", "Declaration",
    "EngineGone", "EngineInfo", "EngineOption", "EngineSilent", "Game", "GameNode", "GameRecord", "IllegalMove", "Info",
    "Limits", "MateInfo", "MateResult", "MateSolver", "OpeningBook", "Position", "PositionAnalysis", "ProtocolError",
    "Result", "SearchHandle", "Searcher", "SearcherPool", "Settings", "TranspositionTable", "UserError", "UsiClient",
    "UsiFault", "__version__", "analyse", "analyse_async", "mate_in_1", "read_record", "read_records", "sfen_faults",
    "solve",
]
