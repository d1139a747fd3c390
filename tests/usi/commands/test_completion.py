"""`engine completion`: the scripts, and what a shell that has loaded one is answered."""
import shutil
import subprocess

import pytest
from click.testing import CliRunner

from tests.processes import SECONDS
from usi.cli import main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_that_shell(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell], prog_name="engine").stdout
    assert f"_ENGINE_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=SECONDS)


def test_what_is_completed() -> None:
    for words, number, found in (("engine an", "1", {"analyze"}), ("engine play --col", "2", {"--color"}),
                                 ("engine play --color b", "3", {"black"}),
                                 ("engine completion ", "2", {"bash", "zsh", "fish"})):
        done = CliRunner(env={"_ENGINE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": number}).invoke(
            main, prog_name="engine")
        assert {line.partition(",")[2] for line in done.stdout.splitlines()} == found
