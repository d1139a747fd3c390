"""The command `engine perft`."""
import json
import time

import click

from usi.console.positions import read_position
from usi.console.ranges import COUNT
from usi.console.terminal import in_background
from usi.session.protocol import nodes_per_second
from usi.words.language import _


@click.command()
@click.argument("depth", type=COUNT)
@click.option("--sfen", default="startpos", metavar="POSITION",
              help="The position: an SFEN, or 'startpos moves …' [default: the start of the game]")
@click.option("--divide", is_flag=True, help="Print the count under each move as well.")
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the lines.")
def perft(depth: int, sfen: str, divide: bool, to_json: bool) -> None:
    """Count the leaves of the tree of legal moves, DEPTH plies deep."""
    position = read_position(sfen)
    start = time.perf_counter()
    counts = in_background(lambda: position.divide(depth)) if divide else {}
    nodes = sum(counts.values()) if divide else in_background(lambda: position.perft(depth))
    elapsed_ms = round((time.perf_counter() - start) * 1000)
    nps = nodes_per_second(nodes, elapsed_ms)
    if to_json:
        click.echo(json.dumps({"sfen": position.sfen, "depth": depth, "nodes": nodes, "time_ms": elapsed_ms, "nps": nps,
                               **({"moves": counts} if divide else {})}, indent=2))
        return
    for move, count in counts.items():
        click.echo(f"{move}: {count}")
    click.echo(_("Nodes: {nodes}\nNodes/second: {nps}", nodes=nodes, nps=nps))
