"""Packages are tried before users get them: a wrong engine is reported by name."""
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import bundle
from scripts.packaging.trial import COMMANDS, SIGNATURE, try_engine
from tests.each import each
from tests.processes import ENVIRONMENT, SECONDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the engines here are shell scripts")
NODES = SIGNATURE.read_text(encoding="ascii").strip()


def program(folder: Path, nodes: str, answers: str, status: int = 0) -> Path:
    """A program that passes for an engine: it prints these nodes and answers, and ends every command with this
    status."""
    path = folder / "engine"
    path.write_text(f"#!/bin/sh\ncase $1 in\nbench) echo 'Nodes searched: {nodes}'; echo 'Nodes/second: 123456';;\n"
                    f"'') echo '{answers}';;\nbook) exit {status};;\nesac\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@each(("nodes", "answers", "status", "complaint"), [
    ("12", "usiok\nreadyok", 0, f"searched 12 nodes, and it should {NODES}"),
    (NODES, "usiok\nreadyok?", 0, "does not answer `usi` and `isready`, but says"),
    (NODES, "usiok\nreadyok", 3, "`.* book think .*` failed: exit status 3"),
])
def test_an_engine_that_does_not(tmp_path: Path, nodes: str, answers: str, status: int, complaint: str) -> None:
    with pytest.raises((OSError, ValueError), match=complaint):
        try_engine(program(tmp_path, nodes, answers, status))


def test_an_engine_that_does_what_it_should_without_our_environment(tmp_path: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    path = program(tmp_path, NODES, "usiok\nreadyok")
    path.write_text(path.read_text() + f"env >> '{tmp_path}/seen'\n")
    assert try_engine(path) == f"bench {NODES} nodes, as it should, 123 knps; {len(COMMANDS)} commands work"
    seen = (tmp_path / "seen").read_text()
    assert "XDG_CACHE_HOME=" in seen
    assert "PYTHONPATH" not in seen


BLOCKED = """
import sys
for name in ("engine", "tt", "eval", "search", "numpy"):
    sys.modules[name] = None
import scripts.bundle, scripts.packaging.description, scripts.packaging.trial
"""


def test_packaging_needs_nothing_of_ours_that_is_compiled() -> None:
    """GitHub makes the folders for GUIs in a checkout in which nothing is compiled."""
    done = subprocess.run([sys.executable, "-c", BLOCKED], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_compiled_modules_import(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "board.pyx").write_text(
        "import threading\nfrom math import inf\nfrom libc.math cimport sqrt\nimport numpy as np\n"
        "from engine.types cimport u16\nfrom concurrent.futures import Future\n", encoding="utf-8")
    assert bundle.imported_by_compiled(tmp_path) == {"threading", "math", "concurrent"}
