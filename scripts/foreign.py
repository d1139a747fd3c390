"""Compile for another system or processor, and run its Python here.

    python -m scripts.foreign aarch64 check
    python -m scripts.foreign aarch64 setup [ARGUMENTS OF setup.py]
    python -m scripts.foreign windows python -m usi bench

TARGET is aarch64 (Linux), windows, macos-arm64 or macos-x86_64. `setup` compiles into build/TARGET/lib if nothing else
is asked for. `python` runs a Python of the target with what was compiled, under qemu or Wine, and prints what it
printed. `check` does the first, and whatever can be looked at here: docs/PLATFORMS.md. What this takes, compilers
apart, is fetched from Debian and PyPI into build/TARGET; it says what is missing.
"""
import sys

import click

from scripts.cli.command import command
from scripts.platforms.building import run_setup
from scripts.platforms.checks import run_checks
from scripts.platforms.pythons import python_for
from scripts.platforms.targets import TARGETS


@command(__doc__)
@click.argument("name", type=click.Choice(list(TARGETS)), metavar="TARGET")
@click.argument("what", type=click.Choice(["check", "setup", "python"]))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(name: str, what: str, arguments: tuple[str, ...]) -> None:
    target = TARGETS[name]
    target.require_compiler()
    python = python_for(target)
    if what != "python":
        usual = ("--quiet", "build", "--build-lib", str(target.built), "--build-temp", str(target.folder / "temp"))
        status = run_setup(target, python, arguments or usual)
        if status or what == "setup":
            sys.exit(status)
        for seen in run_checks(target, python):
            click.echo(seen)
        return
    if not python.command:
        raise ValueError(f"nothing here runs programs for {name}")
    done = python.run(arguments, target.built)
    click.echo(done.stdout, nl=False)
    sys.exit(done.returncode)


main.allow_interspersed_args = False        # what follows the target is for others

if __name__ == "__main__":
    main()
