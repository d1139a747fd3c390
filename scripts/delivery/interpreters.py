"""The Pythons of this machine, and fresh environments of them."""
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

OLDEST = (3, 10)        # that pyproject.toml allows
STABLE = (3, 11)        # the first with a usable stable interface (ABI3 in setup.py): its wheel serves all later ones

Version = tuple[int, int]


def version_of(python: Path | str) -> Version | None:
    """Of an interpreter; None if it does not run, as pyenv's stand-ins for versions that are not chosen."""
    question = "import sys; print(*sys.version_info[:2], sys.implementation.name)"
    done = subprocess.run([python, "-c", question], capture_output=True, text=True)
    answer = re.fullmatch(r"(\d+) (\d+) cpython\s*", done.stdout)
    return (int(answer[1]), int(answer[2])) if answer else None


def pythons() -> dict[Version, Path]:
    """Those that can be had here from OLDEST on, one of each version: on PATH, and pyenv's."""
    root = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    on_path = filter(None, (shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], 30)))
    found: dict[Version, Path] = {}
    for python in [*map(Path, on_path), *sorted(root.glob("versions/3.*/bin/python3"))]:
        version = version_of(python)
        if version and version >= OLDEST:
            found.setdefault(version, python)
    return dict(sorted(found.items()))


def environment(python: Path | str, folder: Path, *requirements: str | Path) -> Path:
    """A fresh virtual environment with these installed; its folder of programs. OSError if that fails."""
    run(python, "-m", "venv", "--clear", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--retries", "10", "--timeout", "60", *requirements)
    return programs


def run(*command: str | Path, cwd: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """What a program prints, in this environment, by default ours. OSError, with the end of what it said, if it
    fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, encoding="utf-8", errors="replace")
    if done.returncode:
        end = "\n".join(done.stdout.splitlines()[-30:])
        raise OSError(f"{end}\n`{' '.join(words)}` failed: exit status {done.returncode}")
    return done.stdout
