"""The memory: a table that stores what the search found out, and knows nothing but integers."""
from tt.table import TranspositionTable

__all__ = ["TranspositionTable"]
