"""What a search begins with: the rules that it is played by, its moves at the root, and its limits in numbers."""
from engine.board cimport Position
from engine.types cimport i64
from search.tree.worker cimport Rules

cdef Rules rules_for(Position position, settings)
"""UserError for an entering-king rule that there is not."""
cdef list root_moves(Position position, limits, settings)
"""The moves to search, as 16-bit integers. UserError if one of `searchmoves` is illegal."""
cdef tuple decided_by_rules(Position position, const Rules* rules)
"""The best move, the score, the depth and the outcome (limits.Result) where the rules leave nothing to think about,
else None."""
cdef i64 smallest(limit, other)
"""The smaller of two limits, of which None and 0 are none; 0 if neither limits anything."""
