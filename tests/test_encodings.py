"""Every command with a standard output in an old encoding: no letter ends it with an error, and figures stay
readable."""
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from engine.records.csa import format_csa
from engine.records.record import GameRecord
from eval.learning.records import PSV
from eval.loading import PACKAGED
from scripts import gate, generate, label, learn, loop, match, report, screen, tune
from tests.each import each
from tests.scripts.test_ranges import scripts
from tests.scripts.training.conftest import GAMES, self_play
from tests.usi.commands.test_cli import commands
from usi.cli import main as engine

PLAY = ["--nodes", 9, "--hash", 1, "--eval-file", "material"]
LOOK = ["--nodes", 50, "--hash", 1, "--eval-file", "material"]
LEARN = ["some.psv", "--checkpoint", "run.npz", "--validation", 0.5, "--epochs", 1, "--threads", 1]
DRAWN = ["--nodes", 9, "--games", 4, "--max-plies", 20, "--out", "match.jsonl"]
BOOK = "book.db"

# The commands by name. Commands that read others' output come after them.
RUNS: dict[str, tuple[click.Command, list[object]]] = {
    "match": (match.main, DRAWN),
    "report": (report.main, ["match.jsonl", "--out", "report"]),
    "screen": (screen.main, ["--nodes", 9, "--games", 4, "--change", "rfp_beta=70", "--out", "screen.jsonl"]),
    "gate": (gate.main, [PACKAGED, "--old", "material", "--against", 9, "eval=material", "--games", 4]),
    "tune": (tune.main, ["--state", "s", "--iterations", 1, "--nodes", 9, "--margin", "rfp_margin=150,50,300,15,1"]),
    "generate": (generate.main, [*PLAY, "--positions", 9, "--out", "a.psv"]),
    "label": (label.main, ["--nodes", 9, "--eval-file", "material", "--out", "b.psv", "game.csa"]),
    "learn network": (learn.main, ["network", *LEARN]),
    "learn judge": (learn.main, ["judge", "some.psv", "--eval-file", "material"]),
    "loop": (loop.main, ["loop", *PLAY[:4], "--positions", 300, "--generations", 1, "--validation", 0.5, "--batch", 16,
                         "--rate", 0.01, "--against", 9, "eval=material", "--games", 2]),
    "engine analyze": (engine, ["analyze", *LOOK, "--mate-nodes", 0, "game.csa"]),
    "engine book": (engine, ["book", "build", "game.csa", "--out", BOOK]),
    "engine book show": (engine, ["book", "show", BOOK]),
    "engine convert": (engine, ["convert", "game.csa", "game.kifu"]),
    "engine diagram": (engine, ["diagram", "-o", "a.svg"]),
    "engine eval": (engine, ["eval"]),
    "engine mate": (engine, ["mate", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"]),
    "engine perft": (engine, ["perft", 2]),
    "engine bench": (engine, ["bench", "--depth", 1]),
}


def run(command: click.Command, arguments: Sequence[object], encoding: str, status: int = 0) -> Result:
    runner = CliRunner(charset=encoding, env={"LC_ALL": "C"})
    done = runner.invoke(command, list(map(str, arguments)), prog_name="engine")
    assert done.exit_code == status, (done.output, done.exception)
    return done


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    record = GameRecord(moves=["7g7f", "3c3d"], names=("先手½", "後手–"))
    Path("game.csa").write_text(format_csa(record), encoding="utf-8")
    np.fromfile(self_play("played", GAMES), PSV, 600).tofile("some.psv")
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@each("name", RUNS)
def test_every_command_can_be_redirected_in_ascii(name: str) -> None:
    """ASCII lacks all letters that other encodings lack. Each command finds the files of earlier ones."""
    if not Path("match.jsonl").exists():
        run(match.main, DRAWN, "utf-8")
    run(*RUNS[name], "ascii")


@pytest.mark.usefixtures("folder", "short_fingerprints")
@each(("encoding", "error"), [("cp932", "±"), ("euc_jp", "±"), ("ascii", "+-")])
def test_the_table_of_a_match_is_readable(encoding: str, error: str) -> None:
    """Drawn games, pairs and Elo with its error, as a redirected match on a Japanese Windows writes them."""
    Path("match.jsonl").unlink(missing_ok=True)
    done = run(match.main, DRAWN, encoding)
    found = done.stdout_bytes.decode(encoding)
    assert "pairs by A's score 0, 0.5, 1, 1.5, 2: 0 0 2 0 0" in found
    assert f"Elo +0.0 {error} unknown" in found
    assert "A - B 1/2-1/2 (length, 20 plies)" in done.stderr


HELPS: list[tuple[click.Command, list[str]]] = [
    *((command, ["--help"]) for _, command in scripts()), *((engine, [*path, "--help"]) for path, _ in commands())]


@each(("command", "arguments"), HELPS)
def test_every_help_is_readable(command: click.Command, arguments: list[str]) -> None:
    """Where the output is ASCII, click writes UTF-8."""
    found = run(command, arguments, "utf-8").stdout
    for encoding in ("cp932", "euc_jp"):
        assert run(command, arguments, encoding).stdout_bytes.decode(encoding).count("?") == found.count("?")


@pytest.mark.usefixtures("folder")
def test_a_name_in_other_bytes_is_written_as_it_is() -> None:
    done = run(label.main, ["--nodes", 9, "--out", "a.psv", "\udc90\udcac.csa"], "cp932", status=1)
    assert b"\x90\xac.csa" in done.stderr_bytes
