"""The thinking: alpha-beta search and its clock.

>>> from engine import Position
>>> from search import Limits, Searcher, Settings
>>> result = Searcher(hash_mb=1).search(Position(), Limits(depth=2), Settings())
>>> Position().is_legal(result.bestmove)
True
"""
from engine.system.cpu import chosen

# The processor was checked by the package `engine`, before anything compiled for it is loaded.
__path__ = chosen(__path__)

from search.limits import Clock, Info, Limits, Result, Settings
from search.searcher import Searcher, SearchHandle

__all__ = ["Clock", "Info", "Limits", "Result", "SearchHandle", "Searcher", "Settings"]
