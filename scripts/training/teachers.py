"""Teachers (knowledge distillation): evaluations whose values are mixed with the search's."""
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from engine.errors import Listed, UserError
from eval.files import TABLES, features_of, read_bytes
from eval.learning.learner import table_values
from eval.learning.network_learner import network_values
from eval.loading import load_evaluator, read_expanded
from eval.network import EvalNetwork
from scripts.training.samples import Samples, values_of, winning_rates

ROUNDING = 1e-9         # of the shares' sum

Judge = Callable[[Samples], NDArray[Any]]       # Black's centipawns


class Teachers:
    """The mean of several evaluations as a target. The teachers' errors partly cancel, and the next network inherits
    what they have learned. The values of a short search alone are as noisy as its evaluation."""

    def __init__(self, shares: Mapping[Path, float]) -> None:
        """`shares` are the weights of the teachers' winning rates; the search's values get the rest of 1. Raises
        UserError for a share below 0, and for a sum above 1. Raises OSError and UserError as eval.loading does."""
        self.search_share = 1 - sum(shares.values())
        if not all(share >= -ROUNDING for share in (*shares.values(), self.search_share)):      # nan is neither
            raise UserError("teachers' shares of {shares}: give none below 0, and no more than 1 in all",
                            shares=Listed(shares.values()))
        self.judges = [(share, judge_of(path)) for path, share in shares.items()]

    def correct(self, samples: Samples) -> None:
        """Replace the samples' values (SAMPLE[n], Black's centipawns) by the mean of search and teachers."""
        rate = self.search_share * winning_rates(samples["value"])
        for share, values in self.judges:
            rate += share * winning_rates(values(samples))
        samples["value"] = values_of(rate)


def judge_of(path: Path) -> Judge:
    """The function that values samples by the weights of a file. Raises OSError and UserError as eval.loading does."""
    if features_of(read_bytes(path), path) == TABLES:
        expanded = read_expanded(path)
        return lambda samples: table_values(samples, *expanded)
    network = load_evaluator(path).source
    assert isinstance(network, EvalNetwork)
    return lambda samples: network_values(samples, network)
