"""Longer PVs for display. The search itself keeps a PV only as far as its last search went."""
from engine.board cimport Position
from search.tree.worker cimport Rules
from tt.table cimport Table

cdef tuple fill_line(Position root, tuple pv, tuple known, int plies, const Table* table, const Rules* rules)
"""Extend a PV, in USI from the root, to at most `plies` plies: by the earlier line `known` if it begins with the PV,
then by table moves. Ends where the game ends, and before a move that repeats a board position."""
