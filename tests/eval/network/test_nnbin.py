"""Networks of the common form: they play as the file says, and a bad file is refused with a helpful message."""
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import Position
from engine.pieces import BISHOP
from eval.evaluator import Evaluator
from eval.features import pieces_of
from eval.loading import load_evaluator, weights_checksum, weights_file
from eval.network import COMMON, HALF_KP, EvalNetwork, Form, usable_kernels, value_of
from eval.network.nnbin import parse_nnbin, write_nnbin
from tests.faults import refused
from tests.networks import (
    COMMON_LIMITS,
    HALF_KP_NAME,
    KP_NAME,
    LARGEST_COMMON,
    Arrays,
    asked_now_and_then,
    common_score,
    game,
    is_half,
    nnbin,
    positions,
    random_arrays,
    views,
)
from tests.probes import Walk

MAX_EVAL = 27000            # of the search
LATER = 17_704              # bytes of the layers behind the first, their hash included


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    return random_arrays(1, COMMON_LIMITS)


@pytest.fixture(scope="module")
def half() -> Arrays:
    """A HalfKP network of 64 MB."""
    return random_arrays(3, COMMON_LIMITS, half=True)


@pytest.fixture
def path(arrays: Arrays, tmp_path: Path) -> Path:
    path = tmp_path / "nn.bin"
    path.write_bytes(nnbin(arrays))
    return path


def form_of(arrays: Arrays) -> Form:
    return HALF_KP if is_half(arrays) else COMMON


def require_same_values(arrays: Arrays) -> None:
    """Assert equal values by every kernel, in 1,000 positions, by full sums and from move to move."""
    read, form = parse_nnbin(nnbin(arrays)), form_of(arrays)
    expected = []
    evaluators = [Evaluator(EvalNetwork.from_arrays(read, kernel, form)) for kernel in usable_kernels()]
    for seed in range(7):
        position = Position()
        lines = [Walk(evaluator, position) for evaluator in evaluators]
        for move in game(seed, 150):
            position.push(move)
            expected.append(max(-MAX_EVAL, min(common_score(arrays, position), MAX_EVAL)))
            for evaluator, line in zip(evaluators, lines, strict=True):
                line.push(move)
                assert line.evaluate() == evaluator.evaluate(position) == expected[-1]
    assert len(expected) > 1000
    assert len(set(expected)) > 20


@pytest.mark.parametrize("limits", [COMMON_LIMITS, LARGEST_COMMON], ids=["usual", "largest"])
def test_values_are_those_of_the_file(limits: dict[str, int]) -> None:
    arrays = random_arrays(2, limits)
    for name in ("second_bias", "third_bias"):      # the largest that are let in
        arrays[name][:2] = 1 << 30, -(1 << 30)
    require_same_values(arrays)


def test_values_are_those_of_a_file_of_half_kp(half: Arrays) -> None:
    require_same_values(half)


@pytest.mark.parametrize("kernel", usable_kernels())
@pytest.mark.parametrize("features", ["arrays", "half"])
def test_asked_now_and_then_and_going_back(request: pytest.FixtureRequest, features: str, kernel: str) -> None:
    """Kings move often in these games."""
    arrays = request.getfixturevalue(features)
    read, form = parse_nnbin(nnbin(arrays)), form_of(arrays)
    evaluator = Evaluator(EvalNetwork.from_arrays(read, kernel, form))
    line = Walk(evaluator, Position())
    for seed in range(3):
        asked_now_and_then(line, seed,
                           lambda position: (views(arrays, position).tolist(), common_score(arrays, position)),
                           lambda: (np.asarray(line.views()).tolist(), line.evaluate()))


def test_what_each_piece_adds_by_half_kp(half: Arrays) -> None:
    read, form = parse_nnbin(nnbin(half)), HALF_KP
    network = EvalNetwork.from_arrays(read, form=form)
    position = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
    value, without = value_of(network, position)
    assert value == -common_score(half, position)
    fewer = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL w - 1")
    bishop = [piece == BISHOP for _, piece, _, _ in pieces_of(position)].index(True)
    assert without[bishop] == -common_score(half, fewer)


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
        with refused(about="short", at=path, size=size, expected=...):
            load_evaluator(path)
    path.write_bytes(raw + b"\0")
    with refused(about="long", at=path, size=len(raw) + 1, expected=len(raw)):
        load_evaluator(path)


@pytest.mark.parametrize("name", [
    KP_NAME.replace("K+P[1710", "HalfKA[138510"), KP_NAME.replace("256x2", "512x2"),
    KP_NAME.replace("32<-32", "8<-32"), KP_NAME.replace("32<-512", "8<-512"), HALF_KP_NAME.replace("(Friend)", "E9"),
])
def test_an_architecture_that_does_not_play_is_quoted(arrays: Arrays, path: Path, name: str) -> None:
    path.write_bytes(nnbin(arrays, name))
    with refused(name=repr(name), known=["K-P 256x2-32-32", "HalfKP 256x2-32-32"]):
        load_evaluator(path)


