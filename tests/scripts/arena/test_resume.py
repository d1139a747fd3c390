"""A match that is killed: nothing is lost and nothing is played twice, whenever it happens."""
import json
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scripts import match as match_module
from tests.processes import finished, running, until

SEED = int(os.environ.get("GAKUSHI_TEST_SEED", time.time_ns() % 10**6))
KILLS = 3


def command(out: Path, *arguments: str) -> list[str]:
    return [sys.executable, match_module.__file__, "--a", "eval=material", "--b", "eval=material,history_bonus=9",
            "--nodes", "100", "--games", "24", "--jobs", "2", "--max-plies", "40", "--out", str(out), *arguments]


def lines(path: Path) -> list[dict[str, Any]]:
    """Those of games, whole ones."""
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
