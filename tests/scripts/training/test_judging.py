"""What is told of a network: losses by kind of position, and its noise."""
import re
from pathlib import Path

import numpy as np
import pytest

from engine import Position
from eval.learning.samples import open_records
from eval.loading import TABLES
from eval.network import SHAPES, EvalNetwork
from scripts import learn
from scripts.training.judging import kinds, report_lines
from scripts.training.samples import Samples, records, sample
from tests.scripts.commands import invoke

FIRST_TOP = 127         # the activation that stands for 1 (eval/network.pxd)


def samples_of(*sfens: str) -> Samples:
    return open_records(records([sample(Position(sfen), 0, None) for sfen in sfens], None))


def test_kinds_are_told_by_the_board() -> None:
    usual = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    wandering = "lnsg1gsnl/1r5b1/ppppppppp/9/4k4/9/PPPP1PPPP/1B2K2R1/LNSGPGSNL b - 1"
    found = kinds(samples_of(
        usual,
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsg1gsnl/1r5b1/ppppppppp/9/9/9/PPPPPPkPP/1B5R1/LNSGKGSNL w P 1",
        "ln1gk1snl/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RBG9Ps 1",
        wandering))
    assert [mask.tolist() for mask in found.values()] == [
        [True] * 5, [False, True, False, False, False], [False, False, True, False, False],
        [False, True, False, True, False], [True, False, False, False, True]]


def test_the_packaged_network_is_judged(played: Path) -> None:
    text = invoke(learn, "judge", played, "--positions", 2000).output
    found = re.search(r"value: 0.0 centipawns on average, median 0 \((\d+) positions within 1500\)", text)
    assert found
    assert int(found.group(1)) > 500
    assert text.startswith("all: ")
    assert "--eval-file has to name a network" in invoke(learn, "judge", played, "--eval-file", TABLES, status=2).output


def test_how_far_apart_mirror_images_are_is_told() -> None:
    """A network that adds half of the unit for a pawn on 2f that the side to move has there, and for nothing else."""
    arrays = {name: np.zeros(shape, dtype) for name, (dtype, shape) in SHAPES.items()}
    arrays["first"][90 + 9 + 5, 0] = FIRST_TOP << 2
    arrays["second"][0, 0] = 127
    arrays["third"][0, 0] = 1 << 10
    arrays["output"][0] = 1 << 10
    lopsided = EvalNetwork.from_arrays(arrays)
    away, there = "4k4/9/9/9/9/9/9/9/4K4 b P 1", "4k4/9/9/9/9/7P1/9/9/4K4 b - 1"
    apart = [list(report_lines(lopsided, samples_of(*sfens)))[-1] for sfens in ([away], [there], [away, there])]
    value = 600 * 127 / 256
    for line, expected in zip(apart, (0, value, value / 2), strict=True):
        found = re.match(r"apart from the mirror image's value: (\S+) centipawns", line)
        assert found
        assert float(found.group(1)) == pytest.approx(expected, abs=2)
