"""The evaluation of positions."""
from engine.system.cpu import chosen

# The package `engine` has checked the processor before anything compiled for it is loaded.
__path__ = chosen(__path__)
