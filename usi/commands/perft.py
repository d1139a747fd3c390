"""The command `engine perft`."""
import time

import click

from engine import STARTPOS_SFEN, Position
from usi.protocol import nodes_per_second


@click.command()
@click.argument("depth", type=click.IntRange(1))
@click.option("--sfen", default=STARTPOS_SFEN, help="The position [default: the start of the game]")
@click.option("--divide", is_flag=True, help="Print the count under each move as well.")
def perft(depth: int, sfen: str, divide: bool) -> None:
    """Count the leaves of the tree of legal moves, DEPTH plies deep."""
    start = time.perf_counter()
    try:
        position = Position(sfen)
        counts = position.divide(depth) if divide else {}
        nodes = sum(counts.values()) if divide else position.perft(depth)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    elapsed_ms = round((time.perf_counter() - start) * 1000)
    for move, count in counts.items():
        click.echo(f"{move}: {count}")
    click.echo(f"Nodes: {nodes}\nNodes/second: {nodes_per_second(nodes, elapsed_ms)}")
