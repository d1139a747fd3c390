"""What a network is worth on positions that it has not learned from: losses by kind of position, and its noise."""
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.learning.network_learner import network_values
from eval.network import EvalNetwork
from scripts.training.run import losses, told
from scripts.training.samples import Samples

NO_FEATURE = 0          # of a piece that is not in play (eval/features.pxd)
CAMP = 3                # ranks of the enemy's camp, from the far edge
LOPSIDED = 1500         # centipawns of material that decide
BALANCED = 1500         # values beyond are left out where mirror images are compared

Mask = NDArray[np.bool_]


def kinds(samples: Samples) -> dict[str, Mask]:
    """Which positions are of which kind; one may be of several."""
    ranks = samples["king"] % 9
    missing: Mask = (samples["features"] == NO_FEATURE).any(axis=1)
    entered: Mask = (ranks[:, 0] < CAMP) | (ranks[:, 1] >= 9 - CAMP)
    lopsided: Mask = np.abs(samples["material"].astype(int)) > LOPSIDED
    return {"all": np.ones(len(samples), np.bool_), "pieces missing (handicaps, odd starts)": missing,
            "a king in the enemy's camp": entered, f"material beyond {LOPSIDED}": lopsided,
            "none of these": ~(missing | entered | lopsided)}


def report_lines(network: EvalNetwork, samples: Samples) -> Iterator[str]:
    """The losses by kind, and how far apart the values of a position and its mirror image are."""
    values = network_values(samples, network).astype(float)
    images = network_values(samples, network.mirrored()).astype(float)
    for name, chosen in kinds(samples).items():
        if chosen.any():
            part = samples[chosen]
            yield (f"{name}: {chosen.sum()} positions, {told(losses(values[chosen], part))}; material alone: "
                   f"{told(losses(part['material'].astype(float), part))}")
    yield f"mean of a position and its mirror image: {told(losses((values + images) / 2, samples))}"
    apart: NDArray[Any] = np.abs(values - images)[np.abs(values) <= BALANCED]
    yield (f"apart from the mirror image's value: {apart.mean():.1f} centipawns on average, median "
           f"{np.median(apart):.0f} ({len(apart)} positions within {BALANCED})")
