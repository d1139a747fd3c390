"""The learner: opening records, values against the tables, gradients, planted weights, threads; what all learners
refuse."""
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import BLACK, Position, UserError
from engine.sfen import flip_sfen, mirror_sfen
from eval.features import features_of
from eval.learning.learner import Learner, table_values
from eval.learning.network_learner import NetworkLearner, network_values
from eval.learning.quantised import part, quantise_tables
from eval.learning.quantised_network import quantise_network
from eval.learning.samples import FLAGS, SAMPLE, loss, open_records, targets
from eval.material import SLOPE, balance
from eval.network import EvalNetwork
from eval.tables import SCALE
from eval.tables.expansion import TABLE_SHAPES, expand
from eval.tables.factors import SHAPES, STARTS
from tests.each import each
from tests.eval.learning.training import record
from tests.faults import refused
from tests.networks import positions as positions_of

Samples = NDArray[np.void]

BLEND = 0.7


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    return positions_of(range(3), 100)


@pytest.fixture(scope="module")
def samples(positions: list[Position]) -> Samples:
    return open_records(np.concatenate([record(position) for position in positions]))


@pytest.fixture(scope="module")
def random_learner(samples: Samples) -> Learner:
    """All weights that the samples have are random, in whole units."""
    learner = Learner()
    numbers = np.unique(np.concatenate([learner.coefficients(samples[i : i + 1])[0] for i in range(len(samples))]))
    learner.weights[numbers] = np.random.default_rng(1).integers(-160, 160, len(numbers)) / SCALE
    return learner


# -- Opening records ---------------------------------------------------------------------------------------------------

def test_a_sample_has_what_the_position_has(positions: list[Position], samples: Samples) -> None:
    for position, sample in zip(positions, samples, strict=True):
        black, white, features = features_of(position)
        assert sample["king"].tolist() == [black, white]
        assert sample["features"].tolist() == sorted(features)
        assert sample["turn"] == position.turn
        assert sample["material"] == balance(position)
        assert bool(sample["flags"] & FLAGS["in_check"]) == position.in_check
    assert 0 < (samples["flags"] & FLAGS["in_check"] > 0).mean() < 1


def test_score_and_result_become_black_s(positions: list[Position]) -> None:
    for position in positions[:20]:
        (sample,) = open_records(record(position, score=123, result=1))
        assert sample["value"] == (123 if position.turn == BLACK else -123)
        assert sample["result"] == (2 if position.turn == BLACK else 0)
        assert open_records(record(position))["result"] == 1
        (extreme,) = open_records(record(position, score=-0x8000))      # whose negation has 17 bits
        assert extreme["value"] == (-0x7FFF if position.turn == BLACK else 0x7FFF)


def test_a_best_move_that_captures_is_flagged(positions: list[Position]) -> None:
    flagged = 0
    for position in positions[::10]:
        for move in position.legal_moves():
            (sample,) = open_records(record(position, move=move))
            captures = position.piece_at(move[2:4]) != 0
            assert bool(sample["flags"] & FLAGS["captures"]) == captures
            flagged += captures
    assert flagged


# -- Values ------------------------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def tables(random_learner: Learner) -> tuple[Any, ...]:
    """KK, KKP, KPP and the tempo, of the random learner."""
    factors, tempo = quantise_tables(random_learner.weights)
    return *expand(factors), tempo


def test_values_are_those_of_the_tables(random_learner: Learner, tables: tuple[Any, ...], samples: Samples) -> None:
    by_tables = table_values(samples, *tables)
    assert np.abs(random_learner.values(samples) - by_tables).max() < 0.01      # as exact as float32 sums are
    assert by_tables.std() > 100


def test_images_have_the_same_value_or_its_negation(
    tables: tuple[Any, ...], positions: list[Position], samples: Samples
) -> None:
    values = table_values(samples, *tables)
    for image, sign in ((mirror_sfen, 1), (flip_sfen, -1)):
        images = open_records(np.concatenate([record(Position(image(position.sfen))) for position in positions]))
        assert (table_values(images, *tables) == sign * values).all()


def test_coefficients_add_up_to_the_value(random_learner: Learner, samples: Samples) -> None:
    values = random_learner.values(samples[:20])
    for i in range(20):
        numbers, coefficients = random_learner.coefficients(samples[i : i + 1])
        total = random_learner.weights[numbers] @ coefficients + samples[i]["material"]
        assert total == pytest.approx(values[i], abs=0.01)


# -- Learning ----------------------------------------------------------------------------------------------------------

