"""Build the wheel with the oldest tools that pyproject.toml admits, and try it under the oldest and newest Python.

    python -m scripts.packaging.pythons [--require VERSION]...

The classifiers in pyproject.toml say which Pythons these are. One wheel serves all (GAKUSHI_ABI3). Under the oldest
Python it is tried with the oldest click and NumPy that pyproject.toml admits, and the oldest packages of the browser's
server. cshogi is installed nowhere. A Python that this machine lacks is named and left out, unless it is required.
"""
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click

from scripts.packaging.trial import run, try_engine

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = ROOT / "build" / "pythons"
SOURCES = BUILD / "sources"     # a copy, so that files that another Cython has generated are not used
# Quick tests of what depends on Python, Cython, NumPy, click (the commands) or Starlette (the server).
TESTS = ("tests/engine", "tests/tt", "tests/eval", "tests/usi/book", "tests/usi/session", "tests/usi/console",
         "tests/usi/commands/test_cli.py", "tests/scripts/test_ranges.py", "tests/usi/serve/test_serve_guard.py",
         "tests/usi/serve/test_serve_command.py")
NEEDED = ("pytest", "pytest-xdist", "hypothesis", "python-shogi", "rsshogi", "numpy")


def promised() -> list[str]:
    """The versions of Python in the classifiers of pyproject.toml, oldest first."""
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each)
             for each in PROJECT["project"]["classifiers"])
    return [match[1] for match in found if match]


def python_of(version: str) -> Path | None:
    """The path of a Python of this version, from PATH or pyenv; None if there is none that can make an environment."""
    home = Path.home() / ".pyenv" / "versions"
    candidates = [shutil.which(f"python{version}"), sys.executable,
                  *sorted(map(str, home.glob(f"{version}.*/bin/python")), reverse=True)]
    asking = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    for candidate in filter(None, candidates):
        asked = subprocess.run([candidate, "-c", asking], capture_output=True, text=True)
        if asked.stdout.strip() == version:
            return Path(candidate)
    return None


def oldest(requirements: list[str]) -> list[str]:
    """The requirements that name a least version, pinned to it."""
    found = (re.match(r"([\w.-]+)>=([\w.]+)", each) for each in requirements)
    return [f"{match[1]}=={match[2]}" for match in found if match]


def environment(python: Path, name: str, *packages: str) -> Path:
    """A new environment with these packages; the path of its Python."""
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    made = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "10", *packages)
    return made


def build_wheel(python: Path) -> Path:
    """Build the wheel with the oldest tools."""
    made = environment(python, "tools", *oldest(PROJECT["build-system"]["requires"]))
    wheels = BUILD / "wheels"
    for folder in (SOURCES, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    for name in run("git", "-C", ROOT, "ls-files", "-z").split("\0")[:-1]:
        (SOURCES / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():      # else it is deleted, but not yet committed
            shutil.copy(ROOT / name, SOURCES / name)
    run(made, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, SOURCES,
        env={**os.environ, "GAKUSHI_ABI3": "1"})
    (wheel,) = wheels.glob("*.whl")
    return wheel


def try_wheel(wheel: Path, python: Path, version: str, least: list[str]) -> None:
    """Install the wheel under this Python, with the oldest packages in `least`, and run the doctor, the bench, and
    tests."""
    made = environment(python, version, f"{wheel}[web]", *NEEDED, *least)
    click.echo(run(made, "-c", "import sys; print('Python', sys.version)"))
    click.echo(run(made, "-m", "pip", "list", "--disable-pip-version-check"))
    click.echo(run(made.with_name("gakushi"), "doctor", "--threads", "1"))
    click.echo(try_engine(made.with_name("engine")))
    subprocess.run([made, "-m", "pytest", "-q", "-n", os.environ.get("JOBS", "2"), "-p", "no:cacheprovider",
                    "-m", "not slow and not timing and not clients", *TESTS], cwd=SOURCES, check=True,
                   env={**os.environ, "PYTHONSAFEPATH": "1", "GAKUSHI_SKIPS": ""})


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.option("--require", "required", multiple=True, metavar="VERSION", help="A Python that must be there, as 3.14.")
def main(required: tuple[str, ...]) -> None:
    versions = promised()
    found = {version: python for version in versions if (python := python_of(version))}
    if missing := [version for version in (*required, versions[0]) if version not in found]:
        raise click.ClickException(f"there is no Python {', '.join(missing)} with venv here; install it")
    if versions[-1] not in found:
        click.echo(f"NOT TRIED: Python {versions[-1]}, which is not installed here")
    wheel = build_wheel(found[versions[0]])
    newest = max(found, key=versions.index)
    extras = PROJECT["project"]["optional-dependencies"]
    least = oldest([*PROJECT["project"]["dependencies"], *extras["learn"], *extras["web"]])
    for version in dict.fromkeys((versions[0], newest)):
        try:
            try_wheel(wheel, found[version], version, least if version == versions[0] else [])
        except (OSError, subprocess.CalledProcessError) as error:
            raise click.ClickException(f"Python {version}: {error}") from None


if __name__ == "__main__":
    main()
