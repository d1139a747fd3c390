"""All files that the packages need are in the repository, whatever .gitignore leaves out."""
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="this is no clone")
def test_every_data_file_is_in_the_repository() -> None:
    listed = subprocess.run(["git", "-C", ROOT, "-c", "safe.directory=*", "ls-files", "-z"], capture_output=True,
                            text=True, check=True)
    known = set(listed.stdout.split("\0"))
    there = {path.relative_to(ROOT).as_posix() for room in ("engine", "tt", "eval", "search", "usi", "scripts")
             for path in (ROOT / room).rglob("data/*") if path.is_file() and "__pycache__" not in path.parts}
    assert there
    assert there - known == set()
