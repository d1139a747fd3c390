"""What runs at each node of the search for a move: the tree, its table of bounds, its histories."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)
