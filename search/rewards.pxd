"""What a search learns while it runs: which moves are good, and how far off the static evaluation is."""
from engine.types cimport Move
from search.frame cimport Frame, Tried
from search.parameters cimport Params
from search.worker cimport Node

cdef void reward(Frame* f, const Tried* quiets, const Tried* noisy) noexcept nogil
"""The best move gains; moves tried in vain lose, quiet ones only if it is quiet; the quiet move that allowed it
loses if it was the first choice."""
cdef void reward_parent(Frame* f) noexcept nogil
"""No move was good enough: the move that led here has refuted this node, and learns from it."""
cdef void learn_from_swing(Frame* f) noexcept nogil
"""How the evaluation has changed tells something about the move that led here."""
cdef void learn_from_table(Frame* f, Move table_move) noexcept nogil
"""The table's move would have cut off."""
cdef void learn_correction(Frame* f) noexcept nogil
"""The search found the corrected evaluation wrong. A bound tells only that it was too low, or that it was too
high."""
cdef void learn_continuation(const Params* params, Node* node, int piece_to, int bonus) noexcept nogil
"""A move from this node, by the moves before it. What was long ago matters little for the answer to a check."""
