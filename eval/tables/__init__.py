"""The tables KK, KKP and KPP, the second evaluation: stored as factors, expanded for play."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from eval.tables.layout import SCALE, VERSION, EvalTables, usable_kernels

__all__ = ["SCALE", "VERSION", "EvalTables", "usable_kernels"]
