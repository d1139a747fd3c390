"""The set-up of a search: its rules, its root moves and its limits."""
from engine.board cimport Position
from engine.types cimport i64
from search.tree.worker cimport Rules

cdef Rules rules_for(Position position, settings)
"""The rules in these settings. Raises UserError for an unknown entering-king rule."""
cdef list root_moves(Position position, limits, settings)
"""The root moves to search, as 16-bit integers. Raises UserError if one of `searchmoves` is illegal."""
cdef tuple decided_by_rules(Position position, const Rules* rules)
"""(best move, score, depth, outcome), as in limits.Result, if the rules decide the position without a search; else
None."""
cdef i64 smallest(limit, other)
"""The smaller of two limits, where None and 0 mean no limit; 0 if there is none."""
