"""The learner of the network: its values and gradients against NumPy, planted weights, threads, quantisation."""
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import WHITE
from eval.features import INVERSE, MIRROR
from eval.files import NETWORK, read_weights
from eval.learning.folded_material import with_material
from eval.learning.network_learner import PARAMETERS, NetworkLearner, image_of, largest_sums, network_values
from eval.learning.quantised_network import floats_of, quantise_network
from eval.learning.samples import loss, open_records, targets
from eval.loading import PACKAGED
from eval.network import COMMON, HALF_KP, SHAPES, EvalNetwork, Form, largest_sum
from tests.eval.learning.training import record
from tests.faults import refused
from tests.networks import COMMON_LIMITS, common_score, random_arrays
from tests.networks import positions as positions_of

Samples = NDArray[Any]
Floats = NDArray[np.float64]

MIRRORED = np.arange(81).reshape(9, 9)[::-1].ravel()
OWN_KING, OTHER_KING = 1548, 1629


@pytest.fixture(scope="module")
def samples() -> Samples:
    """Positions of random games, one of them a handicap game, with random scores and results."""
    rng = Random(1)
    return open_records(np.concatenate([record(position, rng.randint(-900, 900), result=rng.randint(-1, 1))
                                        for position in positions_of(range(8), 100)]))


def inputs(sample: Any, color: int, mirrored: bool) -> NDArray[np.int64]:
    """The inputs of a side, from the position's description."""
    features = sample["features"][sample["features"] != 0].astype(int)
    own, other = int(sample["king"][color]), int(sample["king"][color ^ 1])
    if color == WHITE:
        features, own, other = np.take(INVERSE, features), 80 - own, 80 - other
    if mirrored:
        features, own, other = np.take(MIRROR, features), MIRRORED[own], MIRRORED[other]
    return np.array([*features, OWN_KING + own, OTHER_KING + other])


def reference(parameters: Any, samples: Samples, mirrored: bool = False) -> Floats:
    """The mover's logits, material included, in double precision; of the positions, or of their mirror images."""
    net = {name: parameters[name].astype(float) for name in PARAMETERS.names or ()}
    logits = []
    for sample in samples:
        views = [net["first"][inputs(sample, color, mirrored)].sum(0) + net["first_bias"]
                 for color in (sample["turn"], sample["turn"] ^ 1)]
        first = np.clip(np.concatenate(views), 0, 1)
        second = np.clip(first @ net["second"] + net["second_bias"], 0, 1)
        third = np.clip(second @ net["third"] + net["third_bias"], 0, 1)
        material = -int(sample["material"]) if sample["turn"] else int(sample["material"])
        logits.append(third @ net["output"] + net["output_bias"][0] + material / 600)
    return np.array(logits, float)


def cross_entropy(logits: Floats, samples: Samples, blend: float) -> float:
    target = targets(samples, blend)
    target = np.where(samples["turn"] == WHITE, 1 - target, target)
    return float((np.logaddexp(0, logits) - target * logits).sum())


def test_values_are_those_of_the_layers(samples: Samples) -> None:
    learner = NetworkLearner(1)
    logits = reference(learner.parameters, samples)
    expected = 600 * np.where(samples["turn"] == WHITE, -logits, logits)
    assert np.abs(learner.values(samples) - expected).max() < 0.01
    assert np.array_equal(learner.values(samples, threads=2), learner.values(samples))


def test_gradients_are_the_losss(samples: Samples) -> None:
    """The loss changes as the gradient predicts, along each layer's gradient and in a direction across it. Positions
    and their mirror images count half each."""
    rng = np.random.default_rng(1)
    learner = NetworkLearner(2)
    some = samples[::23].copy()

    def loss(parameters: Any) -> float:
        return sum(cross_entropy(reference(parameters, some, mirrored), some, 0.7) for mirrored in (False, True)) / 2

    total, gradient = learner.gradient(some, 0.7)
    assert total == pytest.approx(loss(learner.parameters), rel=1e-5)
    for name in PARAMETERS.names or ():
        slope = gradient[name].astype(float)
        for direction in (slope / np.linalg.norm(slope), rng.normal(size=slope.shape) * (slope != 0) / slope.size**0.5):
            step = 1e-5 * direction
            before = {name: learner.parameters[name].astype(float) for name in PARAMETERS.names or ()}
            after = [loss(before | {name: before[name] + sign * step}) for sign in (1, -1)]
            assert (after[0] - after[1]) / 2 == pytest.approx(float((slope * step).sum()), rel=0.02, abs=1e-8), name


def planted(samples: Samples, seed: int) -> Samples:
    """Scores as another network gives them."""
    teacher = NetworkLearner(seed)
    teacher.parameters["output"] *= 10
    taught: Samples = samples.copy()
    taught["value"] = np.clip(teacher.values(samples), -3000, 3000)
    return taught


