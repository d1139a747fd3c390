"""What the engine needs to start, and does not need: a GUI waits for it, and the bundle leaves out what play can do
without."""
import sys

import pytest

from engine import Position
from tests.usi.conftest import Start

WITHOUT = "import sys; sys.modules[{module!r}] = None; from usi.cli import main; main([])"


@pytest.mark.parametrize("module", ["numpy", "importlib.metadata"])
def test_plays_without(start: Start, module: str) -> None:
    client = start([sys.executable, "-c", WITHOUT.format(module=module)])
    client.send("usi")
    assert any(line.startswith("id name Gakushi ") for line in client.expect("usiok"))
    client.set("USI_OwnBook false", "USI_Hash 1")
    for evaluation in ("<empty>", "tables"):
        client.set(f"EvalFile {evaluation}")
        assert Position().is_legal(client.bestmove("position startpos", "go nodes 100"))
