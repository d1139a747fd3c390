"""Learning the evaluation's weights. Needs NumPy; nothing that plays imports it."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)
