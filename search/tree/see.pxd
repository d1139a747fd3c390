"""Static exchange evaluation: what a move wins or loses once all captures on its target have been played out."""
from engine.position cimport Pos
from engine.types cimport Move

cdef bint see_reaches(const Pos* pos, Move move, int threshold) noexcept nogil
"""Whether the exchange that a move begins brings its side at least `threshold` centipawns. Both sides take with their
least piece first, sliders behind others join in, and either side stops when going on would lose. Promotions count for
the first move only; pins and drops as answers are not looked at."""
