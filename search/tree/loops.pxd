"""Graph-history interaction (GHI): the loop heads that a value rests on.

A value that rests on a repetition holds only on paths that contain the loop's head, which is the position repeated.
Each node collects the heads; the table marks a bound that rests on any, and such a bound is never used again.

The heads are a set of plies, one bit each. Bit 0 stands for the root and the game before it, which every path contains.
Bit 63 stands for ply 63 and all deeper ones.
"""
from engine.types cimport u64

cdef inline u64 head_bit(int ply) noexcept nogil:
    return <u64>1 << max(0, min(ply, 63))

cdef inline u64 heads_above(u64 heads, int ply) noexcept nogil:
    """The heads above a node. A loop whose head is at or below the node lies wholly in its subtree and does not count.
    At nodes from ply 64 on, bit 63 is kept, because it may stand for a head above the node."""
    return heads & (head_bit(ply) - 1) if ply <= 63 else heads
