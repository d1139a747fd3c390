"""How the evaluation's weights are learned from positions. Needs NumPy; nothing that plays imports it."""
from engine.cpu import chosen

__path__ = chosen(__path__)
