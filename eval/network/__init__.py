"""Networks: the packaged evaluation, and networks of the common form. Networks share only the piece features with the
tables."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from eval.network.forms import COMMON, FV_SCALE, HALF_KP, LOGIT, OURS, Form
from eval.network.inference import SHAPES, EvalNetwork, largest_sum, usable_kernels, value_of

__all__ = ["COMMON", "FV_SCALE", "HALF_KP", "LOGIT", "OURS", "SHAPES", "EvalNetwork", "Form", "largest_sum",
           "usable_kernels", "value_of"]
