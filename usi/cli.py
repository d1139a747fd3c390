"""The console command `engine`: alone it speaks USI, so that a GUI can be pointed at it."""
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click

from engine import STARTPOS_SFEN, Position
from eval.loading import tables_named, weights_file
from eval.tables import EvalTables
from search import Limits, Searcher
from search.counted import FLAWS, searched_counts
from tt.quality import Quality
from tt.table import TranspositionTable
from usi import explain as explanation
from usi import foldstats as fold_counts
from usi import ttstats as key_statistics
from usi.bench import measure, positions
from usi.book.commands import book
from usi.protocol import MAX_PLY, format_score, nodes_per_second
from usi.session import Session
from usi.traffic import TrafficReport

BENCH_DEPTH = 15
# Many more positions than the table has entries: most of the cases need full buckets.
TTSTATS_DEPTH = 12
TTSTATS_HASH_MB = 1

evaluation_option: Callable[[Any], Any] = click.option(
    "--eval-file", "evaluation", metavar="FILE|material", help="Weights to evaluate by, or material alone "
    "[default: the packaged ones]")


@click.group(invoke_without_command=True)
@click.version_option(package_name="gakushi", prog_name="Gakushi")
@click.pass_context
def main(context: click.Context) -> None:
    """Gakushi, a shogi engine. Without a command it speaks USI on standard input and output."""
    if context.invoked_subcommand is None:
        context.invoke(usi)


@main.command()
def usi() -> None:
    """Speak USI until `quit` or the end of the input."""
    # Names of files arrive in whatever bytes the GUI uses, and must reach the file system unchanged.
    with open(sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", closefd=False) as source:
        Session(source, sys.stdout).run()


@main.command()
@click.option("--depth", type=click.IntRange(1, MAX_PLY - 1), help=f"Depth of a search, {BENCH_DEPTH} if not limited.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes of a search.")
@click.option("--threads", type=click.IntRange(1, 512), default=1, show_default=True)
@click.option("--hash", "hash_mb", type=click.IntRange(1, 2**20), default=64, show_default=True, help="Table in MB.")
@evaluation_option
@click.option("--tt-report", is_flag=True, help="Say what was stored in the table, iteration by iteration.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the lines.")
def bench(depth: int | None, nodes: int | None, threads: int, hash_mb: int, evaluation: str | None, tt_report: bool,
          as_json: bool) -> None:
    """Search a fixed set of positions and report nodes and speed.

    With one thread the nodes are the same at every run: they change only with search or evaluation.
    """
    if depth is None and nodes is None:
        depth = BENCH_DEPTH
    tables = _tables(evaluation)
    searcher = Searcher(1, threads, tables=tables)
    obtained_mb = searcher.resize_hash(hash_mb)
    if obtained_mb != hash_mb:
        click.echo(f"--hash {hash_mb} MB cannot be allocated, {obtained_mb} MB is used", err=True)
    traffic = TrafficReport(searcher) if tt_report else None
    measurements = []
    for number, sfen in enumerate(positions(), 1):
        _progress(f"searching position {number}: {sfen}")
        measured = measure(searcher, sfen, Limits(depth=depth, nodes=nodes),
                           traffic.on_info if traffic else None)
        measurements.append(measured)
        if traffic:
            traffic.end_search()
        _progress("")
        if not as_json:
            click.echo(f"{number:3}  depth {measured.depth:2}  score {format_score(measured.score):>8}"
                       f"  nodes {measured.nodes:9}  time {measured.time_ms:6} ms  {measured.bestmove}")
    total_nodes = sum(measured.nodes for measured in measurements)
    total_ms = sum(measured.time_ms for measured in measurements)
    nps = nodes_per_second(total_nodes, total_ms)
    nodes_without_loops = 0
    if traffic:
        _progress("searching once more without the registry of loops")
        plain = Searcher(obtained_mb, threads, {"use_loops": 0}, tables=tables)
        nodes_without_loops = sum(measure(plain, sfen, Limits(depth=depth, nodes=nodes)).nodes for sfen in positions())
        _progress("")
    if as_json:
        click.echo(json.dumps({
            "depth": depth, "nodes_each": nodes, "threads": threads, "hash_mb": obtained_mb,
            "positions": [asdict(measured) for measured in measurements],
            "nodes": total_nodes, "nps": nps, "time_ms": total_ms,
            **({"traffic": traffic.as_json(), "loops": traffic.loops,
                "nodes_without_loops": nodes_without_loops} if traffic else {}),
        }, indent=2))
    else:
        if traffic:
            click.echo("\n".join(traffic.as_lines()))
            click.echo(f"nodes with the registry of loops {total_nodes}, without it {nodes_without_loops}")
        click.echo(f"Nodes searched: {total_nodes}\nNodes/second: {nps}\nTotal time: {total_ms} ms")


@main.command()
@click.option("--depth", type=click.IntRange(1, MAX_PLY - 1), default=TTSTATS_DEPTH, show_default=True)
@click.option("--hash", "hash_mb", type=click.IntRange(1, 2**20), default=TTSTATS_HASH_MB, show_default=True,
              help="Table in MB. Only a table that gets full tells much.")
@evaluation_option
@click.option("--break", "flaw", type=click.Choice([flaw for flaw in FLAWS if flaw]),
              help="Break the keys on purpose: pawns in hand left out, or low bits that repeat high ones.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the histogram.")
def ttstats(depth: int, hash_mb: int, evaluation: str | None, flaw: str | None, as_json: bool) -> None:
    """Search the positions of bench with one table, and say how well their keys spread over it.

    docs/TT.md explains the figures.
    """
    tables = _tables(evaluation)
    table = TranspositionTable(hash_mb)
    if table.megabytes != hash_mb:
        click.echo(f"--hash {hash_mb} MB cannot be allocated, {table.megabytes} MB is used", err=True)
    _progress(f"searching {len(positions())} positions")
    quality = Quality(**searched_counts([Position(sfen) for sfen in positions()], depth, table, flaw,
                                        tables))
    _progress("")
    if as_json:
        click.echo(json.dumps({"depth": depth, "hash_mb": table.megabytes, "flaw": flaw,
                               **key_statistics.as_json(quality)}, indent=2))
    else:
        click.echo("\n".join(key_statistics.as_lines(quality)))


main.add_command(book)


@main.command("eval")
@click.argument("sfen", default=STARTPOS_SFEN)
@evaluation_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the lines.")
def evaluate(sfen: str, evaluation: str | None, as_json: bool) -> None:
    """Say what a position is worth and why: term by term, by the pairs of pieces that weigh most, by each piece.

    SFEN is in quotes; without it, the start of the game.
    """
    path = weights_file(evaluation)
    try:
        found = explanation.explain(Position(sfen), explanation.read_tables(path) if path else None)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(explanation.as_json(found), indent=2))
    else:
        click.echo("\n".join(explanation.as_lines(found)))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the table.")
def foldstats(as_json: bool) -> None:
    """Count the elements of the evaluation's tables in every layout, folded by their symmetries or not."""
    comparisons = list(fold_counts.comparisons())
    if as_json:
        click.echo(json.dumps(fold_counts.as_json(comparisons), indent=2))
    else:
        click.echo("\n".join(fold_counts.as_lines(comparisons)))


@main.command()
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


def _tables(evaluation: str | None) -> EvalTables | None:
    try:
        return tables_named(evaluation)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None


def _progress(text: str) -> None:
    """Show `text` in place of the last such text, on a terminal only."""
    if sys.stderr.isatty():
        click.echo(f"\r{text}\x1b[K", nl=False, err=True)
