"""The thinking: alpha-beta search and its clock.

>>> from engine import Position
>>> from search import Limits, Searcher, Settings
>>> result = Searcher(hash_mb=1).search(Position(), Limits(depth=2), Settings())
>>> Position().is_legal(result.bestmove)
True
"""
import engine  # noqa: F401 - it checks the processor before anything compiled for it is loaded
from search.limits import Info, Limits, Result, Settings
from search.searcher import Search, Searcher

__all__ = ["Info", "Limits", "Result", "Search", "Searcher", "Settings"]
