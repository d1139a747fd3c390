"""Lines as people read them: the search keeps a line only as far as its last search went."""
from engine.board cimport Position
from search.tree.worker cimport Rules
from tt.table cimport Table

cdef tuple filled(Position root, tuple pv, tuple known, int plies, const Table* table, const Rules* rules)
"""A line in USI from the root, made longer up to so many plies: by the line `known` before, while that agrees with it,
then by the moves of the table. It ends where the game does, and before a move that repeats a position."""
