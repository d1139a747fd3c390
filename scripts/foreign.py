"""Compile for another system or processor, and try what was compiled here.

    python -m scripts.foreign aarch64
    python -m scripts.foreign windows -m usi bench

TARGET is aarch64 (Linux), windows, macos-arm64 or macos-x86_64. The modules are compiled into build/TARGET/lib and
tried under qemu or Wine; those for macOS are only compiled. With ARGUMENTS a Python of the target runs with these and
with what was compiled before. Compilers, qemu and Wine come from Debian, zig from PyPI (docs/PLATFORMS.md); the Pythons
are fetched into build/TARGET.
"""
import click

from engine.errors import UserError
from scripts.cli.command import command
from scripts.packaging.checks import run_checks
from scripts.packaging.pythons import python_for
from scripts.packaging.targets import TARGETS


@command(__doc__)
@click.argument("name", type=click.Choice(list(TARGETS)), metavar="TARGET")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(name: str, arguments: tuple[str, ...]) -> None:
    target = TARGETS[name]
    python = python_for(name, target.folder)
    if not arguments:
        target.compile(python)
        for seen in run_checks(target, python):
            click.echo(seen)
    elif python.command:
        click.echo(python.run(arguments, target.built))
    else:
        raise UserError(f"nothing here runs programs for {name}")


main.allow_interspersed_args = False        # what follows the target is for others


if __name__ == "__main__":
    main()
