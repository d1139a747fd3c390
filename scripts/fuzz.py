"""Look for faults of an engine's protocol and of our parsers with inputs drawn at random.

    python -m scripts.fuzz sessions --seconds 600
    python -m scripts.fuzz games --games 200 --nodes 300 /path/to/another/engine
    python -m scripts.fuzz parsers kif --seconds 300

The same --seed draws the same again. Exit status 1: a fault was found.
"""
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import click

from scripts.cli.command import SETTINGS, Command, help_text
from scripts.cli.options import COUNT, nodes_option, seed_option
from scripts.conformance.protocol_model import Violation
from scripts.conformance.random_sessions import run_sessions
from scripts.conformance.strict_games import play_games

OURS = (sys.executable, "-P", "-m", "usi")
engine_argument = click.argument("command", metavar="[ENGINE]...", nargs=-1)


@contextmanager
def violations_reported() -> Iterator[None]:
    try:
        yield
    except Violation as violation:
        raise click.ClickException(str(violation)) from None


def listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


@click.group(help=help_text(__doc__), context_settings=SETTINGS)
def main() -> None:
    pass


@main.command(cls=Command)
@click.option("--seconds", type=click.FloatRange(0), default=60.0, show_default=True, help="No session begins later.")
@click.option("--seed", type=int, help="[default: a random one, printed]")
@click.option("--sessions", type=COUNT, help="How many at most.")
@engine_argument
def sessions(seconds: float, seed: int | None, sessions: int | None, command: tuple[str, ...]) -> None:
    """Send ENGINE, a command with its arguments, what no GUI would.

    Random commands in random order, garbled lines, and every way to end. A model of the protocol checks all answers.
    The first violation ends the run and prints the session's transcript. ENGINE is this package unless given. The same
    seed sends the same commands again, though not at the same moments.
    """
    seed = random.randrange(2**32) if seed is None else seed
    click.echo(f"seed {seed}")
    with violations_reported():
        counts = run_sessions(command or OURS, seconds, seed, sessions)
    click.echo(f"no violation: {listed(counts)}")


@main.command(cls=Command)
@click.option("--games", type=COUNT, default=200, show_default=True)
@nodes_option(400)
@seed_option
@engine_argument
def games(games: int, nodes: int, seed: int, command: tuple[str, ...]) -> None:
    """Play games with ENGINE, a command with its arguments, on both sides.

    rsshogi parses each info and bestmove, and each line of play is played to its end on a board. ENGINE is this package
    unless given.
    """
    with violations_reported():
        ends, parsed = play_games(command or OURS, games, nodes, seed)
    click.echo(f"{games} games without a fault: {listed(ends)}\n{listed(parsed)}")


@main.command(cls=Command)
@click.argument("target")
@click.option("--seconds", type=COUNT, default=60, show_default=True)
@click.option("--seed", type=COUNT, default=1, show_default=True)
@click.option("--runs", type=COUNT, help="How many inputs at most.")
def parsers(target: str, seconds: int, seed: int, runs: int | None) -> None:
    """Fuzz one of our parsers, guided by coverage.

    TARGET is sfen, usi, csa, kif, ki2, jkf, files, book, book_on_the_fly or moves. A parser may refuse a text with a
    ValueError only, and must write and read again what it accepts. An input that breaks this is printed and left in
    crash-…. Needs atheris: pip install ".[fuzz]".
    """
    try:
        from scripts.conformance.parsers import TARGETS, fuzz
    except ModuleNotFoundError as missing:
        raise ValueError(f"{missing}; install it with pip install '.[fuzz]'") from None
    if target not in TARGETS:
        raise click.BadParameter(f"{target!r} is none of {', '.join(TARGETS)}", param_hint="TARGET")
    click.echo(f"seed {seed}")
    fuzz(target, seconds, seed, runs)


if __name__ == "__main__":
    main()
