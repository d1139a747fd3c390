"""What the engine needs to start, and does not need: a GUI waits for it, and the bundle leaves out what play can do
without."""
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Position
from tests.usi.conftest import ENGINE, Start

SIGNATURE = Path(__file__).parents[1] / "bench.txt"
WITHOUT = """
import sys
sys.modules["numpy"] = sys.modules["importlib.metadata"] = None
from usi.cli import main
main([])
"""


def test_plays_without_numpy_and_metadata(start: Start) -> None:
    client = start([sys.executable, "-c", WITHOUT])
    client.send("usi")
    assert any(line.startswith("id name Gakushi ") for line in client.expect("usiok"))
    client.set("USI_OwnBook false", "USI_Hash 1")
    for evaluation in ("<empty>", "tables"):
        client.set(f"EvalFile {evaluation}")
        assert Position().is_legal(client.bestmove("position startpos", "go nodes 100"))


@pytest.mark.slow
def test_the_bench_searches_what_it_should() -> None:
    """Whatever it was built by and runs on: the count that `make signature-check` has as well."""
    printed = subprocess.run([*ENGINE, "bench"], capture_output=True, text=True, check=True).stdout
    assert f"Nodes searched: {SIGNATURE.read_text(encoding='ascii').strip()}\n" in printed


def test_files_of_the_users_in_the_working_folder_are_not_taken_for_ours(tmp_path: Path) -> None:
    for name in ("engine.py", "search.py", "click.py", "eval/__init__.py"):
        foreign = tmp_path / name
        foreign.parent.mkdir(exist_ok=True)
        foreign.write_text(f"raise SystemExit('the wrong {name}')\n")
    done = subprocess.run([sys.executable, "-m", "usi", "perft", "1"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "30" in done.stdout
