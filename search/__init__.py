"""The search: alpha-beta, its threads and its time management.

>>> from engine import Position
>>> from search import Limits, Searcher
>>> result = Searcher(hash_mb=1).search(Position(), Limits(depth=2))
>>> Position().is_legal(result.bestmove)
True
"""
from engine.system.cpu import chosen

# The package `engine` has checked the processor before anything compiled for it is loaded.
__path__ = chosen(__path__)

from eval.loading import MATERIAL, TABLES
from search.analysis import PositionAnalysis, analyse, analyse_async
from search.lending import SearcherPool
from search.limits import Clock, Info, Limits, Result, Settings
from search.searcher import Searcher, SearchHandle

__all__ = ["MATERIAL", "TABLES", "Clock", "Info", "Limits", "PositionAnalysis", "Result", "SearchHandle", "Searcher",
           "SearcherPool", "Settings", "analyse", "analyse_async"]
