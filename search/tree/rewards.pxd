"""Updates of the histories and the correction history, from the results of searches."""
from engine.types cimport Move
from search.parameters cimport Params
from search.tree.frame cimport Frame
from search.tree.worker cimport Node

cdef void learn_from_node(Frame* f) noexcept nogil
"""Step 19 of the search: update histories and corrections by the result of a node."""
cdef void learn_from_swing(Frame* f) noexcept nogil
"""Step 6: reward or punish the quiet move that led here by the change of the static evaluation."""
cdef void learn_from_table(Frame* f, Move table_move) noexcept nogil
"""Step 4: reward a table move whose bound cuts off, and punish an early quiet move that led here."""
cdef void learn_continuation(const Params* params, Node* node, int piece_to, int bonus) noexcept nogil
"""Update the continuation histories of a move from this node. If the node is in check, only the histories by the moves
1 and 2 plies before are updated."""
