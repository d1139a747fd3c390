"""The memory: a table that stores what the search found out, and knows nothing but integers."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from tt.table import TranspositionTable

__all__ = ["TranspositionTable"]
