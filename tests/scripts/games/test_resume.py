"""A match that is killed at any moment: no game is lost or played twice, and no process outlives it."""
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scripts import match as match_module
from scripts.games.usi_player import UsiPlayer
from tests.processes import NEEDS_PROC, children_of, finished, running, until, wait_for_end, workers_of
from tests.scripts.commands import line

SEED = int(os.environ.get("GAKUSHI_TEST_SEED", time.time_ns() % 10**6))
KILLS = 3


def command(out: Path, *arguments: str) -> list[str]:
    return line(match_module, "--a", "eval=material", "--b", "eval=material,history_bonus=9", "--nodes", 100,
                "--games", 24, "--jobs", 2, "--max-plies", 40, "--out", out, *arguments)


def lines(path: Path) -> list[dict[str, Any]]:
    """The complete lines of games."""
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True)[1:] if line.endswith("\n")]


@pytest.mark.slow
def test_a_match_killed_at_random_moments(tmp_path: Path) -> None:
    rng = Random(SEED)
    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    undisturbed = finished(command(whole))
    kept: list[dict[str, Any]] = []
    for _ in range(KILLS):
        with running(command(killed)) as match:
            for _ in range(rng.randrange(1, 5)):
                until(match, "game ")
            time.sleep(rng.random() / 20)
            match.kill()
            match.communicate()     # ends with the last worker
        found = lines(killed)
        assert found[:len(kept)] == kept, f"seed {SEED}"
        assert len(found) > len(kept), f"seed {SEED}"
        kept = found
    resumed = finished(command(killed))
    assert lines(killed)[:len(kept)] == kept, f"seed {SEED}"
    numbers = [line["number"] for line in lines(killed)]
    assert sorted(numbers) == list(range(24)), f"seed {SEED}"
    entered = [int(line.split()[1]) - 1 for line in resumed.stderr.splitlines()]
    played = set(range(24)) - {line["number"] for line in kept}
    assert entered == list(range(24))[-len(entered):], f"seed {SEED}: games enter in their order"
    assert played <= set(entered), f"seed {SEED}"
    assert {line["number"]: line["record"] for line in lines(killed)} == {
        line["number"]: line["record"] for line in lines(whole)}, f"seed {SEED}"
    assert resumed.stdout.splitlines()[0] == undisturbed.stdout.splitlines()[0]


@pytest.mark.slow
@NEEDS_PROC
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_neither_workers_nor_engines_outlive_a_run_that_is_stopped(stub: Callable[..., UsiPlayer], tmp_path: Path,
                                                                   number: signal.Signals) -> None:
    """Unless it is killed, the match says how to resume."""
    engine = " ".join(stub("stubborn").command)     # it does not even end with its input
    command = line(match_module, engine, engine, "--nodes", 1, "--games", 2000, "--jobs", 2, "--out", tmp_path / "out")
    with running(command) as run:
        until(run, "game 2 ")
        started = workers_of(run.pid)
        started += [child for worker in started for child in children_of(worker)]
        run.send_signal(number)
        _, complaint = run.communicate()
        assert len(started) > 3, "two workers, and the engines of one at least"
        wait_for_end(started)
    assert run.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 130)
    assert ("the same command continues" in complaint) == (number != signal.SIGKILL)
    assert "Traceback" not in complaint
