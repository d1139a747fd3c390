"""The weights file: it is read as written, and a damaged one is refused with a helpful message."""
import hashlib
import json
import os
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import UserError
from engine.errors import Phrase
from eval.files import MAGIC, NETWORK, TABLES, VERSION, read_weights, write_weights
from eval.loading import load_evaluator
from eval.tables import SCALE
from tests.each import each
from tests.faults import refused
from tests.measured import LARGE, hollow, little_memory

HEADER = 24         # without the checksum
START = 56          # of the directory


def some_arrays() -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(1)
    values = np.round(rng.laplace(0, 12, 3000)).astype(np.int16)
    return {
        "dense": values.reshape(60, 50),
        "index": np.flatnonzero(rng.random(100_000) < 0.03).astype(np.uint32),
        "value": values[:1000],
        "steps": np.array([0, 1 << 40, (1 << 64) - 1], np.uint64),
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound file."""
    path = tmp_path / "weights.bin"
    write_weights(path, some_arrays(), tempo=320, note="generation 1\n棋譜")
    return path


@pytest.mark.parametrize(("beginning", "fault"), [
    (b"", refused(head=bytes(8), magic=MAGIC)),
    (b"PK\x03\x04", refused(head=b"PK\x03\x04" + bytes(4), magic=MAGIC)),
    (struct.pack("<8sIIQ", MAGIC, VERSION + 1, 9, 9), refused(version=VERSION + 1, other=VERSION)),
    (struct.pack("<8sIIQ", MAGIC, VERSION, 9, 9), refused(about="long", size=LARGE, expected=74)),
])
def test_of_a_large_file_that_is_none_only_the_header_is_read(tmp_path: Path, beginning: bytes, fault: refused) -> None:
    path = hollow(tmp_path / "large", beginning)
    for read in (read_weights, load_evaluator):
        with little_memory(), fault:
            read(path)


def refusal(path: Path) -> UserError:
    with pytest.raises(UserError) as raised:
        read_weights(path)
    assert raised.value.fields["place"] == repr(str(path))
    return raised.value.fault


def resealed(raw: bytes, header: bytes | None = None) -> bytes:
    """The file with a checksum that matches its content."""
    header = raw[:HEADER] if header is None else header
    return header + hashlib.sha256(header + raw[START:]).digest() + raw[START:]


def redirected(raw: bytes, **changes: Any) -> bytes:
    """The file with changed entries in its directory, and a length and checksum that match."""
    return directory(json.dumps(directory_of(raw) | changes).encode())(raw)


def directory_of(raw: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(raw[START:planes_of(raw)])
    return found


def test_what_is_written_is_read(path: Path) -> None:
    weights = read_weights(path)
    assert weights.tempo == 320
    assert weights.note == "generation 1\n棋譜"
    assert list(weights.arrays) == list(some_arrays())
    for name, array in some_arrays().items():
        found = np.asarray(weights.arrays[name])
        assert found.dtype == array.dtype
        assert np.array_equal(found, array)


@each("dtype", [np.int8, np.int16, np.int32, np.uint32, np.uint64])
@each("shape", [(0,), (1,), (7,), (4, 5, 6), ()])
def test_every_dtype_and_shape(tmp_path: Path, dtype: type, shape: tuple[int, ...]) -> None:
    limits = np.iinfo(dtype)
    array = np.random.default_rng(2).integers(limits.min, limits.max, shape, dtype, endpoint=True)
    for name, values in (("random", np.array(array)), ("ascending", np.sort(array, axis=None).reshape(shape)),
                         ("least", np.full(shape, limits.min, dtype)), ("greatest", np.full(shape, limits.max, dtype))):
        write_weights(tmp_path / name, {name: values}, 0, "")
        found = np.asarray(read_weights(tmp_path / name).arrays[name])
        assert (found.dtype, found.shape) == (values.dtype, shape)
        assert np.array_equal(found, values)


def test_arrays_that_are_not_contiguous(tmp_path: Path) -> None:
    array = np.arange(24, dtype=np.int16).reshape(4, 6)
    write_weights(tmp_path / "file", {"turned": array.T, "apart": array[::2, ::3]}, 0, "")
    arrays = read_weights(tmp_path / "file").arrays
    assert np.array_equal(arrays["turned"], array.T)
    assert np.array_equal(arrays["apart"], array[::2, ::3])


def test_same_content_same_file(path: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    write_weights(again, some_arrays(), tempo=320, note="generation 1\n棋譜")
    assert again.read_bytes() == path.read_bytes()
    write_weights(again, some_arrays(), tempo=321, note="generation 1\n棋譜")
    assert read_weights(again).checksum != read_weights(path).checksum


def test_sparse_weights_are_packed_near_their_entropy(tmp_path: Path) -> None:
    """One entry in ten of a million, values of a Laplace distribution."""
    rng = np.random.default_rng(3)
    index = np.flatnonzero(rng.random(1_000_000) < 0.1).astype(np.uint32)
    value = np.round(rng.laplace(0, 12, len(index))).astype(np.int16)
    write_weights(tmp_path / "file", {"index": index, "value": value}, 0, "")

    def bits(numbers: NDArray[Any]) -> float:
        _, counts = np.unique(numbers, return_counts=True)
        return float(-np.sum(counts * np.log2(counts / len(numbers))))

    entropy_bytes = (bits(np.diff(index)) + bits(value)) / 8
    assert (tmp_path / "file").stat().st_size < 1.03 * entropy_bytes + 1000


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            write_weights(path, {}, 0, "")
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_cut_short_anywhere(path: Path) -> None:
    """Inside and at the border of every section, and at some hundred places between."""
    raw = path.read_bytes()
    borders = [0, len(MAGIC), 12, 16, HEADER, START, planes_of(raw)]
    for plane in (size for entry in directory_of(raw)["arrays"] for size in entry["planes"]):
        borders.append(borders[-1] + plane)
    assert borders[-1] == len(raw)
    cuts = {border + offset for border in borders for offset in (-1, 0, 1)} | set(range(0, len(raw), 97))
    for cut in sorted(cuts & set(range(len(raw)))):
        path.write_bytes(raw[:cut])
        fault = refused(about="empty") if cut == 0 else refused(
            about="short", size=cut, **({"least": START} if cut < START else {"expected": len(raw)}))
        fault.check(refusal(path))


def test_any_byte_flipped(path: Path) -> None:
    raw = path.read_bytes()
    places = [*range(START + 40), *range(START + 40, len(raw), 53), len(raw) - 1]
    for place in places:
        for bit in (0, 7):
            broken = bytearray(raw)
            broken[place] ^= 1 << bit
            path.write_bytes(broken)
            fault = refusal(path)
            if place >= HEADER:
                refused(sum=..., other=...).check(fault)


def test_a_file_says_what_kind_it_is_for(path: Path, tmp_path: Path) -> None:
    assert read_weights(path).features == TABLES
    write_weights(tmp_path / "network", {"output": np.arange(-4, 4, dtype=np.int8)}, 0, "", NETWORK)
    weights = read_weights(tmp_path / "network")
    assert weights.features == NETWORK
    assert weights.arrays["output"].tolist() == list(range(-4, 4))
    with pytest.raises(FileNotFoundError, match="absent"):
        read_weights(tmp_path / "absent")
    with refused(name="kk", dtype="float32", formats=...):
        write_weights(tmp_path / "absent", {"kk": np.zeros(3, np.float32)}, 0, "")
    assert not (tmp_path / "absent").exists()


def test_nothing_in_several_dimensions(tmp_path: Path) -> None:
    write_weights(tmp_path / "file", {"none": np.zeros((3, 0, 2), np.int16)}, 0, "")
    refused(about="elements", shape="(3, 0, 2)").check(refusal(tmp_path / "file"))


Damage = Callable[[bytes], bytes]


def first_array(**changes: Any) -> Damage:
    def damage(raw: bytes) -> bytes:
        arrays = directory_of(raw)["arrays"]
        arrays[0] |= changes
        return redirected(raw, arrays=arrays)
    return damage


def directory(text: bytes) -> Damage:
    def damage(raw: bytes) -> bytes:
        header = raw[:12] + len(text).to_bytes(4, "little") + raw[16:HEADER]
        return resealed(header + bytes(32) + text + raw[planes_of(raw):])
    return damage


def planes_of(raw: bytes) -> int:
    """The places where the planes begin."""
    return START + int.from_bytes(raw[12:16], "little")


EMPTY = {"name": "kk", "dtype": "int8", "shape": [0], "coding": "plain", "planes": [0]}


def mistyped(what: str, name: str, found: object, kind: str) -> refused:
    return refused(what=refused(Phrase, about=what), found=found, name=name, kind=refused(Phrase, about=kind))


@each(("damage", "fault"), [
    (lambda raw: raw + b"\n", refused(about="long", size=..., expected=...)),
    *((lambda _, content=content: content, refused(head=content[:8], magic=MAGIC)) for content in (
        b"PK\x03\x04" + bytes(100), b"Gakushi\n" + bytes(100), b"\x00", b"GAKUSHI")),
    (lambda raw: resealed(raw, raw[:8] + (VERSION + 1).to_bytes(4, "little") + raw[12:HEADER]),
     refused(version=VERSION + 1, other=VERSION)),
    # -- What it was made for
    (partial(redirected, features="kkp-kpp-1476"),
     refused(features="kkp-kpp-1476", others=[repr(TABLES), repr(NETWORK)])),
    (partial(redirected, features=NETWORK), refused(scale=SCALE, other=2080768)),
    (partial(redirected, scale=16), refused(scale=16, other=SCALE)),
    # -- Its directory
    (partial(redirected, tempo=1 << 15), refused(tempo=1 << 15)),
    (partial(redirected, tempo="12"), mistyped("directory", "tempo", "'12'", "number")),
    (partial(redirected, tempo=True), mistyped("directory", "tempo", "True", "number")),
    (partial(redirected, note=None), mistyped("directory", "note", "None", "text")),
    (partial(redirected, features=["x" * 1000]), mistyped("directory", "features", ..., "text")),
    (partial(redirected, arrays={}), mistyped("directory", "arrays", "{}", "list")),
    (partial(redirected, arrays=[3]), refused(what=refused(Phrase, about="array"))),
    (partial(redirected, arrays=[{"name": "kk"}]), mistyped("array", "dtype", refused(Phrase, about="no"), "text")),
    (partial(redirected, arrays=[EMPTY, EMPTY]), refused(about="two")),
    (partial(redirected, arrays=[EMPTY | {"name": name, "dtype": "int32", "shape": [1 << 27], "planes": 4 * [0]}
                                 for name in "abc"]),
     refused(unpacked=3 << 29, most=...)),
    (directory(b"[]"), refused(what=refused(Phrase, about="directory"))),
    (directory(b"{"), refused(fault=...)),
    (directory(b"[" * 100_000), refused(about="deep")),
    (directory(b"9" * 5000), refused(fault=...)),
    # -- An array
    (first_array(coding="huffman"), refused(coding="huffman", codings=...)),
    (first_array(planes=[1, 2, 3]), refused(name="dense", count=3, type="int16", size=2)),
    (first_array(dtype="float32"), refused(name="dense", dtype="float32", formats=...)),
    (first_array(name=5), mistyped("array", "name", "5", "text")),
    *((first_array(shape=shape), refused(name="dense", part="shape", numbers=str(shape)))
      for shape in ([1.5], [-1, 3], [3, -2], [-1])),
    *((first_array(shape=shape), refused(name="dense", shape=str(shape), most=1 << 28))
      for shape in ([1 << 40], [1 << 62, 2], [1 << 20, 1 << 20])),
    (first_array(planes=[655360, 0]), refused(packed=..., size=...)),
    *((first_array(shape=shape), refused(name="dense", count=..., size=int(np.prod(shape))))
      for shape in ([59, 50], [61, 50], [0])),
    (lambda raw: resealed(raw[:planes_of(raw)] + b"\xff" * (len(raw) - planes_of(raw))),
     refused(name="dense", fault=...)),
])
def test_what_is_written_otherwise_is_refused(path: Path, damage: Damage, fault: refused) -> None:
    raw = path.read_bytes()
    try:
        path.write_bytes(damage(raw))
        fault.check(refusal(path))
    finally:
        path.write_bytes(raw)       # for the next case