def labelled(samples: Samples, values: NDArray[np.float64], seed: int = 1) -> Samples:
    """Samples with these values, and results drawn with the winning rates that they mean."""
    judged: Samples = samples.copy()
    judged["value"] = np.rint(values)
    drawn = np.random.default_rng(seed).random(len(samples)) < 1 / (1 + np.exp(-values / SLOPE))
    judged["result"] = 2 * drawn
    return judged


@pytest.fixture(scope="module")
def stepped(samples: Samples) -> tuple[Learner, Samples, dict[int, float], float]:
    """A learner with random weights for one sample only, that sample, the change of each weight in one step, and the
    step size. The prior dwarfs the squares, so AdaGrad takes a plain gradient step."""
    rate, prior = 1000.0, 1e6
    sample = labelled(samples[100:101], np.array([350.0]))
    learner = Learner()
    numbers, _ = learner.coefficients(sample)
    before = np.random.default_rng(2).normal(0, 2, len(numbers)).astype(np.float32)
    learner.weights[numbers] = before
    learner.train(sample, np.zeros(1, np.uint32), dict.fromkeys(SHAPES, rate), BLEND, prior)
    change = dict(zip(numbers.tolist(), (learner.weights[numbers] - before).tolist(), strict=True))
    learner.weights[numbers] = before
    return learner, sample, change, rate / np.sqrt(prior)