def test_a_name_that_says_nothing_is_no_fault(arrays: Arrays, half: Arrays, path: Path) -> None:
    for network, name in ((arrays, ""), (arrays, "a net"), (half, "another")):
        path.write_bytes(nnbin(network, name))
        assert load_evaluator(path).evaluate(Position()) == common_score(network, Position())
    path.write_bytes(nnbin(arrays, "") + b"\0")
    with refused(name="''", known=...):
        load_evaluator(path)


def leb128(array: NDArray[np.int16]) -> bytes:
    """An array packed."""
    packed = bytearray()
    for number in array.ravel().tolist():
        while not -64 <= number < 64:
            packed.append(number & 127 | 128)
            number >>= 7
        packed.append(number & 127)
    return b"COMPRESSED_LEB128" + struct.pack("<I", len(packed)) + packed


def test_a_first_layer_may_be_packed(path: Path) -> None:
    arrays = random_arrays(2, LARGEST_COMMON)
    raw = nnbin(arrays)
    head, rest = raw[:16 + len(KP_NAME)], raw[-LATER:]
    assert rest[:4] == struct.pack("<I", 0x63337156)
    bias, first = leb128(arrays["first_bias"]), leb128(arrays["first"])
    whole = head + bias + first + rest
    path.write_bytes(whole)
    evaluator = load_evaluator(path)
    for position in positions(range(1), 40):
        assert evaluator.evaluate(position) == max(-MAX_EVAL, min(common_score(arrays, position), MAX_EVAL))
    start = len(head)
    for size in (start + 17, start + 19, start + 200, start + len(bias) + 20, len(whole) - LATER, len(whole) - 1):
        path.write_bytes(whole[:size])
        with refused(about="short", size=size, expected=...):
            load_evaluator(path)
    path.write_bytes(whole + b"\0")
    with refused(about="long", size=len(whole) + 1, expected=len(whole)):
        load_evaluator(path)


@pytest.mark.parametrize(("packed", "fault"), [
    (b"\x80" * 700, refused(number=1, count=256)),
    (b"\x80\x80\x02" + bytes(255), refused(number=1, count=256)),      # 32768
    (bytes(255) + b"\xff\xff\x7d", refused(number=256, count=256)),    # -32769
    (bytes(255), refused(number=256, count=256)),
    (bytes(257), refused(size=257, count=256, rest=1)),
])
def test_packed_numbers_that_do_not_fit(arrays: Arrays, path: Path, packed: bytes, fault: refused) -> None:
    raw = path.read_bytes()
    start = 16 + len(KP_NAME)
    path.write_bytes(raw[:start] + b"COMPRESSED_LEB128" + struct.pack("<I", len(packed)) + packed + raw[start + 512:])
    with fault:
        load_evaluator(path)


def test_an_endless_name_is_shown_in_part(arrays: Arrays, path: Path) -> None:
    path.write_bytes(nnbin(arrays, "Features=" + "x" * 4070 + "[1->2x2],Network="))
    with refused(name=repr("Features=" + 191 * "x" + "…"), known=...):
        load_evaluator(path)
    path.write_bytes(nnbin(arrays, "x" * 4097))
    with refused(size=4097, most=4096):
        load_evaluator(path)


def overflow(arrays: Arrays) -> None:
    arrays["first"][90:, 7] = 900


def limitless(arrays: Arrays) -> None:
    arrays["second_bias"][3] = -(1 << 30) - 1


@pytest.mark.parametrize(("damage", "fault"), [
    (overflow, refused(largest=..., wraps=32768)),
    (limitless, refused(fault=refused(name="second_bias", largest=2**30 + 1, most=2**30))),
])
def test_sums_that_might_wrap(arrays: Arrays, path: Path, damage: Callable[[Arrays], None], fault: refused) -> None:
    damaged = {name: array.copy() for name, array in arrays.items()}
    damage(damaged)
    path.write_bytes(nnbin(damaged))
    with fault:
        load_evaluator(path)


def test_what_is_written_is_read(arrays: Arrays, tmp_path: Path) -> None:
    path = tmp_path / "written.bin"
    write_nnbin(path, arrays)
    assert path.read_bytes() == nnbin(arrays)
    read = parse_nnbin(path.read_bytes())
    assert all(np.array_equal(np.asarray(array), arrays[name]) for name, array in read.items())
    with refused(name="third", largest=300, most=128):
        write_nnbin(path, arrays | {"third": np.full((32, 32), 300, np.int16)})


def test_hashes_are_ignored(arrays: Arrays, path: Path) -> None:
    """Programs disagree about the hashes, so a wrong one is no fault."""
    raw = bytearray(path.read_bytes())
    struct.pack_into("<I", raw, 4, 0xABCDABCD)
    path.write_bytes(raw)
    assert load_evaluator(path).evaluate(Position()) == common_score(arrays, Position())
