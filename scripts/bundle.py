"""Make a folder, and an archive of it, from which the engine plays where there is no Python, and try it.

    python -m scripts.bundle [--wheel dist/gakushi-….whl] [--out dist] [--windows]

It holds what the wheel does, with Python and click, and without NumPy, which play does not need; the program in it is
`engine`, for a GUI to be pointed at. It is tried with nothing in its environment: it has to search the nodes of
tests/bench.txt, and its commands have to work. It runs on systems no older than this one, and of its kind. With
`--windows` on Linux it is one for Windows, put together and tried under Wine by the Python that scripts/foreign.py has.

By default the wheel is the one in dist/ for this Python, which `make wheels` leaves there. This Python has to have been
built with a shared library; PyInstaller, to put the folder together, comes from PyPI.
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.delivery.interpreters import STABLE, Version
from scripts.delivery.trial import bench, every_command, start
from scripts.delivery.workshop import THIS, WINDOWS, System

ROOT = Path(__file__).parents[1]
LAUNCHER = Path(__file__).parent / "delivery" / "launcher.py"
PACKAGES = ("engine", "tt", "eval", "search", "usi")
CONTENTS = "lib"            # the folder of all but the program
# What only learns, counts or proves, some of it with NumPy.
NOT_FOR_PLAY = ("numpy", "engine.packed", "eval.learning", "usi.commands.foldstats.counts")
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
    sources = [path for package in PACKAGES for path in (packages / package).rglob("*.pyx")]
    pattern = re.compile(r"^(?:from|import) ([a-z]\w*)(?![\w.]* cimport)", re.MULTILINE)
    names = {name for path in sources for name in pattern.findall(path.read_text(encoding="utf-8"))}
    return names & set(sys.stdlib_module_names)


def faster(packages: Path) -> list[Path]:
    """The second builds of modules, for better processors (engine/cpu.pyx): in folders that are no packages."""
    left_out = {packages.joinpath(*name.split(".")) for name in NOT_FOR_PLAY}

    def for_play(path: Path) -> bool:
        package = path.parent.parent
        return left_out.isdisjoint({package / path.name.partition(".")[0], package, *package.parents})

    return [path for package in PACKAGES for path in (packages / package).rglob("*")
            if path.suffix in (".so", ".pyd") and not (path.parent / "__init__.py").exists() and for_play(path)]


def assemble(system: System, wheel: Path, made: Path) -> Path:
    """The folder, in `made`."""
    workshop = system.equip(made / "python", wheel)
    packages = workshop.packages
    options = [f"--collect-submodules={package}" for package in PACKAGES]
    options += [f"--hidden-import={name}" for name in sorted(imported_by_compiled(packages))]
    options += [f"--exclude-module={name}" for name in (*NOT_FOR_PLAY, *NOT_OF_PYTHON)]
    options += [f"--add-data={packages / name / 'data'}:{name}/data" for name in ("eval", "usi")]
    options += [f"--add-binary={path}:{path.parent.relative_to(packages)}" for path in faster(packages)]
    options += [f"--{kind}path={made / kind}" for kind in ("dist", "work", "spec")]
    if not system.windows:
        options.append("--strip")
    workshop.run("-m", "PyInstaller", "--noconfirm", "--log-level=WARN", "--onedir", "--name=engine",
                 f"--contents-directory={CONTENTS}", *options, LAUNCHER)
    folder = made / "dist" / "engine"
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    shutil.copy(workshop.python_licence, folder / CONTENTS / "LICENSE.python.txt")
    (licence,) = packages.glob("click-*.dist-info/**/LICENSE*")
    shutil.copy(licence, folder / CONTENTS / "LICENSE.click.txt")
    return folder


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


@command(__doc__)
@click.option("--wheel", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The wheel to take.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=ROOT / "dist",
              help="Where to put the folder and its archive.")
@click.option("--windows", is_flag=True, help="Make one for Windows, here under Wine.")
def main(wheel: Path | None, out: Path, windows: bool) -> None:
    system = WINDOWS if windows else THIS
    wheel = wheel or wheel_in(out, sys.version_info[:2], system.machine)
    target = out.absolute() / f"gakushi-{wheel.name.split('-')[1]}-{system.name}-{system.machine}"
    with tempfile.TemporaryDirectory() as made:
        folder = assemble(system, wheel.absolute(), Path(made))
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(folder, target)
    click.echo(f"{target}: {megabytes(target):.1f} MB")
    archive = system.packed(target)
    click.echo(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")
    engine = system.engine(target / system.program)
    click.echo(f"{bench(engine)}; {start(engine)}; {every_command(engine)}")


if __name__ == "__main__":
    main()