@pytest.mark.parametrize("name", SHAPES)
def test_a_step_goes_against_the_gradient(
    name: str, stepped: tuple[Learner, Samples, dict[int, float], float]
) -> None:
    learner, sample, change, size = stepped
    own = range(STARTS[name], STARTS[name] + int(np.prod(SHAPES[name])))
    numbers = [number for number, changed in change.items() if number in own and changed]
    assert numbers
    for number in numbers[:: max(1, len(numbers) // 20)]:
        losses = []
        before = learner.weights[number]
        for push in (1, -1):
            learner.weights[number] = before + push
            losses.append(loss(learner.values(sample), sample, BLEND))
        learner.weights[number] = before
        slope = SLOPE * (losses[0] - losses[1]) / 2
        assert change[number] == pytest.approx(-size * slope, rel=0.01, abs=1e-5)


def test_nothing_but_the_position_s_weights_is_stepped(
    stepped: tuple[Learner, Samples, dict[int, float], float]
) -> None:
    learner, sample, _, _ = stepped
    numbers, _ = learner.coefficients(sample)
    assert set(np.flatnonzero(learner.weights)) <= set(numbers.tolist())
    assert set(np.flatnonzero(learner.squares)) <= set(numbers.tolist())


@pytest.mark.slow
def test_planted_weights_are_recovered() -> None:
    samples = open_records(np.concatenate([record(position) for position in positions_of(range(90))][:12_000]))
    rng = np.random.default_rng(6)
    planted = Learner()
    sizes = {"tempo": 30, "p": 25, "kp_vector": 10, "p_turn": 8, "pp_vector": 3}
    for name, size in sizes.items():
        values = part(planted.weights, name)
        values[:] = rng.normal(0, size, len(values))
    truth = planted.values(samples)
    judged = labelled(samples, truth)
    training, held = judged[:10_000], judged[10_000:]
    learner = Learner()
    rates = dict.fromkeys(SHAPES, 0.0) | dict.fromkeys(sizes, 4.0)
    losses = [learner.train(training, np.random.default_rng(epoch).permutation(len(training)), rates, 1.0)
              for epoch in range(6)]
    learned = learner.values(held) - held["material"]
    beyond_material = truth[10_000:] - held["material"]
    assert losses == sorted(losses, reverse=True)
    assert np.corrcoef(learned, beyond_material)[0, 1] > 0.9
    for name in ("p", "p_turn"):
        assert np.corrcoef(part(learner.weights, name), part(planted.weights, name))[0, 1] > 0
    alone, ours, best = (loss(values, held, 1.0)
                         for values in (held["material"].astype(float), learner.values(held), truth[10_000:]))
    assert ours - best < 0.2 * (alone - best)


def test_sets_without_a_rate_are_left_alone(samples: Samples) -> None:
    learner = Learner()
    judged = labelled(samples, np.full(len(samples), 100.0))
    rates = dict.fromkeys(SHAPES, 1.0) | {"kpp": 0.0, "pp": 0.0}
    learner.train(judged, np.arange(len(judged)), rates)
    for name in SHAPES:
        assert bool(part(learner.squares, name).any()) == (rates[name] > 0), name


def test_threads_come_to_much_the_same(samples: Samples) -> None:
    judged = labelled(np.tile(samples, 20), np.full(20 * len(samples), 300.0))
    order = np.random.default_rng(1).permutation(len(judged))
    learners = [Learner(), Learner(), Learner()]
    rates = dict.fromkeys(SHAPES, 0.5) | {"kpp": 0.0}       # whose weights, spread thinly, would take most of a GB
    found = [learner.train(judged, order, rates, threads=threads)
             for learner, threads in zip(learners, (1, 1, 2), strict=True)]
    assert found[0] == found[1]
    dense = slice(STARTS["kpp"])
    assert (learners[0].weights[dense] == learners[1].weights[dense]).all()
    assert found[2] == pytest.approx(found[0], rel=0.05)
    values = [learner.values(samples, threads=2) for learner in learners]
    assert np.abs(values[2] - values[0]).max() < 0.3 * np.abs(values[0] - samples["material"]).max()


# -- What is refused ---------------------------------------------------------------------------------------------------

RATES = dict.fromkeys(SHAPES, 0.1)


@each(("order", "error", "complaint"), [
    (np.array([True, False]), TypeError, "order has the dtype bool"),
    (np.array([0.0]), TypeError, "order has the dtype float64"),
    (np.zeros((1, 1), np.int64), TypeError, r"the shape \(1, 1\): give a one-dimensional array of integers"),
    (np.array([0, -1]), IndexError, "sample -1 of 301: order has numbers from 0 to 300"),
    (np.array([2**32]), IndexError, "sample 4294967296 of 301"),
    (np.array([301], np.uint16), IndexError, "sample 301 of 301"),
])
def test_a_wrong_order_is_refused(samples: Samples, order: NDArray[Any], error: type[Exception],
                                  complaint: str) -> None:
    for train in (partial(Learner().train, rates=RATES), partial(NetworkLearner().train, rates=np.ones(1))):
        with pytest.raises(error, match=complaint):
            train(samples[:301], order)


@each(("field", "value"), [("king", 81), ("features", 1548), ("turn", 2)])
def test_a_sample_that_holds_no_position_is_refused(samples: Samples, field: str, value: int) -> None:
    wrong = samples[:3].copy()
    wrong[field][1] = value
    kk, kkp, kpp = (np.zeros(shape, np.int16) for shape in TABLE_SHAPES.values())
    network = EvalNetwork.from_arrays(quantise_network(NetworkLearner().parameters))
    order = np.zeros(1, np.uint32)
    for call in (partial(Learner().train, order=order, rates=RATES), Learner().values, Learner().coefficients,
                 lambda given: table_values(given, kk, kkp, kpp, 0), lambda given: network_values(given, network),
                 partial(NetworkLearner().train, order=order, rates=np.ones(1)), NetworkLearner().gradient,
                 NetworkLearner().values):
        with pytest.raises(UserError) as raised:
            call(wrong)
        assert raised.value.fields["number"] == 1
        assert value in raised.value.fields.values()


@each("name", TABLE_SHAPES)
def test_tables_of_other_shapes_are_refused(samples: Samples, name: str) -> None:
    tables = {kind: np.zeros(shape, np.int16) for kind, shape in TABLE_SHAPES.items()}
    for wrong in (tables[name][..., :1], tables[name].astype(np.int32)):
        with refused(name=name, found=str(wrong.dtype), shape=..., dtype="int16", wanted=...):
            table_values(samples[:1], **tables | {name: wrong}, tempo=0)


# -- Losses ------------------------------------------------------------------------------------------------------------

def test_loss_and_targets_are_those_of_the_formula() -> None:
    samples = np.zeros(3, SAMPLE)
    samples["value"] = [600, -300, 0]
    samples["result"] = [2, 1, 0]
    wanted = 0.6 / (1 + np.exp(-np.array([1, -0.5, 0]))) + 0.4 * np.array([1, 0.5, 0])
    assert targets(samples, 0.6) == pytest.approx(wanted)
    values = np.array([200.0, -100, 50])
    rate = 1 / (1 + np.exp(-values / 600))
    assert loss(values, samples, 0.6) == pytest.approx(-(wanted * np.log(rate)
                                                         + (1 - wanted) * np.log(1 - rate)).mean())
    assert np.isfinite(loss(np.array([1e6, -1e6, 0]), samples, 0.6))
    with refused(count=2, samples=3):
        loss(values[:2], samples, 0.6)
