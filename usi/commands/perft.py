"""The command `engine perft`."""
import time

import click

from usi.commands.terminal import in_background, position_or_exit
from usi.protocol import nodes_per_second


@click.command()
@click.argument("depth", type=click.IntRange(1))
@click.option("--sfen", default="startpos", metavar="POSITION",
              help="The position: an SFEN, or 'startpos moves …' [default: the start of the game]")
@click.option("--divide", is_flag=True, help="Print the count under each move as well.")
def perft(depth: int, sfen: str, divide: bool) -> None:
    """Count the leaves of the tree of legal moves, DEPTH plies deep."""
    position = position_or_exit(sfen)
    start = time.perf_counter()
    try:
        counts = in_background(lambda: position.divide(depth)) if divide else {}
        nodes = sum(counts.values()) if divide else in_background(lambda: position.perft(depth))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    elapsed_ms = round((time.perf_counter() - start) * 1000)
    for move, count in counts.items():
        click.echo(f"{move}: {count}")
    click.echo(f"Nodes: {nodes}\nNodes/second: {nodes_per_second(nodes, elapsed_ms)}")
