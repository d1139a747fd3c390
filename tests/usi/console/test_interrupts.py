"""Ctrl-C while modules are imported: a command ends at once, and says nothing."""
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ENVIRONMENT, ROOT, SECONDS

COMMANDS = {
    "engine": ["-c", "from usi.cli import main; main()"],
    "python -m usi": ["-m", "usi"],
    **{f"scripts.{path.stem}": ["-m", f"scripts.{path.stem}"] for path in sorted((ROOT / "scripts").glob("*.py"))
       if "import click" in path.read_text(encoding="utf-8") or "scripts.cli" in path.read_text(encoding="utf-8")},
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of its own")
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_during_imports_ends_a_command_in_silence(command: str, tmp_path: Path) -> None:
    interrupting = tmp_path / "click.py"        # instead of the real one, which all commands import
    interrupting.write_text("import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n",
                            encoding="utf-8")
    path = {"PYTHONPATH": f"{tmp_path}:{ENVIRONMENT['PYTHONPATH']}"}
    done = subprocess.run([sys.executable, *COMMANDS[command]], env=ENVIRONMENT | path, capture_output=True,
                          timeout=SECONDS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_a_library_raises_it(tmp_path: Path) -> None:
    """A program that imports the library gets KeyboardInterrupt and decides itself."""
    program = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "usi.client":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
try:
    import gakushi
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
