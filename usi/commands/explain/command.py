"""The command."""
import json

import click

from eval.loading import load_evaluator, weights_file
from eval.network import EvalNetwork
from usi.commands.explain import network, tables
from usi.console.positions import read_position
from usi.console.terminal import columns, evaluation_option, show


@click.command("eval", short_help="Say what a position is worth and why.")
@click.argument("position", nargs=-1, metavar="[POSITION]")
@evaluation_option
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the lines.")
def evaluate(position: tuple[str, ...], evaluation: str | None, to_json: bool) -> None:
    """Explain the evaluation of a position.

    For the network, shows what each piece contributes; for the tables, each term, the heaviest pairs of pieces, and
    each piece.

    POSITION is an SFEN or 'startpos moves …' [default: the start of the game].
    """
    explained = read_position(" ".join(position))
    source = load_evaluator(evaluation).source
    if isinstance(source, EvalNetwork):
        seen = network.explain(explained, source)
        data, lines = network.as_json(seen), network.as_lines(seen, columns())
    else:
        path = weights_file(evaluation)
        found = tables.explain(explained, tables.read_tables(path) if path else None)
        data, lines = tables.as_json(found), tables.as_lines(found, columns())
    if to_json:
        click.echo(json.dumps(data, indent=2))
    else:
        show(*lines)
