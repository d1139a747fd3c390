"""A network as a teacher of the next (knowledge distillation): its values beside those of the search."""
import numpy as np

from eval.learning.network_learner import network_values
from eval.material import SLOPE
from eval.network import EvalNetwork
from scripts.training.samples import Samples

LIMIT = 6000            # centipawns: what is beyond is as good as won


class Teacher:
    """A search of few nodes judges a position as noisily as the network that it asks. The mean of two networks is the
    better judge, and so is that of a network's values of a position and its mirror image; what it has learned is
    handed on without its noise."""

    def __init__(self, network: EvalNetwork, share: float) -> None:
        """`share`, from 0 to 1, is the weight of its winning rates beside the search's. ValueError if it is not."""
        if not 0 <= share <= 1:
            raise ValueError(f"a teacher's share of {share} is not between 0 and 1")
        self.networks = (network, network.mirrored())
        self.share = share

    def correct(self, samples: Samples) -> None:
        """Replace the samples' values (SAMPLE[n], Black's centipawns) by what search and teacher say together."""
        taught = sum(network_values(samples, network).astype(float) for network in self.networks) / len(self.networks)
        rates = [1 / (1 + np.exp(-np.clip(values, -LIMIT, LIMIT) / SLOPE)) for values in (samples["value"], taught)]
        rate = (1 - self.share) * rates[0] + self.share * rates[1]
        samples["value"] = np.rint(SLOPE * np.log(rate / (1 - rate)))
