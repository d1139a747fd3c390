"""What is told of a network: losses by kind of position, and its noise."""
import re
from pathlib import Path

import numpy as np
import pytest

from engine import Position
from eval.files import read_weights
from eval.learning.samples import open_records
from eval.loading import PACKAGED, TABLES
from eval.network import EvalNetwork
from scripts import learn
from scripts.training.judging import kinds, report_lines
from scripts.training.samples import records, sample
from scripts.training.stream import Samples
from tests.scripts.commands import invoke


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
    found = re.search(r"value: (\S+) centipawns on average, median (\d+) \((\d+) positions within 1500\)", text)
    assert found
    assert 20 < float(found.group(1)) < 500
    assert int(found.group(3)) > 500
    assert text.startswith("all: ")
    assert "--eval-file has to name a network" in invoke(learn, "judge", played, "--eval-file", TABLES, status=2).output


def test_a_network_that_is_its_own_mirror_image_has_no_noise(played: Path) -> None:
    arrays = {name: np.asarray(array) for name, array in read_weights(PACKAGED).arrays.items()}
    first = np.zeros_like(arrays["first"])
    silent = EvalNetwork.from_arrays(arrays | {"first": first})
    lines = list(report_lines(silent, samples_of(Position().sfen, *[Position().sfen] * 3)))
    assert lines[-1].startswith("apart from the mirror image's value: 0.0 centipawns")
    assert pytest.approx(0) == float(lines[-1].split(": ")[1].split()[0])
