"""Every command with few addresses (`ulimit -v`): each works, or says what helps."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.records.csa import format_csa
from engine.records.record import GameRecord
from eval.learning.records import PSV
from tests.each import each
from tests.processes import ENVIRONMENT, SECONDS
from tests.scripts.training.conftest import GAMES, self_play

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")

LIMIT_KB = 560 << 10
ENGINE = str(Path(sys.executable).with_name("engine"))
DRAWN = "--nodes 9 --games 2 --max-plies 20"
LEARN = "some.psv --checkpoint run.npz --validation 0.5 --epochs 1 --threads 1"
# With the packaged network, the table that a command has by default, and processes where it can have them.
WORKING = [
    "engine analyze game.csa --nodes 50 --html game.html",
    f"scripts.match {DRAWN} --jobs 2",
]
SLOWLY_WORKING = [
    "engine analyze games --nodes 50 --html pages",
    "engine analyze game.csa --nodes 50 --threads 2 --picture game.png",
    "engine convert game.csa game.kifu",
    "engine book build game.csa --out book.db",
    "engine book think --out own.db --positions 1 --nodes 50",
    "engine bench --depth 1",
    "engine doctor --threads 1",
    "engine eval",
    "engine play --nodes 50",
    "scripts.tune --state s --iterations 1 --nodes 9 --margin rfp_margin=150,50,300,15,1",
    "scripts.screen --nodes 9 --games 2 --change rfp_beta=70 --out screen.jsonl",
    "scripts.generate --nodes 9 --positions 9 --out a.psv --jobs 2",
    "scripts.generate --nodes 9 --positions 9 --out a.psv.xz",
    "scripts.label --nodes 9 --out b.psv.xz game.csa",
    f"scripts.learn network {LEARN}",
    "scripts.learn judge some.psv",
    "scripts.loop loop --nodes 9 --positions 300 --generations 1 --validation 0.5 --batch 16 --rate 0.01 --against 9 "
    "eval=material --games 2",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    record = format_csa(GameRecord(moves=["7g7f", "3c3d", "2g2f", "8c8d"]))
    for name in ("game.csa", "games/a.csa", "games/b.csa"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(record, encoding="utf-8")
    return tmp_path


@pytest.fixture
def samples(folder: Path) -> None:
    np.fromfile(self_play("played", GAMES), PSV, 600).tofile(folder / "some.psv")


def run(line: str, folder: Path, kilobytes: int = LIMIT_KB) -> "subprocess.CompletedProcess[str]":
    program, *arguments = line.split()
    words = [ENGINE] if program == "engine" else [sys.executable, "-m", program]
    return subprocess.run(["sh", "-c", f'ulimit -v {kilobytes} && exec "$@"', "sh", *words, *arguments], cwd=folder,
                          env={**ENVIRONMENT, "LC_ALL": "C", "XDG_CACHE_HOME": os.fspath(folder)}, input="quit\n",
                          capture_output=True, text=True, timeout=SECONDS)


def require_work(line: str, folder: Path) -> None:
    done = run(line, folder)
    assert done.returncode == 0, done.stderr


@each("line", WORKING)
def test_it_works_in_560_megabytes(line: str, folder: Path) -> None:
    require_work(line, folder)


@pytest.mark.slow
@pytest.mark.usefixtures("samples")
@each("line", SLOWLY_WORKING)
def test_so_does(line: str, folder: Path) -> None:
    require_work(line, folder)


@pytest.mark.slow
@pytest.mark.usefixtures("samples")
def test_what_cannot_work_says_what_helps(folder: Path) -> None:
    """Learning the tables is left out: the weights of all triples take 456 MB, whatever the options."""
    done = run(f"scripts.learn tables {LEARN}", folder)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: Unable to allocate 456. MiB")
    assert done.stderr.endswith(": a limit of yours lets this process have 560 MB (ulimit -v); raise it\n")
    assert run(f"scripts.learn tables {LEARN}", folder, 4 << 20).returncode == 0
