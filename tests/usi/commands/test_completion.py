"""`engine completion`: the scripts, and what a shell that has loaded one is answered."""
import os
import shutil
import subprocess

import pytest

from tests.usi.conftest import ENGINE, PATIENCE_S


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_that_shell(shell: str) -> None:
    done = subprocess.run([*ENGINE, "completion", shell], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0
    assert f"_ENGINE_COMPLETE={shell}_complete" in done.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=done.stdout, text=True, check=True, timeout=PATIENCE_S)


@pytest.mark.parametrize(
    ("words", "number", "found"),
    [
        ("engine an", "1", {"analyze"}),
        ("engine play --col", "2", {"--color"}),
        ("engine play --color b", "3", {"black"}),
        ("engine completion ", "2", {"bash", "zsh", "fish"}),
    ],
)
def test_what_is_completed(words: str, number: str, found: set[str]) -> None:
    done = subprocess.run(ENGINE, capture_output=True, text=True, timeout=PATIENCE_S,
                          env={**os.environ, "_ENGINE_COMPLETE": "bash_complete", "COMP_WORDS": words,
                               "COMP_CWORD": number})
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == found


def test_other_shells_are_refused() -> None:
    done = subprocess.run([*ENGINE, "completion", "tcsh"], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 2
    assert "'tcsh'" in done.stderr
