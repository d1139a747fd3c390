"""The console command `engine`: alone it speaks USI, so that a GUI can be pointed at it."""
import json
import signal
import sys
import time
from dataclasses import asdict

import click

try:
    import engine  # noqa: F401 - it checks the processor
except ImportError as error:
    sys.exit(f"engine cannot run here: {error}")

from engine import STARTPOS_SFEN, Position
from eval.loading import weights_file
from search import Limits, Searcher
from search.instrumented import INJECTED_FAULTS, instrumented_counts
from tt.quality import Quality
from tt.table import TranspositionTable
from usi import about, doctor
from usi import explain as explanation
from usi import foldstats as fold_counts
from usi import ttstats as key_statistics
from usi.analyze import analyze
from usi.bench import measure, positions
from usi.book.commands import book
from usi.completion import completion
from usi.options import Options
from usi.play import play
from usi.protocol import MAX_PLY, format_score, nodes_per_second
from usi.session import Session
from usi.terminal import (
    evaluation_option,
    hash_option,
    make_searcher,
    progress,
    tables_or_exit,
    threads_option,
)
from usi.traffic import TrafficReport
from usi.wire import Wire

BENCH_DEPTH = 15
# Many more positions than the table has entries: most of the cases need full buckets.
TTSTATS_DEPTH = 12
TTSTATS_HASH_MB = 1


def _show_version(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        click.echo("\n".join(about.as_lines()))
        context.exit()


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Say which version this is, how it was built and for what, what it runs on, and its tables.")
@click.pass_context
def main(context: click.Context) -> None:
    """Gakushi, a shogi engine. Without a command it speaks USI on standard input and output, for a GUI.

    For people: `engine play` is a game on the terminal, `engine analyze` goes through a game, `engine doctor` says
    whether all is well.

    Exit codes: 0 if all went well; 1 if something given is wrong or cannot be done (the message says what), or the
    doctor found a problem; 2 if the command line is wrong; 130 after Ctrl-C where work was left.
    """
    if context.invoked_subcommand is None:
        context.invoke(usi)


@main.command()
def usi() -> None:
    """Speak USI until `quit` or the end of the input."""
    if sys.stdin is None or sys.stdout is None:
        raise click.ClickException("USI needs standard input and output, and one of them is closed; open both")
    # Names of files arrive in whatever bytes the GUI uses, and must reach the file system unchanged.
    with open(sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", closefd=False) as source:
        wire = Wire(source, sys.stdout)
        signal.signal(signal.SIGINT, wire.interrupt)
        Session(wire).run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # it ends already, and a second Ctrl-C must not change its status


for command in (analyze, play, book, completion):
    main.add_command(command)


@main.command("doctor", short_help="Say whether all is well on this machine.")
@click.option("--threads", type=click.IntRange(1, 512), default=Options().number("Threads"), show_default=True,
              help="Search threads that you want to use.")
@click.option("--hash", "hash_mb", type=click.IntRange(1, 2**20), default=Options().number("USI_Hash"),
              show_default=True, metavar="MB", help="Memory that you want to give the transposition table.")
@evaluation_option
def examine(threads: int, hash_mb: int, evaluation: str | None) -> None:
    """Look whether the engine can do its best on this machine, and say what to do if it cannot.

    Looks at the processor and what the engine was built for, the evaluation's tables and their cache, memory, huge
    pages, threads, a short search and its speed, and the terminal. Takes a second or two.

    A note tells what could be better, a problem what has to be mended. Exit codes: 0 without a problem, 1 with one.
    """
    problems = 0
    for finding in doctor.examine(evaluation, hash_mb, threads):
        click.echo(str(finding))
        problems += finding.verdict == "problem"
    click.echo(f"{problems} {'problem' if problems == 1 else 'problems'}" if problems else "all is well")
    sys.exit(1 if problems else 0)


@main.command()
@click.option("--depth", type=click.IntRange(1, MAX_PLY - 1), help=f"Depth of a search, {BENCH_DEPTH} if not limited.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes of a search.")
@threads_option
@hash_option
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
    tables = tables_or_exit(evaluation)
    searcher = make_searcher(hash_mb, threads, tables)
    obtained_mb = searcher.table.megabytes
    traffic = TrafficReport(searcher) if tt_report else None
    measurements = []
    for number, sfen in enumerate(positions(), 1):
        progress(f"searching position {number}: {sfen}")
        measured = measure(searcher, sfen, Limits(depth=depth, nodes=nodes),
                           traffic.on_info if traffic else None)
        measurements.append(measured)
        if traffic:
            traffic.end_search()
        progress("")
        if not as_json:
            click.echo(f"{number:3}  depth {measured.depth:2}  score {format_score(measured.score):>8}"
                       f"  nodes {measured.nodes:9}  time {measured.time_ms:6} ms  {measured.bestmove}")
    total_nodes = sum(measured.nodes for measured in measurements)
    total_ms = sum(measured.time_ms for measured in measurements)
    nps = nodes_per_second(total_nodes, total_ms)
    nodes_without_loops = 0
    if traffic:
        progress("searching once more without the registry of loops")
        plain = Searcher(obtained_mb, threads, {"use_ghi_reuse": 0}, tables=tables)
        nodes_without_loops = sum(measure(plain, sfen, Limits(depth=depth, nodes=nodes)).nodes for sfen in positions())
        progress("")
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


@main.command(short_help="Say how well keys spread over the table.")
@click.option("--depth", type=click.IntRange(1, MAX_PLY - 1), default=TTSTATS_DEPTH, show_default=True)
@click.option("--hash", "hash_mb", type=click.IntRange(1, 2**20), default=TTSTATS_HASH_MB, show_default=True,
              help="Table in MB. Only a table that gets full tells much.")
@evaluation_option
@click.option("--break", "flaw", type=click.Choice([flaw for flaw in INJECTED_FAULTS if flaw]),
              help="Break the keys on purpose: pawns in hand left out, or low bits that repeat high ones.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the histogram.")
def ttstats(depth: int, hash_mb: int, evaluation: str | None, flaw: str | None, as_json: bool) -> None:
    """Search the positions of bench with one table, and say how well their keys spread over it.

    docs/TT.md explains the figures.
    """
    tables = tables_or_exit(evaluation)
    table = TranspositionTable(hash_mb)
    if table.megabytes != hash_mb:
        click.echo(f"--hash {hash_mb} MB cannot be allocated, {table.megabytes} MB is used", err=True)
    progress(f"searching {len(positions())} positions")
    quality = Quality(**instrumented_counts([Position(sfen) for sfen in positions()], depth, table, flaw,
                                        tables))
    progress("")
    if as_json:
        click.echo(json.dumps({"depth": depth, "hash_mb": table.megabytes, "flaw": flaw,
                               **key_statistics.as_json(quality)}, indent=2))
    else:
        click.echo("\n".join(key_statistics.as_lines(quality)))


@main.command("eval", short_help="Say what a position is worth and why.")
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


@main.command(short_help="Count the elements of the evaluation's tables.")
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
