"""What a search learns while it runs: which moves are good, and how far off the static evaluation is."""
from engine.types cimport Move
from search.parameters cimport Params
from search.tree.frame cimport Frame
from search.tree.worker cimport Node

cdef void learn_from_node(Frame* f) noexcept nogil
"""Step 19 of the search: what histories and corrections gain by a node whose moves were searched."""
cdef void learn_from_swing(Frame* f) noexcept nogil
"""How the evaluation has changed tells something about the move that led here."""
cdef void learn_from_table(Frame* f, Move table_move) noexcept nogil
"""The table's move would have cut off."""
cdef void learn_continuation(const Params* params, Node* node, int piece_to, int bonus) noexcept nogil
"""A move from this node, by the moves before it. What was long ago matters little for the answer to a check."""
