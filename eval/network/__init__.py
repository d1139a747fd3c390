"""The network, the packaged evaluation. It shares only the piece features with the tables."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from eval.network.inference import LOGIT, SHAPES, EvalNetwork, usable_kernels, value_of

__all__ = ["LOGIT", "SHAPES", "EvalNetwork", "usable_kernels", "value_of"]
