"""Networks of the common form: they play as the file says, and a bad file is refused with a helpful message."""
import re
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine import Position
from eval.evaluator import Evaluator
from eval.loading import load_evaluator, weights_checksum, weights_file
from eval.network import COMMON, EvalNetwork, usable_kernels
from eval.network.nnbin import parse_nnbin
from tests.networks import (
    COMMON_LIMITS,
    KP_NAME,
    LARGEST_COMMON,
    Arrays,
    asked_now_and_then,
    common_score,
    nnbin,
    positions,
    random_arrays,
    views,
)
from tests.probes import Walk

MAX_EVAL = 27000            # of the search


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    return random_arrays(1, COMMON_LIMITS)


@pytest.fixture
def path(arrays: Arrays, tmp_path: Path) -> Path:
    path = tmp_path / "nn.bin"
    path.write_bytes(nnbin(arrays))
    return path


@pytest.mark.parametrize("limits", [COMMON_LIMITS, LARGEST_COMMON], ids=["usual", "largest"])
def test_values_are_those_of_the_file(limits: dict[str, int]) -> None:
    arrays = random_arrays(2, limits)
    for name in ("second_bias", "third_bias"):      # the largest that are let in
        arrays[name][:2] = 1 << 30, -(1 << 30)
    read = parse_nnbin(nnbin(arrays))
    evaluators = [Evaluator(EvalNetwork.from_arrays(read, kernel, COMMON)) for kernel in usable_kernels()]
    expected = []
    for position in positions(range(7), 150):
        expected.append(max(-MAX_EVAL, min(common_score(arrays, position), MAX_EVAL)))
        assert {evaluator.evaluate(position) for evaluator in evaluators} == {expected[-1]}
    assert len(expected) > 1000
    assert len(set(expected)) > 20


@pytest.mark.parametrize("kernel", usable_kernels())
def test_asked_now_and_then_and_going_back(arrays: Arrays, kernel: str) -> None:
    network = EvalNetwork.from_arrays(parse_nnbin(nnbin(arrays)), kernel, COMMON)
    line = Walk(Evaluator(network), Position())
    asked_now_and_then(line, 1, lambda position: (views(arrays, position).tolist(), common_score(arrays, position)),
                       lambda: (np.asarray(line.views()).tolist(), line.evaluate()))


def test_the_scale_comes_with_the_name(arrays: Arrays, path: Path) -> None:
    usual, other = load_evaluator(path), load_evaluator(f"{path}@24")
    for position in positions(range(1), 40):
        assert usual.evaluate(position) == common_score(arrays, position)
        assert other.evaluate(position) == common_score(arrays, position, 24)
    assert weights_file(f"{path}@24") == path
    assert weights_checksum(f"{path}@24") == f"{weights_checksum(path)}@24"
    called_so = path.rename(path.with_name("nn@24"))
    assert weights_file(called_so) == called_so
    with pytest.raises(FileNotFoundError, match="none'"):
        load_evaluator(path.with_name("none@24"))


def test_the_row_of_no_piece_does_not_count(arrays: Arrays, path: Path) -> None:
    odd = dict(arrays, first=arrays["first"].copy())
    odd["first"][0] = 99
    value = load_evaluator(path).evaluate(Position())
    path.write_bytes(nnbin(odd))
    assert load_evaluator(path).evaluate(Position()) == value


def test_cut_short_anywhere_or_too_long(path: Path) -> None:
    raw = path.read_bytes()
    for size in [4, 11, 12, 100, 12 + len(KP_NAME), *range(500, len(raw), 100_003), len(raw) - 1]:
        path.write_bytes(raw[:size])
        with pytest.raises(ValueError, match=f"{re.escape(repr(str(path)))}: cut short: {size} bytes, and .* has "
                                             r"\d+; copy it again"):
            load_evaluator(path)
    path.write_bytes(raw + b"\0")
    with pytest.raises(ValueError, match=f"too long: {len(raw) + 1} bytes, and a network of this architecture has "
                                         f"{len(raw)}; copy it again"):
        load_evaluator(path)


@pytest.mark.parametrize("name", [
    KP_NAME.replace("K+P[1710", "HalfKA[138510"), KP_NAME.replace("256x2", "512x2"),
    KP_NAME.replace("32<-32", "8<-32"), KP_NAME.replace("32<-512", "8<-512"), "",
])
def test_an_architecture_that_does_not_play_is_quoted(arrays: Arrays, path: Path, name: str) -> None:
    path.write_bytes(nnbin(arrays, name))
    with pytest.raises(ValueError, match=re.escape(f"a network of the architecture {name!r}, which does not play here; "
                                                   "give one of K-P 256x2-32-32")):
        load_evaluator(path)


def test_an_endless_name_is_shown_in_part(arrays: Arrays, path: Path) -> None:
    path.write_bytes(nnbin(arrays, "x" * 4096))
    with pytest.raises(ValueError, match=r"architecture 'x{200}…', which does not play"):
        load_evaluator(path)
    path.write_bytes(nnbin(arrays, "x" * 4097))
    with pytest.raises(ValueError, match="damaged: the name of its architecture has 4097 bytes, and 4096 are the most"):
        load_evaluator(path)


def overflow(arrays: Arrays) -> None:
    arrays["first"][90:, 7] = 900


def limitless(arrays: Arrays) -> None:
    arrays["second_bias"][3] = -(1 << 30) - 1


@pytest.mark.parametrize(("damage", "complaint"), [
    (overflow, r"damaged: sums of the first layer reach 3\d{4}, and 16 bits hold less than 32768; copy it again"),
    (limitless, "second_bias goes up to 1073741825, beyond 1073741824"),
])
def test_sums_that_might_wrap(arrays: Arrays, path: Path, damage: Callable[[Arrays], None], complaint: str) -> None:
    damaged = {name: array.copy() for name, array in arrays.items()}
    damage(damaged)
    path.write_bytes(nnbin(damaged))
    with pytest.raises(ValueError, match=f"{re.escape(repr(str(path)))}: {complaint}"):
        load_evaluator(path)


def test_the_hashes_are_of_no_account(arrays: Arrays, path: Path) -> None:
    """Programs disagree about them."""
    raw = bytearray(path.read_bytes())
    struct.pack_into("<I", raw, 4, 0xABCDABCD)
    path.write_bytes(raw)
    assert load_evaluator(path).evaluate(Position()) == common_score(arrays, Position())
