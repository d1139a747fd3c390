"""The transposition table. The table stores integers and knows nothing of shogi."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from tt.table import TranspositionTable

__all__ = ["TranspositionTable"]
