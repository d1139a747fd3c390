"""Static exchange evaluation (SEE): the material result of a move after all captures on its target square."""
from engine.position cimport Pos
from engine.types cimport Move

cdef bint see_reaches(const Pos* pos, Move move, int threshold) noexcept nogil
"""Whether the exchange begun by a move gains its side at least `threshold` centipawns. Both sides capture with their
least valuable piece first, sliders behind other pieces take part, and either side may stop. Only the first move's
promotion counts; pins and drops are ignored."""
