"""Wheels for another system or processor, compiled here and tried under its Python."""
import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from scripts.delivery.interpreters import run
from scripts.platforms.pythons import python_for
from scripts.platforms.targets import ROOT, Target

BENCH = ("-m", "usi", "bench", "--depth", "6")      # the whole of it takes an emulated processor half an hour


def foreign_wheel(target: Target, out: Path, settings: Mapping[str, str]) -> Path:
    """The wheel, in `out`, built from the tree. OSError if it cannot be built.

    settings: build variables of setup.py's."""
    folder = target.folder / "wheel"
    run(sys.executable, "-m", "scripts.foreign", target.name, "setup", "--quiet",
        "build", "--build-lib", folder / "lib", "--build-temp", folder / "temp", "bdist_wheel", "--dist-dir", out,
        cwd=ROOT, environment=os.environ | settings)
    (wheel,) = out.glob("*.whl")
    return wheel


def require(target: Target) -> None:
    """OSError, saying what is missing, unless there is all that a wheel for it and its trial take."""
    target.require_compiler()
    python_for(target)


def try_foreign(wheel: Path, target: Target) -> str:
    """What was seen of it. ValueError if it searches other nodes than we do."""
    with tempfile.TemporaryDirectory() as unpacked:
        zipfile.ZipFile(wheel).extractall(unpacked)
        theirs = nodes(python_for(target).run(BENCH, Path(unpacked)).stdout)
    ours = nodes(run(sys.executable, *BENCH, cwd=ROOT))
    if theirs != ours:
        raise ValueError(f"{wheel.name}: {' '.join(BENCH)} searched {theirs or 'no'} nodes there, {ours} here")
    return f"{' '.join(BENCH[2:])} under emulation: {theirs} nodes, as here"


def nodes(printed: str) -> str:
    found = re.search(r"^Nodes searched: (\d+)", printed, re.MULTILINE)
    return found[1] if found else ""
