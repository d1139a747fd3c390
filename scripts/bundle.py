"""Make a folder with the engine for machines without Python, and an archive of it, and try the folder.

    python -m scripts.bundle [--dist FOLDER]

The folder holds the contents of a wheel for this Python, which `make wheels` has put into FOLDER, with Python and
click, but without NumPy, which play does not need. The program in the folder is `engine`, the file to choose in a GUI.
The trial runs it in an empty environment: the bench has to give the node count of tests/bench.txt, and the commands
have to work. The result runs on this kind of system, from this version of the system on.

This command needs the standard library and click only, so it works in a checkout where nothing is compiled. The Python
that runs it must have been built with a shared library. PyInstaller, which puts the folder together, comes from PyPI.
"""
import os
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import click

from scripts.packaging.trial import run, try_engine
from usi.console.interrupts import raise_interrupts
from usi.console.streams import guarded_streams

ROOT = Path(__file__).parents[1]
# In a folder without Python, worker processes run the program `engine`, too; in a worker process `freeze_support` does
# its work and never returns.
LAUNCHER = """from multiprocessing import freeze_support

from usi.cli import main

if __name__ == "__main__":
    freeze_support()
    main()
"""
PACKAGES = ("engine", "tt", "eval", "search", "usi")
DATA = ("eval", "search", "usi/book", "usi/pages", "usi/words")
CONTENTS = "lib"            # the folder of everything except the program
# Modules for learning and statistics, some of which need NumPy, and modules for Dask's workers.
NOT_FOR_PLAY = ("numpy", "engine.packed", "eval.learning", "usi.workers.dask")
# Parts of Python that are imported somewhere but not used here: encryption, other archives, and a library under another
# licence.
NOT_OF_PYTHON = ("_bz2", "_decimal", "_hashlib", "_lzma", "_ssl", "asyncio", "bz2", "lzma", "readline",
                 "ssl", "unittest")
WHERE = "import sysconfig; from importlib.metadata import version; " \
        "print(sysconfig.get_path('platlib'), version('gakushi'), sep='\\n')"


def imported_by_compiled(packages: Path) -> set[str]:
    """The standard library's modules that compiled modules import, which PyInstaller cannot see."""
    sources = [path for package in PACKAGES for path in (packages / package).rglob("*.pyx")]
    pattern = re.compile(r"^(?:from|import) ([a-z]\w*)(?![\w.]* cimport)", re.MULTILINE)
    names = {name for path in sources for name in pattern.findall(path.read_text(encoding="utf-8"))}
    return names & set(sys.stdlib_module_names)


def faster(packages: Path) -> list[Path]:
    """The modules built a second time, for better processors (engine/system/cpu.pyx). These modules lie in folders that
    are no packages."""
    left_out = {packages.joinpath(*name.split(".")) for name in NOT_FOR_PLAY}

    def for_play(path: Path) -> bool:
        package = path.parent.parent
        return left_out.isdisjoint({package / path.name.partition(".")[0], package, *package.parents})

    return [path for package in PACKAGES for path in (packages / package).rglob("*")
            if path.suffix in (".so", ".pyd") and not (path.parent / "__init__.py").exists() and for_play(path)]


def assemble(dist: Path, made: Path) -> tuple[Path, str]:
    """Assemble the folder inside `made`. Returns its path and the version."""
    run(sys.executable, "-m", "venv", made / "python")
    python = made / "python" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "pyinstaller", "click")
    run(*pip, "--no-deps", "--no-index", "--only-binary", ":all:", "--find-links", dist, "gakushi")
    where, version = run(python, "-I", "-c", WHERE).split("\n")[:2]
    packages = Path(where)
    options = [f"--collect-submodules={package}" for package in PACKAGES]
    options += [f"--hidden-import={name}" for name in sorted(imported_by_compiled(packages))]
    options += [f"--exclude-module={name}" for name in (*NOT_FOR_PLAY, *NOT_OF_PYTHON)]
    options += [f"--add-data={packages / name / 'data'}:{name}/data" for name in DATA]
    options += [f"--add-binary={path}:{path.parent.relative_to(packages)}" for path in faster(packages)]
    options += [f"--{kind}path={made / kind}" for kind in ("dist", "work", "spec")]
    options += [] if os.name == "nt" else ["--strip"]
    launcher = made / "launcher.py"
    launcher.write_text(LAUNCHER, encoding="utf-8")
    run(python, "-I", "-m", "PyInstaller", "--noconfirm", "--log-level=WARN", "--onedir", "--name=engine",
        f"--contents-directory={CONTENTS}", *options, launcher)
    folder = made / "dist" / "engine"
    (of_click,) = packages.glob("click-*.dist-info/**/LICENSE*")
    for source, name in ((ROOT / "LICENSE", "LICENSE.txt"), (of_click, f"{CONTENTS}/LICENSE.click.txt"),
                         (Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", f"{CONTENTS}/LICENSE.python.txt")):
        shutil.copy(source, folder / name)
    return folder, version


class Guarded(click.Command):
    """A command that shows text from outside safely, like all others, but without importing the engine."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        raise_interrupts()
        with guarded_streams():
            return super().main(*arguments, **options)


@click.command(cls=Guarded, help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "),
               context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--dist", type=click.Path(file_okay=False, path_type=Path), default=ROOT / "dist",
              help="Where the wheel is, and where the folder and its archive go.")
def main(dist: Path) -> None:
    try:
        make(dist)
    except OSError as error:
        raise click.ClickException(str(error)) from None


def make(dist: Path) -> None:
    """Make the folder and the archive, and try them. Raises OSError, saying why, if that fails."""
    with tempfile.TemporaryDirectory() as made:
        folder, version = assemble(dist.absolute(), Path(made))
        system = sys.platform.replace("win32", "windows")
        target = dist.absolute() / f"gakushi-{version}-{system}-{platform.machine().lower()}"
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(folder, target)
    click.echo(f"{target}: {sum(path.stat().st_size for path in target.rglob('*') if path.is_file()) / 1e6:.1f} MB")
    archive = shutil.make_archive(str(target), "zip" if os.name == "nt" else "xztar", target.parent, target.name)
    click.echo(f"{archive}: {Path(archive).stat().st_size / 1e6:.1f} MB")
    click.echo(try_engine(target / ("engine.exe" if os.name == "nt" else "engine")))


if __name__ == "__main__":
    main()
