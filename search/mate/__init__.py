"""The mate solver: df-pn over checks and evasions, apart from the search for a move."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from search.mate.result import MateInfo, MateResult
from search.mate.solver import MateSolver

__all__ = ["MateInfo", "MateResult", "MateSolver"]
