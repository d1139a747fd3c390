#!/usr/bin/env python3
"""Make a folder, and an archive of it, from which the engine plays where there is no Python, and try it.

    python scripts/bundle.py [--wheel dist/gakushi-….whl] [--out dist]

It holds what the wheel does, with Python and click, and without NumPy, which play does not need; the program in it is
`engine`, for a GUI to be pointed at. It is tried with nothing in its environment: it has to search the nodes of
tests/bench.txt, and its commands have to work. It runs on systems no older than this one, and of its kind.

By default the wheel is the one in dist/ for this Python, which `make wheels` leaves there. This Python has to have been
built with a shared library; PyInstaller, to put the folder together, comes from PyPI.
"""
import os
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.delivery.pythons import STABLE, Version, environment, run
from scripts.delivery.trial import bench, every_command, start

ROOT = Path(__file__).parents[1]
LAUNCHER = Path(__file__).parent / "delivery" / "launcher.py"
PACKAGES = ("engine", "tt", "eval", "search", "usi")
CONTENTS = "lib"            # the folder of all but the program
# What only learns, counts or proves: some of it needs NumPy.
NOT_FOR_PLAY = ("engine.packed", "eval.fold", "eval.learner", "eval.network_learner", "eval.quantised", "eval.samples",
                "search.matereference", "search.reference", "usi.commands.foldstats.counts")
# Of Python, what nothing here uses but something names: encryption, other archives, and a library that is not as free.
NOT_OF_PYTHON = ("_bz2", "_decimal", "_hashlib", "_lzma", "_ssl", "asyncio", "bz2", "lzma", "readline",
                 "ssl", "unittest")


def wheel_in(folder: Path, version: Version, machine: str) -> Path:
    """The wheel there for a Python on such a processor. OSError if there is none, or several."""
    own = f"cp3{version[1]}-cp3{version[1]}"
    abi = rf"({own}|cp3\d+-abi3)" if version >= STABLE else own
    found = [path for path in folder.glob("gakushi-*.whl") if re.search(rf"-{abi}-.*{machine}\.whl", path.name)]
    if len(found) != 1:
        raise OSError(f"{folder} has {len(found)} wheels for this Python: run `make wheels`, or name one by --wheel")
    return found[0]


def imported_by_compiled(packages: Path) -> set[str]:
    """What the compiled modules import of Python's library, which PyInstaller cannot see."""
    sources = [path for package in PACKAGES for path in (packages / package).glob("*.pyx")]
    pattern = re.compile(r"^(?:from|import) ([a-z]\w*)(?![\w.]* cimport)", re.MULTILINE)
    names = {name for path in sources for name in pattern.findall(path.read_text(encoding="utf-8"))}
    return names & set(sys.stdlib_module_names)


def faster(packages: Path) -> list[Path]:
    """The modules that are there once more, for processors that have more (engine/cpu.pyx)."""
    left_out = {Path(*name.split(".")) for name in NOT_FOR_PLAY}
    return [path for package in PACKAGES for path in (packages / package).glob("*/*")
            if path.suffix in (".so", ".pyd") and Path(package, path.name.split(".")[0]) not in left_out]


def assemble(wheel: Path, made: Path) -> Path:
    """The folder, in `made`."""
    programs = environment(sys.executable, made / "venv", "pyinstaller", "click")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel)
    packages = Path(run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip())
    options = [f"--collect-submodules={package}" for package in PACKAGES]
    options += [f"--hidden-import={name}" for name in sorted(imported_by_compiled(packages))]
    options += [f"--exclude-module={name}" for name in (*NOT_FOR_PLAY, *NOT_OF_PYTHON)]
    options += [f"--add-data={packages / name / 'data'}{os.pathsep}{name}/data" for name in ("eval", "usi")]
    options += [f"--add-binary={path}{os.pathsep}{path.parent.relative_to(packages)}" for path in faster(packages)]
    if os.name == "posix":
        options.append("--strip")
    run(programs / "pyinstaller", "--noconfirm", "--log-level=WARN", "--onedir", "--name=engine",
        f"--contents-directory={CONTENTS}", *options, LAUNCHER, cwd=made)
    folder = made / "dist" / "engine"
    add_licences(folder, packages)
    return folder


def add_licences(folder: Path, packages: Path) -> None:
    """Ours, and those of what comes with it. OSError if one is not where it should be."""
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    shutil.copy(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", folder / CONTENTS / "LICENSE.python.txt")
    (licence,) = packages.glob("click-*.dist-info/**/LICENSE*")
    shutil.copy(licence, folder / CONTENTS / "LICENSE.click.txt")


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


@command(__doc__)
@click.option("--wheel", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The wheel to take.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=ROOT / "dist",
              help="Where to put the folder and its archive.")
def main(wheel: Path | None, out: Path) -> None:
    machine = platform.machine().lower()
    wheel = wheel or wheel_in(out, sys.version_info[:2], machine)
    version = wheel.name.split("-")[1]
    name = f"gakushi-{version}-{sys.platform.replace('win32', 'windows')}-{machine}"
    target = out.absolute() / name
    with tempfile.TemporaryDirectory() as made:
        folder = assemble(wheel.absolute(), Path(made))
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(folder, target)
    program = target / ("engine.exe" if os.name == "nt" else "engine")
    click.echo(f"{target}: {megabytes(target):.1f} MB")
    archive = Path(shutil.make_archive(str(target), "zip" if os.name == "nt" else "xztar", out, name))
    click.echo(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")
    click.echo(f"{bench(program)}; {start(program)}; {every_command(program)}")


if __name__ == "__main__":
    main()
