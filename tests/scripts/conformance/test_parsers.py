"""The fuzzer of the parsers runs, takes its seeds for valid, and stops at an input that breaks something."""
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import SECONDS

pytest.importorskip("atheris", reason="atheris is not installed")
pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).parents[3] / "scripts" / "fuzz.py"
TARGETS = ["usi", "csa", "kif", "ki2", "jkf", "pgn", "files", "moves", "book", "book_on_the_fly"]

# Loads the fuzzer once, which takes longest, and forks for each target, since atheris ends the process: each is in a
# folder of its own, with its output in a file beside that. With `broken` the parser of SFEN fails at most boards.
FORKS = """
import os, sys
sys.path.insert(0, sys.argv.pop(1))
from scripts.conformance import parsers
def broken(data):
    if data.startswith(b"ln"):
        raise KeyError("no such letter")
for target in sys.argv[1:]:
    os.mkdir(target)
    child = os.fork()
    if not child:
        os.dup2(os.open(target + ".output", os.O_WRONLY | os.O_CREAT), 1)
        os.dup2(1, 2)
        os.chdir(target)
        if target == "broken":
            parsers.TARGETS["sfen"] = broken, parsers.SFENS
            target = "sfen"
        parsers.fuzz(target, 60, 1, 400)
    print(target, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for run, texts in parsers.TARGETS.values():
    for text in texts:
        run(text.encode())
print("seeds 0")
"""


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """Where the targets ran, and their exit statuses, by name."""
    folder = tmp_path_factory.mktemp("fuzz")
    done = subprocess.run([sys.executable, "-c", FORKS, SCRIPT.parent, "broken", *TARGETS], cwd=folder,
                          stdout=subprocess.PIPE, text=True, timeout=SECONDS)
    return folder, {name: int(status) for name, status in map(str.split, done.stdout.splitlines())}


def test_the_command_tries_some_inputs(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, SCRIPT, "parsers", "sfen", "--runs", "400"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert "number_of_executed_units: 400" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("target", TARGETS)
def test_some_inputs_of_each(target: str, forked: tuple[Path, dict[str, int]]) -> None:
    folder, statuses = forked
    output = (folder / f"{target}.output").read_text(errors="replace")
    assert statuses[target] == 0, output
    assert "number_of_executed_units: 400" in output
    assert not list((folder / target).iterdir())


def test_fault_is_found_and_kept(forked: tuple[Path, dict[str, int]]) -> None:
    folder, statuses = forked
    assert statuses["broken"] != 0
    assert "no such letter" in (folder / "broken.output").read_text(errors="replace")
    assert [path.name[:6] for path in (folder / "broken").iterdir()] == ["crash-"]


def test_seeds_are_valid(forked: tuple[Path, dict[str, int]]) -> None:
    assert forked[1]["seeds"] == 0
