"""The fuzzer of the parsers runs, takes its seeds for valid, and stops at an input that breaks something."""
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import SECONDS

pytest.importorskip("atheris", reason="atheris is not installed")
SCRIPT = Path(__file__).parents[2] / "scripts" / "fuzz_parsers.py"

BROKEN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from scripts import fuzz_parsers
def broken(data):
    if data.startswith(b"ln"):
        raise KeyError("no such letter")
fuzz_parsers.TARGETS["sfen"] = broken, fuzz_parsers.SFENS
fuzz_parsers.main()
"""


@pytest.mark.parametrize(
    "target", ["sfen", "usi", "csa", "kif", "ki2", "jkf", "files", "moves", "book", "book_on_the_fly"])
def test_some_inputs_of_each(target: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, SCRIPT, target, "--runs", "400"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert "number_of_executed_units: 400" in done.stderr
    assert not list(tmp_path.iterdir())


def test_fault_is_found_and_kept(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", BROKEN, str(SCRIPT.parent), "sfen", "--runs", "400"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode != 0
    assert "no such letter" in done.stdout + done.stderr
    assert [path.name[:6] for path in tmp_path.iterdir()] == ["crash-"]


def test_seeds_are_valid() -> None:
    check = "import fuzz_parsers as f; [run(text.encode()) for run, texts in f.TARGETS.values() for text in texts]"
    subprocess.run([sys.executable, "-c", check], cwd=SCRIPT.parent, check=True, timeout=SECONDS)
