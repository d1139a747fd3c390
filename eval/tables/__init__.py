"""The tables KK, KKP and KPP, the other evaluation: stored folded, as factors, and expanded to be summed."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from eval.tables.layout import SCALE, VERSION, EvalTables, usable_kernels

__all__ = ["SCALE", "VERSION", "EvalTables", "usable_kernels"]
