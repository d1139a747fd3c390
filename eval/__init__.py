"""The worth of a position."""
from engine.system.cpu import chosen

# The processor was checked by the package `engine`, before anything compiled for it is loaded.
__path__ = chosen(__path__)
