"""How the evaluation's weights are learned from positions. Needs NumPy; nothing that plays imports it."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)
