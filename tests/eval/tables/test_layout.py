"""Tables in memory and in files. Their values are tested in test_kpp."""
import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import Position
from eval.evaluator import Evaluator
from eval.tables import EvalTables, usable_kernels
from tests.faults import refused

Arrays = dict[str, NDArray[np.int16]]


def lay_out(arrays: Arrays, tempo: int = 0, kernel: str | None = None) -> EvalTables:
    return EvalTables.from_arrays(arrays["kk"], arrays["kkp"], arrays["kpp"], tempo, kernel)


@pytest.fixture(scope="module")
def saved(arrays: Arrays, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "tables.bin"
    lay_out(arrays, tempo=-37).save(path)
    return path


def test_mapped_tables_are_those_saved(arrays: Arrays, saved: Path) -> None:
    made, mapped = lay_out(arrays, tempo=-37), EvalTables.map(saved)
    assert (mapped.tempo, mapped.kernel, mapped.megabytes) == (-37, made.kernel, made.megabytes)
    for sfen in ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                 "8k/9/9/4+r4/9/4g4/9/9/K8 b 18Pb2s 1"):
        assert Evaluator(mapped).evaluate(Position(sfen)) == Evaluator(made).evaluate(Position(sfen))
    assert list(saved.parent.iterdir()) == [saved]


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.bin"
    with pytest.raises(FileNotFoundError, match=path.name):
        EvalTables.map(path)
    for content in (b"", b"short"):
        path.write_bytes(content)
        with refused(path=path, count=len(content)):
            EvalTables.map(path)
    path.write_bytes(b"x" * 5000)
    with refused(path=path, header=..., expected=...) as raised:
        EvalTables.map(path)
    assert raised.fields["header"].startswith(b"xxxxx")


def test_truncated_and_altered_files_are_refused(saved: Path, tmp_path: Path) -> None:
    with saved.open("rb") as file:
        head = file.read(4096)
    size = saved.stat().st_size
    path = tmp_path / "tables.bin"
    path.write_bytes(head)
    os.truncate(path, size - 2)         # what is not written takes no room
    with refused(path=path, size=size - 2, length=size):
        EvalTables.map(path)
    path.write_bytes(head[:12] + b"\x09" + head[13:])       # the version
    os.truncate(path, size)
    with refused(path=path, header=..., expected=...):
        EvalTables.map(path)


@pytest.mark.skipif(len(usable_kernels()) == 1, reason="this processor has one kernel")
def test_a_file_of_another_layout_is_refused(arrays: Arrays, tmp_path: Path) -> None:
    path = tmp_path / "tables.bin"
    lay_out(arrays, kernel="square").save(path)
    assert EvalTables.map(path, kernel="square").kernel == "square"
    with refused(path=path, header=..., expected=...) as raised:
        EvalTables.map(path, kernel="triangular-gather")
    assert b"SQR" in raised.fields["header"]


def test_arguments_are_checked(arrays: Arrays) -> None:
    for name in ("kk", "kkp", "kpp"):
        with refused(name=name, found="int16", shape=..., dtype="int16", wanted=...):
            lay_out(arrays | {name: arrays[name][:1]})
        with refused(name=name, found="int8", shape=..., dtype="int16", wanted=...):
            lay_out(arrays | {name: arrays[name].astype(np.int8)})
    with refused(tempo=40000):
        lay_out(arrays, tempo=40000)
    with refused(name="fast", usable=...):
        lay_out(arrays, kernel="fast")
    with pytest.raises(TypeError, match="from_arrays"):
        EvalTables()