def run(samples: Samples, threads: int, epochs: int = 30) -> tuple[NetworkLearner, list[float]]:
    learner = NetworkLearner(3)
    rng = np.random.default_rng(1)
    losses = []
    for _ in range(epochs):
        rates = np.full(-(-len(samples) // 64), 0.001)
        losses.append(learner.train(samples, rng.permutation(len(samples)), rates, 1.0, 64, threads))
    return learner, losses


def test_it_learns_and_the_same_again_learns_the_same(samples: Samples) -> None:
    taught = planted(samples, 7)
    _learner, losses = run(taught, 1)
    target = targets(taught, 1.0)
    least = float(-(target * np.log(target) + (1 - target) * np.log(1 - target)).mean())
    assert losses[-1] - least < 0.3 * (losses[0] - least)
    assert run(taught, 1, 1)[0].parameters.tobytes() == run(taught, 1, 1)[0].parameters.tobytes()
    assert run(taught, 2, 2)[0].parameters.tobytes() == run(taught, 2, 2)[0].parameters.tobytes()


def test_a_position_and_its_mirror_image_have_the_same_value(samples: Samples) -> None:
    learner, _ = run(planted(samples, 7), 3, 5)
    for parameters in (learner.parameters, floats_of(quantise_network(learner.parameters))):
        image = image_of(parameters)
        assert all(np.array_equal(parameters[name], image[name]) for name in PARAMETERS.names or ())
    logits = reference(learner.parameters, samples)
    assert np.abs(logits - reference(learner.parameters, samples, mirrored=True)).max() < 1e-5


def test_a_network_of_another_kind_is_not_continued() -> None:
    learner = NetworkLearner(1)
    lopsided = learner.parameters.copy()
    lopsided["first"][90 + 5, 7] += 1
    with refused(about="position"):
        learner.begin(lopsided)
    learner.begin(NetworkLearner(2).parameters)
    assert learner.parameters.tobytes() == NetworkLearner(2).parameters.tobytes()


def test_weights_stay_within_what_integers_hold(samples: Samples) -> None:
    learner = NetworkLearner(1)
    for name in ("second", "third", "output"):
        learner.parameters[name] *= 1000
    learner.train(samples, np.arange(64), np.array([0.001]))
    quantise_network(learner.parameters)
    assert np.abs(learner.parameters["second"]).max() == pytest.approx(127 / 256)


def test_sums_stay_within_what_integers_hold(samples: Samples) -> None:
    """Units whose sums could wrap are scaled down, and no others; the network stays its own mirror image."""
    learner = NetworkLearner(seed=4)
    learner.parameters["first"][:, 7::128] *= 40
    before = learner.parameters.copy()
    assert largest_sums(before["first"], before["first_bias"]).max() * 508 > 1 << 16
    learner.train(samples, np.arange(0, dtype=np.uint32), np.zeros(0))
    assert 32000 < largest_sum(quantise_network(learner.parameters)) < 1 << 15
    changed = (learner.parameters["first"] != before["first"]).any(axis=0)
    assert np.flatnonzero(changed).tolist() == [7, 135]
    learner.begin(learner.parameters.copy())


def test_rates_of_another_number_are_refused(samples: Samples) -> None:
    with refused(count=1, positions=3, batch=2):
        NetworkLearner().train(samples, np.arange(3), np.ones(1), batch=2)


# -- Quantised ---------------------------------------------------------------------------------------------------------

def test_quantised_values_are_near_the_floats(samples: Samples) -> None:
    learner, _ = run(planted(samples, 7), 1, 10)
    arrays = quantise_network(learner.parameters)
    assert {name: (array.dtype.name, array.shape) for name, array in arrays.items()} == dict(SHAPES)
    difference = np.abs(network_values(samples, EvalNetwork.from_arrays(arrays)) - learner.values(samples))
    assert 0 < difference.max() < 40
    assert difference.mean() < 6


def run_common(samples: Samples, epochs: int) -> NetworkLearner:
    learner = NetworkLearner(3, COMMON)
    learner.begin(with_material(learner.parameters))
    for _ in range(epochs):
        learner.train(samples, np.arange(len(samples)), np.full(-(-len(samples) // 64), 0.001), 1.0, 64)
    return learner


def test_the_common_form_learns_with_rounded_weights(samples: Samples) -> None:
    """The network's integers then differ from it by the rounding of activations alone."""
    taught = planted(samples, 7)
    learner = run_common(taught, 10)
    assert loss(learner.values(taught), taught, 1.0) < loss(run_common(taught, 0).values(taught), taught, 1.0) - 0.01
    assert max(np.abs(learner.parameters[name]).max() for name in ("second", "third")) <= 127 / 64
    arrays = quantise_network(learner.parameters, COMMON)
    values = network_values(taught, EvalNetwork.from_arrays(arrays, form=COMMON))
    difference = np.abs(values - learner.values(taught))
    assert 0 < difference.max() < 80
    assert difference.mean() < 15
    other = NetworkLearner(99, COMMON)
    other.begin(floats_of(arrays, COMMON))
    assert np.abs(other.values(taught) - learner.values(taught)).max() < 0.1
    assert all((quantise_network(other.parameters, COMMON)[name] == array).all() for name, array in arrays.items())


def test_gradients_of_the_common_form_are_those_of_the_rounded_weights(samples: Samples) -> None:
    learner = run_common(samples, 1)
    rounded = floats_of(quantise_network(learner.parameters, COMMON), COMMON)
    material = np.where(samples["turn"] == WHITE, -1, 1) * samples["material"] / 600
    logits = reference(rounded, samples) - material         # the reference adds it
    total, _ = learner.gradient(samples, 0.7)
    assert total == pytest.approx(cross_entropy(logits, samples, 0.7), rel=1e-5)


def test_material_becomes_units(samples: Samples) -> None:
    """The values of a network that knows nothing else are the material, up to 1,905 centipawns and within half a step
    for each piece that differs."""
    empty = np.zeros(1, NetworkLearner().parameters.dtype)[0]
    learner = NetworkLearner(1, COMMON)
    learner.begin(with_material(empty))
    material = np.clip(samples["material"].astype(int), -1905, 1905)
    assert np.abs(learner.values(samples) - material).max() < 100
    assert np.abs(material).max() > 1000
    integers = network_values(samples, EvalNetwork.from_arrays(quantise_network(learner.parameters, COMMON),
                                                               form=COMMON))
    assert np.abs(integers - learner.values(samples)).max() < 2


@pytest.mark.parametrize("form", [COMMON, HALF_KP], ids=["K-P", "HalfKP"])
def test_samples_are_valued_by_other_engines_networks(form: Form) -> None:
    arrays = random_arrays(1, COMMON_LIMITS, half=form is HALF_KP)
    positions = positions_of(range(30, 32), 60)
    expected = [(-1 if position.turn else 1) * common_score(arrays, position) for position in positions]
    network = EvalNetwork.from_arrays(arrays, form=form)
    samples = open_records(np.concatenate([record(position, 0) for position in positions]))
    assert network_values(samples, network).tolist() == expected


def test_from_integers_to_floats_and_back(samples: Samples) -> None:
    learner, _ = run(samples, 1, 3)
    arrays = quantise_network(learner.parameters)
    other = NetworkLearner(99)
    other.begin(floats_of(arrays))
    assert all((quantise_network(other.parameters)[name] == array).all() for name, array in arrays.items())
    assert not learner.parameters["first"][0].any(), "what is not in play learns nothing"
    difference = np.abs(other.values(samples) - learner.values(samples))
    assert 0 < difference.max() < 40


def test_arrays_of_another_network_are_refused() -> None:
    arrays = quantise_network(NetworkLearner().parameters)
    with refused(name="output", found="int16", shape=..., dtype="int16", wanted=...):
        floats_of(arrays | {"output": arrays["output"][1:]})
    with refused(shapes=..., arrays="first"):
        floats_of({"first": arrays["first"]})


def test_a_weight_beyond_its_integers_is_refused() -> None:
    learner = NetworkLearner()
    learner.parameters["first"][5, 7] = 65
    with refused(name="first", least=..., most=..., dtype="int16"):
        quantise_network(learner.parameters)


def test_no_sum_is_larger_than_the_largest(samples: Samples) -> None:
    arrays = quantise_network(NetworkLearner(1).parameters)
    sums = [arrays["first"][inputs(sample, color, False)].astype(int).sum(0) + arrays["first_bias"]
            for sample in samples for color in range(2)]
    assert np.abs(sums).max() <= largest_sum(arrays) < 4 * np.abs(sums).max()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sum_has_a_piece_on_a_square_and_two_kings(sign: int) -> None:
    arrays = {name: np.zeros(shape, dtype) for name, (dtype, shape) in SHAPES.items()}
    arrays["first"][[90 + 40, 171 + 40, 1467 + 40], 3] = np.array([5, 9, 7]) * sign     # three pieces for one square
    assert largest_sum(arrays) == 9
    arrays["first"][[1548, 1560, 1629], 3] = np.array([20, 30, 100]) * sign             # two squares of the own king
    assert largest_sum(arrays) == 9 + 30 + 100
    arrays["first"][1:90, 3] = 2 * sign                                                 # more than there are pieces
    assert largest_sum(arrays) == 9 + 37 * 2 + 30 + 100
    arrays["first_bias"][3] = -1000 * sign
    arrays["first"][:, 3] *= -1
    assert largest_sum(arrays) == 1000 + 9 + 37 * 2 + 30 + 100


def test_no_position_makes_the_packaged_network_wrap() -> None:
    weights = read_weights(PACKAGED)
    assert weights.features == NETWORK
    assert largest_sum({name: np.asarray(array) for name, array in weights.arrays.items()}) < 1 << 15
