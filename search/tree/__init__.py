"""The search tree: everything that runs at each of its nodes."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)
